import { detachString } from '../../memoize.ts';

/** The index always tracks the keys of a tag with at most this many keys. */
const MIN_COMMON_KEYS = 1024;
/**
 * With more keys than {@link MIN_COMMON_KEYS}, the index stops tracking a tag that more than one in so many responses
 * has: a scan of all responses takes little longer than a lookup then.
 */
const COMMON_SHARE = 16;

interface IndexedTag {
  readonly name: string;
  /**
   * Keys that have a response with the tag. A single key is stored without a set, because most tags have only one and a
   * set costs 200 bytes. `null`: too many keys to track.
   */
  keys: string | Set<string> | null;
  /** Number of responses with the tag. */
  responseCount: number;
}

/** The cache keys that have a response with a tag. */
export class TagIndex {
  readonly #tags = new Map<string, IndexedTag>();
  /** Number of responses in the index. */
  #responseCount = 0;

  /** Number of distinct tags. */
  get size(): number {
    return this.#tags.size;
  }

  /** The keys of a tag; `null` for a tag that the index does not track because too many keys have it. */
  keysOf(tag: string): Iterable<string> | null {
    const found = this.#tags.get(tag);
    if (found === undefined) return [];
    return typeof found.keys === 'string' ? [found.keys] : found.keys;
  }

  /**
   * Adds the tags of a response.
   *
   * @returns the same tags as the strings that the index holds, so that all responses share one copy of each
   */
  add(key: string, tags: readonly string[]): readonly string[] {
    this.#responseCount += 1;
    return tags.map((tag) => {
      const found = this.#tags.get(tag);
      if (found === undefined) {
        const name = detachString(tag);
        this.#tags.set(name, { name, keys: key, responseCount: 1 });
        return name;
      }
      found.responseCount += 1;
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

  /** Records the keys of an untracked tag after a scan of all responses. It is tracked again if they are few enough. */
  resumeTracking(tag: string, keys: ReadonlySet<string>): void {
    const found = this.#tags.get(tag);
    if (found?.keys !== null || this.#isCommon(keys.size)) return;
    const [first] = keys;
    if (first !== undefined) found.keys = keys.size === 1 ? first : new Set(keys);
  }

  /** Removes the tags of a response. */
  remove(key: string, tags: readonly string[]): void {
    this.#responseCount -= 1;
    for (const tag of tags) {
      const found = this.#tags.get(tag);
      if (found === undefined) continue;
      found.responseCount -= 1;
      const { keys, name } = found;
      if (found.responseCount === 0) this.#tags.delete(name);
      else if (keys !== null && typeof keys !== 'string') {
        keys.delete(key);
        if (keys.size > 1) continue;
        // Only with one key left: to find the first member of a set, V8 steps over all deleted members before it.
        const [last] = keys;
        if (last !== undefined) found.keys = last;
      }
    }
  }

  #isCommon(keyCount: number): boolean {
    return keyCount > MIN_COMMON_KEYS && keyCount * COMMON_SHARE > this.#responseCount;
  }
}
