import type { FetchOptions, PassedReason, Upstream } from '../cache/cache-request.ts';
import { type ResponseObserver, ResponseRelay } from '../exchange/response-relay.ts';
import { splitNames } from '../glob.ts';
import type { CacheStatus } from '../http/cache-status.ts';
import type { Dispatch, Exchange, ResponseSink, UpstreamRequest } from '../http/exchange.ts';
import { withoutFields } from '../http/fields.ts';
import type { SiteCacheRequest } from '../site/caching/cache-entry.ts';
import type { SiteCircuits } from '../upstream/site-circuits.ts';
import type { TransportTarget } from '../upstream/site-connections.ts';
import { createBypass } from '../wordpress/shared-requests.ts';
import type { GatewayRequest } from './gateway-request.ts';

/** Sends the requests of one platform to their sites: asks the circuit breakers, waits for a slot, sends, and relays the response. */
export class GatewayUpstream<Stream> implements Upstream<SiteCacheRequest<GatewayRequest>> {
  readonly #getDispatch: (target: TransportTarget) => Dispatch<Stream>;

  /** @param getDispatch returns the transport to an origin */
  constructor(getDispatch: (target: TransportTarget) => Dispatch<Stream>) {
    this.#getDispatch = getDispatch;
  }

  /** Sends a request that can use the store, which has no body. */
  fetch(request: SiteCacheRequest<GatewayRequest>, options: FetchOptions, sink: ResponseSink): Exchange {
    return this.#send(request.received, null, null, options, undefined, sink);
  }

  pass(
    { policy, received }: SiteCacheRequest<GatewayRequest>,
    passed: PassedReason | null,
    sink: ResponseSink,
  ): Exchange {
    const bypass = (passed === null ? policy.unknown : null) ?? createBypass('hit-for-pass', passed?.reason);
    received.site.caching?.exclusions.countBypass(bypass);
    received.bypassStore(bypass);
    const status = passed?.status ?? { fwd: 'bypass', detail: bypass.detail };
    return this.forward(received, null, null, status, sink);
  }

  /**
   * Sends a request that bypasses the store.
   *
   * @param releasing releases the memory of the body at the end of the exchange; `null` if it has none
   * @param status `Cache-Status` of the response
   */
  forward(
    request: GatewayRequest,
    body: Stream | Uint8Array | null,
    releasing: ResponseObserver | null,
    status: CacheStatus,
    sink: ResponseSink,
  ): Exchange {
    return this.#send(request, body, releasing, UNCHANGED, status, sink);
  }

  #send(
    request: GatewayRequest,
    body: Stream | Uint8Array | null,
    releasing: ResponseObserver | null,
    { isBackground, revalidationConditions, vary }: FetchOptions,
    bypassStatus: CacheStatus | undefined,
    sink: ResponseSink,
  ): Exchange {
    const { memo, site } = request;
    if (!isBackground) request.head.trace?.leave();
    request.observers ??= listObservers(request, releasing);
    const { siteTags = null } = site.caching ?? {};
    const ofBackground =
      siteTags === null
        ? NO_OBSERVERS
        : [siteTags.observe(request.snapshot, request.head, request.requestId)];
    const observers = isBackground ? ofBackground : request.observers;
    const relay = new ResponseRelay<Stream>(request, observers, bypassStatus, sink);
    const headers = request.forwardHeaders(vary);
    const sent: UpstreamRequest<Stream> = {
      method: request.head.method,
      target: request.upstreamTarget,
      headers:
        revalidationConditions === null
          ? headers
          : [...withoutFields(headers, CONDITIONAL_FIELDS), ...revalidationConditions],
      body,
      retryable: !request.hasBody && !memo.mayChangeSite,
    };
    const admission = admit(request);
    if (admission?.kind !== 'refused')
      relay.start(admission, site.concurrency, !isBackground, this.#findDispatch(request), sent);
    else {
      // A request that a stored response can answer is refused at once.
      const mayWait = !isBackground && revalidationConditions === null;
      this.#hold(request, relay, sent, admission.retryIn, mayWait ? site.now() + MAX_HOLD : 0);
    }
    return relay;
  }

  /** Asks the circuit breaker again until it admits a request, or until a time in milliseconds since the epoch. */
  #hold(
    request: GatewayRequest,
    relay: ResponseRelay<Stream>,
    sent: UpstreamRequest<Stream>,
    retryIn: number,
    until: number,
  ): void {
    const { circuits, concurrency } = request.site;
    const left = until - request.site.now();
    const askAgain = (): void => {
      const admission = admit(request);
      if (admission?.kind === 'refused') this.#hold(request, relay, sent, admission.retryIn, until);
      else relay.start(admission, concurrency, true, this.#findDispatch(request), sent);
    };
    const endHold = left > 0 ? circuits?.hold(Math.min(left, retryIn), askAgain) : undefined;
    if (endHold === undefined) relay.fail({ kind: 'circuit-open', retryAfter: Math.ceil(retryIn / 1000) });
    else relay.hold(endHold);
  }

  #findDispatch(request: GatewayRequest): Dispatch<Stream> {
    const { server, site } = request;
    const { timeouts, upstream } = site;
    const tls = server.isConfigured ? upstream.tls : undefined;
    return this.#getDispatch({ origin: server.origin, timeouts, tls });
  }
}

/** Asks the circuit breaker of the site; `undefined` if it is off. */
function admit({ memo, site }: GatewayRequest): ReturnType<SiteCircuits['admit']> | undefined {
  return site.circuits?.admit(memo.mayChangeSite, site.now());
}

/**
 * Lists who observes the site's response: the invalidation by a write, and what releases the memory of the body.
 */
function listObservers(
  { head, requestId, site, snapshot, writeObserver }: GatewayRequest,
  releasing: ResponseObserver | null,
): readonly ResponseObserver[] {
  const observers: ResponseObserver[] = [];
  if (writeObserver !== null) observers.push(writeObserver);
  const { siteTags = null } = site.caching ?? {};
  if (siteTags !== null) observers.push(siteTags.observe(snapshot, head, requestId));
  if (releasing !== null) observers.push(releasing);
  return observers;
}

/** Milliseconds for which a request waits for a circuit to close: a site that is back answers a probe within this time. */
const MAX_HOLD = 1_000;

const NO_OBSERVERS: readonly ResponseObserver[] = [];
const UNCHANGED: FetchOptions = { revalidationConditions: null, vary: [], isBackground: false };

/** Fields that make a request conditional or partial (RFC 9110 §13.1, §14.2). */
const CONDITIONAL_FIELDS: ReadonlySet<string> = new Set(
  splitNames('if-match if-none-match if-modified-since if-unmodified-since if-range range'),
);
