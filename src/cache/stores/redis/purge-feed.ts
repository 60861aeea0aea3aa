import type { Clock } from '../../../ports.ts';
import type { MemoryStore } from '../memory-store.ts';
import { type PurgeMessage, type PurgePosition, parsePurgeMessage } from './codec.ts';
import { OPEN_EPOCH, type RedisKeys } from './scripts.ts';
import { type RedisArgument, type RedisSession, toReplyText } from './session.ts';

/** A script's reply without its first three values. */
export interface FeedReply {
  /** The last purge at the time of the reply. */
  readonly position: PurgePosition;
  readonly values: readonly Uint8Array[];
}

interface PurgeFeedOptions {
  readonly clock: Clock;
  readonly gatewayId: string;
  /** The store to which the purges of other gateways apply. */
  readonly memory: MemoryStore;
}

/** Maximum positions in the history. The position at a time before the oldest of them is unknown. */
const MAX_POSITIONS = 1000;

/** A measurement of the clock replaces one whose round trip was shorter by at most this many milliseconds. */
const ROUND_TRIP_TOLERANCE = 5;

/**
 * The purges of all gateways, in the order in which Redis numbers them. Purges arrive as published messages. Every reply
 * of a script carries the number of the last purge, which shows whether a message was missed.
 */
export class PurgeFeed {
  /** The last purge that this gateway knows; undefined before the first reply of Redis. */
  position: PurgePosition | undefined;
  /** Milliseconds by which Redis's clock is ahead of the local one. */
  clockOffset = 0;
  /** When the request was sent whose reply showed last that no purge was missing. */
  confirmedAt: number = Number.NEGATIVE_INFINITY;
  /** When this gateway learned that another epoch has begun since its start. */
  epochKnownAt: number = Number.NEGATIVE_INFINITY;
  readonly #options: PurgeFeedOptions;
  readonly #keys: RedisKeys;
  /** The positions that this gateway has known. */
  readonly #past: { readonly time: number; readonly position: PurgePosition }[] = [];
  /** Round-trip time of the reply that the clock offset comes from. Grows, so that a newer reply replaces it eventually. */
  #roundTrip = Number.POSITIVE_INFINITY;

  constructor(options: PurgeFeedOptions, keys: RedisKeys) {
    this.#options = options;
    this.#keys = keys;
  }

  /**
   * Returns the position that was known before `time`; undefined if unknown. Positions of the same millisecond are excluded,
   * because they might be later. A response is stored with the position at the time of its request. A later purge of the response
   * then has a higher number, so no clocks of different gateways are compared.
   */
  positionBefore(time: number): PurgePosition | undefined {
    return this.#past.findLast((entry) => entry.time < time)?.position;
  }

  /** Starts an epoch, in which no stored response is valid. */
  async startEpoch(session: RedisSession): Promise<void> {
    await this.run(session, OPEN_EPOCH, [], ['1']);
  }

  /**
   * Runs a script that uses the purge state, and applies the clock and the position at the head of its reply.
   *
   * @param otherKeys keys of the script besides that of the purge state
   */
  async run(
    session: RedisSession,
    script: string,
    otherKeys: readonly string[] = [],
    values: readonly RedisArgument[] = [],
  ): Promise<FeedReply> {
    const sentAt = this.#options.clock.now();
    const before = this.position;
    const keys = [this.#keys.purgeStateKey, ...otherKeys];
    const [epoch, seq, time, ...rest] = await session.runScript(script, keys, [session.runId, ...values]);
    if (time === undefined) throw new Error('the reply to a script has an unknown format');
    const position = { epoch: toReplyText(epoch), seq: Number(toReplyText(seq)) };
    this.#measureOffset(Number(toReplyText(time)), sentAt);
    const known = this.position;
    if (known?.epoch !== position.epoch || position.seq > known.seq) {
      // The server has lost its data or started a new epoch, with all purges that it had not published. Or a message was missed, e.g.
      // while there was no connection: each arrives before the replies that count it.
      this.#skipTo(position);
    } else if (before?.epoch === position.epoch && position.seq < before.seq) {
      // The sequence went back: a replica has taken the server's place, and can lack its last purges.
      await this.startEpoch(session);
    }
    // No purge was missing when the request was sent.
    this.confirmedAt = Math.max(this.confirmedAt, sentAt);
    return { position, values: rest };
  }

  /** Applies a published purge of this or another gateway, unless it is known already. @returns undefined if it is no purge */
  applyMessage(message: Uint8Array): PurgeMessage | undefined {
    const parsed = parsePurgeMessage(message);
    const known = this.position;
    if (parsed === undefined || known === undefined) return undefined;
    const { position, purge } = parsed;
    if (position.epoch === known.epoch && position.seq <= known.seq) return parsed;
    const isNext = position.epoch === known.epoch && position.seq === known.seq + 1;
    // In a new epoch, or if a message before this one was missed, purges are unknown.
    if (!isNext || purge === undefined) this.#skipTo(position);
    else {
      const { gatewayId, memory } = this.#options;
      if (parsed.gatewayId !== gatewayId) memory.purge(purge.selection, purge.mode);
      this.#advance(position);
    }
    return parsed;
  }

  /** Continues at a position although purges before it were missed: the memory store can hold purged responses. */
  #skipTo(position: PurgePosition): void {
    this.#advance(position);
    this.#options.memory.purge({ kind: 'all' }, 'hard');
  }

  #advance(position: PurgePosition): void {
    const time = this.#options.clock.now();
    if (this.position !== undefined && this.position.epoch !== position.epoch) this.epochKnownAt = time;
    this.position = position;
    this.#past.push({ time, position });
    if (this.#past.length > MAX_POSITIONS) this.#past.splice(0, MAX_POSITIONS / 2);
  }

  /** Measures the clock offset from a reply. A slow reply is ignored: its error is up to half of its round-trip time. */
  #measureOffset(redisTime: number, sentAt: number): void {
    const receivedAt = this.#options.clock.now();
    const roundTrip = receivedAt - sentAt;
    if (roundTrip <= this.#roundTrip + ROUND_TRIP_TOLERANCE) {
      this.clockOffset = redisTime - (sentAt + receivedAt) / 2;
      this.#roundTrip = roundTrip;
    } else {
      this.#roundTrip += 1;
    }
  }
}
