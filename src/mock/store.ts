import type { JsonObject } from '../json.ts';

interface Change {
  readonly isNew: boolean;
  /** An item in the trash can be read, and is not listed. */
  readonly place: 'list' | 'trash' | 'nowhere';
  readonly fields: JsonObject;
}

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
    return ids.filter((id) => (this.find(collection, id)?.place ?? 'list') === 'list');
  }

  has(collection: string, initial: readonly string[], id: string): boolean {
    const change = this.find(collection, id);
    return change?.place !== 'nowhere' && (initial.includes(id) || change?.isNew === true);
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

  /** @returns false if the store is full */
  update(collection: string, id: string, fields: JsonObject): boolean {
    return this.change(collection, id, { fields });
  }

  /** Whether a request has created the item. */
  isNew(collection: string, id: string): boolean {
    return this.find(collection, id)?.isNew === true;
  }

  /** Puts an item elsewhere than in the list. */
  move(collection: string, id: string, place: 'trash' | 'nowhere'): void {
    this.change(collection, id, { place });
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
    const fields = { ...known?.fields, ...change.fields };
    const size = this.size + (known === undefined ? 1 : 0);
    const before = known === undefined ? -collection.length - id.length : lengthOf(known.fields);
    const characters = this.characters + lengthOf(fields) - before;
    if (size > MAX_ITEMS || (characters > MAX_CHARACTERS && characters > this.characters)) return false;
    const changes = this.collections.get(collection) ?? new Map<string, Change>();
    this.collections.set(collection, changes);
    changes.set(id, { isNew: false, place: 'list', ...known, ...change, fields });
    this.size = size;
    this.characters = characters;
    return true;
  }
}

function lengthOf(fields: JsonObject): number {
  return JSON.stringify(fields).length;
}
