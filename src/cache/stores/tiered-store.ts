import { getOrCreate } from '../../memoize.ts';
import type { Clock } from '../../ports.ts';
import { isFresh } from '../policy/storability.ts';
import { type CacheStore, markOverlapped, type StoredResponse } from '../store.ts';
import type { MemoryStore } from './memory-store.ts';
import type { RedisTier } from './redis/tier.ts';

const NO_RESPONSES: readonly StoredResponse[] = [];

/**
 * Creates a store of two tiers: a memory store in front of a tier that several gateways share. A fresh response in memory
 * is returned at once while the memory store is current. Otherwise the shared tier is read, and memory filled from it. If
 * the shared tier is not reachable the store finds nothing, unless no other gateway can have purged anything, or the
 * configuration allows to use the memory for a moment.
 *
 * @param shared a tier that applies the purges of other gateways to `memory`
 */
export function createTieredStore(
  memory: MemoryStore,
  shared: SharedTier,
  clock: Pick<Clock, 'now'>,
): CacheStore {
  /** Reads of the shared tier in progress, by key. */
  const reads = new Map<string, Promise<readonly StoredResponse[]>>();
  let isClosed = false;

  const readShared = async (key: string): Promise<readonly StoredResponse[]> => {
    await shared.get(key, (responses) => {
      for (const response of responses.toReversed()) {
        const known = memory.get(key).find(({ variantKey }) => variantKey === response.variantKey);
        if (known === undefined || supersedes(key, response, known)) memory.putUnchecked(key, response);
      }
    });
    reads.delete(key);
    return shared.mayUseMemory ? memory.get(key) : NO_RESPONSES;
  };

  /**
   * Whether a response of the shared tier replaces the one in memory: it is newer, or was purged softly by a purge that memory does
   * not know. With the others memory has compared the response, and may have kept it: the shared tier does not know its text.
   */
  const supersedes = (key: string, response: StoredResponse, known: StoredResponse): boolean => {
    const newer = response.responseTime - known.responseTime;
    if (newer > CLOCK_TOLERANCE) return true;
    if (newer <= -CLOCK_TOLERANCE || !response.isSoftPurged || known.isSoftPurged) return false;
    return !memory.isPurgedSince(key, known, known.requestTime);
  };

  return {
    get(key) {
      const known = shared.mayUseMemory ? memory.get(key) : NO_RESPONSES;
      const [newest] = known;
      if (newest !== undefined && isFresh(newest, clock.now())) return known;
      if (!shared.isReadable) return known;
      // Another gateway may have stored a newer response.
      return getOrCreate(reads, key, readShared);
    },

    put(key, response) {
      if (isClosed || !memory.put(key, response)) return false;
      // A purge that arrived meanwhile may have removed it, or purged it softly, and one that has not arrived may select it: whoever
      // waits for it must not get it then.
      const { requestTime, variantKey } = response;
      const isSame = (stored: StoredResponse): boolean =>
        stored.requestTime === requestTime && stored.variantKey === variantKey && !stored.isSoftPurged;
      return shared.put(key, response).then(() => shared.mayUseMemory && memory.get(key).some(isSame));
    },

    async purge(selection, mode) {
      const count = memory.purge(selection, mode);
      await shared.purge(selection, mode);
      return count;
    },

    async invalidate(selection, onRemoved, mode) {
      const count = memory.invalidate(selection, onRemoved, mode);
      const isAlone = await shared.purge(selection, mode === 'unconfirmed' ? mode : 'hard');
      if (!isAlone) markOverlapped(memory.openWrites, selection);
      return count;
    },

    openWrites: memory.openWrites,

    isPurgedSince: (key, response, time) => !shared.mayUseMemory || memory.isPurgedSince(key, response, time),

    acquireLease: (key, milliseconds) => shared.acquireLease(key, milliseconds),

    forgetGateway: (id) => shared.forgetGateway(id),

    attachCompressed: (key, response, coding, compressed) =>
      memory.attachCompressed(key, response, coding, compressed),

    countGroup: (name) => memory.countGroup(name),

    inspector: { ...memory.inspector, isShared: true },

    get sharedState() {
      return shared.state;
    },

    set onPurge(listener: (() => void) | undefined) {
      memory.onPurge = listener;
    },

    get mayEvictPurges() {
      return shared.mayEvictPurges;
    },

    stats: () => ({ ...memory.stats(), shared: shared.stats }),

    async close() {
      isClosed = true;
      await shared.close();
      await memory.close();
    },
  };
}

/** Maximum error of a time that was converted to another clock and back, in milliseconds. */
const CLOCK_TOLERANCE = 20;

/** What is used of the store that several gateways share, each with a memory store in front of it. Its methods never reject. */
export type SharedTier = Pick<
  RedisTier,
  | 'acquireLease'
  | 'close'
  | 'forgetGateway'
  | 'get'
  | 'isReadable'
  | 'mayEvictPurges'
  | 'mayUseMemory'
  | 'purge'
  | 'put'
  | 'state'
  | 'stats'
>;
