interface Tagged {
  readonly name: string;
  /** Most tags are of one key, which then stands by itself: a set costs 200 bytes. */
  keys: string | Set<string>;
}

/** Which keys have answers with a tag. */
export class TagIndex {
  readonly #tags = new Map<string, Tagged>();

  /** How many tags there are. */
  get size(): number {
    return this.#tags.size;
  }

  keysOf(tag: string): readonly string[] {
    const keys = this.#tags.get(tag)?.keys ?? [];
    return typeof keys === 'string' ? [keys] : [...keys];
  }

  /**
   * Adds a key to tags.
   *
   * @returns the same tags as texts that the index has already, or copies. V8 makes a part of a text by pointing into it:
   * a tag that was cut out of a body would keep the body in memory.
   */
  add(key: string, tags: readonly string[]): readonly string[] {
    return tags.map((tag) => {
      const found = this.#tags.get(tag);
      if (found === undefined) {
        const name = copyOf(tag);
        this.#tags.set(name, { name, keys: key });
        return name;
      }
      if (typeof found.keys !== 'string') found.keys.add(key);
      else if (found.keys !== key) found.keys = new Set([found.keys, key]);
      return found.name;
    });
  }

  remove(key: string, tags: readonly string[]): void {
    for (const name of tags) {
      const found = this.#tags.get(name);
      if (found?.keys === key) this.#tags.delete(name);
      if (found === undefined || typeof found.keys === 'string') continue;
      found.keys.delete(key);
      if (found.keys.size > 1) continue;
      // Not before: to find the first of a set, V8 steps over all that were taken out in front of it.
      const [last] = found.keys;
      if (last !== undefined) found.keys = last;
    }
  }
}

function copyOf(text: string): string {
  // Put together and cut again, it points into a text of its own length.
  return ` ${text}`.slice(1);
}
