import { memoizeByString } from '../../memoize.ts';
import type { Clock } from '../../ports.ts';
import {
  type CompressedResponse,
  createStoredResponse,
  type Lease,
  type MemoryStore,
  type StoredResponse,
} from '../store.ts';
import { BufferPool, compactBytes } from './buffer-pool.ts';
import { MemoryEntries, type MemoryResponse } from './memory-entries.ts';
import { PurgeLog } from './purge-log.ts';
import { createSelectionMatcher } from './selection-matcher.ts';
import { estimateCompressedSize, estimateKeySize, estimateResponseSize } from './size-estimate.ts';

export interface MemoryStoreOptions {
  /** Memory for all stored responses, bookkeeping included. @default 256 MiB */
  readonly maxBytes?: number;
  /** Largest body that is stored, in bytes. @default 8 MiB */
  readonly maxEntryBytes?: number;
  /** Maximum stored responses of one key, which differ by `Vary`. Beyond that the oldest is evicted. @default 64 */
  readonly maxVariants?: number;
  readonly clock: Pick<Clock, 'now'>;
}

const MIB = 1024 * 1024;
/** Share of `maxBytes` that is reserved for evicted responses that V8 has not collected yet. */
const RESERVED_SHARE = 3 / 16;
/** Largest share of the remaining memory that the responses of one key may take: one quarter. */
const KEY_SHARE = 1 / 4;
/** Maximum header names and values of which the store keeps one shared copy. */
const MAX_INTERNED_STRINGS = 4096;

const NO_RESPONSES: readonly MemoryResponse[] = [];
/** The store is not shared, so every request for a lease is granted. */
const LOCAL_LEASE: Lease = { release() {} };

/**
 * Creates a store in the memory of this process, which evicts the least recently used keys when it is full.
 */
export function createMemoryStore(options: MemoryStoreOptions): MemoryStore {
  const { clock, maxBytes = 256 * MIB, maxVariants = 64 } = options;
  const maxEntryBytes = Math.min(options.maxEntryBytes ?? 8 * MIB, maxBytes);
  const capacity = Math.floor(maxBytes * (1 - RESERVED_SHARE));
  const maxKeyBytes = Math.min(capacity, Math.max(maxEntryBytes, capacity * KEY_SHARE));
  const bufferPool = new BufferPool();
  const entries = new MemoryEntries({ maxBytes: capacity, maxKeyBytes, maxVariants, bufferPool });
  const purges = new PurgeLog();
  const intern = memoizeByString((text) => text, MAX_INTERNED_STRINGS);

  const copyResponse = (response: StoredResponse, replaced: StoredResponse | undefined): MemoryResponse => {
    const headers = response.headers.map(intern);
    if (replaced?.body !== response.body) {
      return createStoredResponse(response, headers, bufferPool.copy(response.body), response);
    }
    const copy = createStoredResponse(response, headers, response.body, response);
    // A 304 updates the headers and keeps the body, so the compressed bodies are still right.
    return replaced.compressed === undefined ? copy : { ...copy, compressed: replaced.compressed };
  };

  const putUnchecked = (key: string, response: StoredResponse): boolean => {
    const current = entries.peek(key)?.responses ?? NO_RESPONSES;
    const replaced = current.find(({ variantKey }) => variantKey === response.variantKey);
    const copy = copyResponse(response, replaced);
    if (
      copy.body.byteLength > maxEntryBytes ||
      estimateKeySize(key) + estimateResponseSize(copy) > capacity
    ) {
      // The response that it would have replaced is outdated.
      if (replaced !== undefined) entries.purge(key, 'hard', clock.now(), (other) => other === replaced);
      return false;
    }
    entries.set(key, [copy, ...current.filter((other) => other !== replaced)]);
    return true;
  };

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry === undefined) return NO_RESPONSES;
      entry.isReturned = true;
      return entry.responses;
    },

    put: (key, response) => !purges.isPurgedSince(key, response) && putUnchecked(key, response),

    putUnchecked,

    putAfterPurge(key, response, purge) {
      const isCurrent = !purges.isPurgedSince(key, response);
      const result = purge();
      if (isCurrent) putUnchecked(key, response);
      return result;
    },

    purge(selection, mode) {
      const now = clock.now();
      purges.record(selection, now);
      const matches = createSelectionMatcher(selection);
      let count = 0;
      for (const key of entries.keysOf(selection)) count += entries.purge(key, mode, now, matches);
      return count;
    },

    acquireLease: () => LOCAL_LEASE,

    attachCompressed: (key, response, coding, compressed) =>
      attachCompressed({ entries, maxKeyBytes, key, response, coding, compressed }),

    countGroup: (name) => entries.countGroup(name),

    inspector: {
      isShared: false,
      listKeys: () => entries.listKeys(),
      peek: (key) => entries.peek(key)?.responses ?? NO_RESPONSES,
      select: (selection) => ({
        keys: entries.candidatesOf(selection),
        matches: createSelectionMatcher(selection),
      }),
      countTags: () => entries.countTags(),
    },

    stats: () => ({ responseCount: entries.responseCount, bytes: entries.bytes, maxBytes }),

    async close() {
      entries.clear();
    },
  };
}

interface CompressedAttachment {
  readonly entries: MemoryEntries;
  readonly maxKeyBytes: number;
  readonly key: string;
  /** A response that the store has returned. Its body identifies the stored response. */
  readonly response: StoredResponse;
  readonly coding: string;
  readonly compressed: CompressedResponse;
}

function attachCompressed(attachment: CompressedAttachment): boolean {
  const { entries, maxKeyBytes, key, response, coding, compressed } = attachment;
  const entry = entries.peek(key);
  const stored = entry?.responses.find(({ body }) => body === response.body);
  if (entry === undefined || stored === undefined) return false;
  const replaced = stored.compressed?.get(coding);
  const replacedBytes = replaced === undefined ? 0 : estimateCompressedSize(replaced);
  if (entry.bytes + estimateCompressedSize(compressed) - replacedBytes > maxKeyBytes) return false;
  const copy = { ...compressed, body: compactBytes(compressed.body) };
  const codings = new Map<string, CompressedResponse>(stored.compressed).set(coding, copy);
  const updated = entry.responses.map((other) =>
    other === stored ? { ...stored, compressed: codings } : other,
  );
  entries.set(key, updated);
  return true;
}
