import { LRUCache } from 'lru-cache';
import { detachString, getOrCreate, memoizeByString } from '../../memoize.ts';
import type { Clock } from '../../ports.ts';
import { runInSlices, type Steps, visitInSteps } from '../../steps.ts';
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
  type Lease,
  type PurgeMode,
  type PurgeSelection,
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

/** The stored responses of one key. Mutable, because setting a key again would change its place in the LRU order. */
interface MemoryEntry {
  responses: readonly StoredResponse[];
  /** Estimated memory, in bytes. */
  readonly bytes: number;
  /** Number of the last purge that the responses were compared with. */
  comparedWith: number;
  /** Whether `get` has returned these responses, and may still be reading their bodies. */
  isReturned: boolean;
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

const NO_RESPONSES: readonly StoredResponse[] = [];
/** The store is not shared, so every request for a lease is granted. */
const LOCAL_LEASE: Lease = { release() {} };

/**
 * Stores responses in the memory of this process, and evicts the least recently used keys when it is full.
 *
 * A purge by a write is one entry of a log, with which responses are compared when they are looked up, so a write does not depend on
 * the number of responses. Their memory is given back later, in slices.
 */
export class MemoryStore implements CacheStore {
  readonly inspector: StoreInspector;
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
  /** The purges by writes of unknown outcome. */
  readonly #unconfirmed = new PurgeJournal();
  readonly #tags = new Map<string, CountedTag>();
  readonly #bufferPool = new BufferPool();
  readonly #intern = memoizeByString((text) => text, MAX_INTERNED_STRINGS);
  #responseCount = 0;
  #evictions = 0;
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
    const current = entry.comparedWith === this.#purges.number ? entry : this.#removePurged(key, entry);
    if (current === undefined) return NO_RESPONSES;
    if (!current.isReturned) current.isReturned = true;
    return current.responses;
  }

  put(key: string, response: StoredResponse): boolean {
    const { requestTime, tags } = response;
    const isPurged =
      this.#purges.isPurgedSince(key, tags, requestTime) ||
      this.#unconfirmed.isPurgedSince(key, tags, requestTime);
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
    let count = 0;
    this.#purges.record(selection, 'hard', this.#clock.now(), () => {
      count += 1;
    });
    await runInSlices(this.#sweep(), this.#clock);
    return count;
  }

  async #purgeSoft(selection: PurgeSelection): Promise<number> {
    const now = this.#clock.now();
    this.#purges.record(selection, 'soft', now);
    const matches = createSelectionMatcher(selection);
    let count = 0;
    const visit = visitInSteps(this.#keys, (key) => {
      const entry = this.#peek(key);
      if (entry !== undefined) count += softPurgeMatching(entry, matches, now);
    });
    await runInSlices(visit, this.#clock);
    return count;
  }

  invalidate(selection: PurgeSelection, mode: WritePurgeMode = 'hard'): void {
    const now = this.#clock.now();
    if (mode !== 'unconfirmed') this.onPurge?.();
    if (mode === 'unconfirmed') this.#recordUnconfirmed(selection, now);
    else this.#purges.record(selection, 'hard', now, undefined, mode === 'soft');
    this.#scheduleSweep();
  }

  isPurgedSince(key: string, tags: readonly string[] | null, time: number): boolean {
    if (tags === null) return Math.max(this.#purges.latest, this.#unconfirmed.latest) >= time;
    return this.#purges.isPurgedSince(key, tags, time);
  }

  /** Applies a purge by another gateway. One that is hard takes a time that does not depend on the number of stored responses. */
  applySharedPurge(selection: PurgeSelection, mode: WritePurgeMode): void {
    // Stored responses are compared with later purges by their tags only.
    if (mode === 'unconfirmed') this.invalidate(selection, mode);
    else if (mode === 'soft' || selection.kind === 'keys') void this.purge(selection, mode);
    else {
      this.onPurge?.();
      this.#purges.record(selection, 'hard', this.#clock.now());
      this.#scheduleSweep();
    }
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
    const remaining: StoredResponse[] = [];
    for (const response of responses) {
      const purge = this.#purges.findPurgeAfter(comparedWith, response);
      const isUnconfirmed =
        purge === undefined && this.#unconfirmed.findPurgeAfter(comparedWith, response) !== undefined;
      isChanged ||= purge !== undefined || isUnconfirmed;
      if (purge === undefined) remaining.push(isUnconfirmed ? requireConfirmation(response) : response);
      // Without a window it is never served before the origin has confirmed it, not even while the origin fails.
      else if (purge.isSoft) remaining.push({ ...applySoftPurge(response, now), ...NO_WINDOWS });
      else purge.onRemoved?.();
    }
    if (!isChanged) return entry;
    this.#set(key, remaining);
    return this.#entries.peek(key);
  }

  #recordUnconfirmed(selection: PurgeSelection, now: number): void {
    // Both journals number their purges in one sequence.
    this.#unconfirmed.number = this.#purges.number;
    this.#unconfirmed.record(selection, 'hard', now);
    this.#purges.number = this.#unconfirmed.number;
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
  #set(key: string, responses: readonly StoredResponse[]): void {
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
    // Before `set`, which disposes of the previous entry: tags that both have stay.
    for (const response of kept) this.#add(response);
    this.#keys.add(key);
    const isReturned = this.#entries.peek(key)?.isReturned ?? false;
    const comparedWith = this.#purges.number;
    this.#entries.set(key, { responses: kept, bytes, comparedWith, isReturned }, { size: bytes });
  }

  /** Estimates a response, with the tags that no other response has. */
  #estimateSize(response: StoredResponse): number {
    let size = estimateResponseSize(response);
    for (const tag of response.tags) {
      if ((this.#tags.get(tag)?.responses ?? 0) <= 1) size += 2 * (OWN_TAG + stringSize(tag));
    }
    return size;
  }

  /** Copies a response, so that it shares no memory with anything outside the store. */
  #copy(response: StoredResponse, replaced: StoredResponse | undefined): StoredResponse {
    const isSameBody = replaced !== undefined && isEqualBody(replaced.body, response.body);
    const body = isSameBody ? replaced.body : this.#bufferPool.copy(response.body);
    // All responses share one copy of a tag.
    const tags = response.tags.map((tag) => this.#tags.get(tag)?.name ?? detachString(tag));
    const copy = createStoredResponse(response, response.headers.map(this.#intern), body, tags);
    copy.uses = replaced?.uses;
    // With the same body, as after a 304, the compressed bodies are still right.
    const compressed = isSameBody ? replaced.compressed : undefined;
    return compressed === undefined ? copy : { ...copy, compressed };
  }

  #add({ tags }: StoredResponse): void {
    this.#responseCount += 1;
    for (const tag of tags) {
      const counted = this.#tags.get(tag);
      if (counted === undefined) this.#tags.set(tag, { name: tag, responses: 1 });
      else counted.responses += 1;
    }
  }

  #dispose({ responses, isReturned }: MemoryEntry, releasesBodies: boolean): void {
    this.#responseCount -= responses.length;
    for (const { body, tags } of responses) {
      for (const tag of tags) {
        const counted = this.#tags.get(tag);
        if (counted !== undefined && --counted.responses === 0) this.#tags.delete(tag);
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
    return { ...each, ...applySoftPurge(each, now) };
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
const NEVER = Number.NEGATIVE_INFINITY;

/** The last purge under one of its names in the journal. */
interface LoggedPurge {
  readonly time: number;
  /** Number of the last hard purge; 0 if there was none. */
  readonly number: number;
  /** Called for each stored response that is found to be removed. */
  readonly onRemoved?: (() => void) | undefined;
  /** Whether it purges responses softly and does not remove them. */
  readonly isSoft: boolean;
}

const NO_PURGE: LoggedPurge = { time: NEVER, number: 0, isSoft: false };

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
  /** All responses that were requested by its time, or stored before its number, are treated as purged. */
  #floor: LoggedPurge = NO_PURGE;
  /** Time of the last purge. */
  latest = NEVER;
  /** Number of the last hard purge. Responses that were compared with it need no further comparison. */
  number = 0;
  /** Number of the last purge with which all stored responses were compared. */
  sweptNumber = 0;
  /** @param isSoft whether it is soft for the responses with one of the tags, also for those that an earlier purge removes */
  record(
    selection: PurgeSelection,
    mode: PurgeMode,
    now: number,
    onRemoved?: () => void,
    isSoft = false,
  ): void {
    // If the clock was set back, the purge gets the time of the purge before it.
    const time = Math.max(now, this.latest);
    this.latest = time;
    if (mode === 'hard') this.number += 1;
    const purge = { time, number: this.number, onRemoved, isSoft };
    // Responses are still compared with the hard purge before a soft one.
    const toPurge = (previous: LoggedPurge = NO_PURGE): LoggedPurge =>
      mode === 'hard' ? purge : { ...previous, time };
    if (selection.kind === 'all') {
      if (mode === 'hard') this.#clear(purge);
      else this.#floor = toPurge(this.#floor);
      return;
    }
    if (selection.kind === 'tags') this.#recordNames('tags', selection.tags, time, toPurge);
    else this.#recordNames('keys', selection.keys, time, toPurge);
  }

  /**
   * Whether a response has been purged since it was requested, or in the same millisecond, in which the purge may have
   * come after the request.
   */
  isPurgedSince(key: string, tags: readonly string[], requestTime: number): boolean {
    if (requestTime <= this.#floor.time) return true;
    // In the common case there is no purge since the request.
    if (requestTime > this.latest) return false;
    const isLater = (purge: LoggedPurge | undefined) => purge !== undefined && purge.time >= requestTime;
    return isLater(this.#keys.get(key)) || tags.some((tag) => isLater(this.#tags.get(tag)));
  }

  /**
   * Finds a hard purge of a stored response by one of its tags.
   *
   * @param number that of the last purge before the response was stored, or with which it was compared
   */
  findPurgeAfter(number: number, { tags }: StoredResponse): LoggedPurge | undefined {
    if (number < this.#floor.number) return this.#floor;
    if (number >= this.number) return undefined;
    const purges = tags.flatMap((tag) => this.#tags.get(tag) ?? []).filter((each) => each.number > number);
    return purges.find(({ isSoft }) => !isSoft) ?? purges[0];
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
      const floor = this.#floor;
      if (purge.number > floor.number) this.#floor = { ...purge, time: Math.max(purge.time, floor.time) };
      else if (purge.time > floor.time) this.#floor = { ...floor, time: purge.time };
    }
  }

  #clear(purge: LoggedPurge): void {
    this.#tags.clear();
    this.#keys.clear();
    Object.assign(this.#nameLengths, { tags: 0, keys: 0 });
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
  let size = withGarbage(objects, byteLength) + byteLength;
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
