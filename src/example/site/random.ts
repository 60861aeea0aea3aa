/** A random number generator that repeats its sequence for the same seed. */
export interface SeededRandom {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** A whole number from `min` to `max`, both inclusive. */
  integer(min: number, max: number): number;
  /** One item of a non-empty list. @throws {RangeError} when the list is empty. */
  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T;
  /** `true` with the given probability (0…1). */
  chance(share: number): boolean;
  /** `count` items of a list, in the order of the list. */
  sample<T>(list: readonly T[], count: number): T[];
  /** A text of lower-case letters and digits. */
  text(length: number): string;
}

const TEXT_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Creates a Mulberry32 generator. It is not suitable for secrets. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  function integer(min: number, max: number): number {
    return min + Math.floor(next() * (max - min + 1));
  }

  function pick<T>(list: readonly T[]): T {
    const index = integer(0, list.length - 1);
    for (const item of list.slice(index, index + 1)) return item;
    throw new RangeError('nothing to pick from');
  }

  return {
    next,
    integer,
    pick,
    chance: (share) => next() < share,
    sample(list, count) {
      let remaining = Math.min(count, list.length);
      return list.filter((_, index) => {
        const isTaken = next() * (list.length - index) < remaining;
        if (isTaken) remaining--;
        return isTaken;
      });
    },
    text: (length) => Array.from({ length }, () => pick([...TEXT_ALPHABET])).join(''),
  };
}
