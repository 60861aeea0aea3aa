/** How far the purges of the shared tier have been heard of here. */
export interface PurgePosition {
  /** Purges are numbered anew in each. */
  readonly epoch: string;
  readonly seq: number;
}

/** How many positions are remembered; what was asked for before the first of them counts as unknown. */
const REMEMBERED = 1000;

/**
 * The position at each time, in the past too: an answer is put with the position of when it was asked for, so that a
 * purge after that refuses it by its number, whatever the clocks of others say.
 */
export class PositionHistory {
  #current: PurgePosition | undefined;
  readonly #past: { readonly time: number; readonly position: PurgePosition }[] = [];

  get current(): PurgePosition | undefined {
    return this.#current;
  }

  advance(position: PurgePosition, time: number): void {
    this.#current = position;
    this.#past.push({ time, position });
    if (this.#past.length > REMEMBERED) this.#past.splice(0, REMEMBERED / 2);
  }

  /** In the same millisecond a purge may have been heard of after. */
  before(time: number): PurgePosition | undefined {
    return this.#past.findLast((entry) => entry.time < time)?.position;
  }
}
