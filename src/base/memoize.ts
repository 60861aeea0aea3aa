import { LRUCache } from 'lru-cache';

const MAX_MEMOIZED_LENGTH = 128;

/** Without `max`, which would allocate for all entries at once. */
export function createLru<T extends string | number | object | boolean>(
  maxEntries: number,
): LRUCache<string, T> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 });
}

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

/** @param compute must depend on the text only @param maxEntries beyond that all are forgotten */
export function memoizeByString<T extends string | number | object | boolean>(
  compute: (text: string) => T,
  maxEntries = 2_000,
): (text: string) => T {
  const memoized = new Map<string, T>();
  return (text) => {
    const known = memoized.get(text);
    if (known !== undefined) return known;
    if (text.length > MAX_MEMOIZED_LENGTH) return compute(text);
    const detached = detachString(text);
    const value = compute(detached);
    if (memoized.size >= maxEntries) memoized.clear();
    memoized.set(detached, value);
    return value;
  };
}

/** Copies a text. In V8 a substring keeps the text that it was cut from in memory. */
export function detachString(text: string): string {
  return ` ${text}`.slice(1);
}

export function lazy<T>(create: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: create() };
    return made.value;
  };
}
