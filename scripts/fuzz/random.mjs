// @ts-check

/**
 * Random choices that a seed and a position repeat: each request can be drawn again without those before it.
 *
 * @typedef {ReturnType<typeof createRandom>} Random
 * @param {number} seed
 * @param {number} position
 */
export function createRandom(seed, position) {
  let state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(position + 1, 0xc2b2ae35)) >>> 0;

  /** mulberry32: in [0, 1). */
  function next() {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** @param {number} low @param {number} high both may be drawn */
  const integer = (low, high) => low + Math.floor(next() * (high - low + 1));

  return {
    integer,
    /** @param {number} probability */
    chance: (probability) => next() < probability,
    /** @template T @param {readonly T[]} list not empty @returns {T} */
    pick(list) {
      const found = list[Math.floor(next() * list.length)];
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
    /** @template T @param {readonly T[]} list @param {number} probability of each @returns {T[]} */
    some: (list, probability) => list.filter(() => next() < probability),
    /** @template T @param {readonly T[]} list @returns {T[]} */
    shuffled(list) {
      const items = [...list];
      for (let at = items.length - 1; at > 0; at--) {
        const other = integer(0, at);
        const [a, b] = [items[at], items[other]];
        if (a !== undefined && b !== undefined) [items[at], items[other]] = [b, a];
      }
      return items;
    },
  };
}
