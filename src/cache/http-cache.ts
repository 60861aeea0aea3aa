import { hasDirective } from '../http/cache-directives.ts';
import { type CacheStatus, formatCacheStatus } from '../http/cache-status.ts';
import type { Exchange, ResponseSink } from '../http/exchange.ts';
import { fieldValue } from '../http/fields.ts';
import type { Clock } from '../ports.ts';
import type { CacheRequest, ForwardToOrigin, HttpCache, LookupExplanation } from './cache-request.ts';
import type { Compressor, SelectedRepresentation } from './compressor.ts';
import {
  type CacheEngineLimits,
  ClientExchange,
  createCollapseKey,
  DEFAULT_CACHE_LIMITS,
  type EngineContext,
  explainLookup,
  explainStale,
  type FetchMode,
  type HttpCacheOptions,
  KeyMemos,
  planFetch,
  planRefresh,
  selectServableResponse,
  sendResponse,
} from './engine/fetch-plan.ts';
import { OriginFetch } from './engine/origin-fetch.ts';
import { createClientResponse } from './policy/client-response.ts';
import { calculateTimeToLive, formatAge } from './policy/freshness.ts';
import {
  canServeOnFailure,
  evaluateReuse,
  isOnlyIfCached,
  type OriginFailure,
  parseRequestDirectives,
  type RequestDirectives,
} from './policy/reuse.ts';
import { FORWARD_DETAILS } from './policy/status-details.ts';
import type { CacheStore, StoredResponse } from './store.ts';

/** Creates a shared HTTP cache (RFC 9111) over a store. */
export function createHttpCache(options: HttpCacheOptions): HttpCache {
  return new CacheEngine(options);
}

/** Maximum fetches that a client follows without getting a response. After that its request is forwarded separately. */
const MAX_FAILED_WAITS = 3;

const NO_RESPONSES: readonly StoredResponse[] = [];

class CacheEngine implements HttpCache, EngineContext {
  readonly store: CacheStore;
  readonly clock: Clock;
  readonly limits: CacheEngineLimits;
  readonly keyMemos: KeyMemos;
  readonly #random: () => number;
  readonly #compressor: Compressor | undefined;
  readonly #fetches = new InFlightFetches();

  constructor({ clock, compressor, limits, random, store }: HttpCacheOptions) {
    this.store = store;
    this.clock = clock;
    this.limits = { ...DEFAULT_CACHE_LIMITS, ...limits };
    this.keyMemos = new KeyMemos(clock, this.limits);
    this.#random = random;
    this.#compressor = compressor;
  }

  serve(request: CacheRequest, forward: ForwardToOrigin, sink: ResponseSink): Exchange {
    const directives = parseRequestDirectives(request.headers);
    const lookup = this.store.get(request.key);
    if (!(lookup instanceof Promise)) {
      const hit = this.#serveHit(request, directives, forward, sink, lookup);
      if (hit !== undefined) return hit;
      const client = new ClientExchange(request, directives, forward, sink);
      this.#fetch(client, lookup, 'shared');
      return client;
    }
    const client = new ClientExchange(request, directives, forward, sink);
    this.#serveAfterLookup(client, lookup, 'shared');
    return client;
  }

  explain(request: CacheRequest): LookupExplanation {
    const responses = this.store.inspector?.peek(request.key) ?? NO_RESPONSES;
    return explainLookup(request, responses, this.keyMemos, this.clock.now());
  }

  #serveAfterLookup(
    client: ClientExchange,
    lookup: Promise<readonly StoredResponse[]>,
    mode: FetchMode,
  ): void {
    let isOver = false;
    const finish = (responses: readonly StoredResponse[]): void => {
      if (isOver) return;
      isOver = true;
      cancel();
      this.#serveFrom(client, responses, mode);
    };
    // A lookup that exceeds its timeout is treated as a miss.
    const cancel = this.clock.after(this.limits.lookupTimeout, () => finish(NO_RESPONSES));
    void lookup.then(finish);
  }

  #serveFrom(client: ClientExchange, responses: readonly StoredResponse[], mode: FetchMode): void {
    if (client.aborted) return;
    const hit = this.#serveHit(client.request, client.directives, client.forward, client.sink, responses);
    if (hit === undefined) this.#fetch(client, responses, mode);
    else client.setSource(hit);
  }

  /** @returns undefined if the request must be forwarded */
  #serveHit(
    request: CacheRequest,
    directives: RequestDirectives,
    forward: ForwardToOrigin,
    sink: ResponseSink,
    responses: readonly StoredResponse[],
  ): Exchange | undefined {
    const now = this.clock.now();
    const stored = selectServableResponse(request, directives, responses, now);
    if (stored === undefined) return undefined;
    const decision = evaluateReuse(stored, directives, now);
    if (decision === 'revalidate') return undefined;
    const ttl = calculateTimeToLive(stored, now);
    const isRefreshDue =
      decision === 'stale-while-revalidate' ||
      (decision === 'fresh' && shouldRefreshEarly(stored, ttl, this.#random));
    const status: CacheStatus =
      decision === 'fresh'
        ? { hit: true, ttl }
        : { hit: true, ttl, detail: explainStale(decision, request, stored, this.keyMemos) };
    const exchange = this.#send(request, directives, sink, stored, status, now);
    if (isRefreshDue) this.#refresh(request, forward, stored, responses);
    return exchange;
  }

  /** Starts a background refresh, unless one is in flight or has just failed. */
  #refresh(
    request: CacheRequest,
    forward: ForwardToOrigin,
    stored: StoredResponse,
    responses: readonly StoredResponse[],
  ): void {
    // The response to a HEAD has no body to store.
    if (request.method === 'HEAD') return;
    const collapseKey = createCollapseKey(request, stored.vary);
    if (this.keyMemos.refreshBackoff.get(collapseKey) === true) return;
    if (this.#findFetch(collapseKey) !== undefined) return;
    const fetch = new OriginFetch(planRefresh(collapseKey, request, forward, stored, responses), this);
    this.#fetches.set(collapseKey, fetch);
    fetch.start(undefined);
  }

  /** Joins the fetch of another client, or starts one. */
  #fetch(client: ClientExchange, responses: readonly StoredResponse[], mode: FetchMode): void {
    if (isOnlyIfCached(client.directives)) {
      const cacheStatus = formatCacheStatus({ detail: FORWARD_DETAILS.onlyIfCached });
      client.sink.fail({ kind: 'not-stored', cacheStatus });
      return;
    }
    let spec = planFetch(client, responses, mode, this.keyMemos, this.clock.now());
    let other = this.#findFetch(spec.collapseKey);
    while (other !== undefined) {
      if (other.join(client)) return;
      // The fetch that refused is now registered for its variant, or not at all.
      spec = planFetch(client, responses, mode, this.keyMemos, this.clock.now());
      other = this.#findFetch(spec.collapseKey);
    }
    const fetch = new OriginFetch(spec, this);
    if (spec.collapseKey !== null) this.#fetches.set(spec.collapseKey, fetch);
    // A collapsed fetch gets the complete response. A client that requests a range waits for it as a follower.
    const isLeader = spec.collapseKey === null || client.directives.range === undefined;
    if (!isLeader) fetch.join(client);
    fetch.start(isLeader ? client : undefined);
  }

  /** Finds a fetch to join. One that exceeds the collapse timeout stops accepting followers. */
  #findFetch(collapseKey: string | null): OriginFetch | undefined {
    const fetch = collapseKey === null ? undefined : this.#fetches.get(collapseKey);
    if (fetch === undefined) return undefined;
    if (this.clock.now() - fetch.requestTime < this.limits.collapseTimeout) return fetch;
    fetch.slot.close();
    return undefined;
  }

  #send(
    request: CacheRequest,
    directives: RequestDirectives,
    sink: ResponseSink,
    stored: StoredResponse,
    status: CacheStatus,
    now: number,
  ): Exchange {
    const selected = this.#selectRepresentation(request, directives, stored);
    const response = createClientResponse(stored, directives, request.method, now, selected);
    const headers = response.headers.slice();
    headers.push('Age', formatAge(stored, now), 'Cache-Status', formatCacheStatus(status));
    return sendResponse(sink, { status: response.status, reason: '', headers }, response.body);
  }

  /** Selects the content coding for a client. */
  #selectRepresentation(
    { headers, key }: CacheRequest,
    directives: RequestDirectives,
    stored: StoredResponse,
  ): SelectedRepresentation {
    if (this.#compressor === undefined) return stored;
    // Ranges apply to the identity body; RFC 9111 §5.2.1.6: no-transform asks "to avoid transforming the content".
    const isIdentity =
      directives.range !== undefined || hasDirective(directives.cacheControl, 'no-transform');
    const acceptEncoding = isIdentity ? undefined : fieldValue(headers, 'accept-encoding');
    return this.#compressor.selectRepresentation(key, stored, acceptEncoding);
  }

  serveStored(client: ClientExchange, stored: StoredResponse, status: CacheStatus): void {
    const { directives, request, sink } = client;
    client.setSource(this.#send(request, directives, sink, stored, status, this.clock.now()));
  }

  serveStaleOnFailure(
    client: ClientExchange,
    stored: StoredResponse,
    status: CacheStatus,
    failure: OriginFailure,
  ): boolean {
    const now = this.clock.now();
    if (!canServeOnFailure(stored, client.directives, now, failure)) return false;
    const ttl = calculateTimeToLive(stored, now);
    this.serveStored(client, stored, { ...status, ttl });
    return true;
  }

  retry(client: ClientExchange, mode: FetchMode): void {
    if (client.aborted) return;
    client.failedWaitCount += 1;
    const nextMode = client.failedWaitCount >= MAX_FAILED_WAITS ? 'alone' : mode;
    const lookup = this.store.get(client.request.key);
    if (lookup instanceof Promise) this.#serveAfterLookup(client, lookup, nextMode);
    else this.#serveFrom(client, lookup, nextMode);
  }

  unregisterFetch(collapseKey: string): void {
    this.#fetches.delete(collapseKey);
  }

  narrowFetchToVariant(collapseKey: string, request: CacheRequest, vary: readonly string[]): string | null {
    this.keyMemos.varyFields.set(request.key, vary);
    const variantKey = createCollapseKey(request, vary);
    if (variantKey === collapseKey) return collapseKey;
    const fetch = this.#fetches.get(collapseKey);
    this.#fetches.delete(collapseKey);
    if (fetch === undefined || this.#fetches.get(variantKey) !== undefined) return null;
    this.#fetches.set(variantKey, fetch);
    return variantKey;
  }
}

/** Bounds of the assumed duration of a fetch, as fractions of the freshness lifetime. */
const MIN_FRACTION = 0.01;
const MAX_FRACTION = 0.1;
/** Upper bound of the minimum duration, in seconds. It applies to long lifetimes. */
const MAX_MINIMUM_SECONDS = 10;
/** No hit refreshes while more than this many fetch durations are left: the probability would be below 1 in 1000. */
const HORIZON = 7;

/**
 * Whether this hit refreshes the response before it expires. Each hit decides at random, with a probability
 * that rises towards the end of the lifetime and with the duration of the last fetch. Popular responses are thus
 * refreshed in time, and not all at once (Vattani, Chierichetti and Lowenstein, "Optimal Probabilistic Cache Stampede
 * Prevention", 2015).
 *
 * @param ttl seconds of freshness left
 * @param random returns a number in [0, 1)
 */
function shouldRefreshEarly(
  { freshnessLifetime, requestTime, responseTime }: StoredResponse,
  ttl: number,
  random: () => number,
): boolean {
  if (ttl > freshnessLifetime * MAX_FRACTION * HORIZON) return false;
  const minimum = Math.min(freshnessLifetime * MIN_FRACTION, MAX_MINIMUM_SECONDS);
  const duration = Math.min(
    freshnessLifetime * MAX_FRACTION,
    Math.max(minimum, (responseTime - requestTime) / 1000),
  );
  return ttl < duration * HORIZON && ttl < -duration * Math.log(1 - random());
}

/**
 * The fetches that later requests may join, by collapse key.
 *
 * Each fetch is kept in a holder that is emptied on removal. V8 keeps the outgrown tables of a map alive until it has
 * collected the oldest of them, and with a fetch everything that belongs to its request: under load, all requests would
 * stay in memory until the next full collection.
 */
class InFlightFetches {
  readonly #holders = new Map<string, { fetch: OriginFetch | undefined }>();

  get(collapseKey: string): OriginFetch | undefined {
    return this.#holders.get(collapseKey)?.fetch;
  }

  set(collapseKey: string, fetch: OriginFetch): void {
    this.#holders.set(collapseKey, { fetch });
  }

  delete(collapseKey: string): void {
    const holder = this.#holders.get(collapseKey);
    if (holder === undefined) return;
    holder.fetch = undefined;
    this.#holders.delete(collapseKey);
  }
}
