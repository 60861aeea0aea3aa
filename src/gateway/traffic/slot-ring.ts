/** Options of {@link SlotRing}. */
export interface SlotRingOptions {
  /** Length of a slot. */
  readonly slotMilliseconds: number;
  /** Number of slots that are kept. */
  readonly slotCount: number;
  /** Counters in each slot. */
  readonly columns: number;
}

/**
 * Counters of the recent past, in slots of equal length. Its memory is fixed, and adding to a counter allocates nothing. A
 * slot is cleared when the time comes round to it again.
 */
export class SlotRing {
  readonly slotMilliseconds: number;
  readonly slotCount: number;
  readonly #columns: number;
  readonly #cells: Uint32Array;
  /** Number of the slot since the epoch that each place holds; -1 if none. */
  readonly #numbers: Float64Array;
  #currentNumber = -1;
  #currentOffset = 0;

  constructor({ columns, slotCount, slotMilliseconds }: SlotRingOptions) {
    this.slotMilliseconds = slotMilliseconds;
    this.slotCount = slotCount;
    this.#columns = columns;
    this.#cells = new Uint32Array(slotCount * columns);
    this.#numbers = new Float64Array(slotCount).fill(-1);
  }

  /** Memory of the counters, in bytes. */
  get bytes(): number {
    return this.#cells.byteLength + this.#numbers.byteLength;
  }

  /**
   * Makes the slot of a time the current one.
   *
   * @param now milliseconds since the epoch
   */
  advance(now: number): void {
    const number = Math.floor(now / this.slotMilliseconds);
    if (number === this.#currentNumber) return;
    const place = number % this.slotCount;
    const offset = place * this.#columns;
    if (this.#numbers[place] !== number) {
      this.#cells.fill(0, offset, offset + this.#columns);
      this.#numbers[place] = number;
    }
    this.#currentNumber = number;
    this.#currentOffset = offset;
  }

  /** Adds to a counter of the current slot. */
  add(column: number, amount: number): void {
    const at = this.#currentOffset + column;
    this.#cells[at] = (this.#cells[at] ?? 0) + amount;
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
