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

/** Removes the entry of the smallest weight, for an heir that takes its weight over (Space-Saving, Metwally 2005). */
export function takeSmallest<Key, Value>(
  map: Map<Key, Value>,
  weigh: (value: Value) => number,
): readonly [Key, Value] | undefined {
  let smallest: readonly [Key, Value] | undefined;
  for (const entry of map)
    if (smallest === undefined || weigh(entry[1]) < weigh(smallest[1])) smallest = entry;
  if (smallest !== undefined) map.delete(smallest[0]);
  return smallest;
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
