/** Longer texts are rarely met twice. */
const LONGEST = 128;

/**
 * Finds out something about short texts, each as it is written, and remembers it of those that are met again and again;
 * whoever makes up texts does not fill the memory. What is found out must depend on the text alone.
 *
 * @param most how many are remembered for certain; up to twice as many are
 */
export function perText<T extends string | object>(
  find: (text: string) => T,
  most = 1_000,
): (text: string) => T {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return (text) => {
    const known = young.get(text);
    if (known !== undefined) return known;
    if (text.length > LONGEST) return find(text);
    const own = ownText(text);
    const found = old.get(own) ?? find(own);
    if (young.size >= most) {
      old = young;
      young = new Map();
    }
    young.set(own, found);
    return found;
  };
}

/**
 * A copy. V8 makes a part of a text by pointing into it: who keeps a few letters that were cut out of a body would keep
 * the body.
 */
export function ownText(text: string): string {
  // Put together and cut again, it points into a text of its own length.
  return ` ${text}`.slice(1);
}
