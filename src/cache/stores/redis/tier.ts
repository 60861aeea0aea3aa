import type { Clock, Log } from '../../../ports.ts';
import { applySoftPurge, calculateCurrentAge } from '../../policy/storability.ts';
import type { Lease, PurgeMode, PurgeSelection, SharedStoreState, StoredResponse } from '../../store.ts';
import type { SharedTier, SharedTierEvents } from '../tiered-store.ts';
import { decodeStoredResponse, encodeStoredResponse, purgeKeyForCacheKey, purgeKeyForTag } from './codec.ts';
import { RedisConnection } from './connection.ts';
import { createRedisKeys, GET_RESPONSES, PUT_RESPONSE, type RedisKeys } from './scripts.ts';
import { acquireRedisLease } from './session.ts';

export interface RedisTierOptions {
  /** `redis://user:password@host:port/db`, or `rediss://…` for TLS. */
  readonly url: string;
  /** Prefix of every key and of the channel. Gateways with the same prefix share their responses. @default 'waygate:' */
  readonly prefix?: string;
  /** Milliseconds for a command. After that, Redis is treated as not reachable. @default 250 */
  readonly timeout?: number;
  /**
   * Milliseconds for which a gateway may use its memory store without confirmation from Redis that it has missed no
   * purge. @default 500
   */
  readonly maxStaleness?: number;
  /**
   * Milliseconds for which a gateway may use its memory store without confirmation while it cannot reach Redis. In this time
   * writes through other gateways are not noticed. The only gateway needs no such time. @default 0
   */
  readonly maxAway?: number;
  /**
   * Milliseconds for which no stored response is used because another gateway has lost its connection to Redis without
   * having stopped. Then that gateway is forgotten. @default 30_000
   */
  readonly forgetInstanceAfter?: number;
  /** Maximum length of a body that is shared, in bytes. @default 2 MiB */
  readonly maxEntryBytes?: number;
  /** Maximum stored responses of one key (`Vary`). @default 64 */
  readonly maxVariants?: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Identifies this gateway to the others, in the form of `generateId`. @default a new identifier */
  readonly gatewayId?: string | undefined;
  /** Returns a new identifier for each call: letters, digits and hyphens. */
  readonly generateId: () => string;
}

const MIB = 1024 * 1024;
/** Milliseconds between two requests for missed purges. */
const HEARTBEAT = 100;
/** Maximum bytes of responses that are being sent to Redis. Beyond that, a response is not shared. */
const MAX_BYTES_IN_FLIGHT = 32 * MIB;
/** A stale response is kept for at least this time, in milliseconds, because it can still be revalidated. */
const MIN_EXPIRY = 60_000;
/** Attempts to read a key while purges arrive. */
const MAX_READ_ATTEMPTS = 3;

/**
 * Connects to Redis or Valkey, version 6 or later.
 *
 * @returns after the first attempt to connect, whether it succeeds or not
 */
export async function connectRedisTier(
  options: RedisTierOptions,
  events: SharedTierEvents,
): Promise<SharedTier> {
  const { prefix = 'waygate:', timeout = 250, maxStaleness = 500, url, clock, log, generateId } = options;
  const { forgetInstanceAfter = 30_000, gatewayId = generateId(), maxAway = 0 } = options;
  const keys = createRedisKeys(prefix);
  const connection = new RedisConnection({
    url,
    keys,
    timeout,
    maxStaleness,
    maxAway,
    forgetInstanceAfter,
    heartbeatInterval: HEARTBEAT,
    clock,
    log,
    instanceId: gatewayId,
    onPurge: ({ selection, mode }) => events.onPurge(selection, mode),
    onMissedPurges: () => events.onMissedPurges(),
  });
  await connection.start();
  return new RedisTier(options, keys, connection);
}

class RedisTier implements SharedTier {
  readonly #options: RedisTierOptions;
  readonly #keys: RedisKeys;
  readonly #connection: RedisConnection;
  #bytesInFlight = 0;

  constructor(options: RedisTierOptions, keys: RedisKeys, connection: RedisConnection) {
    this.#options = options;
    this.#keys = keys;
    this.#connection = connection;
  }

  get mayUseMemory(): boolean {
    return this.#connection.mayUseMemory;
  }

  get state(): SharedStoreState {
    return this.#connection.state;
  }

  get isReadable(): boolean {
    return this.#connection.isReadable;
  }

  get(key: string, receive: (responses: readonly StoredResponse[]) => void): Promise<void> {
    return this.#read(key, receive).catch(() => {});
  }

  async put(key: string, response: StoredResponse): Promise<boolean> {
    const size = response.body.byteLength;
    const { maxEntryBytes = 2 * MIB } = this.#options;
    if (size > maxEntryBytes || this.#bytesInFlight + size > MAX_BYTES_IN_FLIGHT) return false;
    this.#bytesInFlight += size;
    try {
      return await this.#write(key, response);
    } catch {
      return false;
    } finally {
      this.#bytesInFlight -= size;
    }
  }

  purge(selection: PurgeSelection, mode: PurgeMode): Promise<void> {
    return this.#connection.purge({ selection, mode });
  }

  acquireLease(key: string, maxDuration: number): Promise<Lease | null> {
    const { clock, generateId } = this.#options;
    const leaseKey = this.#keys.leaseKey(key);
    return acquireRedisLease(this.#connection.session, leaseKey, generateId(), maxDuration, clock);
  }

  forgetGateway(id: string): Promise<void> {
    return this.#connection.forgetInstance(id);
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  async #read(key: string, receive: (responses: readonly StoredResponse[]) => void): Promise<void> {
    const connection = this.#connection;
    const { feed } = connection;
    const { clock } = this.#options;
    const { purgeStateKeys, responsesKey } = this.#keys;
    for (let attempt = 0; attempt < MAX_READ_ATTEMPTS; attempt += 1) {
      const { purgeVersion, session } = connection;
      if (session === undefined || !connection.isReadable) return;
      const sentAt = clock.now();
      const reply = await session.runScript(
        GET_RESPONSES,
        [...purgeStateKeys, responsesKey(key)],
        [session.runId],
      );
      const head = feed.applyReply(reply, sentAt);
      // A purge that arrived since the request may select what was found.
      if (head !== undefined && connection.purgeVersion === purgeVersion) {
        return receive(decodeResponses(head.values, feed.clockOffset, clock.now()));
      }
    }
  }

  async #write(key: string, response: StoredResponse): Promise<boolean> {
    const { session, feed } = this.#connection;
    const { clock, maxVariants = 64 } = this.#options;
    const position = feed.positionBefore(response.requestTime);
    if (session === undefined || position === undefined) return false;
    const encoded = encodeStoredResponse(response, feed.clockOffset);
    const sentAt = clock.now();
    const reply = await session.runScript(
      PUT_RESPONSE,
      [...this.#keys.purgeStateKeys, this.#keys.responsesKey(key)],
      [
        session.runId,
        position.epoch,
        String(position.seq),
        String(response.responseTime + feed.clockOffset),
        String(expiryOf(response, sentAt)),
        String(maxVariants),
        response.variantKey,
        encoded,
        response.group?.name ?? '',
        response.group?.readKind ?? '',
        purgeKeyForCacheKey(key),
        ...response.tags.map(purgeKeyForTag),
      ],
    );
    const [isStored] = feed.applyReply(reply, sentAt)?.values ?? [];
    return isStored?.[0] === TRUE;
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

/** Decodes pairs of a flag (whether a soft purge applies) and an encoded response, the newest response first. */
function decodeResponses(
  values: readonly Uint8Array[],
  clockOffset: number,
  now: number,
): readonly StoredResponse[] {
  const responses: StoredResponse[] = [];
  for (let at = 0; at + 1 < values.length; at += 2) {
    const [isSoftPurged, encoded] = [values[at], values[at + 1]];
    const response = encoded === undefined ? undefined : decodeStoredResponse(encoded, clockOffset);
    if (response === undefined) continue;
    responses.push(isSoftPurged?.[0] === TRUE ? applySoftPurge(response, now) : response);
  }
  return responses.sort((left, right) => right.responseTime - left.responseTime);
}

/** First byte of a flag that a script returns as `'1'`. */
const TRUE = '1'.charCodeAt(0);
