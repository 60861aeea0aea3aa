import { isFresh } from '../policy/index.ts';
import type { CacheStore, MemoryStore, StoredResponse } from '../store.ts';
import type { SharedTier, SharedTierEvents } from './shared-tier.ts';

const NONE: readonly StoredResponse[] = [];

/** What the shared tier does to the memory in front of it. */
export function createSharedTierEvents(memory: MemoryStore): SharedTierEvents {
  return {
    onPurge: (selection, mode) => void memory.purge(selection, mode),
    onMissedPurges: () => void memory.purge({ kind: 'all' }, 'hard'),
  };
}

/**
 * Memory in front of a tier that several gateways share. A fresh answer in memory is given at once, for as long as no
 * purge elsewhere can have been missed; else the shared tier is asked, and memory filled from it. Where that is gone,
 * nothing is found: slower, and never wrong.
 *
 * @param shared a tier that was given `eventsFor(memory)`
 */
export function createTieredStore(
  memory: MemoryStore,
  shared: SharedTier,
  clock: { now(): number },
): CacheStore {
  /** What is being asked for already, by key. */
  const asked = new Map<string, Promise<readonly StoredResponse[]>>();
  let closed = false;

  const fetchShared = async (key: string): Promise<readonly StoredResponse[]> => {
    await shared.get(key, (answers) => {
      for (const answer of answers.toReversed()) {
        const known = memory.get(key).find(({ variant }) => variant === answer.variant);
        if (known === undefined || supersedes(answer, known)) memory.putUnchecked(key, answer);
      }
    });
    asked.delete(key);
    return shared.isCurrent ? memory.get(key) : NONE;
  };

  return {
    get(key) {
      const known = shared.isCurrent ? memory.get(key) : NONE;
      const [newest] = known;
      if (newest !== undefined && isFresh(newest, clock.now())) return known;
      if (!shared.isReadable) return known;
      // Another gateway may have a newer one.
      let pending = asked.get(key);
      if (pending === undefined) {
        pending = fetchShared(key);
        asked.set(key, pending);
      }
      return pending;
    },

    put(key, answer) {
      if (closed || !memory.put(key, answer)) return false;
      return shared.put(key, answer).then(() => true);
    },

    async purge(selection, mode) {
      const struck = memory.purge(selection, mode);
      await shared.purge(selection, mode);
      return struck;
    },

    lease: (key, milliseconds) => shared.lease(key, milliseconds),

    attachCompressed: (key, answer, coding, rendition) =>
      memory.attachCompressed(key, answer, coding, rendition),

    stats: () => memory.stats(),

    async close() {
      closed = true;
      await shared.close();
      await memory.close();
    },
  };
}

/** Times that have been to another clock and back are a few milliseconds off. */
const SAME = 20;

function supersedes(answer: StoredResponse, known: StoredResponse): boolean {
  const newer = answer.responseTime - known.responseTime;
  return newer > SAME || (newer > -SAME && answer.markedStale && !known.markedStale);
}
