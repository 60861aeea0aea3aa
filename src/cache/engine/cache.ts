import { type CacheStatus, formatCacheStatus } from '../../http/cache-status.ts';
import { hasDirective } from '../../http/directives.ts';
import type { Exchange, ResponseSink } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import type { HttpCache, CacheRequest, ForwardToOrigin } from '../cache.ts';
import type { Compressor, SelectedRepresentation } from '../compress.ts';
import {
  formatAge,
  evaluateReuse,
  bypassesCache,
  isFresh,
  NO_REQUEST_DIRECTIVES,
  isOnlyIfCached,
  createClientResponse,
  createRevalidationConditions,
  selectStoredResponse,
  canServeOnError,
  calculateTimeToLive,
  type RequestDirectives,
  parseRequestDirectives,
} from '../policy/index.ts';
import type { CacheStore, StoredResponse } from '../store.ts';
import { ClientExchange } from './client-exchange.ts';
import { sendResponse } from './send-response.ts';
import { type FetchSpec, collapseKey } from './fetch-spec.ts';
import { OriginFetch } from './origin-fetch.ts';
import { InFlightFetches } from './in-flight-fetches.ts';
import { type CacheClock, type CacheLimits, type CacheOptions, DEFAULT_LIMITS } from './options.ts';
import { shouldRefreshEarly } from './early-refresh.ts';
import type { EngineContext } from './engine-context.ts';
import { createTtlMap, type TtlMap } from './ttl-map.ts';

/** A shared cache by RFC 9111 over a store. */
export function createHttpCache(options: CacheOptions): HttpCache {
  return new SharedCache(options);
}

/** How many keys it is remembered of what they vary by, that they are kept apart, that their site failed. */
const REMEMBERED = 10_000;
/** How long what a key varies by is remembered where nothing of it is stored. */
const VARIES_FOR = 60_000;
/** How often someone waits for another's answer in vain before they ask alone. */
const PATIENT = 3;

const NONE: readonly StoredResponse[] = [];
const UNVARIED: readonly string[] = [];

class SharedCache implements HttpCache, EngineContext {
  readonly store: CacheStore;
  readonly clock: CacheClock;
  readonly limits: CacheLimits;
  readonly #random: () => number;
  readonly #compressor: Compressor | undefined;
  readonly #flights = new InFlightFetches();
  readonly #varying: TtlMap<readonly string[]>;
  readonly #apart: TtlMap<true>;
  readonly #resting: TtlMap<true>;

  constructor({ clock, compressor, limits, random, store }: CacheOptions) {
    this.store = store;
    this.clock = clock;
    this.limits = { ...DEFAULT_LIMITS, ...limits };
    this.#random = random;
    this.#compressor = compressor;
    this.#varying = createTtlMap(clock, VARIES_FOR, REMEMBERED);
    this.#apart = createTtlMap(clock, this.limits.hitForPass, REMEMBERED);
    this.#resting = createTtlMap(clock, this.limits.refreshBackoff, REMEMBERED);
  }

  serve(request: CacheRequest, origin: ForwardToOrigin, sink: ResponseSink): Exchange {
    const wishes = parseRequestDirectives(request.headers);
    const found = this.store.get(request.key);
    if (!(found instanceof Promise)) {
      const hit = this.#fromStore(request, wishes, origin, sink, found);
      if (hit !== undefined) return hit;
      const caller = new ClientExchange(request, wishes, origin, sink);
      this.#ask(caller, found, false);
      return caller;
    }
    const caller = new ClientExchange(request, wishes, origin, sink);
    this.#serveWhenFound(caller, found, false);
    return caller;
  }

  #serveWhenFound(caller: ClientExchange, found: Promise<readonly StoredResponse[]>, alone: boolean): void {
    let over = false;
    const go = (answers: readonly StoredResponse[]): void => {
      if (over) return;
      over = true;
      cancel();
      this.#serveFrom(caller, answers, alone);
    };
    // What a store cannot say in time is as if it were not there.
    const cancel = this.clock.after(this.limits.lookupTimeout, () => go(NONE));
    void found.then(go);
  }

  #serveFrom(caller: ClientExchange, answers: readonly StoredResponse[], alone: boolean): void {
    if (caller.aborted) return;
    const hit = this.#fromStore(caller.request, caller.wishes, caller.origin, caller.sink, answers);
    if (hit === undefined) this.#ask(caller, answers, alone);
    else caller.attach(hit);
  }

  /** @returns undefined where the site has to be asked first */
  #fromStore(
    request: CacheRequest,
    wishes: RequestDirectives,
    origin: ForwardToOrigin,
    sink: ResponseSink,
    answers: readonly StoredResponse[],
  ): Exchange | undefined {
    const now = this.clock.now();
    const stored = selectStoredResponse(answers, request, now);
    if (stored === undefined || bypassesCache(wishes)) return undefined;
    const use = evaluateReuse(stored, wishes, now);
    if (use === 'revalidate') return undefined;
    const ttl = calculateTimeToLive(stored, now);
    const exchange = this.#deliver(request, wishes, sink, stored, { hit: true, ttl }, now);
    if (use === 'stale-while-revalidate' || (use === 'fresh' && shouldRefreshEarly(stored, ttl, this.#random))) {
      this.#refresh(request, origin, stored, answers);
    }
    return exchange;
  }

  /** Asks the site behind the callers' backs, once for each key. */
  #refresh(
    request: CacheRequest,
    forward: ForwardToOrigin,
    stored: StoredResponse,
    answers: readonly StoredResponse[],
  ): void {
    // A HEAD cannot bring what would have to be stored.
    if (request.method === 'HEAD') return;
    const id = collapseKey(request, stored.vary);
    if (this.#resting.get(id) === true || this.#flightOf(id) !== undefined) return;
    const flight = new OriginFetch(
      {
        collapseKey: id,
        request,
        directives: NO_REQUEST_DIRECTIVES,
        forward,
        conditions: createRevalidationConditions(stored),
        stored,
        newestResponseTime: answers[0]?.responseTime,
        reason: 'stale',
        background: true,
      },
      this,
    );
    this.#flights.set(id, flight);
    flight.begin(undefined);
  }

  /** Asks the site for someone, or has them share the answer that another asks for. */
  #ask(caller: ClientExchange, answers: readonly StoredResponse[], alone: boolean): void {
    const { wishes } = caller;
    if (isOnlyIfCached(wishes)) {
      caller.sink.fail({ kind: 'not-stored' });
      return;
    }
    let errand = this.#errandFor(caller, answers, alone);
    for (let flight = this.#flightOf(errand.collapseKey); flight !== undefined; flight = this.#flightOf(errand.collapseKey)) {
      if (flight.join(caller)) return;
      // It is found by what its answer varies by from now on, or not at all.
      errand = this.#errandFor(caller, answers, alone);
    }
    const flight = new OriginFetch(errand, this);
    if (errand.collapseKey !== null) this.#flights.set(errand.collapseKey, flight);
    // A part can only be cut from the whole, and where nobody else may have that, the site is asked for the part.
    const leads = errand.collapseKey === null || wishes.range === undefined;
    if (!leads) flight.join(caller);
    flight.begin(leads ? caller : undefined);
  }

  #errandFor(
    { origin: forward, request, wishes: directives }: ClientExchange,
    answers: readonly StoredResponse[],
    alone: boolean,
  ): FetchSpec {
    const newestResponseTime = answers[0]?.responseTime;
    const background = false;
    if (bypassesCache(directives)) {
      const nothing = { collapseKey: null, conditions: null, stored: undefined } as const;
      return { ...nothing, request, directives, forward, newestResponseTime, background, reason: 'request' };
    }
    const now = this.clock.now();
    const stored = selectStoredResponse(answers, request, now);
    const reloads = stored !== undefined && isFresh(stored, now);
    const vary = (stored ?? answers[0])?.vary ?? this.#varying.get(request.key) ?? UNVARIED;
    const id = reloads ? `${collapseKey(request, vary)}\nreload` : collapseKey(request, vary);
    const isOwn =
      alone ||
      request.method === 'HEAD' ||
      request.authorized ||
      (directives.range !== undefined && stored === undefined) ||
      this.#apart.get(id) === true;
    // Conditions of ours would take the range away, and with nobody else to cut it from the whole it is the site's to do.
    const isAsItCame = stored === undefined || alone || (isOwn && directives.range !== undefined);
    const reason = stored === undefined ? (answers.length > 0 ? 'vary-miss' : 'uri-miss') : 'stale';
    const conditions = isAsItCame ? null : createRevalidationConditions(stored);
    return {
      collapseKey: isOwn ? null : id,
      request,
      directives,
      forward,
      conditions,
      stored,
      newestResponseTime,
      reason: reloads ? 'request' : reason,
      background,
    };
  }

  /** The flight that may be joined; one that has taken too long is nobody's to wait for any more. */
  #flightOf(id: string | null): OriginFetch | undefined {
    const flight = id === null ? undefined : this.#flights.get(id);
    if (flight === undefined || this.clock.now() - flight.requestTime < this.limits.collapseTimeout) return flight;
    flight.closeToFollowers();
    return undefined;
  }

  #deliver(
    request: CacheRequest,
    wishes: RequestDirectives,
    sink: ResponseSink,
    answer: StoredResponse,
    status: CacheStatus,
    now: number,
  ): Exchange {
    const reply = createClientResponse(answer, wishes, request.method, now, this.#coded(request, wishes, answer));
    const headers = reply.headers.slice();
    headers.push('Age', formatAge(answer, now), 'Cache-Status', formatCacheStatus(status));
    return sendResponse(sink, { status: reply.status, reason: '', headers }, reply.body);
  }

  /** An answer in the coding that goes to this caller. */
  #coded({ headers, key }: CacheRequest, wishes: RequestDirectives, answer: StoredResponse): SelectedRepresentation {
    if (this.#compressor === undefined) return answer;
    // Ranges are of the plain body; RFC 9111 §5.2.1.6: no-transform asks "to avoid transforming the content".
    const isPlain = wishes.range !== undefined || hasDirective(wishes.cacheControl, 'no-transform');
    const wish = isPlain ? undefined : fieldValue(headers, 'accept-encoding');
    return this.#compressor.select(key, answer, wish);
  }

  serveStored(caller: ClientExchange, answer: StoredResponse, status: CacheStatus): void {
    const { request, sink, wishes } = caller;
    caller.attach(this.#deliver(request, wishes, sink, answer, status, this.clock.now()));
  }

  serveStaleOnError(caller: ClientExchange, answer: StoredResponse, asked: CacheStatus): boolean {
    const now = this.clock.now();
    if (!canServeOnError(answer, caller.wishes, now)) return false;
    this.serveStored(caller, answer, { ...asked, ttl: calculateTimeToLive(answer, now), detail: 'stale-if-error' });
    return true;
  }

  retry(caller: ClientExchange, alone: boolean): void {
    if (caller.aborted) return;
    caller.failedWaits += 1;
    const asksAlone = alone || caller.failedWaits >= PATIENT;
    const found = this.store.get(caller.request.key);
    if (found instanceof Promise) this.#serveWhenFound(caller, found, asksAlone);
    else this.#serveFrom(caller, found, asksAlone);
  }

  unregister(id: string): void {
    this.#flights.delete(id);
  }

  vary(id: string, request: CacheRequest, vary: readonly string[]): string | null {
    this.#varying.set(request.key, vary);
    const variantId = collapseKey(request, vary);
    if (variantId === id) return id;
    const flight = this.#flights.get(id);
    this.#flights.delete(id);
    if (flight === undefined || this.#flights.get(variantId) !== undefined) return null;
    this.#flights.set(variantId, flight);
    return variantId;
  }

  markHitForPass(id: string): void {
    this.#apart.set(id, true);
  }

  backOffRefresh(id: string): void {
    this.#resting.set(id, true);
  }
}
