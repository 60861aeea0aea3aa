export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly [Item, ...Item[]]> {
  const groups = new Map<Key, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

export function groupEqual<Item extends object>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string,
): readonly (Item & { readonly all: readonly Item[] })[] {
  return Array.from(groupBy(items, keyOf).values(), (all) => ({ ...all[0], all }));
}

/** Groups of equal items, the largest first. */
export function groupByFrequency<Item extends object>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string,
): readonly (Item & { readonly all: readonly Item[] })[] {
  return groupEqual(items, keyOf).toSorted((one, other) => other.all.length - one.all.length);
}

export function sortByKey<Value>(
  entries: Iterable<readonly [key: string, value: Value]>,
): readonly (readonly [key: string, value: Value])[] {
  return [...entries].sort(([one], [other]) => (one < other ? -1 : 1));
}
