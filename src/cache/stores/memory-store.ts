import { LRUCache } from 'lru-cache';
import { detachString, getOrCreate, memoizeByString } from '../../memoize.ts';
import type { Clock } from '../../ports.ts';
import { runInSlices, type Steps, visitInSteps } from '../../steps.ts';
import { containsAny, FINGERPRINT_SHARE, hashTexts } from '../content/page-text.ts';
import {
  applySoftPurge,
  createStoredResponse,
  NO_WINDOWS,
  requireConfirmation,
} from '../policy/storability.ts';
import {
  type Awaitable,
  type CacheStore,
  type CompressedResponse,
  createSelectionMatcher,
  type GroupPurge,
  isSelectedByText,
  type Lease,
  listGroups,
  listSelectedTags,
  markOverlapped,
  type OpenWrite,
  type PurgeClause,
  type PurgeLabels,
  type PurgeMode,
  type PurgeSelection,
  type ResponseGroup,
  type StoredResponse,
  type StoreInspector,
  type StoreStats,
  type WritePurgeMode,
} from '../store.ts';

export interface MemoryStoreOptions {
  /** Memory for all stored responses, bookkeeping included. @default 256 MiB */
  readonly maxBytes?: number;
  /** Largest body that is stored, in bytes. @default 8 MiB */
  readonly maxEntryBytes?: number;
  /** Maximum stored responses of one key, which differ by `Vary`. Beyond that the one with the fewest hits is evicted. @default 64 */
  readonly maxVariants?: number;
  readonly clock: Clock;
  /** See {@link StoreInspector.isShared}. @default false */
  readonly isShared?: boolean;
}

/** A stored response whose strings and body share no memory with anything outside the store. */
interface MemoryResponse extends StoredResponse {
  /** `undefined` without a group. */
  readonly generation: Generation | undefined;
  /** Whether a write may have changed it since it was stored. */
  readonly isSoftPurgedByWrite: true | undefined;
  /** As it was before writes purged it by its group alone, and the number of the last purge before them. */
  readonly unpurged?: { readonly response: MemoryResponse; readonly number: number } | undefined;
}

/** The stored responses of one group and route class, between two purges that select them. */
interface Generation {
  readonly group: GroupCount;
  count: number;
  /** What a purge of the group has made of the responses: soft-purged ones must be revalidated, purged ones must not be served. */
  state: 'current' | 'soft-purged' | 'purged';
}

/** The responses of a group that are not purged. */
interface GroupCount {
  count: number;
  readonly kinds: Map<string, Generation>;
}

/** The stored responses of one key. Mutable, because setting a key again would change its place in the LRU order. */
interface MemoryEntry {
  responses: readonly MemoryResponse[];
  /** Estimated memory, in bytes. */
  readonly bytes: number;
  /** Number of the last purge that the responses were compared with. */
  comparedWith: number;
  /** Whether `get` has returned these responses, and may still be reading their bodies. */
  isReturned: boolean;
  /** Whether one of the responses is used again once enough is learned. */
  readonly isRestorable: boolean;
}

/** A tag, and the number of stored responses that have it. The responses share the string. */
interface CountedTag {
  readonly name: string;
  responses: number;
}

const MIB = 1024 * 1024;
/** Share of `maxBytes` that is reserved for evicted responses that V8 has not collected yet. */
const RESERVED_SHARE = 3 / 16;
/** Largest share of the remaining memory that the responses of one key may take: one quarter. */
const KEY_SHARE = 1 / 4;
/** Maximum header names and values of which the store keeps one shared copy. */
const MAX_INTERNED_STRINGS = 4096;
/** Milliseconds after a purge in which the memory of the purged responses is given back. */
const SWEEP_DELAY = 1_000;
/** The pause after a sweep, in multiples of its duration, so that writes in close succession do not keep the store busy. */
const SWEEP_PAUSE = 50;

const NO_RESPONSES: readonly MemoryResponse[] = [];
/** The store is not shared, so every request for a lease is granted. */
const LOCAL_LEASE: Lease = { release() {} };

/**
 * Stores responses in the memory of this process, and evicts the least recently used keys when it is full.
 *
 * A purge by a write is recorded in a log, and ends the generations of its groups. Responses are compared with both when
 * they are looked up, so a write does not depend on the number of responses. Their memory is given back later, in slices.
 */
export class MemoryStore implements CacheStore {
  readonly inspector: StoreInspector;
  readonly openWrites: Set<OpenWrite> = new Set();
  onPurge: (() => void) | undefined;
  readonly #clock: Clock;
  readonly #maxBytes: number;
  readonly #maxEntryBytes: number;
  readonly #maxKeyBytes: number;
  readonly #maxVariants: number;
  readonly #capacity: number;
  readonly #entries: LRUCache<string, MemoryEntry>;
  /** The keys of the entries. They may be walked while entries change; to list those of the LRU list takes 20 times as long. */
  readonly #keys = new Set<string>();
  readonly #purges = new PurgeJournal();
  /** The purges by writes of unknown outcome. They end no generation, so that later purges select the same responses. */
  readonly #unconfirmed = new PurgeJournal();
  readonly #groups = new Map<string, GroupCount>();
  readonly #tags = new Map<string, CountedTag>();
  readonly #bufferPool = new BufferPool();
  readonly #intern = memoizeByString((text) => text, MAX_INTERNED_STRINGS);
  #responseCount = 0;
  #evictions = 0;
  #ungroupedCount = 0;
  #isSweepScheduled = false;
  #sweepPause = SWEEP_DELAY;

  constructor({
    clock,
    maxBytes = 256 * MIB,
    maxEntryBytes = 8 * MIB,
    maxVariants = 64,
    isShared = false,
  }: MemoryStoreOptions) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
    this.#maxEntryBytes = Math.min(maxEntryBytes, maxBytes);
    this.#maxVariants = maxVariants;
    this.#capacity = Math.floor(maxBytes * (1 - RESERVED_SHARE));
    this.#maxKeyBytes = Math.min(this.#capacity, Math.max(this.#maxEntryBytes, this.#capacity * KEY_SHARE));
    this.#entries = new LRUCache({
      maxSize: this.#capacity,
      dispose: (entry, key, reason) => {
        if (reason === 'evict') this.#evictions += entry.responses.length;
        if (reason !== 'set') this.#keys.delete(key);
        this.#dispose(entry, reason !== 'set');
      },
    });
    this.inspector = {
      isShared,
      listKeys: () => [...this.#keys],
      peek: (key) => this.#peek(key)?.responses ?? NO_RESPONSES,
      select: (selection) => ({
        keys: [...(selection.kind === 'keys' ? new Set(selection.keys) : this.#keys)],
        matches: createSelectionMatcher(selection),
      }),
      countTag: (name) => this.#tags.get(name)?.responses ?? 0,
      countTags: () => this.#tags.values(),
    };
  }

  get(key: string): readonly StoredResponse[] {
    const entry = this.#entries.get(key);
    if (entry === undefined) return NO_RESPONSES;
    const compared = entry.comparedWith === this.#purges.number ? entry : this.#removePurged(key, entry);
    const current = compared?.isRestorable === true ? this.#restoreLearned(key, compared) : compared;
    if (current === undefined) return NO_RESPONSES;
    if (!current.isReturned) current.isReturned = true;
    return current.responses;
  }

  put(key: string, response: StoredResponse): boolean {
    const isPurged =
      this.#purges.isPurgedSince(key, response) || this.#unconfirmed.isPurgedSince(key, response);
    return !isPurged && !this.#hasLater(key, response) && this.putUnchecked(key, response);
  }

  /** Whether the response that this one would replace was requested after it, and not before the clock was set back. */
  #hasLater(key: string, { requestTime, variantKey }: StoredResponse): boolean {
    const stored = this.#peek(key)?.responses.find((each) => each.variantKey === variantKey);
    return (
      stored !== undefined && stored.requestTime > requestTime && stored.requestTime <= this.#clock.now()
    );
  }

  /** Stores a response without comparing it with earlier purges: the shared store has done so. */
  putUnchecked(key: string, response: StoredResponse): boolean {
    const current = this.#peek(key)?.responses ?? NO_RESPONSES;
    const replaced = current.find(({ variantKey }) => variantKey === response.variantKey);
    const others = current.filter((other) => other !== replaced);
    const copy = response.body.byteLength > this.#maxEntryBytes ? null : this.#copy(response, replaced);
    const isStored = copy !== null && estimateKeySize(key) + this.#estimateSize(copy) <= this.#capacity;
    // A response that it would have replaced is outdated.
    if (isStored || replaced !== undefined) this.#set(key, isStored ? [copy, ...others] : others);
    // The next purge with texts compares it with these: on the way of a hit, unless its text is read before.
    if (isStored && this.#purges.hasTexts) this.#clock.after(0, () => void containsAny(copy, []));
    return isStored;
  }

  purge(selection: PurgeSelection, mode: PurgeMode): Awaitable<number> {
    this.onPurge?.();
    if (selection.kind === 'keys') return this.#purgeKeys(selection, mode);
    return mode === 'hard' ? this.#purgeHard(selection) : this.#purgeSoft(selection);
  }

  /** Purges at once, and counts in slices. */
  async #purgeHard(selection: PurgeSelection): Promise<number> {
    // What earlier purges have selected does not count.
    if (this.#purges.sweptNumber !== this.#purges.number) await runInSlices(this.#sweep(), this.#clock);
    let tagged = 0;
    const grouped = this.#record(selection, 'hard', this.#clock.now(), () => {
      tagged += 1;
    });
    await runInSlices(this.#sweep(), this.#clock);
    return grouped + tagged;
  }

  async #purgeSoft(selection: PurgeSelection): Promise<number> {
    const now = this.#clock.now();
    this.#record(selection, 'soft', now);
    const matches = createSelectionMatcher(selection);
    let count = 0;
    const visit = visitInSteps(this.#keys, (key) => {
      const entry = this.#peek(key);
      if (entry !== undefined) count += softPurgeMatching(entry, matches, now);
    });
    await runInSlices(visit, this.#clock);
    return count;
  }

  invalidate(
    selection: PurgeSelection,
    onRemoved: () => void,
    mode: WritePurgeMode = 'hard',
    isLearned?: (routeClass: string) => boolean,
  ): Awaitable<number> {
    const now = this.#clock.now();
    if (mode !== 'unconfirmed') this.onPurge?.();
    if (mode === 'unconfirmed') this.#recordUnconfirmed(selection, now);
    else this.#purges.record(selection, 'hard', now, onRemoved, mode === 'soft', isLearned);
    const count = mode === 'unconfirmed' ? 0 : this.#endSelected(selection, 'soft-purged');
    this.#scheduleSweep();
    return count;
  }

  isPurgedSince(key: string, response: PurgeLabels | null, time: number): boolean {
    if (response === null) return Math.max(this.#purges.latest, this.#unconfirmed.latest) >= time;
    return this.#purges.isPurgedSince(key, { group: response.group, tags: response.tags, requestTime: time });
  }

  /**
   * Applies a purge by another gateway. One that is hard takes a time that does not depend on the number of stored responses.
   *
   * @returns whether it overlaps an open write
   */
  applySharedPurge(selection: PurgeSelection, mode: WritePurgeMode): boolean {
    // Stored responses are compared with later purges by their tags only.
    if (mode === 'unconfirmed') this.invalidate(selection, () => {}, mode);
    else if (mode === 'soft' || selection.kind === 'keys') void this.purge(selection, mode);
    else {
      this.onPurge?.();
      this.#record(selection, 'hard', this.#clock.now());
      this.#scheduleSweep();
    }
    return markOverlapped(this.openWrites, selection);
  }

  acquireLease(): Lease {
    return LOCAL_LEASE;
  }

  attachCompressed(
    key: string,
    response: StoredResponse,
    coding: string,
    compressed: CompressedResponse,
  ): boolean {
    const entry = this.#peek(key);
    // The body identifies the stored response.
    const stored = entry?.responses.find(({ body }) => body === response.body);
    if (entry === undefined || stored === undefined) return false;
    const replaced = stored.compressed?.get(coding);
    const replacedBytes = replaced === undefined ? 0 : estimateCompressedSize(replaced);
    if (entry.bytes + estimateCompressedSize(compressed) - replacedBytes > this.#maxKeyBytes) return false;
    const copy = { ...compressed, body: compactBytes(compressed.body) };
    const codings = new Map<string, CompressedResponse>(stored.compressed).set(coding, copy);
    const updated = entry.responses.map((other) =>
      other === stored ? { ...stored, compressed: codings } : other,
    );
    this.#set(key, updated);
    return true;
  }

  countGroup(name: string | null): number {
    return name === null ? this.#ungroupedCount : (this.#groups.get(name)?.count ?? 0);
  }

  stats(): StoreStats {
    return {
      responseCount: this.#responseCount,
      bytes: this.#entries.calculatedSize,
      maxBytes: this.#maxBytes,
      evictions: this.#evictions,
    };
  }

  async close(): Promise<void> {
    this.#entries.clear();
  }

  /** Looks up the responses of a key that are not purged, and does not count that as a use. */
  #peek(key: string): MemoryEntry | undefined {
    const entry = this.#entries.peek(key);
    if (entry === undefined || entry.comparedWith === this.#purges.number) return entry;
    return this.#removePurged(key, entry);
  }

  /** Compares the responses of a key with the purges since the last comparison, and removes those that are purged. */
  #removePurged(key: string, entry: MemoryEntry): MemoryEntry | undefined {
    const { comparedWith, responses } = entry;
    entry.comparedWith = this.#purges.number;
    const now = this.#clock.now();
    let isChanged = false;
    const remaining: MemoryResponse[] = [];
    for (const response of responses) {
      const { generation } = response;
      const purge =
        generation?.state === 'purged' ? undefined : this.#purges.findPurgeAfter(comparedWith, response);
      // A soft-purged response has been counted by its group.
      if (generation?.state !== 'soft-purged') purge?.onRemoved?.();
      const isRemoved = generation?.state === 'purged' || purge?.isSoft === false;
      const isSoftPurgedByWrite = !isRemoved && (purge !== undefined || generation?.state === 'soft-purged');
      const isNew = isSoftPurgedByWrite && response.isSoftPurgedByWrite === undefined;
      const isUnconfirmed =
        !isSoftPurgedByWrite && !isRemoved && this.#unconfirmed.selectsAfter(comparedWith, response);
      // What a tag selects stays purged.
      const isNamed = purge !== undefined || isUnconfirmed;
      const unpurged = isNamed ? undefined : (response.unpurged ?? { response, number: comparedWith });
      if (isNew) {
        const state = { generation, isSoftPurgedByWrite: true, unpurged } as const;
        // Without a window it is never served before the origin has confirmed it, not even while the origin fails.
        remaining.push({ ...applySoftPurge(response, now), ...NO_WINDOWS, ...state });
      } else if (isUnconfirmed) remaining.push(requireConfirmation(response));
      else if (!isRemoved) remaining.push(isNamed ? { ...response, unpurged } : response);
      isChanged ||= isRemoved || isNew || isNamed;
    }
    if (!isChanged) return entry;
    this.#set(key, remaining);
    return this.#entries.peek(key);
  }

  /** Uses responses again that writes have purged by their group alone, once it is learned that these writes leave them unchanged. */
  #restoreLearned(key: string, entry: MemoryEntry): MemoryEntry | undefined {
    let isChanged = false;
    const responses = entry.responses.map((each): MemoryResponse => {
      const { group, unpurged } = each;
      if (group === null || unpurged === undefined) return each;
      const { number, response } = unpurged;
      if (!this.#purges.isLearnedSince(number, group) || this.#unconfirmed.selectsAfter(number, each))
        return each;
      isChanged = true;
      return { ...response, generation: this.#findGeneration(group) };
    });
    if (!isChanged) return entry;
    this.#set(key, responses);
    return this.#entries.peek(key);
  }

  /** Records a purge by a write of unknown outcome. The texts of clauses do not matter. */
  #recordUnconfirmed(selection: PurgeSelection, now: number): void {
    const purged =
      selection.kind === 'tags'
        ? { ...selection, tags: listSelectedTags(selection), clauses: [] }
        : selection;
    // Both journals number their purges in one sequence.
    this.#unconfirmed.number = this.#purges.number;
    this.#unconfirmed.record(purged, 'hard', now);
    this.#purges.number = this.#unconfirmed.number;
  }

  /** Records a purge. @returns the number of responses that a hard purge selects by their group, or all */
  #record(selection: PurgeSelection, mode: PurgeMode, now: number, onRemoved?: () => void): number {
    this.#purges.record(selection, mode, now, onRemoved);
    return mode === 'soft' ? 0 : this.#endSelected(selection, 'purged');
  }

  /** Ends the generations that a purge selects by their group. @returns the number of their responses */
  #endSelected(selection: PurgeSelection, state: 'soft-purged' | 'purged'): number {
    let count = 0;
    const groups: readonly GroupPurge[] =
      selection.kind === 'all'
        ? Array.from(this.#groups.keys(), (name) => ({ name, exceptKinds: [] }))
        : listGroups(selection);
    for (const { exceptKinds, name } of groups) {
      count += this.#endGenerations(name, new Set(exceptKinds), state);
    }
    return count;
  }

  #endGenerations(name: string, exceptKinds: ReadonlySet<string>, state: 'soft-purged' | 'purged'): number {
    const group = this.#groups.get(name);
    if (group === undefined) return 0;
    let count = 0;
    for (const [kind, generation] of group.kinds) {
      if (exceptKinds.has(kind)) continue;
      generation.state = state;
      count += generation.count;
      group.kinds.delete(kind);
    }
    group.count -= count;
    if (group.kinds.size === 0) this.#groups.delete(name);
    return count;
  }

  #purgeKeys(selection: Extract<PurgeSelection, { kind: 'keys' }>, mode: PurgeMode): number {
    const now = this.#clock.now();
    this.#purges.record(selection, mode, now);
    let count = 0;
    for (const key of new Set(selection.keys)) {
      const entry = this.#peek(key);
      if (entry === undefined) continue;
      if (mode === 'soft') count += softPurgeMatching(entry, () => true, now);
      else {
        count += entry.responses.length;
        this.#entries.delete(key);
      }
    }
    return count;
  }

  /** Removes the purged responses of one key in each step. */
  *#sweep(): Steps<void> {
    const { number } = this.#purges;
    for (const key of this.#keys) {
      this.#peek(key);
      yield;
    }
    this.#purges.sweptNumber = Math.max(this.#purges.sweptNumber, number);
  }

  #scheduleSweep(): void {
    if (this.#isSweepScheduled || this.#responseCount === 0) return;
    this.#isSweepScheduled = true;
    this.#clock.after(this.#sweepPause, async () => {
      const start = this.#clock.now();
      const swept = this.#purges.number;
      await runInSlices(this.#sweep(), this.#clock);
      this.#sweepPause = Math.max(SWEEP_DELAY, SWEEP_PAUSE * (this.#clock.now() - start));
      this.#isSweepScheduled = false;
      if (swept !== this.#purges.number) this.#scheduleSweep();
    });
  }

  /**
   * Replaces the responses of a key. Stores the first, and as many of the following as the limits allow. The one with the fewest hits
   * makes room and leaves its count to the first (Space-Saving, Metwally 2005): a client with invented variants evicts none in use.
   */
  #set(key: string, responses: readonly MemoryResponse[]): void {
    const kept = [...responses];
    let bytes = estimateKeySize(key);
    for (const response of responses) bytes += this.#estimateSize(response);
    const [first] = responses;
    while (first !== undefined && (kept.length > this.#maxVariants || bytes > this.#maxKeyBytes)) {
      const others = kept.slice(1);
      if (others.length === 0) break;
      const evicted = others.reduce((least, each) => ((each.uses ?? 0) <= (least.uses ?? 0) ? each : least));
      kept.splice(kept.indexOf(evicted), 1);
      bytes -= this.#estimateSize(evicted);
      first.uses = Math.max(first.uses ?? 0, evicted.uses ?? 0);
    }
    if (kept.length === 0) {
      this.#entries.delete(key);
      return;
    }
    // Before `set`, which disposes of the previous entry: tags and generations that both have stay.
    for (const response of kept) this.#add(response);
    this.#keys.add(key);
    const isReturned = this.#entries.peek(key)?.isReturned ?? false;
    const comparedWith = this.#purges.number;
    const isRestorable = kept.some(({ unpurged }) => unpurged !== undefined);
    this.#entries.set(
      key,
      { responses: kept, bytes, comparedWith, isReturned, isRestorable },
      { size: bytes },
    );
  }

  /** Estimates a response, with the tags that no other response has. */
  #estimateSize(response: StoredResponse): number {
    let size = estimateResponseSize(response);
    for (const tag of response.tags) {
      if ((this.#tags.get(tag)?.responses ?? 0) <= 1) size += 2 * (OWN_TAG + stringSize(tag));
    }
    return size;
  }

  #copy(response: StoredResponse, replaced: MemoryResponse | undefined): MemoryResponse {
    const isSameBody = replaced !== undefined && isEqualBody(replaced.body, response.body);
    const body = isSameBody ? replaced.body : this.#bufferPool.copy(response.body);
    // All responses share one copy of a tag.
    const tags = response.tags.map((tag) => this.#tags.get(tag)?.name ?? detachString(tag));
    const labels = { tags, group: response.group };
    const copy = createStoredResponse(response, response.headers.map(this.#intern), body, labels);
    copy.uses = replaced?.uses;
    const generation = response.group === null ? undefined : this.#findGeneration(response.group);
    // With the same body, as after a 304, the compressed bodies are still right.
    return isSameBody && replaced.compressed !== undefined
      ? { ...copy, generation, isSoftPurgedByWrite: undefined, compressed: replaced.compressed }
      : { ...copy, generation, isSoftPurgedByWrite: undefined };
  }

  #findGeneration({ name, routeClass }: ResponseGroup): Generation {
    const group = getOrCreate(this.#groups, name, (): GroupCount => ({ count: 0, kinds: new Map() }));
    return getOrCreate(group.kinds, routeClass, (): Generation => ({ group, count: 0, state: 'current' }));
  }

  #add({ generation, tags }: MemoryResponse): void {
    this.#responseCount += 1;
    for (const tag of tags) {
      const counted = this.#tags.get(tag);
      if (counted === undefined) this.#tags.set(tag, { name: tag, responses: 1 });
      else counted.responses += 1;
    }
    if (generation === undefined) this.#ungroupedCount += 1;
    else if (generation.state === 'current') {
      generation.count += 1;
      generation.group.count += 1;
    }
  }

  #dispose({ responses, isReturned }: MemoryEntry, releasesBodies: boolean): void {
    this.#responseCount -= responses.length;
    for (const { body, generation, group, tags } of responses) {
      for (const tag of tags) {
        const counted = this.#tags.get(tag);
        if (counted !== undefined && --counted.responses === 0) this.#tags.delete(tag);
      }
      if (generation === undefined) this.#ungroupedCount -= 1;
      else if (generation.state === 'current') {
        generation.count -= 1;
        generation.group.count -= 1;
        if (generation.count === 0 && group !== null) {
          generation.group.kinds.delete(group.routeClass);
          if (generation.group.kinds.size === 0) this.#groups.delete(group.name);
        }
      }
      // After a replacement, other variants of the key still use their buffers.
      if (releasesBodies && !isReturned) this.#bufferPool.release(body);
    }
  }
}

/** Makes the matching responses of a key stale that were requested by `now`. @returns their number */
function softPurgeMatching(
  entry: MemoryEntry,
  matches: (response: StoredResponse) => boolean,
  now: number,
): number {
  let count = 0;
  const purged = entry.responses.map((each) => {
    if (each.requestTime > now || !matches(each)) return each;
    count += 1;
    return { ...each, ...applySoftPurge(each, now), unpurged: undefined };
  });
  if (count > 0) entry.responses = purged;
  return count;
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
    getOrCreate(this.#free, size, (): ArrayBuffer[] => []).push(buffer);
    this.#freeBytes += size;
  }
}

/** Copies bytes that are a view of a larger buffer (Node's pool, a network packet), which they would keep in memory. */
function compactBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

export function isEqualBody(one: Uint8Array, other: Uint8Array): boolean {
  if (one === other) return true;
  if (one.byteLength !== other.byteLength) return false;
  for (let at = 0; at < one.byteLength; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

function bufferSizeFor(length: number): number {
  if (length <= MIN_BUFFER_SIZE) return MIN_BUFFER_SIZE;
  const step = 2 ** Math.floor(Math.log2(length - 1)) / SIZES_PER_POWER_OF_TWO;
  return Math.ceil(length / step) * step;
}

/** Time for which a purge is recorded by name, in milliseconds. Longer than the gateway waits for a site. */
const MAX_AGE = 10 * 60_000;
/** Maximum tags, and maximum keys, that are recorded by name, and their characters: clients choose the addresses of writes. */
const MAX_PURGE_KEYS = 20_000;
const MAX_NAMES_LENGTH = 16 * MIB;
/** Maximum conditional purges that are recorded by one tag, and with which a response is compared. */
const MAX_CONDITIONS = 32;
/** Maximum characters of the texts of all conditional purges. */
const MAX_TEXT_LENGTH = 4 * MIB;
/** Maximum purges of groups that may be found to leave a route class unchanged. */
const MAX_GROUP_PURGES = 200;
/** Maximum groups in the journal. A site has five. */
const MAX_GROUPS = 10_000;
const NEVER = Number.NEGATIVE_INFINITY;

interface PurgeEffect {
  /** Number of the hard purge; 0 if there was none. */
  readonly number: number;
  /** Called for each stored response that is found to be purged by one of its tags. */
  readonly onRemoved: (() => void) | undefined;
  /** Whether it purges responses softly and does not remove them. */
  readonly isSoft: boolean;
}

/** A hard purge of stored responses with a tag whose text contains one of the texts. */
interface ConditionalPurge extends PurgeEffect, Omit<PurgeClause, 'tags'> {}

/** The last hard purge under one of its names in the journal. */
interface LoggedPurge extends PurgeEffect {
  /** When the name was purged last, with or without a condition. */
  readonly time: number;
  /** The purges after it that have a condition. */
  readonly conditions: readonly ConditionalPurge[];
}

const NO_PURGE: LoggedPurge = {
  time: NEVER,
  number: 0,
  onRemoved: undefined,
  isSoft: false,
  conditions: [],
};

/** Makes the last conditional purge of a tag one without a condition, which selects all that those before it may have selected. */
function withoutConditions(purge: LoggedPurge): LoggedPurge {
  const last = purge.conditions.at(-1);
  if (last === undefined) return purge;
  const { isSoft, number, onRemoved } = last;
  return { time: purge.time, number, onRemoved, isSoft, conditions: [] };
}

type GroupPurgeTime = Pick<LoggedPurge, 'time' | 'number'>;

/** A purge of a group, and what tells whether it was needed. */
interface RecentGroupPurge extends GroupPurge {
  readonly number: number;
  readonly isLearned: ((routeClass: string) => boolean) | undefined;
}

interface LoggedGroup extends GroupPurgeTime {
  /** For each kind that the last purge excepted, the last purge that did not. */
  readonly exceptedKinds: ReadonlyMap<string, GroupPurgeTime>;
}

/**
 * The past purges, with which responses are compared before they are stored and when they are looked up. A response that
 * was requested before a purge of one of its tags may be older than the write that caused the purge, so it must not be
 * stored; a response that was stored before a purge must not be served. The log is bounded: a purge that it no longer
 * records by name is treated as a purge of everything.
 */
class PurgeJournal {
  /** Last purge by tag and by key, in chronological order: a repeated purge moves to the end. */
  readonly #tags = new Map<string, LoggedPurge>();
  readonly #keys = new Map<string, LoggedPurge>();
  readonly #nameLengths = { tags: 0, keys: 0 };
  /** Only the exceptions of a group's last purge are recorded. */
  readonly #groups = new Map<string, LoggedGroup>();
  #recentGroups: RecentGroupPurge[] = [];
  /** Number of the last purge before the first in {@link #recentGroups}. */
  #forgottenNumber = 0;
  /** All responses that were requested by its time, or stored before its number, are treated as purged. */
  #floor: LoggedPurge = NO_PURGE;
  /** Time of the last purge. */
  latest = NEVER;
  /** Number of the last hard purge. Responses that were compared with it need no further comparison. */
  number = 0;
  /** Number of the last purge with which all stored responses were compared. */
  sweptNumber = 0;
  /** Whether a purge had texts. */
  hasTexts = false;
  /** Characters of the texts that were recorded since all conditions were dropped. */
  #textLength = 0;

  /** @param isSoft whether it is soft for the responses with one of the tags, also for those that an earlier purge removes */
  record(
    selection: PurgeSelection,
    mode: PurgeMode,
    now: number,
    onRemoved?: () => void,
    isSoft = false,
    isLearned?: (routeClass: string) => boolean,
  ): void {
    // If the clock was set back, the purge gets the time of the purge before it.
    const time = Math.max(now, this.latest);
    this.latest = time;
    if (mode === 'hard') this.number += 1;
    const effect = { number: this.number, onRemoved, isSoft };
    const purge = { ...effect, time, conditions: [] };
    // Responses are still compared with the hard purge before a soft one.
    const toPurge = (previous: LoggedPurge = NO_PURGE): LoggedPurge =>
      mode === 'hard' ? purge : { ...previous, time };
    if (selection.kind === 'all') {
      if (mode === 'hard') this.#clear(purge);
      else this.#floor = toPurge(this.#floor);
      return;
    }
    for (const group of listGroups(selection)) {
      this.#recordGroup(group, { time, number: this.number });
      this.#recentGroups.push({ ...group, number: this.number, isLearned });
    }
    const forgotten = this.#recentGroups.splice(0, this.#recentGroups.length - MAX_GROUP_PURGES);
    this.#forgottenNumber = forgotten.at(-1)?.number ?? this.#forgottenNumber;
    if (this.#groups.size > MAX_GROUPS) this.#clear(purge);
    if (selection.kind === 'tags') this.#recordNames('tags', selection.tags, time, toPurge);
    else this.#recordNames('keys', selection.keys, time, toPurge);
    if (selection.kind !== 'tags') return;
    for (const { tags, ...clause } of selection.clauses ?? []) {
      // Stored responses are compared with a soft purge at once.
      if (mode === 'soft') this.#recordNames('tags', tags, time, toPurge);
      else this.#recordCondition(tags, { ...effect, ...clause }, time);
    }
  }

  /**
   * Whether a response has been purged since it was requested, or in the same millisecond, in which the purge may have
   * come after the request.
   */
  isPurgedSince(
    key: string,
    { group, requestTime, tags }: Pick<StoredResponse, 'group' | 'requestTime' | 'tags'>,
  ): boolean {
    if (requestTime <= this.#floor.time) return true;
    // In the common case there is no purge since the request.
    if (requestTime > this.latest) return false;
    const isLater = (purge: LoggedPurge | undefined) => purge !== undefined && purge.time >= requestTime;
    if (group !== null && this.#getLastPurge(group).time >= requestTime) return true;
    return isLater(this.#keys.get(key)) || tags.some((tag) => isLater(this.#tags.get(tag)));
  }

  /**
   * Finds a hard purge of a stored response by one of its tags.
   *
   * @param number that of the last purge before the response was stored, or with which it was compared
   */
  findPurgeAfter(number: number, response: StoredResponse): PurgeEffect | undefined {
    if (number < this.#floor.number) return this.#floor;
    const conditions = new Set<ConditionalPurge>();
    for (const tag of response.tags) {
      const purge = this.#tags.get(tag);
      if (purge === undefined) continue;
      if (purge.number > number) return purge;
      for (const condition of purge.conditions) if (condition.number > number) conditions.add(condition);
    }
    if (conditions.size === 0) return undefined;
    const all = [...conditions];
    if (all.length > MAX_CONDITIONS) return all.at(-1);
    return all.find((condition) => isSelectedByText(response, condition));
  }

  /** Whether it is learned that no purge of a group after the one with a number was needed for a route class. */
  isLearnedSince(number: number, { name, routeClass }: ResponseGroup): boolean {
    if (number < Math.max(this.#forgottenNumber, this.#floor.number)) return false;
    return this.#recentGroups.every(
      (purge) =>
        purge.number <= number ||
        purge.name !== name ||
        purge.exceptKinds.includes(routeClass) ||
        purge.isLearned?.(routeClass) === true,
    );
  }

  /** Whether a hard purge after the one with a number selects a stored response, by its group or by one of its tags. */
  selectsAfter(number: number, response: StoredResponse): boolean {
    const { group } = response;
    if (this.number <= number) return false;
    if (group !== null && this.#getLastPurge(group).number > number) return true;
    return this.findPurgeAfter(number, response) !== undefined;
  }

  #recordNames(
    kind: 'tags' | 'keys',
    names: readonly string[],
    time: number,
    toPurge: (previous?: LoggedPurge) => LoggedPurge,
  ): void {
    const purges = kind === 'tags' ? this.#tags : this.#keys;
    const lengths = this.#nameLengths;
    for (const name of names) {
      const purge = toPurge(purges.get(name));
      if (!purges.delete(name)) lengths[kind] += name.length;
      purges.set(name, purge);
    }
    for (const [name, purge] of purges) {
      const fits = purges.size <= MAX_PURGE_KEYS && lengths[kind] <= MAX_NAMES_LENGTH;
      if (fits && purge.time > time - MAX_AGE) break;
      purges.delete(name);
      lengths[kind] -= name.length;
      const oldest = withoutConditions(purge);
      const floor = this.#floor;
      if (oldest.number > floor.number) this.#floor = { ...oldest, time: Math.max(oldest.time, floor.time) };
      else if (oldest.time > floor.time) this.#floor = { ...floor, time: oldest.time };
    }
  }

  #recordCondition(tags: readonly string[], condition: ConditionalPurge, time: number): void {
    // Each hit that the purge may select is compared with the texts.
    const hashed = { ...condition, texts: hashTexts(condition.texts) };
    this.#recordNames('tags', tags, time, (previous = NO_PURGE) => {
      const open = previous.conditions.filter(({ number }) => number > this.sweptNumber);
      const purge = { ...previous, time, conditions: [...open, hashed] };
      return open.length < MAX_CONDITIONS ? purge : withoutConditions(purge);
    });
    this.hasTexts = true;
    this.#textLength += [...condition.texts, ...(condition.searched?.texts ?? [])].reduce(
      (sum, { length }) => sum + length,
      0,
    );
    if (this.#textLength <= MAX_TEXT_LENGTH) return;
    for (const [tag, purge] of this.#tags) this.#tags.set(tag, withoutConditions(purge));
    this.#textLength = 0;
  }

  #recordGroup({ exceptKinds, name }: GroupPurge, purge: GroupPurgeTime): void {
    const exceptedKinds = new Map(
      exceptKinds.map((kind) => [kind, this.#getLastPurge({ name, routeClass: kind })]),
    );
    this.#groups.set(name, { ...purge, exceptedKinds });
  }

  #getLastPurge({ name, routeClass }: ResponseGroup): GroupPurgeTime {
    const group = this.#groups.get(name);
    return group?.exceptedKinds.get(routeClass) ?? group ?? NO_PURGE;
  }

  #clear(purge: LoggedPurge): void {
    this.#tags.clear();
    this.#keys.clear();
    this.#groups.clear();
    Object.assign(this.#nameLengths, { tags: 0, keys: 0 });
    this.#textLength = 0;
    this.#floor = purge;
  }
}

/**
 * Estimates of the memory that stored responses take, in bytes, for V8's object layout on 64 bits without pointer
 * compression. They are within 15 % of the memory of the process for bodies of 10 KB.
 */

/**
 * Adds the garbage that V8 lets grow beside objects on the heap. It collects more often the more the memory outside of the
 * heap grows, which are the bodies: so the objects of small responses leave more garbage.
 */
function withGarbage(objects: number, bodyBytes = 0): number {
  return Math.ceil(objects * (1.5 + (2 * objects) / (objects + bodyBytes)));
}

const POINTER = 8;
/** Map, length and hash of a string. The characters are padded to words. */
const STRING = 24;
const ARRAY = 32;
/** The fields of a stored response, with its boxed numbers, its typed array and its buffer. */
const RESPONSE = 800;
/** A tag that no other response has: its entry in the table of tags. */
const OWN_TAG = 96;
/** The LRU list's, the map's and the set's entries of a key, and the object that holds its responses. */
const KEY = 376;
/** A compressed body: its entry in the response's map. */
const COMPRESSED = 560;
/** Shorter header names and values are mostly those of other responses too, which share one string. */
const MIN_OWN_LENGTH = 48;

function estimateKeySize(key: string): number {
  return 2 * (KEY + stringSize(key));
}

/** Estimates a response with its compressed bodies, without tags that no other response has. */
export function estimateResponseSize(response: StoredResponse): number {
  const { body, compressed, headers, tags, variantKey, vary } = response;
  const pointers = headers.length + tags.length + vary.length;
  let objects = RESPONSE + 3 * ARRAY + pointers * POINTER + stringSize(variantKey);
  for (const text of headers) if (text.length >= MIN_OWN_LENGTH) objects += stringSize(text);
  const { byteLength } = body.buffer;
  let size = withGarbage(objects, byteLength) + Math.ceil(byteLength * (1 + FINGERPRINT_SHARE));
  for (const coded of compressed?.values() ?? []) size += estimateCompressedSize(coded);
  return size;
}

/** Estimates a compressed body with its header list. The list shares nearly all strings with that of the response. */
function estimateCompressedSize({ headers, body }: CompressedResponse): number {
  return withGarbage(COMPRESSED + ARRAY + headers.length * POINTER, body.byteLength) + body.byteLength;
}

/** Header fields and tags are byte strings, which V8 stores with one byte for each character. */
function stringSize(text: string): number {
  return STRING + Math.ceil(text.length / POINTER) * POINTER;
}
