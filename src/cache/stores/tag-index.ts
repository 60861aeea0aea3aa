import { detachString } from '../../memoize.ts';

/** With fewer keys than this a tag is looked up, whatever else there is. */
const FEW = 1024;
/** A tag that more than one answer in so many has is not looked up: to look at all takes not much longer. */
const SHARE = 16;

interface Tagged {
  readonly name: string;
  /** Most tags are of one key, which then stands by itself: a set costs 200 bytes. `null`: of too many. */
  keys: string | Set<string> | null;
  /** How many answers have it. */
  answers: number;
}

/** Which keys have answers with a tag. */
export class TagIndex {
  readonly #tags = new Map<string, Tagged>();
  /** How many answers there are. */
  #answers = 0;

  /** How many tags there are. */
  get size(): number {
    return this.#tags.size;
  }

  /** `null` where so many have it that all are to be looked at. */
  keysOf(tag: string): Iterable<string> | null {
    const found = this.#tags.get(tag);
    if (found === undefined) return [];
    return typeof found.keys === 'string' ? [found.keys] : found.keys;
  }

  /**
   * Adds an answer.
   *
   * @returns the same tags as texts that the index has already, or copies
   */
  add(key: string, tags: readonly string[]): readonly string[] {
    this.#answers += 1;
    return tags.map((tag) => {
      const found = this.#tags.get(tag);
      if (found === undefined) {
        const name = detachString(tag);
        this.#tags.set(name, { name, keys: key, answers: 1 });
        return name;
      }
      found.answers += 1;
      const { keys } = found;
      if (typeof keys === 'string') {
        if (keys !== key) found.keys = new Set([keys, key]);
      } else if (keys !== null) {
        keys.add(key);
        if (this.#isCommon(keys.size)) found.keys = null;
      }
      return found.name;
    });
  }

  /** What was seen when all were looked at: with fewer keys by now, the tag is looked up again. */
  setKeys(tag: string, keys: ReadonlySet<string>): void {
    const found = this.#tags.get(tag);
    if (found?.keys !== null || this.#isCommon(keys.size)) return;
    const [only] = keys;
    if (only !== undefined) found.keys = keys.size === 1 ? only : new Set(keys);
  }

  #isCommon(keys: number): boolean {
    return keys > FEW && keys * SHARE > this.#answers;
  }

  /** Takes an answer out. */
  remove(key: string, tags: readonly string[]): void {
    this.#answers -= 1;
    for (const tag of tags) {
      const found = this.#tags.get(tag);
      if (found === undefined) continue;
      found.answers -= 1;
      const { keys, name } = found;
      if (found.answers === 0) this.#tags.delete(name);
      else if (keys !== null && typeof keys !== 'string') {
        keys.delete(key);
        if (keys.size > 1) continue;
        // Not before: to find the first of a set, V8 steps over all that were taken out in front of it.
        const [last] = keys;
        if (last !== undefined) found.keys = last;
      }
    }
  }
}
