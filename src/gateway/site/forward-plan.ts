import { addVaryOrigin } from '../../cache/wordpress/response-sharing.ts';
import type { ResponseHead, UpstreamFailure, UpstreamTimeouts } from '../../http/exchange.ts';
import type { SendGuard } from '../../upstream/circuit-breaker-guard.ts';
import { toFailureResponse } from '../../upstream/failures.ts';
import { toClientHeaders } from '../../upstream/response-headers.ts';
import {
  type BodyRewriter,
  createBodyRewriter,
  isRewritableRequestBody,
} from '../../upstream/rewrite-body.ts';
import type { UpstreamTls } from '../../upstream/upstream-tls.ts';
import { isDiscovered } from '../caching/resource-resolver.ts';
import { PostResponseObserver, SiteCacheRequest } from '../caching/site-cache-request.ts';

import type { BodyInspection } from '../plan/body-inspection.ts';
import type {
  CacheAccess,
  ForwardPlan,
  RelayedHead,
  RequestAttributes,
  ResponseObserver,
  UpstreamTimer,
} from '../plan/plan.ts';
import type { Problem } from '../plan/problem.ts';
import { toCircuitSubject } from './circuit-subject.ts';
import type { ForwardedRequest, SiteForwardingOptions } from './forwarded-request.ts';
import {
  type RecordedRequest,
  recordFailure,
  recordRefusal,
  recordSiteError,
  toTrafficKey,
} from './request-recording.ts';
import { createRequestRewriter, SiteUpstreamRequest } from './site-upstream-request.ts';

/**
 * The plan of one forwarded request. Members that only an upstream exchange needs are computed on first use, because most
 * requests are cache hits.
 */
export class SiteForwardPlan implements ForwardPlan {
  readonly kind = 'forward';
  readonly upstreamRequest: SiteUpstreamRequest;
  readonly cacheAccess: CacheAccess | undefined;
  readonly attributes: RequestAttributes;
  readonly #site: SiteForwardingOptions;
  readonly #forwarded: ForwardedRequest;
  /** Whether the reason for the error response is recorded already. */
  #isProblemRecorded = false;

  constructor(site: SiteForwardingOptions, forwarded: ForwardedRequest) {
    const { attributes, requestHeaders, head, publicBase, resource } = forwarded;
    const { mount, operation, requestId, route } = attributes;
    const upstreamHeaders = new SiteUpstreamRequest(site, forwarded);
    this.#site = site;
    this.#forwarded = forwarded;
    this.upstreamRequest = upstreamHeaders;
    this.cacheAccess =
      site.caching === null || resource?.kind !== 'resource'
        ? undefined
        : {
            cache: site.caching.cache,
            request: new SiteCacheRequest({ resource, head, publicBase, upstreamHeaders }),
          };
    this.attributes = { requestId, client: requestHeaders.client.address, mount, route, operation };
  }

  get origin(): string {
    const { configuredOrigin, host } = this.#site.upstream;
    return host === undefined ? this.#forwarded.snapshot.origin : configuredOrigin;
  }

  get tls(): UpstreamTls | undefined {
    const { configuredOrigin, tls } = this.#site.upstream;
    return tls !== undefined && this.origin === configuredOrigin ? tls : undefined;
  }

  get timeouts(): UpstreamTimeouts {
    return this.#site.timeouts;
  }

  get bodyInspection(): BodyInspection | undefined {
    const { bodyInspection } = this.#forwarded;
    return bodyInspection ?? (this.#isBodyRewritten() ? KNOWN_LENGTH_INSPECTION : undefined);
  }

  createRequestBodyRewriter(): BodyRewriter | undefined {
    return this.#isBodyRewritten()
      ? createRequestRewriter(this.#forwarded).createBodyRewriter(this.#forwarded.head.headers)
      : undefined;
  }

  #isBodyRewritten(): boolean {
    const { hasBody, head } = this.#forwarded;
    return this.#site.rewriteBodies && hasBody && isRewritableRequestBody(head.headers);
  }

  get observers(): readonly ResponseObserver[] {
    const { sampleObserver, validationObserver } = this.#forwarded;
    const writeObserver = this.#createWriteObserver();
    return [validationObserver, sampleObserver, writeObserver].filter((observer) => observer !== null);
  }

  /** The response to a `POST` to a plain origin may be stored after the invalidation. */
  #createWriteObserver(): ResponseObserver | null {
    const { caching } = this.#site;
    const { head, publicBase, resolved, snapshot, writeObserver } = this.#forwarded;
    if (writeObserver === null || caching === null) return writeObserver;
    if (head.method !== 'POST' || isDiscovered(snapshot)) return writeObserver;
    return new PostResponseObserver({
      cache: caching.cache,
      target: `${snapshot.origin}${resolved.upstreamTarget}`,
      createReadRequest: () => {
        const read = { ...head, method: 'GET' };
        const resource = caching.getResource(snapshot, resolved, read, false);
        if (resource.kind === 'bypass') return null;
        return new SiteCacheRequest({
          resource,
          head: read,
          publicBase,
          upstreamHeaders: this.upstreamRequest,
        });
      },
      toRelayedHead: (responseHead) => this.toRelayedHead(responseHead),
      writeObserver,
    });
  }

  get circuitBreakerGuard(): SendGuard | undefined {
    const { head, resolved } = this.#forwarded;
    return this.#site.circuitBreakerGuard?.(toCircuitSubject(head.method, resolved));
  }

  get bypassDetail(): string | undefined {
    const { resource } = this.#forwarded;
    return resource?.kind === 'bypass' ? resource.detail : undefined;
  }

  toRelayedHead(head: ResponseHead): RelayedHead {
    const { publicBase, resource, snapshot } = this.#forwarded;
    const { siteUrls } = snapshot;
    const { headers, needsBodyRewrite } = toClientHeaders(head, {
      siteUrls,
      publicBase,
      rewriteBodies: this.#site.rewriteBodies,
    });
    if (resource?.kind === 'resource' && resource.properties.isRoute) addVaryOrigin(headers);
    return needsBodyRewrite
      ? { headers, bodyRewriter: createBodyRewriter(siteUrls, publicBase) }
      : { headers };
  }

  toFailureProblem(failure: UpstreamFailure): Problem {
    const problem = toFailureResponse(failure);
    const { cacheStatus, retryAfter } = failure;
    this.#isProblemRecorded = true;
    recordFailure(this.#site.recorder, this.#recordedRequest, failure, problem);
    const headers = {
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
      ...(cacheStatus === undefined ? {} : { 'cache-status': cacheStatus }),
    };
    return { ...problem, headers };
  }

  recordResponse(status: number, cacheStatus: string | undefined, milliseconds: number): void {
    const { recorder } = this.#site;
    recorder.traffic.recordResponse(toTrafficKey(this.#forwarded), status, cacheStatus, milliseconds);
    if (status < 400 || this.#isProblemRecorded) return;
    const number = recordSiteError(recorder, this.#recordedRequest, status, cacheStatus);
    if (number === null) return;
    this.#forwarded.validationObserver?.onSiteRefusal?.((refusal) => {
      recorder.problems.complete(number, refusal);
    });
  }

  recordRefusal(problem: Problem): void {
    this.#isProblemRecorded = true;
    recordRefusal(this.#site.recorder, this.#recordedRequest, problem);
  }

  startUpstreamTimer(): UpstreamTimer {
    const { now, traffic } = this.#site.recorder;
    const started = now();
    return (status) =>
      traffic.recordUpstream(toTrafficKey(this.#forwarded), status, Math.max(0, now() - started));
  }

  get #recordedRequest(): RecordedRequest {
    const { head, resolved } = this.#forwarded;
    return { method: head.method, resolved, attributes: this.attributes };
  }
}

/** Bytes of a rewritten body that are buffered to state its length; a longer body is sent in chunks. */
const MAX_MEASURED_BODY = 1024 * 1024;

/** Buffers a short body, because some servers in front of PHP do not take bodies of unknown length. */
const KNOWN_LENGTH_INSPECTION: BodyInspection = {
  kind: 'whole',
  maxLength: MAX_MEASURED_BODY,
  tooLargeProblem: null,
  validate: () => null,
};
