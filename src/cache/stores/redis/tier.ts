import { omitUndefined } from '../../../omit-undefined.ts';
import { applySoftPurge, calculateCurrentAge, requireConfirmation } from '../../policy/storability.ts';
import type { Lease, StoredResponse } from '../../store.ts';
import type { MemoryStore } from '../memory-store.ts';
import { decodeStoredResponse, encodeStoredResponse, purgeKeyForCacheKey, purgeKeyForTag } from './codec.ts';
import { type FeedReply, RedisConnection, type RedisTierOptions } from './connection.ts';
import { GET_RESPONSES, PUT_RESPONSE } from './scripts.ts';
import { toKeyPrefix } from './servers.ts';
import { acquireRedisLease, toReplyText } from './session.ts';

const MIB = 1024 * 1024;
/** Maximum bytes of responses that are being sent to Redis. Beyond that, a response is not shared. */
const MAX_BYTES_IN_FLIGHT = 32 * MIB;
/** A stale response is kept for at least this time, in milliseconds, because it can still be revalidated. */
const MIN_EXPIRY = 60_000;
/** Bodies of the maximum length that the variants of one key may have together: a lookup reads them all, within the timeout of a command. */
const KEY_ENTRIES = 4;
/** Attempts to read a key while purges arrive. */
const MAX_READ_ATTEMPTS = 3;

const DEFAULTS = {
  timeout: 250,
  maxStaleness: 500,
  maxAway: 0,
  forgetInstanceAfter: 30_000,
  maxEntryBytes: 2 * MIB,
  maxVariants: 64,
  onReply: (_: number): void => {},
} as const;

/** Connects to Redis or Valkey, version 6 or later. @returns after the first attempt to connect, whether it succeeds or not */
export async function connectRedisTier(options: RedisTierOptions, memory: MemoryStore): Promise<RedisTier> {
  const gatewayId = options.gatewayId ?? options.generateId();
  const prefix = toKeyPrefix(options.servers, options.prefix);
  const tier = new RedisTier({ ...DEFAULTS, ...omitUndefined(options), prefix, gatewayId, memory });
  await tier.open();
  return tier;
}

export class RedisTier extends RedisConnection {
  #bytesInFlight = 0;

  /**
   * Looks up the responses of a key and calls `receive` with them, newest first. No purge that this gateway knows at the
   * time of that call selects them. Does not call `receive` if Redis is not reachable.
   */
  get(key: string, receive: (responses: readonly StoredResponse[]) => void): Promise<void> {
    return this.#read(key, receive).catch(() => {});
  }

  /** Shares a response that is in memory, if it can. Purges that may have been missed are known when it resolves. */
  async put(key: string, response: StoredResponse): Promise<boolean> {
    const size = response.body.byteLength;
    if (size > this.options.maxEntryBytes || this.#bytesInFlight + size > MAX_BYTES_IN_FLIGHT) return false;
    this.#bytesInFlight += size;
    try {
      return await this.#write(key, response);
    } catch {
      return false;
    } finally {
      this.#bytesInFlight -= size;
    }
  }

  acquireLease(key: string, maxDuration: number): Promise<Lease | null> {
    const { clock, generateId } = this.options;
    return acquireRedisLease(this.session, this.keys.leaseKey(key), generateId(), maxDuration, clock);
  }

  async #read(key: string, receive: (responses: readonly StoredResponse[]) => void): Promise<void> {
    const { feed } = this;
    for (let attempt = 0; attempt < MAX_READ_ATTEMPTS; attempt += 1) {
      const { purgeVersion, session } = this;
      if (session === undefined || !this.isReadable) return;
      const sentAt = this.options.clock.now();
      const head = await feed.run(session, GET_RESPONSES, [this.keys.responsesKey(key)]);
      // A purge that arrived since the request may select what was found.
      if (head !== undefined && this.purgeVersion === purgeVersion) {
        return receive(this.#decode(head, sentAt));
      }
    }
  }

  /**
   * Decodes a reply of {@link GET_RESPONSES}, the newest response first, without those that a clause may select. None was requested after
   * `sentAt`, whatever the clocks: a purge that this gateway hears of later is later than each (`isPurgedSince`).
   */
  #decode({ position, values }: FeedReply, sentAt: number): readonly StoredResponse[] {
    const { feed, options } = this;
    const responses: StoredResponse[] = [];
    for (let at = 0; at + 2 < values.length; at += 3) {
      const [flag, since] = [toReplyText(values[at]), toReplyText(values[at + 1])];
      const encoded = values[at + 2];
      const decoded = encoded && decodeStoredResponse(encoded, feed.clockOffset);
      if (!decoded || (since !== '' && feed.mayBeSelected(decoded, Number(since), position))) continue;
      const response = { ...decoded, requestTime: Math.min(decoded.requestTime, sentAt) };
      const softPurged = flag === 's' ? applySoftPurge(response, options.clock.now()) : response;
      responses.push(flag === 'u' ? requireConfirmation(response) : softPurged);
    }
    return responses.sort((left, right) => right.responseTime - left.responseTime);
  }

  async #write(key: string, response: StoredResponse): Promise<boolean> {
    const { feed, session } = this;
    const { clock, maxEntryBytes, maxVariants } = this.options;
    const position = feed.positionBefore(response.requestTime);
    if (session === undefined || position === undefined) return false;
    const reply = await feed.run(
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
        response.group?.name ?? '',
        response.group?.routeClass ?? '',
        String(KEY_ENTRIES * maxEntryBytes),
        purgeKeyForCacheKey(key),
        ...response.tags.map(purgeKeyForTag),
      ],
    );
    return toReplyText(reply?.values[0]) === '1';
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
