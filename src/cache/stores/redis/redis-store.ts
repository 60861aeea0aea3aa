import { getOrCreate } from '../../../memoize.ts';
import { omitUndefined } from '../../../omit-undefined.ts';
import { applyPurge, calculateCurrentAge, isFresh } from '../../policy/storability.ts';
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
import { decodeStoredResponse, encodeStoredResponse, purgeKeyForCacheKey, purgeKeyForTag } from './codec.ts';
import { RedisConnection, type RedisTierOptions } from './connection.ts';
import { GET_RESPONSES, PUT_RESPONSE } from './scripts.ts';
import { toKeyPrefix } from './servers.ts';
import { acquireRedisLease, type ScriptReply, toReplyText } from './session.ts';

const MIB = 1024 * 1024;
/** Maximum bytes of responses that are being sent to Redis. Beyond that, a response is not shared. */
const MAX_BYTES_IN_FLIGHT = 32 * MIB;
/** A stale response is kept for at least this time, in milliseconds, because it can still be revalidated. */
const MIN_EXPIRY = 60_000;
/** Bodies of the maximum length that the variants of one key may have together: a lookup reads them all, within the timeout of a command. */
const KEY_ENTRIES = 4;
/** Attempts to read a key while purges arrive. */
const MAX_READ_ATTEMPTS = 3;
/** Maximum error of a time that was converted to another clock and back, in milliseconds. */
const CLOCK_TOLERANCE = 20;
const NO_RESPONSES: readonly StoredResponse[] = [];

const DEFAULTS = {
  timeout: 250,
  maxStaleness: 500,
  maxAway: 0,
  forgetInstanceAfter: 30_000,
  maxEntryBytes: 2 * MIB,
  maxVariants: 64,
  onReply: (_: number): void => {},
} as const;

/**
 * A memory store in front of Redis or Valkey, version 6 or later, which several gateways share. A fresh response in memory is returned
 * at once while the memory store is current. Otherwise Redis is read, and memory filled from it. If Redis is not reachable the store
 * finds nothing, unless no other gateway can have purged anything, or the configuration allows to use the memory for a moment.
 */
export class RedisStore extends RedisConnection implements CacheStore {
  /** Reads of Redis in progress, by key. */
  readonly #reads = new Map<string, Promise<readonly StoredResponse[]>>();
  #bytesInFlight = 0;

  constructor(options: RedisTierOptions, memory: MemoryStore) {
    const gatewayId = options.gatewayId ?? options.generateId();
    const prefix = toKeyPrefix(options.servers, options.prefix);
    super({ ...DEFAULTS, ...omitUndefined(options), prefix, gatewayId, memory });
  }

  get(key: string): Awaitable<readonly StoredResponse[]> {
    const { clock, memory } = this.options;
    const known = this.mayUseMemory ? memory.get(key) : NO_RESPONSES;
    const [newest] = known;
    if (newest !== undefined && isFresh(newest, clock.now())) return known;
    // Another gateway may have stored a newer response.
    return this.isReadable ? getOrCreate(this.#reads, key, () => this.#fillMemory(key)) : known;
  }

  put(key: string, response: StoredResponse): Awaitable<boolean> {
    const { memory } = this.options;
    // A compressed form is not shared.
    const isShared =
      !response.isSoftPurged && memory.get(key).some((stored) => isSameResponse(stored, response));
    if (this.isClosed || !memory.put(key, response)) return false;
    if (isShared) return true;
    // A purge that arrived meanwhile may have removed the response or purged it softly, and one that has not arrived may select it. Then
    // the requests that wait for it must not get it.
    const { requestTime, variantKey } = response;
    const isSame = (stored: StoredResponse): boolean =>
      stored.requestTime === requestTime && stored.variantKey === variantKey && !stored.isSoftPurged;
    return this.#share(key, response).then(() => this.mayUseMemory && memory.get(key).some(isSame));
  }

  async purge(selection: PurgeSelection, mode: PurgeMode): Promise<void> {
    this.options.memory.purge(selection, mode);
    // Only the memory of this gateway keeps bodies that the site may confirm.
    await this.publishPurge(selection, mode === 'revalidate' ? 'hard' : mode);
  }

  isPurgedSince(key: string, tags: readonly string[] | null, time: number): boolean {
    return !this.mayUseMemory || this.options.memory.isPurgedSince(key, tags, time);
  }

  acquireLease(key: string, maxDuration: number): Promise<Lease | null> {
    const { clock, generateId } = this.options;
    return acquireRedisLease(this.session, this.keys.leaseKey(key), generateId(), maxDuration, clock);
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

  /** Shares a response that is in memory, if it can. Purges that may have been missed are known when it resolves. */
  async #share(key: string, response: StoredResponse): Promise<void> {
    const size = response.body.byteLength;
    if (size > this.options.maxEntryBytes || this.#bytesInFlight + size > MAX_BYTES_IN_FLIGHT) return;
    this.#bytesInFlight += size;
    await this.#write(key, response).catch(() => {});
    this.#bytesInFlight -= size;
  }

  /** Puts the responses of a key in Redis into memory. No purge that this gateway knows then selects them. */
  async #read(key: string): Promise<void> {
    const { feed } = this;
    for (let attempt = 0; attempt < MAX_READ_ATTEMPTS; attempt += 1) {
      const { purgeVersion, session } = this;
      if (session === undefined || !this.isReadable) return;
      const sentAt = this.options.clock.now();
      const head = await feed.run(session, GET_RESPONSES, [this.keys.responsesKey(key)]);
      // A purge that arrived since the request may select what was found.
      if (head === undefined || this.purgeVersion !== purgeVersion) continue;
      for (const response of this.#decode(head.values, sentAt)) this.#putNewer(key, response);
      return;
    }
  }

  /**
   * Replaces the response in memory by one in Redis that is newer, or that was purged softly by a purge that memory does not know. With
   * the others memory has compared the response, and may have kept it: Redis does not know its text.
   */
  #putNewer(key: string, response: StoredResponse): void {
    const { memory } = this.options;
    const known = memory.get(key).find(({ variantKey }) => variantKey === response.variantKey);
    const newer = known === undefined ? Number.POSITIVE_INFINITY : response.responseTime - known.responseTime;
    const isPurged =
      known !== undefined &&
      newer > -CLOCK_TOLERANCE &&
      response.isSoftPurged &&
      !known.isSoftPurged &&
      !memory.isPurgedSince(key, known.tags, known.requestTime);
    if (newer > CLOCK_TOLERANCE || isPurged) memory.putUnchecked(key, response);
  }

  /**
   * Decodes a reply of {@link GET_RESPONSES}, the oldest response first. None was requested after `sentAt`, whatever the clocks: a purge
   * that this gateway hears of later is later than each (`isPurgedSince`).
   */
  #decode(values: ScriptReply, sentAt: number): readonly StoredResponse[] {
    const { feed, options } = this;
    const responses: StoredResponse[] = [];
    for (let at = 0; at + 1 < values.length; at += 2) {
      const flag = toReplyText(values[at]);
      const encoded = values[at + 1];
      const decoded = encoded && decodeStoredResponse(encoded, feed.clockOffset);
      if (!decoded) continue;
      const response = { ...decoded, requestTime: Math.min(decoded.requestTime, sentAt) };
      const mode = ({ s: 'soft', u: 'unconfirmed' } as const)[flag];
      const purged = mode === undefined ? response : applyPurge(response, mode, options.clock.now());
      if (purged !== null) responses.push(purged);
    }
    return responses.sort((left, right) => left.responseTime - right.responseTime);
  }

  async #write(key: string, response: StoredResponse): Promise<void> {
    const { feed, session } = this;
    const { clock, maxEntryBytes, maxVariants } = this.options;
    const position = feed.positionBefore(response.requestTime);
    if (session === undefined || position === undefined) return;
    await feed.run(
      session,
      PUT_RESPONSE,
      [this.keys.responsesKey(key)],
      [
        position.epoch,
        String(position.seq),
        String(response.responseTime + feed.clockOffset),
        String(expiryOf(response, clock.now())),
        String(maxVariants),
        response.variantKey,
        encodeStoredResponse(response, feed.clockOffset),
        String(KEY_ENTRIES * maxEntryBytes),
        purgeKeyForCacheKey(key),
        ...response.tags.map(purgeKeyForTag),
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
  return Math.round(Math.max(MIN_EXPIRY, Number.isFinite(left) ? left : MIN_EXPIRY));
}
