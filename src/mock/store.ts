import type { JsonObject } from '../json.ts';

/** What requests have changed in one collection. */
interface Changes {
  readonly created: Set<string>;
  readonly removed: Set<string>;
  readonly trashed: Set<string>;
  readonly fields: Map<string, JsonObject>;
}

/** Maximum number of changed items of all collections, and of characters of their fields as JSON. */
const MAX_ITEMS = 10_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** What requests have changed, until the process ends. A collection is known by its route. */
export class MockStore {
  private readonly collections = new Map<string, Changes>();
  private size = 0;
  private characters = 0;

  /** The items of a collection in WordPress' order: the newest first. */
  list(collection: string, initial: readonly string[]): readonly string[] {
    const changes = this.collections.get(collection);
    const ids = [...[...(changes?.created ?? [])].reverse(), ...initial.toReversed()];
    return ids.filter((id) => changes?.removed.has(id) !== true && changes?.trashed.has(id) !== true);
  }

  has(collection: string, initial: readonly string[], id: string): boolean {
    const changes = this.collections.get(collection);
    return changes?.removed.has(id) !== true && (initial.includes(id) || changes?.created.has(id) === true);
  }

  /** Adds an item. `toId` makes its id from the next number. @returns its id; `null` if the store is full */
  create(
    collection: string,
    initial: readonly string[],
    fields: JsonObject,
    toId: (number: number) => string,
  ): string | null {
    const created = this.collections.get(collection)?.created.size ?? 0;
    const id = toId(initial.length + created + 1);
    if (!this.grow(1, collection.length + lengthOf(fields))) return null;
    const changes = this.changesOf(collection);
    changes.created.add(id);
    changes.fields.set(id, fields);
    return id;
  }

  /** @returns false if the store is full */
  update(collection: string, id: string, fields: JsonObject): boolean {
    const known = this.collections.get(collection)?.fields.get(id);
    const merged = { ...known, ...fields };
    const isKept =
      known === undefined
        ? this.grow(1, collection.length + id.length + lengthOf(merged))
        : this.grow(0, lengthOf(merged) - lengthOf(known));
    if (isKept) this.changesOf(collection).fields.set(id, merged);
    return isKept;
  }

  /** Whether a request has created the item. */
  isNew(collection: string, id: string): boolean {
    return this.collections.get(collection)?.created.has(id) === true;
  }

  /** Leaves the item readable, and removes it from lists. */
  trash(collection: string, id: string): void {
    if (this.grow(1, collection.length + id.length)) this.changesOf(collection).trashed.add(id);
  }

  remove(collection: string, id: string): void {
    if (this.grow(1, collection.length + id.length)) this.changesOf(collection).removed.add(id);
  }

  fieldsOf(collection: string, id: string): JsonObject {
    return this.collections.get(collection)?.fields.get(id) ?? {};
  }

  private changesOf(collection: string): Changes {
    const known = this.collections.get(collection);
    if (known !== undefined) return known;
    const changes = { created: new Set<string>(), removed: new Set<string>(), trashed: new Set<string>() };
    const added: Changes = { ...changes, fields: new Map() };
    this.collections.set(collection, added);
    return added;
  }

  /** Counts a change. @returns false if there may be no more */
  private grow(items: number, characters: number): boolean {
    const [size, length] = [this.size + items, this.characters + characters];
    if (size > MAX_ITEMS || (length > MAX_CHARACTERS && characters > 0)) return false;
    this.size = size;
    this.characters = length;
    return true;
  }
}

function lengthOf(fields: JsonObject): number {
  return JSON.stringify(fields).length;
}
