import { randomBytes } from 'node:crypto';
import { digest } from '../../../base/hash.ts';

/** Of 8 bytes: 8 MiB for a million addresses. */
const DEFAULT_SLOTS = 2 ** 20;
const SLOTS_IN_BUCKET = 8;
/** A slot has 8 bits for the number of a list, in which 0 says that the slot is free. */
const MAX_VARY_LISTS = 255;
/** More lists of one site are not remembered, so that a site that names other fields each time costs no other. */
const MAX_LISTS_OF_SITE = 15;

/**
 * Addresses whose responses could be everyone's, each with the fields by which they vary: 56 bits of a hash
 * with a secret, so that nobody can choose an address that is taken for another. Each can be in two buckets.
 * If both are full, another address is forgotten, which costs one request more.
 */
export class SharedAddresses {
  readonly #secret = randomBytes(16);
  readonly #slots: number;
  /** Two words a slot: a part of the hash; the rest of it, and the number of the list. */
  #words: Uint32Array | undefined;
  #varyLists: (readonly string[])[] = [];
  /** How many lists each site has added, by the scope of its keys. */
  readonly #added = new Map<string, number>();

  constructor(slots: number = DEFAULT_SLOTS) {
    this.#slots = slots;
  }

  clear(): void {
    this.#words = undefined;
    this.#varyLists = [];
    this.#added.clear();
  }

  /** @returns names in `Vary`; `undefined` if it is not known that the address can be shared */
  findVary(key: string): readonly string[] | undefined {
    const words = this.#words;
    if (words === undefined) return undefined;
    const { at, isFound } = this.#locate(words, key);
    return isFound ? this.#varyLists[listNumber(words, at) - 1] : undefined;
  }

  /** @param key begins with the scope of its site and a line feed */
  add(key: string, vary: readonly string[]): void {
    const number = this.#numberOf(vary, key.split('\n', 1)[0] ?? '');
    if (number === 0) {
      this.remove(key);
      return;
    }
    this.#words ??= new Uint32Array(this.#slots * 2);
    const { at, high, low } = this.#locate(this.#words, key);
    this.#words[at] = low;
    this.#words[at + 1] = high * 256 + number;
  }

  remove(key: string): void {
    if (this.#words === undefined) return;
    const { at, isFound } = this.#locate(this.#words, key);
    if (isFound) this.#words[at + 1] = 0;
  }

  /** Finds the slot of an address, or the one that it can have. */
  #locate(words: Uint32Array, key: string): Slot {
    const hash = digest(this.#secret, key);
    const low = hash.readUInt32LE(8);
    const high = hash.readUIntLE(12, 3);
    let room: number | undefined;
    let roomInBucket = 0;
    for (const offset of [0, 4]) {
      const bucket = hash.readUInt32LE(offset) % (this.#slots / SLOTS_IN_BUCKET);
      let free = 0;
      let firstFree = 0;
      for (let slot = 0; slot < SLOTS_IN_BUCKET; slot += 1) {
        const at = (bucket * SLOTS_IN_BUCKET + slot) * 2;
        if (listNumber(words, at) === 0) {
          if (free === 0) firstFree = at;
          free += 1;
        } else if (words[at] === low && (words[at + 1] ?? 0) >>> 8 === high)
          return { at, high, low, isFound: true };
      }
      // The emptier bucket, so that both fill evenly.
      if (free > roomInBucket) [room, roomInBucket] = [firstFree, free];
    }
    const any = hash.readUInt32LE(0) % (this.#slots / SLOTS_IN_BUCKET);
    const at = room ?? (any * SLOTS_IN_BUCKET + (hash.readUInt8(16) % SLOTS_IN_BUCKET)) * 2;
    return { at, high, low, isFound: false };
  }

  /** @returns 0 if the site has too many lists */
  #numberOf(vary: readonly string[], site: string): number {
    const text = vary.join();
    const known = this.#varyLists.findIndex((list) => list.join() === text);
    if (known >= 0) return known + 1;
    if ((this.#added.get(site) ?? 0) >= MAX_LISTS_OF_SITE) return 0;
    if (this.#varyLists.length >= MAX_VARY_LISTS) this.clear();
    this.#added.set(site, (this.#added.get(site) ?? 0) + 1);
    return this.#varyLists.push(vary);
  }
}

interface Slot {
  /** Of the first word. */
  readonly at: number;
  readonly low: number;
  readonly high: number;
  readonly isFound: boolean;
}

function listNumber(words: Uint32Array, at: number): number {
  return (words[at + 1] ?? 0) & 0xff;
}
