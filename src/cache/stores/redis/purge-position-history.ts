/** A point in the sequence of purges that Redis has recorded. */
export interface PurgePosition {
  /** Identifies a sequence. Redis starts a new one when it may have lost purges. */
  readonly epoch: string;
  /** Number of the last purge of the epoch. */
  readonly seq: number;
}

/** Maximum positions that are kept. The position at a time before the oldest one counts as unknown. */
const MAX_POSITIONS = 1000;

/**
 * The positions that this gateway has known over time. A response is stored with the position at the time of its request,
 * so that a later purge rejects it by number, whatever the clocks of the gateways say.
 */
export class PurgePositionHistory {
  #current: PurgePosition | undefined;
  readonly #past: { readonly time: number; readonly position: PurgePosition }[] = [];

  get current(): PurgePosition | undefined {
    return this.#current;
  }

  advance(position: PurgePosition, time: number): void {
    this.#current = position;
    this.#past.push({ time, position });
    if (this.#past.length > MAX_POSITIONS) this.#past.splice(0, MAX_POSITIONS / 2);
  }

  /** The position that was known before `time`. A purge that arrived in the same millisecond may have come later. */
  before(time: number): PurgePosition | undefined {
    return this.#past.findLast((entry) => entry.time < time)?.position;
  }
}
