/** Most names are met again and again; a caller who makes up names must not fill the memory. */
const REMEMBERED = 1_000;

/** Finds out something about the names of fields, each as it is written, and remembers it. */
export function perName<T extends string>(find: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const made = find(name);
    if (known.size < REMEMBERED) known.set(name, made);
    return made;
  };
}
