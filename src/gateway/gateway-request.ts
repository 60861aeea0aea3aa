import { splitNames } from '../base/glob.ts';
import { type CacheStatus, toCacheOutcome } from '../base/http/cache-status.ts';
import type { IncomingRequestHead, UpstreamFailure } from '../base/http/exchange.ts';
import { withoutFields } from '../base/http/fields.ts';
import { type Problem, toErrorPage } from './exchange/problem.ts';
import type { RequestBodyValidator } from './exchange/request-body-validator.ts';
import type { RelayedRequest } from './exchange/response-relay.ts';
import { ForwardedRequest } from './forwarded-request.ts';
import type { ReceivedRequest } from './request-context.ts';
import type { CacheEntryPolicy } from './site/caching/cache-entry.ts';
import { withoutCredentials } from './site/caching/users.ts';
import type { WriteObserver } from './site/caching/write-observer.ts';
import type { CorsPolicy } from './site/cors.ts';
import type { MountedSite } from './site/mounted-site.ts';
import type { PageRequest, RouteRequest, Snapshot } from './site/snapshot/snapshot.ts';
import type { TargetMemo } from './site/target-memos.ts';
import { describeRoute, type RecentRequest, type RecordedRequest } from './site/traffic/site-recorder.ts';
import type { RequestValidation } from './site/validating/site-validation.ts';
import { toFailureResponse } from './upstream/failures.ts';
import type { RequestHeaders } from './upstream/request-headers.ts';
import { addFields, collectFetchOutcome } from './upstream/site-fetch.ts';
import { type CacheBypass, isTokenName } from './wordpress/bypass-rules.ts';

export interface RequestAttributes {
  readonly requestId: string;
  readonly client: string;
  readonly route: string | null;
  /** `operationId`; `null` if no operation matches. */
  readonly operation: string | null;
}

/** Milliseconds that a write's response waits to know whether its client is a user. */
const ASK_TIMEOUT = 10_000;
/** Fields of a write that a read in its place lacks. */
const QUESTION: ReadonlySet<string> = new Set(
  splitNames(
    'accept accept-encoding content-encoding content-length content-type expect if-match if-none-match origin range referer transfer-encoding x-http-method-override',
  ),
);

/** A request for a site, which `respond.ts` fills step by step. */
export class GatewayRequest implements RecordedRequest, RelayedRequest, RequestAttributes {
  readonly kind = 'site';
  readonly requestId: string;
  readonly site: MountedSite;
  readonly cors: CorsPolicy | null;
  /** Kept to the end, even if the site's snapshot is replaced. */
  readonly snapshot: Snapshot;
  readonly head: IncomingRequestHead;
  readonly memo: TargetMemo;
  readonly resolved: RouteRequest | PageRequest;
  readonly fields: RequestHeaders;
  readonly hasBody: boolean;
  readonly client: string;
  readonly route: string | null;
  readonly operation: string | null;
  readonly publicBase: string;
  validation: RequestValidation | null = null;
  bodyValidator: RequestBodyValidator | undefined;
  resource: CacheEntryPolicy | CacheBypass | null = null;
  /** Value of the `Cookie` field that the site gets: the key's cookies. */
  keyedCookies = '';
  writeObserver: WriteObserver | null = null;
  /** Milliseconds to the head; `undefined` if the site was not asked. */
  siteDuration: number | undefined;
  #isProblemRecorded = false;
  #forwarded: ForwardedRequest | null = null;

  constructor(
    { client, fields, head, requestId }: Omit<ReceivedRequest, 'parts'>,
    site: MountedSite,
    snapshot: Snapshot,
    memo: TargetMemo,
    resolved: RouteRequest | PageRequest,
  ) {
    this.requestId = requestId;
    this.site = site;
    this.cors = site.cors;
    this.snapshot = snapshot;
    this.head = head;
    this.memo = memo;
    this.resolved = resolved;
    this.fields = fields;
    this.hasBody = fields.hasBody;
    this.client = client;
    this.route = memo.route;
    this.operation = memo.operation;
    this.publicBase = site.place.getBase(fields.client);
  }

  /** A hit forwards nothing. */
  get forwarded(): ForwardedRequest {
    this.#forwarded ??= new ForwardedRequest(this);
    return this.#forwarded;
  }

  /** Whether the site gets these fields exactly as the client sent them. @param names in lower case */
  areForwardedUnchanged(names: readonly string[]): boolean {
    return this.fields.areForwardedUnchanged(names) && this.#forwarded?.canForward(names) !== false;
  }

  /** @returns the status of another address; `null` without a response */
  async ask(target: string, isAnonymous: boolean): Promise<number | null> {
    const { forwarded, site } = this;
    const { server } = forwarded;
    const { addedFields, transports } = site.settings.upstream;
    const asked = withoutFields(forwarded.toHeaders([]), QUESTION);
    const headers = isAnonymous ? withoutCredentials(asked) : asked;
    if (addedFields !== null && server.isConfigured) addFields(headers, addedFields);
    const waiting = new AbortController();
    const stop = site.settings.clock.after(ASK_TIMEOUT, () => waiting.abort());
    const question = { method: 'GET', target, headers, body: null, retryable: true };
    const dispatch = transports.get(server);
    const outcome = await collectFetchOutcome((sink) => dispatch(question, sink), false, waiting.signal);
    stop();
    waiting.abort();
    return outcome.kind === 'response' ? outcome.head.status : null;
  }

  recordFailure(failure: UpstreamFailure): Problem {
    const problem = toFailureResponse(failure);
    this.#isProblemRecorded = true;
    this.site.recorder.recordFailure(this, failure, problem);
    const { retryAfter } = failure;
    const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    return this.#toShown({ ...problem, headers });
  }

  recordRefusal(problem: Problem): Problem {
    this.#isProblemRecorded = true;
    this.site.recorder.recordRefusal(this, problem);
    return this.#toShown(problem);
  }

  #toShown(problem: Problem): Problem {
    return this.resolved.kind === 'page' ? toErrorPage(problem, this.head, this.requestId) : problem;
  }

  recordResponse(status: number, cacheStatus: CacheStatus | undefined, milliseconds: number): void {
    const { recorder } = this.site;
    const outcome = toCacheOutcome(cacheStatus);
    recorder.recordResponse(this, this.memo.trafficKey, status, outcome, milliseconds);
    if (outcome !== 'hit') recorder.requests.add(this.#toRecent(status, cacheStatus ?? {}, milliseconds));
    if (status < 400 || this.#isProblemRecorded) return;
    recorder.recordSiteError(this, status);
  }

  #toRecent(status: number, cacheStatus: CacheStatus, milliseconds: number): RecentRequest {
    const { head, requestId, resolved, resource } = this;
    const template =
      resolved.kind === 'route' && resolved.match.kind === 'found' ? resolved.match.operation.path : '';
    const isKeyed =
      resource?.kind === 'resource' && resource.entry.isWordPress && resource.entry.unlisted === null;
    // A credential can be in the path: `/admin-access/{nonce}`.
    const hasSecretPath =
      (resource?.kind === 'bypass' && resource.reason.kind === 'path parameter') ||
      (!isKeyed && template.includes('{') && template.split(/[{}]/).some(isTokenName));
    const target = hasSecretPath ? template : head.target;
    const { method } = head;
    const operation = this.memo.trafficKey;
    const outcome = { hasSecrets: !isKeyed, status, cacheStatus, milliseconds };
    const time = this.site.settings.clock.now();
    return { time, requestId, operation, method, publicBase: this.publicBase, target, ...outcome };
  }

  recordUpstream(status: number | null, milliseconds: number): void {
    this.siteDuration = milliseconds;
    this.site.recorder.traffic.recordUpstream(this.memo.trafficKey, status, milliseconds);
  }

  recordUpstreamFailure(failure: UpstreamFailure): void {
    this.site.recorder.recordUpstreamFailure(failure);
  }

  describe(): string {
    return `${this.head.method} ${describeRoute(this.resolved, this.head.target)}`;
  }
}
