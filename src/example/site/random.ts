const TEXT_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A Mulberry32 generator, which repeats its sequence for the same seed. It is not suitable for secrets. */
export class SeededRandom {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** A generator that continues the sequence on its own. */
  copy(): SeededRandom {
    return new SeededRandom(this.state);
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from `min` to `max`, both inclusive. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  /** One item of a non-empty list. @throws {RangeError} when the list is empty. */
  pick<T>(list: readonly T[]): T {
    const index = this.integer(0, list.length - 1);
    for (const item of list.slice(index, index + 1)) return item;
    throw new RangeError('nothing to pick from');
  }

  /** One item of a list that is written as one text: `at dawn, at noon, in fog`. */
  pickFrom(text: string): string {
    return this.pick(text.split(', '));
  }

  /** `true` with the given probability (0…1). */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** `count` items of a list, in the order of the list. */
  sample<T>(list: readonly T[], count: number): T[] {
    let remaining = Math.min(count, list.length);
    return list.filter((_, index) => {
      const isTaken = this.next() * (list.length - index) < remaining;
      if (isTaken) remaining--;
      return isTaken;
    });
  }

  /** A text of lower-case letters and digits. */
  text(length: number): string {
    return Array.from({ length }, () => this.pick([...TEXT_ALPHABET])).join('');
  }
}
