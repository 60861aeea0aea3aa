import type { JsonObject } from '../json.ts';

/** What requests have changed in one collection. */
interface Changes {
  readonly created: Set<string>;
  readonly removed: Set<string>;
  readonly trashed: Set<string>;
  readonly fields: Map<string, JsonObject>;
}

/** Maximum number of changed items of all collections. */
const MAX_ITEMS = 10_000;

/** What requests have changed, until the process ends. A collection is known by its route. */
export class MockStore {
  private readonly collections = new Map<string, Changes>();
  private size = 0;

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
    if (!this.grow()) return null;
    const changes = this.changesOf(collection);
    const id = toId(initial.length + changes.created.size + 1);
    changes.created.add(id);
    changes.fields.set(id, fields);
    return id;
  }

  /** @returns false if the store is full */
  update(collection: string, id: string, fields: JsonObject): boolean {
    const changes = this.changesOf(collection);
    if (!changes.fields.has(id) && !this.grow()) return false;
    changes.fields.set(id, { ...changes.fields.get(id), ...fields });
    return true;
  }

  /** Whether a request has created the item. */
  isNew(collection: string, id: string): boolean {
    return this.collections.get(collection)?.created.has(id) === true;
  }

  /** Leaves the item readable, and removes it from lists. */
  trash(collection: string, id: string): void {
    if (this.grow()) this.changesOf(collection).trashed.add(id);
  }

  remove(collection: string, id: string): void {
    if (this.grow()) this.changesOf(collection).removed.add(id);
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

  /** Counts one more change. @returns false if there may be no more */
  private grow(): boolean {
    this.size += 1;
    return this.size <= MAX_ITEMS;
  }
}
