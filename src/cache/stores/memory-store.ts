import { LRUCache } from 'lru-cache';
import { memoizeByString } from '../../memoize.ts';
import type { Clock } from '../../ports.ts';
import { applyPurge } from '../policy/freshness.ts';
import { createStoredResponse } from '../policy/storability.ts';
import {
  type CacheStore,
  type CompressedResponse,
  type Lookup,
  PURGE_MODES,
  type PurgeMode,
  type PurgeSelection,
  type PutResult,
  type StoredResponse,
  type StoreMark,
  type StoreReport,
} from '../store.ts';

export interface MemoryStoreOptions {
  /** Memory for all stored responses, bookkeeping included. @default 256 MiB */
  readonly maxBytes?: number;
  readonly maxEntryBytes?: number;
  readonly clock: Clock;
}

/** Mutable: setting a key again would change its place in the LRU order. */
interface MemoryEntry {
  responses: readonly StoredResponse[];
  readonly bytes: number;
  mark: number;
}

const MIB = 1024 * 1024;
/** Share of `maxBytes` for evicted responses that V8 has not collected yet. */
const RESERVED_SHARE = 3 / 16;
const KEY_SHARE = 1 / 4;
const MAX_VARIANTS = 64;
/** Estimate of header fields, objects, and what V8 leaves to be collected. */
const HEAD_BYTES = 4096;
const TAG_BYTES = 48;
const MAX_INTERNED_STRINGS = 4096;

const NO_RESPONSES: readonly StoredResponse[] = [];
const NO_FORMS: ReadonlyMap<string, CompressedResponse> = new Map();

/**
 * Stores responses in memory, and evicts the least recently used keys.
 *
 * A purge is one entry of a log, which is applied when responses are looked up, so a write costs the same for
 * any number of responses.
 */
export class MemoryStore implements CacheStore {
  readonly #clock: Clock;
  readonly #maxBytes: number;
  readonly #maxEntryBytes: number;
  readonly #maxKeyBytes: number;
  readonly #capacity: number;
  readonly #entries: LRUCache<string, MemoryEntry>;
  /** Can be walked while entries change; the LRU list is slower by far. */
  readonly #keys = new Set<string>();
  readonly #purges = new PurgeLog();
  readonly #intern = memoizeByString((text) => text, MAX_INTERNED_STRINGS);
  #responseCount = 0;
  #evictions = 0;

  constructor({ clock, maxBytes = 256 * MIB, maxEntryBytes = 8 * MIB }: MemoryStoreOptions) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
    this.#maxEntryBytes = Math.min(maxEntryBytes, maxBytes);
    this.#capacity = Math.floor(maxBytes * (1 - RESERVED_SHARE));
    this.#maxKeyBytes = Math.min(this.#capacity, Math.max(this.#maxEntryBytes, this.#capacity * KEY_SHARE));
    this.#entries = new LRUCache({
      maxSize: this.#capacity,
      dispose: ({ responses }, key, reason) => {
        this.#responseCount -= responses.length;
        if (reason === 'evict') this.#evictions += responses.length;
        if (reason !== 'set') this.#keys.delete(key);
      },
    });
  }

  get(key: string): Lookup {
    const entry = this.#entries.get(key);
    if (entry === undefined) return { responses: NO_RESPONSES, mark: this.#purges.latest };
    if (entry.mark !== this.#purges.latest) this.#compare(key, entry);
    return entry;
  }

  put(key: string, response: StoredResponse, mark: StoreMark): PutResult {
    if (this.#purges.find(key, response.tags, Number(mark)) !== null || this.hasLater(key, response))
      return 'outdated';
    return this.putUnchecked(key, response) ? 'stored' : 'unstored';
  }

  /** Whether a response that was requested later is stored. False if the clock was set back since. */
  hasLater(key: string, { requestTime, variantKey }: StoredResponse): boolean {
    const stored = this.#peek(key).find((each) => each.variantKey === variantKey);
    return (
      stored !== undefined && stored.requestTime > requestTime && stored.requestTime <= this.#clock.now()
    );
  }

  /** Stores a response that the shared store has compared with its purges. */
  putUnchecked(key: string, response: StoredResponse): boolean {
    const current = this.#peek(key);
    const replaced = current.find(({ variantKey }) => variantKey === response.variantKey);
    const others = current.filter((other) => other !== replaced);
    const isStored = this.#hasRoom(key, response);
    if (isStored) this.#set(key, [this.#copy(response, replaced), ...others]);
    else if (replaced !== undefined) this.#set(key, others);
    return isStored;
  }

  replaceAll(key: string, responses: readonly StoredResponse[]): void {
    const current = this.#peek(key);
    const copies = responses
      .filter((response) => this.#hasRoom(key, response))
      .map((response) => {
        const replaced = current.find(({ variantKey }) => variantKey === response.variantKey);
        return this.#copy(response, replaced);
      });
    this.#set(key, copies);
  }

  addForm(key: string, response: StoredResponse, coding: string, form: CompressedResponse): void {
    const current = this.#peek(key);
    const stored = current.find((each) => each.body === response.body && each.headers === response.headers);
    if (stored === undefined) return;
    const forms = new Map(stored.compressed).set(coding, { ...form, body: compactBytes(form.body) });
    const added = { ...stored, compressed: forms };
    const bytes = this.#entries.peek(key)?.bytes ?? 0;
    if (bytes + sizeOf(added) - sizeOf(stored) > this.#maxKeyBytes) return;
    this.#set(
      key,
      current.map((each) => (each === stored ? added : each)),
    );
  }

  purge(selection: PurgeSelection, mode: PurgeMode): void {
    this.#purges.record(selection, mode);
    if (mode === 'hard' && selection.kind === 'all')
      for (const key of [...this.#keys]) this.#entries.delete(key);
  }

  report(): StoreReport {
    return {
      responseCount: this.#responseCount,
      bytes: this.#entries.calculatedSize,
      maxBytes: this.#maxBytes,
      evictions: this.#evictions,
      entries: this.#list(),
    };
  }

  async close(): Promise<void> {
    this.#entries.clear();
  }

  *#list(): Iterable<readonly [string, readonly StoredResponse[]]> {
    for (const key of this.#keys) yield [key, this.#peek(key)];
  }

  #peek(key: string): readonly StoredResponse[] {
    const entry = this.#entries.peek(key);
    if (entry === undefined) return NO_RESPONSES;
    if (entry.mark !== this.#purges.latest) this.#compare(key, entry);
    return entry.responses;
  }

  #hasRoom(key: string, response: StoredResponse): boolean {
    return response.body.byteLength <= this.#maxEntryBytes && key.length + sizeOf(response) <= this.#capacity;
  }

  #compare(key: string, entry: MemoryEntry): void {
    const { mark, responses } = entry;
    const remaining = responses.flatMap((response) => {
      const purge = this.#purges.find(key, response.tags, mark);
      return purge === null ? response : (applyPurge(response, purge) ?? []);
    });
    if (remaining.length < responses.length) this.#set(key, remaining);
    Object.assign(entry, { responses: remaining, mark: this.#purges.latest });
  }

  /**
   * Stores the first response, and as many others as the limits allow. The one with the fewest hits leaves
   * its count to the first (Space-Saving, Metwally 2005), so that invented variants evict none in use.
   */
  #set(key: string, responses: readonly StoredResponse[]): void {
    const kept = [...responses];
    let bytes = key.length;
    for (const response of responses) bytes += sizeOf(response);
    const [first] = responses;
    while (kept.length > 1 && (kept.length > MAX_VARIANTS || bytes > this.#maxKeyBytes)) {
      const others = kept.slice(1);
      const evicted = others.reduce((least, each) => ((each.uses ?? 0) <= (least.uses ?? 0) ? each : least));
      kept.splice(kept.indexOf(evicted), 1);
      bytes -= sizeOf(evicted);
      if (first !== undefined) first.uses = Math.max(first.uses ?? 0, evicted.uses ?? 0);
    }
    if (kept.length === 0) {
      this.#entries.delete(key);
      return;
    }
    this.#keys.add(key);
    this.#responseCount += kept.length;
    this.#entries.set(key, { responses: kept, bytes, mark: this.#purges.latest }, { size: bytes });
  }

  /** The copy shares no memory with anything outside the store. */
  #copy(response: StoredResponse, replaced: StoredResponse | undefined): StoredResponse {
    const isSameBody = replaced !== undefined && isEqualBody(replaced.body, response.body);
    const body = isSameBody ? replaced.body : compactBytes(response.body);
    const [headers, tags] = [response.headers.map(this.#intern), response.tags.map(this.#intern)];
    // With the same body, as after a 304, the compressed bodies are still right.
    const compressed = (isSameBody ? replaced.compressed : undefined) ?? NO_FORMS;
    const copy = createStoredResponse(response, headers, body, tags);
    return Object.assign(copy, { uses: replaced?.uses, compressed, revision: response.revision });
  }
}

function sizeOf({ body, compressed = NO_FORMS, tags }: StoredResponse): number {
  let size = HEAD_BYTES + body.byteLength;
  for (const tag of tags) size += TAG_BYTES + tag.length;
  for (const form of compressed.values()) size += HEAD_BYTES / 4 + form.body.byteLength;
  return size;
}

/** Copies bytes that would keep a larger buffer in memory (Node's pool, a network packet). */
function compactBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}

function isEqualBody(one: Uint8Array, other: Uint8Array): boolean {
  if (one === other) return true;
  if (one.byteLength !== other.byteLength) return false;
  for (let at = 0; at < one.byteLength; at += 1) if (one[at] !== other[at]) return false;
  return true;
}

/** Bounded, because clients choose the addresses of writes. */
const MAX_TAGS = 20_000;
const MAX_TAGS_LENGTH = 16 * MIB;
type PurgeNumbers = { readonly [Mode in PurgeMode]?: number };

/** Past purges, numbered. One that is no longer recorded by name counts as one of everything. */
class PurgeLog {
  latest = 0;
  readonly #tags = new Map<string, PurgeNumbers>();
  #tagsLength = 0;
  #floor: PurgeNumbers = {};

  record(selection: PurgeSelection, mode: PurgeMode): void {
    this.latest += 1;
    const number = this.latest;
    if (selection.kind === 'all') {
      this.#floor = { ...this.#floor, [mode]: number };
      return;
    }
    for (const tag of selection.tags) {
      const before = this.#tags.get(tag);
      if (!this.#tags.delete(tag)) this.#tagsLength += tag.length;
      this.#tags.set(tag, { ...before, [mode]: number });
    }
    for (const [tag, forgotten] of this.#tags) {
      if (this.#tags.size <= MAX_TAGS && this.#tagsLength <= MAX_TAGS_LENGTH) break;
      this.#tags.delete(tag);
      this.#tagsLength -= tag.length;
      for (const each of PURGE_MODES) {
        const last = Math.max(forgotten[each] ?? 0, this.#floor[each] ?? 0);
        if (last > 0) this.#floor = { ...this.#floor, [each]: last };
      }
    }
  }

  find(key: string, tags: readonly string[], after: number): PurgeMode | null {
    if (after >= this.latest) return null;
    const found = [this.#floor, this.#tags.get(key)];
    for (const tag of tags) found.push(this.#tags.get(tag));
    return PURGE_MODES.find((mode) => found.some((purges) => (purges?.[mode] ?? 0) > after)) ?? null;
  }
}
