import { detachString } from '../../memoize.ts';

/** A tag with this many keys or fewer is always tracked. */
const MIN_COMMON_KEYS = 1024;
/**
 * A tag with more than {@link MIN_COMMON_KEYS} keys is not tracked if more than one in {@link COMMON_SHARE} responses has
 * it. A scan of all responses then takes little longer than a lookup.
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

/** An index of cache keys by the tags of their responses. */
export class TagIndex {
  readonly #tags = new Map<string, IndexedTag>();
  /** Number of responses in the index. */
  #responseCount = 0;

  /** Returns the keys of a tag; `null` if the index does not track the tag, because it has too many keys. */
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

  /** Iterates over all tags with the number of responses that have them. */
  *counts(): Generator<readonly [tag: string, responses: number], undefined> {
    for (const { name, responseCount } of this.#tags.values()) yield [name, responseCount];
  }

  /** Sets the keys of an untracked tag, which a scan of all responses has found. Tracks the tag again if it has few keys. */
  resumeTracking(tag: string, keys: ReadonlySet<string>): void {
    const found = this.#tags.get(tag);
    if (found?.keys !== null || this.#isCommon(keys.size)) return;
    const [first] = keys;
    if (first !== undefined) found.keys = keys.size === 1 ? first : new Set(keys);
  }

  /**
   * Removes the tags of a response. All responses of a key must be removed together: a removed key is no longer found by
   * the tag, even if another of its responses has it.
   */
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
