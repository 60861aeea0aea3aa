import { type CacheStatus, cacheStatus } from '../../http/cache-status.ts';
import { hasDirective } from '../../http/directives.ts';
import type { Exchange, ResponseSink } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import type { Cache, CacheRequest, Origin } from '../cache.ts';
import type { Compressor, Selected } from '../compress.ts';
import {
  ageField,
  assess,
  bypasses,
  isFresh,
  NO_WISHES,
  onlyIfCached,
  respond,
  revalidationConditions,
  select,
  servesOnError,
  timeToLive,
  type Wishes,
  wishesOf,
} from '../policy/index.ts';
import type { CacheStore, StoredResponse } from '../store.ts';
import { Caller } from './caller.ts';
import { deliver } from './deliver.ts';
import { type Errand, errandId } from './errand.ts';
import { Flight } from './flight.ts';
import { Flights } from './flights.ts';
import { type CacheClock, type CacheLimits, type CacheOptions, DEFAULT_LIMITS } from './options.ts';
import { isDue } from './refresh.ts';
import type { Surroundings } from './surroundings.ts';
import { createTtlMap, type TtlMap } from './ttl-map.ts';

/** A shared cache by RFC 9111 over a store. */
export function createCache(options: CacheOptions): Cache {
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

class SharedCache implements Cache, Surroundings {
  readonly store: CacheStore;
  readonly clock: CacheClock;
  readonly limits: CacheLimits;
  readonly #random: () => number;
  readonly #compressor: Compressor | undefined;
  readonly #flights = new Flights();
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
    this.#apart = createTtlMap(clock, this.limits.apart, REMEMBERED);
    this.#resting = createTtlMap(clock, this.limits.rest, REMEMBERED);
  }

  serve(request: CacheRequest, origin: Origin, sink: ResponseSink): Exchange {
    const wishes = wishesOf(request.headers);
    const found = this.store.get(request.key);
    if (!(found instanceof Promise)) {
      const hit = this.#fromStore(request, wishes, origin, sink, found);
      if (hit !== undefined) return hit;
      const caller = new Caller(request, wishes, origin, sink);
      this.#ask(caller, found, false);
      return caller;
    }
    const caller = new Caller(request, wishes, origin, sink);
    this.#serveWhenFound(caller, found, false);
    return caller;
  }

  #serveWhenFound(caller: Caller, found: Promise<readonly StoredResponse[]>, alone: boolean): void {
    let over = false;
    const go = (answers: readonly StoredResponse[]): void => {
      if (over) return;
      over = true;
      cancel();
      this.#serveFrom(caller, answers, alone);
    };
    // What a store cannot say in time is as if it were not there.
    const cancel = this.clock.after(this.limits.lookup, () => go(NONE));
    void found.then(go);
  }

  #serveFrom(caller: Caller, answers: readonly StoredResponse[], alone: boolean): void {
    if (caller.left) return;
    const hit = this.#fromStore(caller.request, caller.wishes, caller.origin, caller.sink, answers);
    if (hit === undefined) this.#ask(caller, answers, alone);
    else caller.follow(hit);
  }

  /** @returns undefined where the site has to be asked first */
  #fromStore(
    request: CacheRequest,
    wishes: Wishes,
    origin: Origin,
    sink: ResponseSink,
    answers: readonly StoredResponse[],
  ): Exchange | undefined {
    const now = this.clock.now();
    const stored = select(answers, request, now);
    if (stored === undefined || bypasses(wishes)) return undefined;
    const use = assess(stored, wishes, now);
    if (use === 'revalidate') return undefined;
    const ttl = timeToLive(stored, now);
    const exchange = this.#deliver(request, wishes, sink, stored, { hit: true, ttl }, now);
    if (use === 'stale-while-revalidate' || (use === 'fresh' && isDue(stored, ttl, this.#random))) {
      this.#refresh(request, origin, stored, answers);
    }
    return exchange;
  }

  /** Asks the site behind the callers' backs, once for each key. */
  #refresh(
    request: CacheRequest,
    origin: Origin,
    known: StoredResponse,
    answers: readonly StoredResponse[],
  ): void {
    // A HEAD cannot bring what would have to be stored.
    if (request.method === 'HEAD') return;
    const id = errandId(request, known.vary);
    if (this.#resting.get(id) === true || this.#flightOf(id) !== undefined) return;
    const flight = new Flight(
      {
        id,
        request,
        wishes: NO_WISHES,
        origin,
        conditions: revalidationConditions(known),
        known,
        newest: answers[0]?.responseTime,
        reason: 'stale',
        background: true,
      },
      this,
    );
    this.#flights.set(id, flight);
    flight.begin(undefined);
  }

  /** Asks the site for someone, or has them share the answer that another asks for. */
  #ask(caller: Caller, answers: readonly StoredResponse[], alone: boolean): void {
    const { wishes } = caller;
    if (onlyIfCached(wishes)) {
      caller.sink.fail({ kind: 'unstored' });
      return;
    }
    let errand = this.#errandFor(caller, answers, alone);
    for (let flight = this.#flightOf(errand.id); flight !== undefined; flight = this.#flightOf(errand.id)) {
      if (flight.join(caller)) return;
      // It is found by what its answer varies by from now on, or not at all.
      errand = this.#errandFor(caller, answers, alone);
    }
    const flight = new Flight(errand, this);
    if (errand.id !== null) this.#flights.set(errand.id, flight);
    // A part can only be cut from the whole, and where nobody else may have that, the site is asked for the part.
    const leads = errand.id === null || wishes.range === undefined;
    if (!leads) flight.join(caller);
    flight.begin(leads ? caller : undefined);
  }

  #errandFor(
    { origin, request, wishes }: Caller,
    answers: readonly StoredResponse[],
    alone: boolean,
  ): Errand {
    const newest = answers[0]?.responseTime;
    const background = false;
    if (bypasses(wishes)) {
      const nothing = { id: null, conditions: null, known: undefined } as const;
      return { ...nothing, request, wishes, origin, newest, background, reason: 'request' };
    }
    const now = this.clock.now();
    const known = select(answers, request, now);
    const reloads = known !== undefined && isFresh(known, now);
    const vary = (known ?? answers[0])?.vary ?? this.#varying.get(request.key) ?? UNVARIED;
    const id = reloads ? `${errandId(request, vary)}\nreload` : errandId(request, vary);
    const isOwn =
      alone ||
      request.method === 'HEAD' ||
      request.authorized ||
      (wishes.range !== undefined && known === undefined) ||
      this.#apart.get(id) === true;
    // Conditions of ours would take the range away, and with nobody else to cut it from the whole it is the site's to do.
    const isAsItCame = known === undefined || alone || (isOwn && wishes.range !== undefined);
    const reason = known === undefined ? (answers.length > 0 ? 'vary-miss' : 'uri-miss') : 'stale';
    const conditions = isAsItCame ? null : revalidationConditions(known);
    return {
      id: isOwn ? null : id,
      request,
      wishes,
      origin,
      conditions,
      known,
      newest,
      reason: reloads ? 'request' : reason,
      background,
    };
  }

  /** The flight that may be joined; one that has taken too long is nobody's to wait for any more. */
  #flightOf(id: string | null): Flight | undefined {
    const flight = id === null ? undefined : this.#flights.get(id);
    if (flight === undefined || this.clock.now() - flight.requestTime < this.limits.patience) return flight;
    flight.retire();
    return undefined;
  }

  #deliver(
    request: CacheRequest,
    wishes: Wishes,
    sink: ResponseSink,
    answer: StoredResponse,
    status: CacheStatus,
    now: number,
  ): Exchange {
    const reply = respond(answer, wishes, request.method, now, this.#coded(request, wishes, answer));
    const headers = reply.headers.slice();
    headers.push('Age', ageField(answer, now), 'Cache-Status', cacheStatus(status));
    return deliver(sink, { status: reply.status, reason: '', headers }, reply.body);
  }

  /** An answer in the coding that goes to this caller. */
  #coded({ headers, key }: CacheRequest, wishes: Wishes, answer: StoredResponse): Selected {
    if (this.#compressor === undefined) return answer;
    // Ranges are of the plain body; RFC 9111 §5.2.1.6: no-transform asks "to avoid transforming the content".
    const isPlain = wishes.range !== undefined || hasDirective(wishes.directives, 'no-transform');
    const wish = isPlain ? undefined : fieldValue(headers, 'accept-encoding');
    return this.#compressor.select(key, answer, wish);
  }

  give(caller: Caller, answer: StoredResponse, status: CacheStatus): void {
    const { request, sink, wishes } = caller;
    caller.follow(this.#deliver(request, wishes, sink, answer, status, this.clock.now()));
  }

  giveStale(caller: Caller, answer: StoredResponse, asked: CacheStatus): boolean {
    const now = this.clock.now();
    if (!servesOnError(answer, caller.wishes, now)) return false;
    this.give(caller, answer, { ...asked, ttl: timeToLive(answer, now), detail: 'stale-if-error' });
    return true;
  }

  again(caller: Caller, alone: boolean): void {
    if (caller.left) return;
    caller.disappointments += 1;
    const asksAlone = alone || caller.disappointments >= PATIENT;
    const found = this.store.get(caller.request.key);
    if (found instanceof Promise) this.#serveWhenFound(caller, found, asksAlone);
    else this.#serveFrom(caller, found, asksAlone);
  }

  close(id: string): void {
    this.#flights.delete(id);
  }

  vary(id: string, request: CacheRequest, vary: readonly string[]): string | null {
    this.#varying.set(request.key, vary);
    const variantId = errandId(request, vary);
    if (variantId === id) return id;
    const flight = this.#flights.get(id);
    this.#flights.delete(id);
    if (flight === undefined || this.#flights.get(variantId) !== undefined) return null;
    this.#flights.set(variantId, flight);
    return variantId;
  }

  keepApart(id: string): void {
    this.#apart.set(id, true);
  }

  restFrom(id: string): void {
    this.#resting.set(id, true);
  }
}
