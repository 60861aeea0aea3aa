import type { Clock } from '../../../ports.ts';
import { type PurgeOperation, type PurgePosition, parsePurgeMessage } from './codec.ts';
import type { RedisKeys } from './keys.ts';
import { GET_MISSED_PURGES, OPEN_EPOCH, START_EPOCH } from './scripts.ts';
import type { RedisSession, ScriptReply } from './session.ts';

export interface InvalidationFeedOptions {
  /** This instance, whose own purges come back in the feed. */
  readonly instanceId: string;
  readonly keys: RedisKeys;
  readonly clock: Pick<Clock, 'now'>;
  readonly onPurge: (purge: PurgeOperation) => void;
  /** Purges may have been missed, so the memory store may hold purged responses. */
  readonly onMissedPurges: () => void;
}

/** A script's reply without its first three values. */
interface FeedReply {
  /** The last purge at the time of the reply. */
  readonly position: PurgePosition;
  readonly values: ScriptReply;
}

/**
 * The purges of all instances, in the order in which Redis numbers them. Purges arrive as published messages. Every reply
 * of a script carries the number of the last purge, which shows whether a message was missed.
 */
export class InvalidationFeed {
  readonly #options: InvalidationFeedOptions;
  readonly #history = new PurgePositionHistory();
  readonly #offset = new ClockOffset();
  /** When the request was sent whose reply showed that no purge was missing. */
  #confirmedAt = Number.NEGATIVE_INFINITY;

  constructor(options: InvalidationFeedOptions) {
    this.#options = options;
  }

  /** Milliseconds by which Redis's clock is ahead of the local one. */
  get clockOffset(): number {
    return this.#offset.milliseconds;
  }

  /** The last purge that this instance knows. */
  get position(): PurgePosition | undefined {
    return this.#history.current;
  }

  positionBefore(time: number): PurgePosition | undefined {
    return this.#history.before(time);
  }

  /** Whether Redis has confirmed within the last `milliseconds` that this instance misses no purge. */
  isConfirmedWithin(milliseconds: number): boolean {
    const elapsed = this.#options.clock.now() - this.#confirmedAt;
    return elapsed >= 0 && elapsed <= milliseconds;
  }

  /** Forgets the last confirmation, so that a new one is needed. */
  unconfirm(): void {
    this.#confirmedAt = Number.NEGATIVE_INFINITY;
  }

  /** Begins to follow the server of a session, which starts a new epoch if it was restarted. */
  async open(session: RedisSession): Promise<void> {
    const reply = await session.runScript(OPEN_EPOCH, this.#options.keys.purgeStateKeys, [session.runId]);
    this.applyReply(reply, this.#options.clock.now());
  }

  /** Starts a new epoch, in which every earlier response in Redis is treated as purged. */
  async startEpoch(session: RedisSession): Promise<ScriptReply> {
    return session.runScript(START_EPOCH, this.#options.keys.purgeStateKeys, [session.runId]);
  }

  /** Fetches the purges that were missed. */
  async catchUp(session: RedisSession): Promise<void> {
    const { clock, keys } = this.#options;
    const sentAt = clock.now();
    const known = this.position;
    const reply = await session.runScript(GET_MISSED_PURGES, keys.purgeStateKeys, [
      session.runId,
      known?.epoch ?? '',
      String(known?.seq ?? 0),
    ]);
    const head = this.applyReply(reply, sentAt);
    if (head === undefined) throw new Error('the reply to a script has an unknown format');
    // A message that was published since the request has been applied already, and is skipped here.
    for (const message of head.values) this.applyMessage(message);
    const { position } = head;
    const reached = this.position;
    if (reached === undefined || reached.epoch !== position.epoch) return;
    if (position.seq < (known?.seq ?? 0)) {
      // The sequence went back: a replica has taken the server's place, and may lack its last purges.
      this.applyReply(await this.startEpoch(session), clock.now());
    } else if (position.seq > reached.seq) {
      // More purges were missed than Redis keeps messages.
      this.#skipTo(position);
    }
    this.#confirm(sentAt);
  }

  /** Applies the clock and the position at the head of a script's reply. */
  applyReply(reply: ScriptReply, sentAt: number): FeedReply | undefined {
    const [epoch, seq, time, ...values] = reply;
    if (epoch === undefined || seq === undefined || time === undefined) return undefined;
    const position = { epoch: toText(epoch), seq: Number(toText(seq)) };
    this.#offset.measure(Number(toText(time)), sentAt, this.#options.clock.now());
    const known = this.#history.current;
    if (known === undefined || known.epoch !== position.epoch) {
      // The server has lost its data or started a new epoch, with all purges that it had not published.
      this.#skipTo(position);
    } else if (position.seq === known.seq) {
      this.#confirm(sentAt);
    }
    return { position, values };
  }

  /** Applies a published purge of this or another instance. */
  applyMessage(message: Uint8Array): void {
    const parsed = parsePurgeMessage(message);
    const known = this.#history.current;
    if (parsed === undefined || known === undefined) return;
    const { position, instanceId, purge } = parsed;
    if (position.epoch === known.epoch && position.seq <= known.seq) return;
    const isNext = position.epoch === known.epoch && position.seq === known.seq + 1;
    if (!isNext) {
      // A new epoch, or a message before this one was missed.
      this.#options.onMissedPurges();
    } else if (instanceId !== this.#options.instanceId && purge !== undefined) {
      this.#options.onPurge(purge);
    } else if (purge === undefined) {
      this.#options.onMissedPurges();
    }
    this.#history.advance(position, this.#options.clock.now());
  }

  /** Records that no purge was missing when a request was sent. */
  #confirm(sentAt: number): void {
    this.#confirmedAt = Math.max(this.#confirmedAt, sentAt);
  }

  /** Continues at a position although purges before it were missed. */
  #skipTo(position: PurgePosition): void {
    this.#history.advance(position, this.#options.clock.now());
    this.#options.onMissedPurges();
  }
}

function toText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Maximum positions in the history. The position at a time before the oldest of them is unknown. */
const MAX_POSITIONS = 1000;

/**
 * The positions that this gateway has known, with their times. A response is stored with the position at the time of its
 * request. A later purge of the response then has a higher number, so no clocks of different gateways are compared.
 */
class PurgePositionHistory {
  #current: PurgePosition | undefined;
  readonly #past: { readonly time: number; readonly position: PurgePosition }[] = [];

  /** The position that this gateway knows now; undefined before the first reply of Redis. */
  get current(): PurgePosition | undefined {
    return this.#current;
  }

  /** Sets the current position and adds it to the history. */
  advance(position: PurgePosition, time: number): void {
    this.#current = position;
    this.#past.push({ time, position });
    if (this.#past.length > MAX_POSITIONS) this.#past.splice(0, MAX_POSITIONS / 2);
  }

  /**
   * Returns the position that was known before `time`; undefined if unknown. Positions of the same millisecond are
   * excluded, because they may be later.
   */
  before(time: number): PurgePosition | undefined {
    return this.#past.findLast((entry) => entry.time < time)?.position;
  }
}

/** A measurement replaces one whose round trip was shorter by at most this many milliseconds. */
const ROUND_TRIP_TOLERANCE = 5;

/** Estimates by how much Redis's clock is ahead of the local one, from the times in Redis's replies. */
class ClockOffset {
  #milliseconds = 0;
  /** Round-trip time of the reply that the estimate comes from. Grows, so that a newer reply replaces it eventually. */
  #roundTrip = Number.POSITIVE_INFINITY;

  get milliseconds(): number {
    return this.#milliseconds;
  }

  /** Measures the offset from a reply. A slow reply is ignored: its error is up to half of its round-trip time. */
  measure(redisTime: number, sentAt: number, receivedAt: number): void {
    const roundTrip = receivedAt - sentAt;
    if (roundTrip <= this.#roundTrip + ROUND_TRIP_TOLERANCE) {
      this.#milliseconds = redisTime - (sentAt + receivedAt) / 2;
      this.#roundTrip = roundTrip;
    } else {
      this.#roundTrip += 1;
    }
  }
}
