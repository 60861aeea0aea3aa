import type { Purge } from './codec.ts';
import { PositionHistory, type PurgePosition } from './position-history.ts';
import { parsePurgeMessage } from './purge-message.ts';
import type { ScriptReply } from './session.ts';

export interface InvalidationFeedOptions {
  /** This instance, among those that publish. */
  readonly instanceId: string;
  readonly clock: { now(): number };
  readonly onPurge: (purge: Purge) => void;
  /** Purges may have been missed: what memory holds is not to be believed. */
  readonly onMissedPurges: () => void;
}

/** Head of a script's reply. */
interface Heard {
  readonly position: PurgePosition;
  readonly rest: ScriptReply;
}

/** What is known here of Redis's purges and of its clock, by what it replies and publishes. */
export class InvalidationFeed {
  readonly #options: InvalidationFeedOptions;
  readonly #sequence = new PositionHistory();
  #heardAt = Number.NEGATIVE_INFINITY;
  #offset = 0;
  /** How long the reply took that the offset was taken from. */
  #taken = Number.POSITIVE_INFINITY;

  constructor(options: InvalidationFeedOptions) {
    this.#options = options;
  }

  /** What Redis's clock is ahead of this one's, in milliseconds. */
  get clockOffset(): number {
    return this.#offset;
  }

  /** The last purge that is known. */
  get position(): PurgePosition | undefined {
    return this.#sequence.current;
  }

  positionBefore(time: number): PurgePosition | undefined {
    return this.#sequence.before(time);
  }

  /** Whether Redis has said within so many milliseconds that no purge is missing here. */
  isConfirmedWithin(trust: number): boolean {
    const since = this.#options.clock.now() - this.#heardAt;
    return since >= 0 && since <= trust;
  }

  /** No purge was missing here when it was asked. */
  confirm(askedAt: number): void {
    this.#heardAt = Math.max(this.#heardAt, askedAt);
  }

  /** It has to be heard again that none is missing. */
  unconfirm(): void {
    this.#heardAt = Number.NEGATIVE_INFINITY;
  }

  /** Goes on from a purge before which some were missed. */
  skipTo(position: PurgePosition): void {
    this.#sequence.advance(position, this.#options.clock.now());
    this.#options.onMissedPurges();
  }

  /** Takes note of the head that each script replies. */
  applyReply(reply: ScriptReply, sentAt: number): Heard | undefined {
    const [epoch, seq, time, ...rest] = reply;
    if (epoch === undefined || seq === undefined || time === undefined) return undefined;
    const position = { epoch: asText(epoch), seq: Number(asText(seq)) };
    const now = this.#options.clock.now();
    this.#measure(Number(asText(time)), sentAt, now);
    const known = this.#sequence.current;
    if (known === undefined || known.epoch !== position.epoch) {
      // The server was emptied, or began anew: what it would have told is lost.
      this.skipTo(position);
    } else if (position.seq === known.seq) {
      this.confirm(sentAt);
    }
    return { position, rest };
  }

  /** A purge of this or another instance. */
  applyMessage(message: Uint8Array): void {
    const read = parsePurgeMessage(message);
    const known = this.#sequence.current;
    if (read === undefined || known === undefined) return;
    const { position, instanceId, purge } = read;
    if (position.epoch === known.epoch && position.seq <= known.seq) return;
    const next = position.epoch === known.epoch && position.seq === known.seq + 1;
    if (!next) {
      // Another epoch, or one before it was missed.
      this.#options.onMissedPurges();
    } else if (instanceId !== this.#options.instanceId && purge !== undefined) {
      this.#options.onPurge(purge);
    } else if (purge === undefined) {
      this.#options.onMissedPurges();
    }
    this.#sequence.advance(position, this.#options.clock.now());
  }

  /** Replies that took long say little of the other clock. */
  #measure(theirs: number, sentAt: number, now: number): void {
    const taken = now - sentAt;
    if (taken <= this.#taken + 5) {
      this.#offset = theirs - (sentAt + now) / 2;
      this.#taken = taken;
    } else {
      this.#taken += 1;
    }
  }
}

const asText = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
