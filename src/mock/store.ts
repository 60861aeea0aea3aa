import { isJsonObject, type JsonObject, mapMembers } from '../json.ts';

interface Change {
  readonly isNew: boolean;
  readonly isDeleted: boolean;
  readonly fields: JsonObject;
}

/** The fields of an item in the trash, which can be read, and is not listed. */
export const TRASHED = { status: 'trash' } as const;

/** Maximum number of changed items of all collections, and of characters of their fields as JSON. */
const MAX_ITEMS = 10_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;

/** What requests have changed, until the process ends. A collection is known by its route. */
export class MockStore {
  private readonly collections = new Map<string, Map<string, Change>>();
  private size = 0;
  private characters = 0;

  /** The items of a collection in WordPress' order: the newest first. */
  list(collection: string, initial: readonly string[]): readonly string[] {
    const ids = [...initial, ...this.created(collection)].reverse();
    return ids.filter(
      (id) => this.find(collection, id)?.isDeleted !== true && !this.isTrashed(collection, id),
    );
  }

  has(collection: string, initial: readonly string[], id: string): boolean {
    const change = this.find(collection, id);
    return change?.isDeleted !== true && (initial.includes(id) || change?.isNew === true);
  }

  /** Adds an item. `toId` makes its id from the next number. @returns its id; `null` if the store is full */
  create(
    collection: string,
    initial: readonly string[],
    fields: JsonObject,
    toId: (number: number) => string,
  ): string | null {
    const id = toId(initial.length + this.created(collection).length + 1);
    return this.change(collection, id, { isNew: true, fields }) ? id : null;
  }

  /** Members that are objects, such as addresses, keep what the fields leave out. @returns false if the store is full */
  update(collection: string, id: string, fields: JsonObject): boolean {
    return this.change(collection, id, { fields });
  }

  /** Whether a request has created the item. */
  isNew(collection: string, id: string): boolean {
    return this.find(collection, id)?.isNew === true;
  }

  isTrashed(collection: string, id: string): boolean {
    return this.fieldsOf(collection, id)['status'] === TRASHED.status;
  }

  /** @returns false if the store is full */
  delete(collection: string, id: string): boolean {
    return this.change(collection, id, { isDeleted: true });
  }

  fieldsOf(collection: string, id: string): JsonObject {
    return this.find(collection, id)?.fields ?? {};
  }

  private find(collection: string, id: string): Change | undefined {
    return this.collections.get(collection)?.get(id);
  }

  private created(collection: string): readonly string[] {
    const changes = [...(this.collections.get(collection) ?? [])];
    return changes.filter(([, { isNew }]) => isNew).map(([id]) => id);
  }

  /** @returns false if the store is full */
  private change(collection: string, id: string, change: Partial<Change>): boolean {
    const known = this.find(collection, id);
    const sent = mapMembers(change.fields ?? {}, (name, value) => {
      const before = known?.fields[name];
      return isJsonObject(value) && isJsonObject(before) ? { ...before, ...value } : value;
    });
    const fields = { ...known?.fields, ...sent };
    const size = this.size + (known === undefined ? 1 : 0);
    const before = known === undefined ? -collection.length - id.length : lengthOf(known.fields);
    const characters = this.characters + lengthOf(fields) - before;
    if (size > MAX_ITEMS || (characters > MAX_CHARACTERS && characters > this.characters)) return false;
    const changes = this.collections.get(collection) ?? new Map<string, Change>();
    this.collections.set(collection, changes);
    changes.set(id, { isNew: false, isDeleted: false, ...known, ...change, fields });
    this.size = size;
    this.characters = characters;
    return true;
  }
}

function lengthOf(fields: JsonObject): number {
  return JSON.stringify(fields).length;
}
