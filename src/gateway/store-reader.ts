import { previewPurge, type StoreReader, takeInventory } from '../cache/inventory.ts';
import type { Clock } from '../ports.ts';
import type { StatusSources } from './process-status.ts';

export function createStoreReader(
  { sites, store }: Pick<StatusSources, 'sites' | 'store'>,
  clock: Clock,
): StoreReader {
  const inspector = store?.inspector;
  return {
    async takeInventory(mount) {
      const { caching = null, runtime } = sites.get(mount) ?? {};
      const snapshot = runtime?.snapshot ?? null;
      if (caching === null || snapshot === null || inspector === undefined) return null;
      return takeInventory({
        inspector,
        clock,
        storeScope: caching.getStoreScope(snapshot),
        nameRoute: (key) => caching.nameRoute(snapshot, key),
      });
    },
    async previewPurge(selection) {
      return inspector === undefined ? null : previewPurge(inspector, selection, clock);
    },
    async find(key) {
      return inspector?.peek(key) ?? [];
    },
  };
}
