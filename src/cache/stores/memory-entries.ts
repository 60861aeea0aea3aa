import { LRUCache } from 'lru-cache';
import { applySoftPurge } from '../policy/index.ts';
import type { PurgeMode, PurgeSelection, StoredResponse } from '../store.ts';
import type { BufferPool } from './buffer-pool.ts';
import { GroupIndex } from './group-index.ts';
import { estimateKeySize, estimateResponseSize } from './size-estimate.ts';
import { TagIndex } from './tag-index.ts';

/** A stored response whose strings and body share no memory with anything outside the store. */
export interface MemoryResponse extends StoredResponse {
  /** Replaced by the tag index's copies of the same strings. */
  tags: readonly string[];
}

/** The stored responses of one key. Mutable, because setting a key again would change its place in the LRU order. */
export interface MemoryEntry {
  responses: readonly MemoryResponse[];
  /** Estimated memory, in bytes. */
  readonly bytes: number;
  /** Whether `get` has returned these responses, and may still be reading their bodies. */
  isReturned: boolean;
}

export interface MemoryEntriesOptions {
  /** Estimated memory for all entries. */
  readonly maxBytes: number;
  /** Estimated memory for one key. A single response may exceed it. */
  readonly maxKeyBytes: number;
  readonly maxVariants: number;
  /** Receives the body buffers of evicted responses that `get` has not returned. */
  readonly bufferPool: BufferPool;
}

/** Stored responses by key, with an index by tag and one by group. Evicts the least recently used keys when it is full. */
export class MemoryEntries {
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
