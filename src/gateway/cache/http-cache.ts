import { hasDirective } from '../../base/http/cache-fields.ts';
import type { CacheReason, CacheStatus } from '../../base/http/cache-status.ts';
import type { Exchange, ResponseSink } from '../../base/http/exchange.ts';
import { fieldValue } from '../../base/http/fields.ts';
import type { Clock } from '../../base/ports.ts';
import { Compressor } from './compressor.ts';
import { CollapsedFetch, type FetchingCache } from './engine/collapsed-fetch.ts';
import { ClientExchange, FINISHED_EXCHANGE } from './engine/fetch-clients.ts';
import {
  type CacheEngineLimits,
  type CacheRequest,
  createCollapseKey,
  DEFAULT_CACHE_LIMITS,
  type FetchMode,
  KeyMemos,
  type LookupExplanation,
  planFetch,
  planRefresh,
  type Upstream,
} from './engine/fetch-plan.ts';
import {
  calculateCurrentAge,
  calculateTimeToLive,
  canServeOnFailure,
  createClientResponse,
  evaluateReuse,
  NO_REQUEST_DIRECTIVES,
  type OriginFailure,
  parseRequestDirectives,
  type RequestDirectives,
  type ReuseDecision,
  selectStoredResponse,
} from './policy/reuse.ts';
import {
  type Awaitable,
  type CacheStore,
  isOfAll,
  type Lookup,
  type PurgeMode,
  type PurgeSelection,
  type StoredResponse,
  whenResolved,
} from './store.ts';

interface HttpCacheOptions {
  readonly store: CacheStore;
  readonly clock: Clock;
  readonly limits?: Partial<CacheEngineLimits>;
}

const MAX_FAILED_WAITS = 3;

export class HttpCache implements FetchingCache {
  readonly store: CacheStore;
  /** Called with each purge once all gateways sharing the store know it. */
  onPurged: ((selection: PurgeSelection) => void) | null = null;
  readonly clock: Clock;
  readonly limits: CacheEngineLimits;
  readonly keyMemos: KeyMemos;
  readonly #compressor: Compressor;
  /** Emptied on removal: V8 keeps outgrown tables of a map alive, and with them everything of a request. */
  readonly #fetches = new Map<string, { fetch: CollapsedFetch | undefined }>();
  openFetches = 0;

  constructor({ clock, limits, store }: HttpCacheOptions) {
    this.store = store;
    this.clock = clock;
    this.limits = { ...DEFAULT_CACHE_LIMITS, ...limits };
    this.keyMemos = new KeyMemos(clock, this.limits);
    this.#compressor = new Compressor(store);
  }

  /** A hit in memory calls the sink synchronously. */
  serve<Request extends CacheRequest>(
    request: Request,
    upstream: Upstream<Request>,
    sink: ResponseSink,
  ): Exchange {
    const directives = parseRequestDirectives(request.headers, request.policy.rule.ignoresReload);
    const lookup = this.store.get(request.key);
    if (lookup instanceof Promise) {
      const client = new ClientExchange(request, directives, upstream, sink);
      this.#serveAfterLookup(client, lookup, 'shared');
      return client;
    }
    const hit = this.#serveHit(request, directives, upstream, sink, lookup, 'shared');
    if (hit !== undefined) return hit;
    const client = new ClientExchange(request, directives, upstream, sink);
    this.#fetch(client, lookup, 'shared');
    return client;
  }

  #serveHit(
    request: CacheRequest,
    directives: RequestDirectives,
    upstream: Upstream,
    sink: ResponseSink,
    lookup: Lookup,
    mode: FetchMode,
  ): Exchange | undefined {
    const { responses } = lookup;
    if (responses.length === 0) return undefined;
    const now = this.clock.now();
    const stored = selectStoredResponse(responses, request, now);
    if (stored === undefined) return undefined;
    const ttl = calculateTimeToLive(stored, now);
    const isPlain = directives === NO_REQUEST_DIRECTIVES && ttl > 0;
    const decision = isPlain ? 'fresh' : this.#decideReuse(request, directives, stored, now, mode);
    if (decision === 'revalidate') return undefined;
    if (stored.usage !== undefined) stored.usage.hits += 1;
    if (decision === 'fresh')
      return this.#send(request, directives, sink, stored, { hit: true, served: decision, ttl }, now);
    const reason: CacheReason =
      decision === 'unreachable' ? { kind: decision, failure: 'timeout' } : { kind: decision };
    const status: CacheStatus = { hit: true, served: 'stale', ttl, detail: withConfirmation(reason, stored) };
    const exchange = this.#send(request, directives, sink, stored, status, now);
    this.#refresh(request, upstream, stored, lookup);
    return exchange;
  }

  /** A request's result after a lookup, and what {@link explain} says of it. `revalidate` forwards it. */
  #decideReuse(
    request: CacheRequest,
    directives: RequestDirectives,
    stored: StoredResponse,
    now: number,
    mode: FetchMode,
  ): ReuseDecision | 'unreachable' {
    if (directives.bypassReason !== undefined) return 'revalidate';
    const decision = evaluateReuse(stored, directives, now);
    if (decision !== 'revalidate' || mode !== 'shared' || directives.isOnlyIfCached) return decision;
    const isReplaced = this.#isSilent(request) && canServeOnFailure(stored, directives, now, 'unreachable');
    return isReplaced ? 'unreachable' : decision;
  }

  #send(
    request: CacheRequest,
    directives: RequestDirectives,
    sink: ResponseSink,
    stored: StoredResponse,
    cacheStatus: CacheStatus,
    now: number,
  ): Exchange {
    const { headers: fields, key } = request;
    // RFC 9111 §5.2.1.6: `no-transform` forbids coding.
    const isIdentity =
      directives !== NO_REQUEST_DIRECTIVES && hasDirective(directives.cacheControl, 'no-transform');
    const acceptEncoding = isIdentity ? undefined : fieldValue(fields, 'accept-encoding');
    const selected = this.#compressor.selectRepresentation(key, stored, acceptEncoding);
    const age = String(Math.floor(calculateCurrentAge(stored, now)));
    const isWhole = directives === NO_REQUEST_DIRECTIVES && request.method === 'GET';
    if (isWhole && sink.completeStored?.(stored.status, selected, age, cacheStatus) === true)
      return FINISHED_EXCHANGE;
    const { body, headers, status } = createClientResponse(stored, directives, request.method, now, selected);
    sink.complete({ status, reason: '', headers: [...headers, 'Age', age], cacheStatus }, body);
    return FINISHED_EXCHANGE;
  }

  #serveAfterLookup(client: ClientExchange, lookup: Promise<Lookup>, mode: FetchMode): void {
    lookup
      .then((found) => this.#serveFrom(client, found, mode))
      .catch((cause: unknown) => client.sink.fail({ kind: 'internal', cause }));
  }

  #serveFrom(client: ClientExchange, lookup: Lookup, mode: FetchMode): void {
    if (client.aborted) return;
    const hit = this.#serveHit(client.request, client.directives, client.upstream, client.sink, lookup, mode);
    if (hit === undefined) this.#fetch(client, lookup, mode);
    else client.setSource(hit);
  }

  #refresh(request: CacheRequest, upstream: Upstream, stored: StoredResponse, lookup: Lookup): void {
    if (request.method === 'HEAD') return;
    const collapseKey = createCollapseKey(request, stored.vary);
    if (this.keyMemos.findPassed(collapseKey, null)?.isHitForPass === true) return;
    if (this.#findFetch(collapseKey, request) !== undefined) return;
    const plan = planRefresh(collapseKey, request, upstream, stored, lookup);
    const fetch = new CollapsedFetch(plan, this);
    this.#fetches.set(collapseKey, { fetch });
    this.#start(fetch, undefined);
  }

  #fetch(client: ClientExchange, lookup: Lookup, mode: FetchMode): void {
    if (client.directives.isOnlyIfCached) {
      const cacheStatus: CacheStatus = { detail: [{ kind: 'request only-if-cached' }] };
      client.sink.fail({ kind: 'not-stored', cacheStatus });
      return;
    }
    const now = this.clock.now();
    let plan = planFetch(client, lookup, mode, this.keyMemos, now);
    client.storedResponse = plan.storedResponse;
    let other = this.#findFetch(plan.collapseKey, client.request);
    while (other !== undefined) {
      if (other.join(client, plan.mark)) return;
      plan = planFetch(client, lookup, mode, this.keyMemos, now);
      other = this.#findFetch(plan.collapseKey, client.request);
    }
    const fetch = new CollapsedFetch(plan, this);
    if (plan.collapseKey !== null) this.#fetches.set(plan.collapseKey, { fetch });
    this.#start(fetch, client);
  }

  /** No request joins a fetch after an error of the gateway itself. */
  #start(fetch: CollapsedFetch, leader: ClientExchange | undefined): void {
    try {
      fetch.start(leader);
    } catch (cause) {
      fetch.crash(cause);
      throw cause;
    }
  }

  #isSilent({ policy }: CacheRequest): boolean {
    const { silentSites } = this.keyMemos;
    return silentSites.size > 0 && (silentSites.get(policy.storeScope) ?? 0) > this.clock.now();
  }

  /** One beyond the collapse timeout, or that a silent site left unanswered, takes no more followers. */
  #findFetch(collapseKey: string | null, request: CacheRequest): CollapsedFetch | undefined {
    const fetch = collapseKey === null ? undefined : this.#fetches.get(collapseKey)?.fetch;
    if (fetch === undefined) return undefined;
    const isLost = fetch.isSilent && !this.#isSilent(request);
    if (!isLost && this.clock.now() - fetch.requestTime < this.limits.collapseTimeout) return fetch;
    fetch.closeSlot();
    return undefined;
  }

  serveStored(client: ClientExchange, stored: StoredResponse, status: CacheStatus): void {
    const { directives, request, sink } = client;
    client.setSource(this.#send(request, directives, sink, stored, status, this.clock.now()));
  }

  /** Returns false if directives forbid a stale response. */
  serveStaleOnFailure(
    client: ClientExchange,
    stored: StoredResponse,
    status: CacheStatus,
    reason: CacheReason,
    failure: OriginFailure,
  ): boolean {
    const now = this.clock.now();
    if (!canServeOnFailure(stored, client.directives, now, failure)) return false;
    const ttl = calculateTimeToLive(stored, now);
    const detail = withConfirmation(reason, stored);
    this.serveStored(client, stored, { ...status, served: 'stale', ttl, detail });
    return true;
  }

  retry(client: ClientExchange, mode: FetchMode): void {
    if (client.aborted) return;
    client.failedWaitCount += 1;
    const nextMode = mode === 'shared' && client.failedWaitCount >= MAX_FAILED_WAITS ? 'alone' : mode;
    const lookup = this.store.get(client.request.key);
    if (lookup instanceof Promise) this.#serveAfterLookup(client, lookup, nextMode);
    else this.#serveFrom(client, lookup, nextMode);
  }

  purge(selection: PurgeSelection, mode: PurgeMode): Awaitable<void> {
    // Its cause can be a plugin that is gone.
    if (isOfAll(selection)) this.keyMemos.forgetPassed();
    return whenResolved(this.store.purge(selection, mode), () => this.onPurged?.(selection));
  }

  unregisterFetch(collapseKey: string): void {
    const holder = this.#fetches.get(collapseKey);
    if (holder === undefined) return;
    holder.fetch = undefined;
    this.#fetches.delete(collapseKey);
  }

  explain(request: CacheRequest, found: Lookup): LookupExplanation {
    const { responses } = found;
    const now = this.clock.now();
    const directives = parseRequestDirectives(request.headers, request.policy.rule.ignoresReload);
    const selected = selectStoredResponse(responses, request, now);
    const lookup = { responses, selected };
    if (selected !== undefined) {
      const decision = this.#decideReuse(request, directives, selected, now, 'shared');
      if (decision !== 'revalidate') return { ...lookup, forwardReason: undefined, forwardDetail: [] };
    }
    const upstream = { fetch: () => FINISHED_EXCHANGE, pass: () => FINISHED_EXCHANGE };
    const plan = planFetch({ request, directives, upstream }, found, 'shared', this.keyMemos, now);
    return { ...lookup, forwardReason: plan.forwardReason, forwardDetail: plan.forwardDetail };
  }
}

function withConfirmation(reason: CacheReason, { isSoftPurged }: StoredResponse): readonly CacheReason[] {
  return isSoftPurged ? [reason, { kind: 'unconfirmed' }] : [reason];
}
