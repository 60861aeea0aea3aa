import {
  type Inventory,
  mergeInventories,
  mergePreviews,
  type PurgePreview,
  previewPurge,
  takeInventory,
} from '../cache/inventory.ts';
import type { CacheStore, PurgeSelection, StoredResponse } from '../cache/store.ts';
import type { Clock } from '../ports.ts';
import type { MountedSite } from './mounted-site.ts';

/** Reads what is in the memory of a gateway's store, for the operator. */
export interface StoreReader {
  /** Counts the responses of a site. `null` if it has no store, or was not read yet. */
  takeInventory(mount: string): Promise<Inventory | null>;
  /** Counts what a purge would select. `null` if the store cannot tell. */
  previewPurge(selection: PurgeSelection): Promise<PurgePreview | null>;
  /** Returns the responses of a key. */
  find(key: string): Promise<readonly StoredResponse[]>;
}

interface StoreReaderOptions {
  /** By mount. */
  readonly sites: ReadonlyMap<string, MountedSite>;
  /** `null` if nothing is cached. */
  readonly store: CacheStore | null;
  readonly clock: Clock;
}

/** Creates the reader of the memory of this process. */
export function createStoreReader({ clock, sites, store }: StoreReaderOptions): StoreReader {
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
        nameRoute: (key, response) => caching.nameRoute(snapshot, key, response),
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

/** Reads the stores of several processes as if they were one. */
export function combineStoreReaders(list: () => readonly StoreReader[]): StoreReader {
  const readAll = async <Result>(
    read: (reader: StoreReader) => Promise<Result | null>,
  ): Promise<readonly Result[]> => {
    const results = await Promise.all(list().map(read));
    return results.filter((result) => result !== null);
  };
  return {
    async takeInventory(mount) {
      return mergeInventories(await readAll((reader) => reader.takeInventory(mount)));
    },
    async previewPurge(selection) {
      return mergePreviews(await readAll((reader) => reader.previewPurge(selection)));
    },
    async find(key) {
      const found = (await readAll((reader) => reader.find(key))).flat();
      return found.sort((one, other) => other.responseTime - one.responseTime);
    },
  };
}
