/** Maximum length of a memoized text. Longer texts rarely recur. */
const MAX_MEMOIZED_LENGTH = 128;

/**
 * A map of bounded size from texts to values. It has two generations: when the recent one is full, it becomes the previous
 * one, and the entries of the previous one that were not used since are discarded. Unlike in an LRU cache, a lookup of a
 * recent entry writes nothing.
 */
export class ApproximateLru<T extends string | number | object | boolean> {
  readonly #maxGenerationSize: number;
  #recent = new Map<string, T>();
  #previous = new Map<string, T>();

  /** @param maxGenerationSize number of entries of each generation; the map holds up to twice as many */
  constructor(maxGenerationSize: number) {
    this.#maxGenerationSize = maxGenerationSize;
  }

  get(text: string): T | undefined {
    const known = this.#recent.get(text);
    if (known !== undefined) return known;
    const value = this.#previous.get(text);
    if (value !== undefined) this.set(detachString(text), value);
    return value;
  }

  set(text: string, value: T): void {
    if (this.#recent.size >= this.#maxGenerationSize) {
      this.#previous = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(text, value);
  }
}

/** Returns the value of a key in a map; creates it if there is none. */
export function getOrCreate<Key, Value extends object | string>(
  map: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  create: (key: Key) => Value,
): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create(key);
  map.set(key, created);
  return created;
}

/**
 * Memoizes a function of a text for short texts.
 *
 * @param compute must depend on the text alone
 * @param maxGenerationSize see {@link ApproximateLru}
 */
export function memoizeByString<T extends string | number | object | boolean>(
  compute: (text: string) => T,
  maxGenerationSize = 1_000,
): (text: string) => T {
  const memoized = new ApproximateLru<T>(maxGenerationSize);
  return (text) => {
    const known = memoized.get(text);
    if (known !== undefined) return known;
    if (text.length > MAX_MEMOIZED_LENGTH) return compute(text);
    const detached = detachString(text);
    const value = compute(detached);
    memoized.set(detached, value);
    return value;
  };
}

/**
 * Returns a copy of a text. In V8 a substring refers to the text that it was cut from, so a stored substring of a body would
 * keep the whole body in memory.
 */
export function detachString(text: string): string {
  // Concatenation creates a new text, so the substring refers to one that is a single character longer.
  return ` ${text}`.slice(1);
}
