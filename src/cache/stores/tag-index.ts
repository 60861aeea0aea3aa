/** Longer texts are taken as they are: there are none among tags. */
const COPIED = 4096;

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
   * The same tags as texts that the index has already, or copies. V8 makes a part of a text by pointing into it: a tag
   * that was cut out of a body would keep the body in memory.
   */
  intern(tags: readonly string[]): readonly string[] {
    return tags.map((tag) => this.#tags.get(tag)?.name ?? copyOf(tag));
  }

  add(key: string, tags: readonly string[]): void {
    for (const name of tags) {
      const found = this.#tags.get(name);
      if (found === undefined) this.#tags.set(name, { name, keys: key });
      else if (typeof found.keys !== 'string') found.keys.add(key);
      else if (found.keys !== key) found.keys = new Set([found.keys, key]);
    }
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
  if (text.length > COPIED) return text;
  const codes: number[] = [];
  for (let at = 0; at < text.length; at += 1) codes.push(text.charCodeAt(at));
  return String.fromCharCode(...codes);
}
