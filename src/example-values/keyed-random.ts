import { hashFnv } from '../hash.ts';

/** Numbers that are determined by a key, so that an example never changes. */
export interface KeyedRandom {
  /** Returns a whole number from 0 to `count - 1`. The same key always gives the same number. */
  pick(key: string, count: number): number;
}

/** @param seed another seed gives other examples */
export function createKeyedRandom(seed: number): KeyedRandom {
  return {
    pick(key, count) {
      // FNV-1a over the key, then the finaliser of MurmurHash3, so that similar keys differ in all bits.
      let hash = hashFnv(key, seed);
      hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
      hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
      return count <= 1 ? 0 : ((hash ^ (hash >>> 16)) >>> 0) % count;
    },
  };
}

/** The key of what a reference shows: a request and the response to it have the same values. */
export const EXAMPLE_KEY = 'example';
