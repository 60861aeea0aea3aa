import { getOrCreate } from '../../../memoize.ts';
import { omitUndefined } from '../../../omit-undefined.ts';
import { applyPurge, calculateCurrentAge, isFresh } from '../../policy/freshness.ts';
import type {
  Awaitable,
  CacheStore,
  Lease,
  PurgeMode,
  PurgeSelection,
  StoredResponse,
  StoreReport,
} from '../../store.ts';
import { isSameResponse, type MemoryStore } from '../memory-store.ts';
import { decodeStoredResponse, encodeMetadata, toPurgedName } from './codec.ts';
import { RedisConnection, type RedisTierOptions } from './connection.ts';
import { GET_RESPONSES, PUT_RESPONSE, RELEASE_LEASE } from './scripts.ts';
import { DEFAULT_PREFIX } from './servers.ts';
import { toReplyText } from './session.ts';

/** A stale response is kept for at least this time, in milliseconds, because it can still be revalidated. */
const MIN_EXPIRY = 60_000;
/** Maximum length of a body that is shared, in bytes. */
const MAX_SHARED_BYTES = 2 * 1024 * 1024;
/** Maximum bytes of all variants of one key: a lookup reads them all, within the timeout of a command. */
const MAX_KEY_BYTES = 4 * MAX_SHARED_BYTES;
/** Maximum error of a time that was converted to another clock and back, in milliseconds. */
const CLOCK_TOLERANCE = 20;
/** Maximum milliseconds of a lease: its holder might have crashed. A slower response can be fetched by two gateways. */
const MAX_LEASE = 3_000;
/** Modes in the replies of {@link GET_RESPONSES}. */
const PURGE_MODES: ReadonlyMap<string, PurgeMode> = new Map([['u', 'unconfirmed']]);
const NO_RESPONSES: readonly StoredResponse[] = [];
const NO_BYTES = new Uint8Array(0);

const DEFAULTS = {
  timeout: 250,
  maxStaleness: 500,
  maxAway: 0,
  forgetInstanceAfter: 30_000,
  onReply: (_: number): void => {},
} as const;

/**
 * A memory store in front of Redis or Valkey, version 6 or later, which several gateways share. A fresh response in memory is returned
 * at once while the memory store is current. Otherwise Redis is read, and memory filled from it. If Redis is not reachable the store
 * finds nothing, unless the configuration allows to use the memory for a moment.
 */
export class RedisStore extends RedisConnection implements CacheStore {
  /** Reads of Redis in progress, by key. */
  readonly #reads = new Map<string, Promise<readonly StoredResponse[]>>();

  constructor(options: RedisTierOptions, memory: MemoryStore) {
    const { gatewayId = options.generateId(), prefix = options.servers.prefix ?? DEFAULT_PREFIX } = options;
    super({ ...DEFAULTS, ...omitUndefined(options), prefix, gatewayId, memory });
  }

  get(key: string): Awaitable<readonly StoredResponse[]> {
    const { clock, memory } = this.options;
    const known = this.mayUseMemory ? memory.get(key) : NO_RESPONSES;
    const [newest] = known;
    if (newest !== undefined && isFresh(newest, clock.now())) return known;
    // Another gateway might have stored a newer response.
    return this.isReadable ? getOrCreate(this.#reads, key, () => this.#fillMemory(key)) : known;
  }

  put(key: string, response: StoredResponse): Awaitable<boolean> {
    const { memory } = this.options;
    // A compressed form is not shared.
    const isShared = memory.get(key).some((stored) => isSameResponse(stored, response));
    if (this.isClosed || !memory.put(key, response)) return false;
    if (isShared) return true;
    // A purge that arrived meanwhile might have removed the response or purged it softly, and one that has not arrived can select it. Then
    // the requests that wait for it must not get it.
    const { requestTime, variantKey } = response;
    const isSame = (stored: StoredResponse): boolean =>
      stored.requestTime === requestTime && stored.variantKey === variantKey && !stored.isSoftPurged;
    const shared = this.#share(key, response).catch(() => {});
    return shared.then(() => this.mayUseMemory && memory.get(key).some(isSame));
  }

  async purge(selection: PurgeSelection, mode: PurgeMode): Promise<void> {
    this.options.memory.purge(selection, mode);
    // Only the memory of this gateway keeps bodies that the site can confirm.
    await this.publishPurge(selection, mode === 'revalidate' ? 'hard' : mode);
  }

  isPurgedSince(key: string, tags: readonly string[] | null, time: number): boolean {
    return !this.mayUseMemory || this.options.memory.isPurgedSince(key, tags, time);
  }

  /** A gateway that cannot reach Redis gets each lease. */
  async acquireLease(key: string, maxDuration: number): Promise<Lease | null> {
    const { session } = this;
    const [leaseKey, token] = [this.keys.leaseKey(key), this.options.generateId()];
    const expiry = String(Math.min(MAX_LEASE, maxDuration));
    const reply = await session?.send(['SET', leaseKey, token, 'NX', 'PX', expiry]).catch(() => undefined);
    if (reply === null) return null;
    return { release: () => void session?.runScript(RELEASE_LEASE, [leaseKey], [token]).catch(() => {}) };
  }

  report(): StoreReport {
    return { ...this.options.memory.report(), shared: this.sharedReport };
  }

  override async close(): Promise<void> {
    await super.close();
    await this.options.memory.close();
  }

  async #fillMemory(key: string): Promise<readonly StoredResponse[]> {
    await this.#read(key).catch(() => {});
    this.#reads.delete(key);
    return this.mayUseMemory ? this.options.memory.get(key) : NO_RESPONSES;
  }

  /** Puts the responses of a key in Redis into memory. No purge that this gateway knows then selects them. */
  async #read(key: string): Promise<void> {
    const { purgeVersion, session } = this;
    if (session === undefined) return;
    const sentAt = this.options.clock.now();
    const { values } = await this.feed.run(session, GET_RESPONSES, [this.keys.responsesKey(key)]);
    // A purge that arrived since the request can select what was found.
    if (this.purgeVersion !== purgeVersion) return;
    const responses: StoredResponse[] = [];
    for (let at = 0; at + 2 < values.length; at += 3) {
      const [mode, metadata = NO_BYTES, body = NO_BYTES] = values.slice(at, at + 3);
      const decoded = decodeStoredResponse(metadata, body, this.feed.clockOffset);
      if (decoded === null) continue;
      // It was not requested after `sentAt`, whatever the clocks: a purge that this gateway hears of later is later (`isPurgedSince`).
      const response = { ...decoded, requestTime: Math.min(decoded.requestTime, sentAt) };
      const purge = PURGE_MODES.get(toReplyText(mode));
      responses.push((purge && applyPurge(response, purge)) ?? response);
    }
    responses.sort((left, right) => left.responseTime - right.responseTime);
    for (const response of responses) this.#putNewer(key, response);
  }

  /** Replaces the response in memory by one in Redis that is newer, or purged softly. */
  #putNewer(key: string, response: StoredResponse): void {
    const { memory } = this.options;
    const known = memory.get(key).find(({ variantKey }) => variantKey === response.variantKey);
    const newer = known === undefined ? Number.POSITIVE_INFINITY : response.responseTime - known.responseTime;
    const isPurged = response.isSoftPurged && known?.isSoftPurged !== true && newer > -CLOCK_TOLERANCE;
    if (newer > CLOCK_TOLERANCE || isPurged) memory.putUnchecked(key, response);
  }

  /** Shares a response that is in memory, if it can. Purges that might have been missed are known when it resolves. */
  async #share(key: string, response: StoredResponse): Promise<void> {
    const { feed, session } = this;
    const position = feed.positionBefore(response.requestTime);
    if (session === undefined || position === undefined || response.body.byteLength > MAX_SHARED_BYTES)
      return;
    await feed.run(
      session,
      PUT_RESPONSE,
      [this.keys.responsesKey(key)],
      [
        position.epoch,
        String(position.seq),
        String(response.responseTime + feed.clockOffset),
        String(expiryOf(response, this.options.clock.now())),
        String(MAX_KEY_BYTES),
        response.variantKey,
        encodeMetadata(response, feed.clockOffset),
        response.body,
        ...[key, ...response.tags].map(toPurgedName),
      ],
    );
  }
}

/** Milliseconds after which a response can be neither served nor revalidated. */
function expiryOf(response: StoredResponse, now: number): number {
  const { staleIfError, staleIfUnreachable, staleWhileRevalidate } = response;
  const staleWindow = Math.max(staleWhileRevalidate, staleIfError, staleIfUnreachable);
  const left = (response.freshnessLifetime + staleWindow - calculateCurrentAge(response, now)) * 1000;
  // RFC 9111 §1.2.2 allows a lifetime of 2^31 seconds; Redis accepts more.
  return Math.round(Math.max(MIN_EXPIRY, left));
}
