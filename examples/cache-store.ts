import {
  applyPurge,
  type CacheStore,
  isSelected,
  type PurgeMode,
  type PurgeSelection,
  type StoredResponse,
} from 'waygate';

/**
 * Creates a store that keeps responses in a `Map`: `createGateway({ sites, cache: createMapStore() })`. It grows without limit. A store
 * for production evicts responses, and treats a purge that it no longer remembers as a purge of everything.
 */
export function createMapStore(): CacheStore {
  const responses = new Map<string, readonly StoredResponse[]>();
  const purges: { selection: PurgeSelection; mode: PurgeMode; time: number }[] = [];

  return {
    get: (key) => responses.get(key) ?? [],
    put(key, response) {
      const { requestTime, tags, variantKey } = response;
      const stored = responses.get(key) ?? [];
      const replaced = stored.find((each) => each.variantKey === variantKey);
      // A slow response is neither newer than a fast one, nor than a write in the meantime.
      if (replaced !== undefined && replaced.requestTime > requestTime) return false;
      if (purges.some(({ selection, time }) => time >= requestTime && isSelected(selection, key, tags)))
        return false;
      responses.set(key, [response, ...stored.filter((each) => each !== replaced)]);
      return true;
    },
    purge(selection, mode) {
      const time = Date.now();
      purges.push({ selection, mode, time });
      for (const [key, stored] of responses) {
        const purge = (each: StoredResponse) =>
          isSelected(selection, key, each.tags) ? applyPurge(each, mode) : each;
        responses.set(
          key,
          stored.map(purge).filter((each) => each !== null),
        );
      }
    },
    isPurgedSince: (key, tags, since) =>
      purges.some(
        ({ selection, mode, time }) =>
          time >= since && (tags === null || (mode !== 'unconfirmed' && isSelected(selection, key, tags))),
      ),
    report: () => ({
      responseCount: [...responses.values()].flat().length,
      bytes: 0,
      maxBytes: 0,
      entries: responses,
    }),
  };
}
