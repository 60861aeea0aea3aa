/** A generator of the same numbers for the same seed: what makes an example site alike at every start. */
export interface SeededRandom {
  /** From 0 up to 1, without it. */
  next(): number;
  /** A whole number, both ends included. */
  integer(min: number, max: number): number;
  /** One of a list that is not empty. */
  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T;
  /** True in a share (0…1) of the cases. */
  chance(share: number): boolean;
  /** Some of a list, in its order. */
  sample<T>(list: readonly T[], count: number): T[];
  /** Letters and digits. */
  text(length: number): string;
}

const TEXT_ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Mulberry32, which is small and even enough for a demonstration. Not for secrets. */
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
