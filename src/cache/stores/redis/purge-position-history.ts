/** A point in the sequence of purges that Redis has recorded. */
export interface PurgePosition {
  /** Identifies a sequence. Redis starts a new one when it may have lost purges. */
  readonly epoch: string;
  /** Number of the last purge up to this position. Each epoch numbers its purges. */
  readonly seq: number;
}

/** Maximum positions in the history. The position at a time before the oldest of them is unknown. */
const MAX_POSITIONS = 1000;

/**
 * The positions that this gateway has known, with their times. A response is stored with the position at the time of its
 * request. A later purge of the response then has a higher number, so no clocks of different gateways are compared.
 */
export class PurgePositionHistory {
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
