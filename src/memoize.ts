/** Longer texts are rarely met twice. */
const LONGEST = 128;

/**
 * Remembers something of texts that are met again and again. Whoever makes up texts does not fill the memory: what has
 * not been met for a while is forgotten. To look something up costs no more than in a map, unlike in a list by use.
 */
export class TwoGenerationMap<T extends string | object> {
  readonly #most: number;
  #young = new Map<string, T>();
  #old = new Map<string, T>();

  /** @param most how many are remembered for certain; up to twice as many are */
  constructor(most: number) {
    this.#most = most;
  }

  get(text: string): T | undefined {
    const known = this.#young.get(text);
    if (known !== undefined) return known;
    const found = this.#old.get(text);
    if (found !== undefined) this.set(detachString(text), found);
    return found;
  }

  set(text: string, value: T): void {
    if (this.#young.size >= this.#most) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(text, value);
  }
}

/**
 * Finds out something about short texts, each as it is written, and remembers it. What is found out must depend on the
 * text alone.
 *
 * @param most see {@link TwoGenerationMap}
 */
export function memoizeByString<T extends string | object>(
  find: (text: string) => T,
  most = 1_000,
): (text: string) => T {
  const remembered = new TwoGenerationMap<T>(most);
  return (text) => {
    const known = remembered.get(text);
    if (known !== undefined) return known;
    if (text.length > LONGEST) return find(text);
    const own = detachString(text);
    const found = find(own);
    remembered.set(own, found);
    return found;
  };
}

/**
 * A copy. V8 makes a part of a text by pointing into it: who keeps a few letters that were cut out of a body would keep
 * the body.
 */
export function detachString(text: string): string {
  // Put together and cut again, it points into a text of its own length.
  return ` ${text}`.slice(1);
}
