/** Longer texts are rarely met twice. */
const LONGEST = 128;

/**
 * Finds out something about short texts, each as it is written, and remembers it of those that are met again and again;
 * whoever makes up texts does not fill the memory.
 *
 * @param most how many are remembered for certain; up to twice as many are
 */
export function perName<T extends string | object>(
  find: (name: string) => T,
  most = 1_000,
): (name: string) => T {
  let young = new Map<string, T>();
  let old = new Map<string, T>();
  return (name) => {
    const known = young.get(name);
    if (known !== undefined) return known;
    const found = old.get(name) ?? find(name);
    if (name.length > LONGEST) return found;
    if (young.size >= most) {
      old = young;
      young = new Map();
    }
    young.set(name, found);
    return found;
  };
}
