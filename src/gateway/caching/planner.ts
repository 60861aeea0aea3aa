import type { CacheStore } from '../../cache/store.ts';
import { invalidatesByAddress, storableByAddress } from './plain.ts';
import type { CachePlanner } from './storable.ts';

/** Plans by what is known of a site: by its document, or, in front of any origin, by what HTTP says alone. */
export function createPlanner(store: CacheStore, discovered: CachePlanner | null): CachePlanner {
  return {
    begin(snapshot, reading, head) {
      if (snapshot.judges !== null) return discovered?.begin(snapshot, reading, head) ?? null;
      return storableByAddress(snapshot.origin, reading.address, head);
    },
    observe(snapshot, reading, head) {
      if (snapshot.judges !== null) return discovered?.observe(snapshot, reading, head) ?? null;
      return invalidatesByAddress(store, snapshot.origin, reading.address, head.method);
    },
  };
}
