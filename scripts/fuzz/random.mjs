// @ts-check

/**
 * Creates a generator that is determined by seed and position, so that any request can be repeated without its predecessors.
 *
 * @typedef {ReturnType<typeof createRandom>} Random
 * @param {number} seed
 * @param {number} position
 */
export function createRandom(seed, position) {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(position + 1, 0xc2b2ae35)) >>> 0;

  /** mulberry32: a number in [0, 1). */
  function next() {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** @param {number} low @param {number} high both inclusive */
  const integer = (low, high) => low + Math.floor(next() * (high - low + 1));

  return {
    integer,
    /** @param {number} probability */
    chance: (probability) => next() < probability,
    /** @template T @param {readonly T[]} list not empty @returns {T} */
    pick(list) {
      const item = list[Math.floor(next() * list.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    /** @template T @param {readonly T[]} list @param {number} probability for each item @returns {T[]} */
    some: (list, probability) => list.filter(() => next() < probability),
    /** @template T @param {readonly T[]} list @returns {T[]} */
    shuffled(list) {
      const items = [...list];
      for (let index = items.length - 1; index > 0; index--) {
        const other = integer(0, index);
        const [a, b] = [items[index], items[other]];
        if (a !== undefined && b !== undefined) [items[index], items[other]] = [b, a];
      }
      return items;
    },
  };
}
