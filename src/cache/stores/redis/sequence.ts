/** How far the purges of the shared tier have been heard of here. */
export interface Position {
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
export class Sequence {
  #current: Position | undefined;
  readonly #past: { readonly time: number; readonly position: Position }[] = [];

  get current(): Position | undefined {
    return this.#current;
  }

  move(position: Position, time: number): void {
    this.#current = position;
    this.#past.push({ time, position });
    if (this.#past.length > REMEMBERED) this.#past.splice(0, REMEMBERED / 2);
  }

  /** In the same millisecond a purge may have been heard of after. */
  at(time: number): Position | undefined {
    return this.#past.findLast((entry) => entry.time < time)?.position;
  }
}
