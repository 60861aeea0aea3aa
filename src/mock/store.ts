import type { JsonObject } from '../json.ts';

/** What requests have changed in one collection. */
interface Changes {
  readonly created: Set<string>;
  readonly removed: Set<string>;
  readonly trashed: Set<string>;
  readonly fields: Map<string, JsonObject>;
}

/** What requests have changed, until the process ends. A collection is known by its route. */
export interface MockStore {
  /** The items of a collection in WordPress' order: the newest first. */
  list(collection: string, initial: readonly string[]): readonly string[];
  has(collection: string, initial: readonly string[], id: string): boolean;
  /** Adds an item. `toId` makes its id from the next number. @returns its id; `null` if the store is full */
  create(
    collection: string,
    initial: readonly string[],
    fields: JsonObject,
    toId: (number: number) => string,
  ): string | null;
  /** @returns false if the store is full */
  update(collection: string, id: string, fields: JsonObject): boolean;
  /** Whether a request has created the item. */
  isNew(collection: string, id: string): boolean;
  /** Leaves the item readable, and removes it from lists. */
  trash(collection: string, id: string): void;
  remove(collection: string, id: string): void;
  fieldsOf(collection: string, id: string): JsonObject;
}

/** Maximum number of changed items of all collections. */
const MAX_ITEMS = 10_000;

export function createMockStore(): MockStore {
  const collections = new Map<string, Changes>();
  let size = 0;
  const changesOf = (collection: string): Changes => {
    const known = collections.get(collection) ?? {
      created: new Set(),
      removed: new Set(),
      trashed: new Set(),
      fields: new Map(),
    };
    collections.set(collection, known);
    return known;
  };
  const read = (collection: string): Changes | undefined => collections.get(collection);
  /** Counts one more change. @returns false if there may be no more */
  const grow = (): boolean => {
    size += 1;
    return size <= MAX_ITEMS;
  };

  return {
    list(collection, initial) {
      const changes = read(collection);
      const ids = [...[...(changes?.created ?? [])].reverse(), ...initial.toReversed()];
      return ids.filter((id) => changes?.removed.has(id) !== true && changes?.trashed.has(id) !== true);
    },
    has(collection, initial, id) {
      const changes = read(collection);
      return changes?.removed.has(id) !== true && (initial.includes(id) || changes?.created.has(id) === true);
    },
    create(collection, initial, fields, toId) {
      if (!grow()) return null;
      const changes = changesOf(collection);
      const id = toId(initial.length + changes.created.size + 1);
      changes.created.add(id);
      changes.fields.set(id, fields);
      return id;
    },
    update(collection, id, fields) {
      const changes = changesOf(collection);
      if (!changes.fields.has(id) && !grow()) return false;
      changes.fields.set(id, { ...changes.fields.get(id), ...fields });
      return true;
    },
    trash(collection, id) {
      if (grow()) changesOf(collection).trashed.add(id);
    },
    remove(collection, id) {
      if (grow()) changesOf(collection).removed.add(id);
    },
    isNew: (collection, id) => read(collection)?.created.has(id) === true,
    fieldsOf: (collection, id) => read(collection)?.fields.get(id) ?? {},
  };
}
