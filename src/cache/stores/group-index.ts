import type { GroupPurge, ResponseGroup } from '../store.ts';

/** An index of cache keys by the group and the kind of read of their responses. */
export class GroupIndex {
  readonly #groups = new Map<string, Map<string, Set<string>>>();

  add(key: string, { name, readKind }: ResponseGroup): void {
    const kinds = this.#groups.get(name) ?? new Map<string, Set<string>>();
    if (kinds.size === 0) this.#groups.set(name, kinds);
    const keys = kinds.get(readKind);
    if (keys === undefined) kinds.set(readKind, new Set([key]));
    else keys.add(key);
  }

  /** Removes a key from a group. All responses of a key must be removed together, as from `TagIndex`. */
  remove(key: string, { name, readKind }: ResponseGroup): void {
    const kinds = this.#groups.get(name);
    const keys = kinds?.get(readKind);
    if (kinds === undefined || keys === undefined) return;
    keys.delete(key);
    if (keys.size > 0) return;
    kinds.delete(readKind);
    if (kinds.size === 0) this.#groups.delete(name);
  }

  /** Lists the keys of a group, without those of the excepted kinds. */
  keysOf({ name, exceptKinds }: GroupPurge): readonly string[] {
    const kinds = this.#groups.get(name);
    if (kinds === undefined) return [];
    const excepted = new Set(exceptKinds);
    return [...kinds].flatMap(([kind, keys]) => (excepted.has(kind) ? [] : [...keys]));
  }

  /** Counts the keys of a group. */
  countKeys(name: string): number {
    let count = 0;
    for (const keys of this.#groups.get(name)?.values() ?? []) count += keys.size;
    return count;
  }
}
