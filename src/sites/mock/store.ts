import { isJsonObject, type JsonObject, mapMembers } from '../../base/json.ts';

interface Change {
  readonly isNew: boolean;
  readonly isDeleted: boolean;
  readonly fields: JsonObject;
}

export class MockStore {
  private readonly collections = new Map<string, Map<string, Change>>();

  /** Ids of a collection, the newest first, as in WordPress. */
  list(collection: string, initial: readonly string[]): readonly string[] {
    const ids = [...initial, ...this.created(collection)].reverse();
    return ids.filter((id) => this.find(collection, id)?.isDeleted !== true);
  }

  has(collection: string, initial: readonly string[], id: string): boolean {
    const change = this.find(collection, id);
    return change?.isDeleted !== true && (initial.includes(id) || change?.isNew === true);
  }

  create(
    collection: string,
    initial: readonly string[],
    fields: JsonObject,
    toId: (number: number, fields: JsonObject) => string,
  ): string {
    const taken = new Set([...initial, ...this.created(collection)]);
    let number = taken.size + 1;
    let id = toId(number, fields);
    while (taken.has(id) && number < taken.size + 100) {
      number += 1;
      id = toId(number, {});
    }
    this.change(collection, id, { isNew: true, fields });
    return id;
  }

  isNew(collection: string, id: string): boolean {
    return this.find(collection, id)?.isNew === true;
  }

  isChanged(collection: string, id: string): boolean {
    return this.find(collection, id) !== undefined;
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

  /** Objects, such as addresses, keep members that the fields leave out. */
  change(collection: string, id: string, change: Partial<Change>): void {
    const known = this.find(collection, id);
    const sent = mapMembers(change.fields ?? {}, (name, value) => {
      const before = known?.fields[name];
      return isJsonObject(value) && isJsonObject(before) ? { ...before, ...value } : value;
    });
    const fields = { ...known?.fields, ...sent };
    const changes = this.collections.get(collection) ?? new Map<string, Change>();
    this.collections.set(collection, changes);
    changes.set(id, { isNew: false, isDeleted: false, ...known, ...change, fields });
  }
}
