import type { CacheRequest, HttpCache } from '../../cache/cache-request.ts';

import type { ResponseHead, UpstreamFailure, UpstreamTimeouts } from '../../http/exchange.ts';
import type { SendGuard } from '../../upstream/circuit-breaker-guard.ts';
import type { BodyRewriter } from '../../upstream/rewrite-body.ts';
import type { UpstreamTls } from '../../upstream/upstream-tls.ts';
import type { BodyInspection } from './body-inspection.ts';
import type { Problem } from './problem.ts';

/** How the gateway handles one request, decided from the request head alone. Planning has no side effects on the site. */
export type RequestPlan = LocalPlan | ForwardPlan;

/** The gateway responds itself. */
export interface LocalPlan {
  readonly kind: 'local';
  /** @param request the request with its body, which can be read once */
  readonly respond: (request: Request) => Response | Promise<Response>;
  readonly attributes: RequestAttributes;
  readonly recordResponse?: ResponseRecorder | undefined;
}

/**
 * Records the response that the client got, for the views of the operator; absent outside of all sites. Called once, after
 * the response.
 *
 * @param milliseconds from the request's head to the end of the response
 */
export type ResponseRecorder = (
  status: number,
  cacheStatus: string | undefined,
  milliseconds: number,
) => void;

/** The request is forwarded to the site, unless a stored response serves it. The server adapter adds `X-Request-Id`. */
export interface ForwardPlan {
  readonly kind: 'forward';
  /** Scheme, host and port. Each origin has one transport for each `tls`. */
  readonly origin: string;
  /** TLS settings of the site, the same object for all its plans; `undefined` for the platform's settings. */
  readonly tls?: UpstreamTls | undefined;
  readonly timeouts: UpstreamTimeouts;
  readonly upstreamRequest: PlannedUpstreamRequest;
  /** Converts a head of the site to the one that is stored and sent to the client. */
  toRelayedHead(head: ResponseHead): RelayedHead;
  /** Describes a failed exchange to the client. */
  toFailureProblem(failure: UpstreamFailure): Problem;
  /**
   * Creates a rewriter of the request body, which is applied before anything else reads it; `undefined` if the body is
   * forwarded unchanged. Called once for each request with a body.
   */
  createRequestBodyRewriter?(): BodyRewriter | undefined;
  /** Validates the request body before the site has all of it. If absent, the body is forwarded without validation. */
  readonly bodyInspection?: BodyInspection | undefined;
  /** Observers of the site's response. They are not called for a response from the store. */
  readonly observers?: readonly ResponseObserver[] | undefined;
  /** Absent if the request bypasses the cache. */
  readonly cacheAccess?: CacheAccess | undefined;
  /** Why the request bypasses the cache: the `detail` of `Cache-Status`; absent if nothing of the site is cached. */
  readonly bypassDetail?: string | undefined;
  /** Circuit breaker of the site. */
  readonly circuitBreakerGuard?: SendGuard | undefined;
  readonly attributes: RequestAttributes;
  recordResponse?(status: number, cacheStatus: string | undefined, milliseconds: number): void;
  /** Records that the request is refused after its head was accepted: for its body. */
  recordRefusal?(problem: Problem): void;
  /**
   * Starts to measure a request to the site. The result is called once, with the status of the site's response, or with
   * `null` if there was none.
   */
  startUpstreamTimer?(): UpstreamTimer;
}

export type UpstreamTimer = (status: number | null) => void;

/** The upstream request of a plan, without its body. */
export interface PlannedUpstreamRequest {
  readonly method: string;
  readonly target: string;
  /** Flat list name, value, name, value. Implementations build it on first use: a cache hit never reads it. */
  readonly headers: string[];
  /** See `UpstreamRequest.retryable`. */
  readonly retryable: boolean;
  readonly hasBody: boolean;
}

/** The cache, and the request as the cache sees it. */
export interface CacheAccess {
  readonly cache: HttpCache;
  readonly request: CacheRequest;
}

/** Observes one response of the site, as the site sent it. The order of calls is that of `ResponseSink`. */
export interface ResponseObserver {
  /** Keeps the exchange running until its end, even if the client disconnects. @default false */
  readonly outlivesClient?: boolean;
  head(head: ResponseHead): void;
  /** See `ResponseSink.write`. */
  write?(chunk: Uint8Array): void;
  /** The response is complete. The client gets the last byte when the promise settles, fulfilled or rejected. */
  end?(): void | Promise<void>;
  /** The client disconnected, and the exchange goes on because an observer outlives the client. */
  clientGone?(): void;
  /** The exchange failed before the end of the response, or the client disconnected (`client-gone`). */
  fail?(failure: UpstreamFailure): void;
}

/** Header section for the client, and the transformation of the body. */
export interface RelayedHead {
  readonly headers: string[];
  /** Absent if the body is relayed unchanged. */
  readonly bodyRewriter?: BodyRewriter;
}

/** Attributes of a request in the access log and the metrics, in addition to its method, target and outcome. */
export interface RequestAttributes {
  readonly requestId: string;
  /** IP address of the client, read from the fields of trusted proxies. */
  readonly client: string;
  /** Mount path of the site, such as `/content`; empty for the unnamed site and outside of all sites. */
  readonly mount: string;
  /** Route path at the site; `null` if the request is not for a route. */
  readonly route: string | null;
  /** `operationId` in the document; `null` if no operation matches. */
  readonly operation: string | null;
}
