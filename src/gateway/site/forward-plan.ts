import { addVaryOrigin } from '../../cache/wordpress/response-sharing.ts';
import type { ResponseHead, UpstreamFailure, UpstreamTimeouts } from '../../http/exchange.ts';
import type { IncomingRequestHead } from '../../http/request-head.ts';
import type { SendGuard } from '../../upstream/circuit-breaker-guard.ts';
import { FAILURE_RESPONSES } from '../../upstream/failures.ts';
import { isForwardedUnchanged, type RequestHeaders } from '../../upstream/request-headers.ts';
import { toClientHeaders } from '../../upstream/response-headers.ts';
import { createBodyRewriter } from '../../upstream/rewrite-body.ts';
import { type CacheableResource, toSharedRequestHeaders } from '../caching/cacheable-resource.ts';
import { SiteCacheRequest, type UpstreamHeaders } from '../caching/site-cache-request.ts';
import type { SiteCaching } from '../caching/site-caching.ts';
import type { BodyInspection } from '../plan/body-inspection.ts';
import type {
  CacheLookup,
  ForwardPlan,
  PlannedUpstreamRequest,
  RelayedHead,
  RequestAttributes,
  ResponseObserver,
} from '../plan/plan.ts';
import type { Problem } from '../plan/problem.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolved-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Settings that all forward plans of one site share. */
export interface SiteForwardingOptions {
  readonly mount: string;
  readonly rewriteBodies: boolean;
  readonly timeouts: UpstreamTimeouts;
  /** `null` if nothing of the site is cached. */
  readonly caching: SiteCaching | null;
  /** Circuit breaker of the site; `null` if it is off. */
  readonly guard: SendGuard | null;
}

/** A client's request that is to be forwarded, and what the plan is decided from. */
export interface ForwardedRequest {
  readonly snapshot: Snapshot;
  readonly resolved: RouteRequest | PageRequest;
  readonly head: IncomingRequestHead;
  readonly fields: RequestHeaders;
  readonly hasBody: boolean;
  /** `null` if the request bypasses the cache. */
  readonly resource: CacheableResource | null;
  /** Its `client` is the peer. */
  readonly attributes: RequestAttributes;
  readonly inspection: BodyInspection | undefined;
  /** Observers of the response; `null` where the request has none. */
  readonly validation: ResponseObserver | null;
  readonly sample: ResponseObserver | null;
  readonly write: ResponseObserver | null;
  /** The gateway's URL of the site, as the client sees it. */
  readonly publicBase: string;
}

/**
 * The plan of one forwarded request. It is built in one direction: the upstream request, then the cache's view of it, then
 * the plan. What only an upstream exchange needs is computed on first use, as most requests are cache hits.
 */
export class SiteForwardPlan implements ForwardPlan {
  readonly kind = 'forward';
  readonly request: SiteUpstreamRequest;
  readonly cacheLookup: CacheLookup | undefined;
  readonly attributes: RequestAttributes;
  readonly #site: SiteForwardingOptions;
  readonly #forwarded: ForwardedRequest;

  constructor(site: SiteForwardingOptions, forwarded: ForwardedRequest) {
    const { attributes, fields, head, publicBase, resource } = forwarded;
    const { mount, operation, requestId, route } = attributes;
    const upstream = new SiteUpstreamRequest(site, forwarded);
    this.#site = site;
    this.#forwarded = forwarded;
    this.request = upstream;
    this.cacheLookup =
      site.caching === null || resource === null
        ? undefined
        : {
            cache: site.caching.cache,
            request: new SiteCacheRequest({ resource, head, publicBase, upstream }),
          };
    this.attributes = { requestId, client: fields.client.address, mount, route, operation };
  }

  get origin(): string {
    return this.#forwarded.snapshot.origin;
  }

  get timeouts(): UpstreamTimeouts {
    return this.#site.timeouts;
  }

  get inspection(): BodyInspection | undefined {
    return this.#forwarded.inspection;
  }

  get observers(): readonly ResponseObserver[] {
    const { sample, validation, write } = this.#forwarded;
    return [validation, sample, write].filter((observer) => observer !== null);
  }

  get guard(): SendGuard | undefined {
    return this.#site.guard ?? undefined;
  }

  toRelayedHead(head: ResponseHead): RelayedHead {
    const { publicBase, resource, snapshot } = this.#forwarded;
    const { siteUrls } = snapshot;
    const { headers, rewriteBody } = toClientHeaders(head, {
      siteUrls,
      publicBase,
      rewriteBodies: this.#site.rewriteBodies,
    });
    if (resource?.properties.isRoute === true) addVaryOrigin(headers);
    return rewriteBody ? { headers, rewriter: createBodyRewriter(siteUrls, publicBase) } : { headers };
  }

  toProblem({ kind, retryAfter }: UpstreamFailure): Problem {
    const problem = FAILURE_RESPONSES[kind];
    return retryAfter === undefined
      ? problem
      : { ...problem, headers: { 'retry-after': String(retryAfter) } };
  }
}

/** Methods that a site may receive twice (RFC 9110 §9.2.1). */
const RETRYABLE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The upstream request of one plan. It builds its header list on first use. */
class SiteUpstreamRequest implements PlannedUpstreamRequest, UpstreamHeaders {
  readonly method: string;
  readonly hasBody: boolean;
  readonly #site: SiteForwardingOptions;
  readonly #forwarded: ForwardedRequest;
  #headers: string[] | undefined;

  constructor(site: SiteForwardingOptions, forwarded: ForwardedRequest) {
    this.method = forwarded.head.method;
    this.hasBody = forwarded.hasBody;
    this.#site = site;
    this.#forwarded = forwarded;
  }

  get target(): string {
    return this.#forwarded.resource?.properties.address ?? this.#forwarded.resolved.address;
  }

  get retryable(): boolean {
    const { resolved } = this.#forwarded;
    const effectiveMethod = resolved.kind === 'route' ? resolved.target.method : this.method;
    return !this.hasBody && RETRYABLE_METHODS.has(effectiveMethod) && RETRYABLE_METHODS.has(this.method);
  }

  get headers(): string[] {
    this.#headers ??= this.#buildHeaders();
    return this.#headers;
  }

  areForwardedUnchanged(names: readonly string[]): boolean {
    return !this.#forwarded.fields.hasConnectionFields && names.every(isForwardedUnchanged);
  }

  #buildHeaders(): string[] {
    const { attributes, fields, resource, snapshot } = this.#forwarded;
    const { mount, rewriteBodies } = this.#site;
    const identityEncoding = rewriteBodies || resource?.properties.isRoute === true;
    const options = { host: snapshot.host, mount, identityEncoding };
    const headers = fields.toUpstream(options, attributes.requestId);
    return resource === null ? headers : toSharedRequestHeaders(headers, resource.properties);
  }
}
