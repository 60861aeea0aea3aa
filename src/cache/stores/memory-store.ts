import { LRUCache } from 'lru-cache';
import { memoizeByString } from '../../memoize.ts';
import type { Clock } from '../../ports.ts';
import { applySoftPurge } from '../policy/freshness.ts';
import {
  type CompressedResponse,
  createSelectionMatcher,
  createStoredResponse,
  type Lease,
  type MemoryStore,
  type PurgeMode,
  type PurgeSelection,
  type StoredResponse,
} from '../store.ts';
import { GroupIndex } from './group-index.ts';
import { PurgeLog } from './purge-log.ts';
import { estimateCompressedSize, estimateKeySize, estimateResponseSize } from './size-estimate.ts';
import { TagIndex } from './tag-index.ts';

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

/** A stored response whose strings and body share no memory with anything outside the store. */
interface MemoryResponse extends StoredResponse {
  /** Replaced by the tag index's copies of the same strings. */
  tags: readonly string[];
}

/** The stored responses of one key. Mutable, because setting a key again would change its place in the LRU order. */
interface MemoryEntry {
  responses: readonly MemoryResponse[];
  /** Estimated memory, in bytes. */
  readonly bytes: number;
  /** Whether `get` has returned these responses, and may still be reading their bodies. */
  isReturned: boolean;
}

interface MemoryEntriesOptions {
  /** Estimated memory for all entries. */
  readonly maxBytes: number;
  /** Estimated memory for one key. A single response may exceed it. */
  readonly maxKeyBytes: number;
  readonly maxVariants: number;
  /** Receives the body buffers of evicted responses that `get` has not returned. */
  readonly bufferPool: BufferPool;
}

/** Stored responses by key, with an index by tag and one by group. Evicts the least recently used keys when it is full. */
class MemoryEntries {
  readonly #options: MemoryEntriesOptions;
  readonly #entries: LRUCache<string, MemoryEntry>;
  readonly #index = new TagIndex();
  readonly #groupIndex = new GroupIndex();
  #responseCount = 0;

  constructor(options: MemoryEntriesOptions) {
    this.#options = options;
    this.#entries = new LRUCache({
      maxSize: options.maxBytes,
      dispose: (entry, key, reason) => this.#dispose(key, entry, reason === 'evict'),
    });
  }

  /** Number of stored responses. */
  get responseCount(): number {
    return this.#responseCount;
  }

  /** Estimated memory, in bytes. */
  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /** Looks up a key and marks it as used. */
  get(key: string): MemoryEntry | undefined {
    return this.#entries.get(key);
  }

  /** Looks up a key without marking it as used. */
  peek(key: string): MemoryEntry | undefined {
    return this.#entries.peek(key);
  }

  /** Replaces the responses of a key. Stores the first, and as many of the following as the limits allow. */
  set(key: string, responses: readonly MemoryResponse[]): void {
    const { maxKeyBytes, maxVariants } = this.#options;
    const kept: MemoryResponse[] = [];
    let bytes = estimateKeySize(key);
    for (const response of responses) {
      const size = estimateResponseSize(response);
      if (kept.length > 0 && (kept.length === maxVariants || bytes + size > maxKeyBytes)) break;
      kept.push(response);
      bytes += size;
    }
    const isReturned = this.#entries.peek(key)?.isReturned ?? false;
    this.#entries.set(key, { responses: kept, bytes, isReturned }, { size: bytes });
    this.#responseCount += kept.length;
    // After `set`, which disposes of the previous entry: that removes the tags of its responses from the index.
    for (const response of kept) {
      response.tags = this.#index.add(key, response.tags);
      if (response.group !== null) this.#groupIndex.add(key, response.group);
    }
  }

  /**
   * Removes the matching responses of a key, or makes them stale.
   *
   * @returns the number of matching responses
   */
  purge(key: string, mode: PurgeMode, now: number, matches: (response: StoredResponse) => boolean): number {
    const entry = this.#entries.peek(key);
    if (entry === undefined) return 0;
    const { responses } = entry;
    const count = responses.filter(matches).length;
    if (mode === 'soft') {
      entry.responses = responses.map((each) => (matches(each) ? applySoftPurge(each, now) : each));
    } else if (count === responses.length) {
      this.#entries.delete(key);
    } else if (count > 0) {
      const remaining = responses.filter((each) => !matches(each));
      this.set(key, remaining);
    }
    return count;
  }

  /** Lists the keys that have a response of the selection. A key that the selection names may have none. */
  keysOf(selection: PurgeSelection): Iterable<string> {
    if (selection.kind === 'all') return this.listKeys();
    if (selection.kind === 'keys') return new Set(selection.keys);
    const keys = this.#keysWithTags(selection.tags);
    for (const group of selection.groups ?? []) {
      for (const key of this.#groupIndex.keysOf(group)) keys.add(key);
    }
    return keys;
  }

  /** Lists the keys that may have a response of the selection: all keys where only a scan of them could tell. */
  candidatesOf(selection: PurgeSelection): readonly string[] {
    const isUntracked = (tag: string): boolean => this.#index.keysOf(tag) === null;
    const needsScan = selection.kind === 'tags' && selection.tags.some(isUntracked);
    return needsScan ? this.listKeys() : [...this.keysOf(selection)];
  }

  /** Lists all keys at this moment. */
  listKeys(): readonly string[] {
    return [...this.#entries.keys()];
  }

  /** Iterates over all tags with the number of responses that have them. */
  countTags(): Iterable<readonly [tag: string, responses: number]> {
    return this.#index.counts();
  }

  /** Counts the keys with responses of a group. */
  countGroup(name: string): number {
    return this.#groupIndex.countKeys(name);
  }

  clear(): void {
    this.#entries.clear();
  }

  #keysWithTags(tags: readonly string[]): Set<string> {
    const keys = new Set<string>();
    /** Keys by tag, for tags that the index does not track. */
    const untracked = new Map<string, Set<string>>();
    for (const tag of tags) {
      const found = this.#index.keysOf(tag);
      if (found === null) untracked.set(tag, new Set());
      else for (const key of found) keys.add(key);
    }
    if (untracked.size === 0) return keys;
    for (const [key, { responses }] of this.#entries.entries()) {
      for (const response of responses) for (const tag of response.tags) untracked.get(tag)?.add(key);
    }
    for (const [tag, found] of untracked) {
      this.#index.resumeTracking(tag, found);
      for (const key of found) keys.add(key);
    }
    return keys;
  }

  #dispose(key: string, { responses, isReturned }: MemoryEntry, isEvicted: boolean): void {
    this.#responseCount -= responses.length;
    for (const { body, group, tags } of responses) {
      this.#index.remove(key, tags);
      if (group !== null) this.#groupIndex.remove(key, group);
      // After a replacement, other variants of the key still use their buffers.
      if (isEvicted && !isReturned) this.#options.bufferPool.release(body);
    }
  }
}

/** Maximum length of a body that is copied into a buffer of the pool. To copy a larger body would take too long. */
const MAX_POOLED_BODY = 256 * 1024;
/** Maximum bytes of unused buffers: evictions and new bodies alternate, so a few buffers are enough. */
const MAX_FREE_BYTES = 4 * 1024 * 1024;
/** Number of buffer sizes from one power of two to the next. No more than one eighth of a buffer is unused. */
const SIZES_PER_POWER_OF_TWO = 8;
const MIN_BUFFER_SIZE = 64;

/**
 * Reuses buffers for the bodies of stored responses. V8 keeps up to 64 MB of unreferenced buffers before it collects
 * them, so without reuse a stream of keys that are requested once takes that much more than the store's limit.
 */
class BufferPool {
  readonly #free = new Map<number, ArrayBuffer[]>();
  #freeBytes = 0;

  /** Copies a body into a buffer of the pool. A large body is only copied if it is a view of a larger buffer. */
  copy(body: Uint8Array): Uint8Array {
    const length = body.byteLength;
    if (length > MAX_POOLED_BODY) return compactBytes(body);
    const size = bufferSizeFor(length);
    const free = this.#free.get(size)?.pop();
    if (free !== undefined) this.#freeBytes -= size;
    const copy = new Uint8Array(free ?? new ArrayBuffer(size), 0, length);
    copy.set(body);
    return copy;
  }

  /** Takes back the buffer of a {@link copy}. Nothing else may refer to the copy: a socket could still be sending it. */
  release({ buffer }: Uint8Array): void {
    const size = buffer.byteLength;
    const isPoolSize = size <= bufferSizeFor(MAX_POOLED_BODY) && size === bufferSizeFor(size);
    if (!(buffer instanceof ArrayBuffer) || !isPoolSize) return;
    if (this.#freeBytes + size > MAX_FREE_BYTES) return;
    const free = this.#free.get(size);
    if (free === undefined) this.#free.set(size, [buffer]);
    else free.push(buffer);
    this.#freeBytes += size;
  }
}

/** Copies bytes that are a view of a larger buffer (Node's pool, a network packet), which they would keep in memory. */
function compactBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

function bufferSizeFor(length: number): number {
  if (length <= MIN_BUFFER_SIZE) return MIN_BUFFER_SIZE;
  const step = 2 ** Math.floor(Math.log2(length - 1)) / SIZES_PER_POWER_OF_TWO;
  return Math.ceil(length / step) * step;
}
