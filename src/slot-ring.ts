/** What is added to columns: a flat list column, amount. */
export type Increments = readonly number[];

/**
 * Counters of the recent past, in slots of equal length. Its memory is fixed. A slot is cleared when the time comes round to it again.
 */
export class SlotRing {
  readonly slotMilliseconds: number;
  readonly slotCount: number;
  readonly #columns: number;
  readonly #cells: Uint32Array;
  /** Number of the slot since the epoch that each place holds; -1 if none. */
  readonly #numbers: Float64Array;

  /** @param slotCount number of slots that are kept @param columns counters in each slot */
  constructor(slotMilliseconds: number, slotCount: number, columns: number) {
    this.slotMilliseconds = slotMilliseconds;
    this.slotCount = slotCount;
    this.#columns = columns;
    this.#cells = new Uint32Array(slotCount * columns);
    this.#numbers = new Float64Array(slotCount).fill(-1);
  }

  /** Adds to counters in the slot of a time. @param now milliseconds since the epoch */
  add(now: number, increments: Increments): void {
    const number = Math.floor(now / this.slotMilliseconds);
    const place = number % this.slotCount;
    const offset = place * this.#columns;
    if (this.#numbers[place] !== number) {
      this.#cells.fill(0, offset, offset + this.#columns);
      this.#numbers[place] = number;
    }
    for (let at = 0; at + 1 < increments.length; at += 2) {
      const cell = offset + (increments[at] ?? 0);
      this.#cells[cell] = (this.#cells[cell] ?? 0) + (increments[at + 1] ?? 0);
    }
  }

  /**
   * Sums the counters of a run of slots.
   *
   * @param now the run ends with the slot of this time
   * @param count slots of the run
   * @param skip slots between the end of the run and the slot of `now`
   */
  sum(now: number, count: number, skip = 0): Float64Array {
    const sums = new Float64Array(this.#columns);
    const last = Math.floor(now / this.slotMilliseconds) - skip;
    for (let number = last - Math.min(count, this.slotCount) + 1; number <= last; number += 1) {
      const place = number % this.slotCount;
      if (number < 0 || this.#numbers[place] !== number) continue;
      for (let column = 0; column < this.#columns; column += 1) {
        sums[column] = (sums[column] ?? 0) + (this.#cells[place * this.#columns + column] ?? 0);
      }
    }
    return sums;
  }
}
