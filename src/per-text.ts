/** Longer texts are rarely met twice. */
const LONGEST = 128;

/**
 * Finds out something about short texts, each as it is written, and remembers it of those that are met again and again;
 * whoever makes up texts does not fill the memory. What is found out must depend on the text alone.
 *
 * @param most how many are remembered for certain; up to twice as many are
 */
export function perText<T extends string | object>(
  find: (name: string) => T,
  most = 1_000,
): (text: string) => T {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return (text) => {
    const known = young.get(text);
    if (known !== undefined) return known;
    const found = old.get(text) ?? find(text);
    if (text.length > LONGEST) return found;
    if (young.size >= most) {
      old = young;
      young = new Map();
    }
    young.set(text, found);
    return found;
  };
}
