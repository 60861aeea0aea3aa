import { detachString } from '../../../base/memoize.ts';
import type { Clock } from '../../../base/ports.ts';
import { applyPurge } from '../policy/freshness.ts';
import {
  type CacheStore,
  type CompressedResponse,
  type Lookup,
  PURGE_MODES,
  type PurgeMode,
  type PurgeSelection,
  type PutResult,
  type ResponseUsage,
  type StoredResponse,
  type StoreMark,
  type StoreReport,
} from '../store.ts';

export interface MemoryStoreOptions {
  readonly maxBytes?: number;
  readonly maxEntryBytes?: number;
  readonly clock: Clock;
}

interface MemoryResponse extends StoredResponse {
  readonly usage: Place;
}

interface MemoryEntry extends Lookup {
  readonly responses: readonly MemoryResponse[];
  readonly mark: number;
}

const MIB = 1024 * 1024;
/** Share of `maxBytes` for evicted responses not yet collected by V8. */
const RESERVED_SHARE = 3 / 16;
const MAX_VARIANTS = 64;
/** Estimates of objects, and of what V8 leaves to be collected; of fields for a name or a value. */
const RESPONSE_BYTES = 2048;
const FORM_BYTES = 1024;
const FIELD_BYTES = 48;
const TAG_BYTES = 64;

const NO_RESPONSES: readonly MemoryResponse[] = [];
const NO_FORMS: ReadonlyMap<string, CompressedResponse> = new Map();

/** A purge is a log entry, applied at lookups, so it costs the same for any number of responses. */
export class MemoryStore implements CacheStore {
  readonly #clock: Clock;
  readonly #maxBytes: number;
  readonly #maxEntryBytes: number;
  readonly #capacity: number;
  readonly #entries = new Map<string, MemoryEntry>();
  readonly #order: EvictionOrder;
  readonly #purges = new PurgeLog();
  readonly #headers = new SharedTexts();
  readonly #tags = new SharedTexts();
  #responseCount = 0;
  #evictions = 0;

  constructor({ clock, maxBytes = 256 * MIB, maxEntryBytes = 8 * MIB }: MemoryStoreOptions) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
    this.#maxEntryBytes = Math.min(maxEntryBytes, maxBytes);
    this.#capacity = Math.floor(maxBytes * (1 - RESERVED_SHARE));
    this.#order = new EvictionOrder(this.#capacity, clock);
  }

  get(key: string): MemoryEntry {
    const { latest } = this.#purges;
    const entry = this.#entries.get(key) ?? { responses: NO_RESPONSES, mark: latest };
    return entry.mark === latest ? entry : this.#compare(key, entry);
  }

  put(key: string, response: StoredResponse, mark: StoreMark): PutResult {
    if (this.#purges.find(key, response.tags, Number(mark)) !== null || this.hasLater(key, response))
      return 'outdated';
    return this.putUnchecked(key, response) ? 'stored' : 'unstored';
  }

  /** False if the clock was set back since. */
  hasLater(key: string, { requestTime, variantKey }: StoredResponse): boolean {
    const stored = this.get(key).responses.find((each) => each.variantKey === variantKey);
    return (
      stored !== undefined && stored.requestTime > requestTime && stored.requestTime <= this.#clock.now()
    );
  }

  putUnchecked(key: string, response: StoredResponse): boolean {
    const others = this.get(key).responses.filter(({ variantKey }) => variantKey !== response.variantKey);
    const copies = this.#copy(key, response);
    this.#set(key, [...copies, ...others]);
    return this.#makeRoom(copies[0]);
  }

  replaceAll(key: string, responses: readonly StoredResponse[]): void {
    const copies = responses.flatMap((response) => this.#copy(key, response));
    this.#set(key, copies);
    this.#makeRoom();
  }

  addForm(key: string, response: StoredResponse, coding: string, form: CompressedResponse): void {
    const current = this.get(key).responses;
    const stored = current.find((each) => each.body === response.body && each.headers === response.headers);
    if (stored === undefined) return;
    const forms = new Map(stored.compressed).set(coding, { ...form, body: compactBytes(form.body) });
    const added = { ...stored, compressed: forms };
    if (!this.#hasRoom(key, added)) return;
    this.#set(
      key,
      current.map((each) => (each === stored ? added : each)),
    );
    this.#makeRoom();
  }

  purge(selection: PurgeSelection, mode: PurgeMode): void {
    this.#purges.record(selection, mode);
    if (mode === 'hard' && selection.kind === 'all') this.#clear();
  }

  report(): StoreReport {
    return {
      responseCount: this.#responseCount,
      bytes: this.#order.bytes,
      maxBytes: this.#maxBytes,
      evictions: this.#evictions,
      entries: this.#list(),
    };
  }

  async close(): Promise<void> {
    this.#clear();
  }

  #clear(): void {
    for (const key of this.#entries.keys()) this.#set(key, NO_RESPONSES);
  }

  *#list(): Iterable<readonly [string, readonly StoredResponse[]]> {
    for (const key of this.#entries.keys()) yield [key, this.get(key).responses];
  }

  #hasRoom(key: string, response: StoredResponse): boolean {
    return response.body.byteLength <= this.#maxEntryBytes && key.length + sizeOf(response) <= this.#capacity;
  }

  #compare(key: string, { mark, responses }: MemoryEntry): MemoryEntry {
    const remaining = responses.flatMap((response): MemoryResponse | readonly [] => {
      const purge = this.#purges.find(key, response.tags, mark);
      if (purge === null) return response;
      const purged = applyPurge(response, purge);
      return purged === null ? [] : { ...purged, usage: response.usage };
    });
    return this.#set(key, remaining);
  }

  #set(key: string, responses: readonly MemoryResponse[]): MemoryEntry {
    const before = this.#entries.get(key)?.responses ?? NO_RESPONSES;
    const kept = responses.length > MAX_VARIANTS ? withoutLeastUsed(responses) : responses;
    for (const { usage } of before) if (!kept.some((each) => each.usage === usage)) this.#order.remove(usage);
    for (const response of kept) this.#order.put(response.usage, key.length + sizeOf(response));
    this.#responseCount += kept.length - before.length;
    const entry = { responses: kept, mark: this.#purges.latest };
    if (kept.length === 0) this.#entries.delete(key);
    else this.#entries.set(key, entry);
    return entry;
  }

  /** @returns whether a just stored response is still there */
  #makeRoom(stored?: MemoryResponse): boolean {
    let isStored = stored !== undefined;
    this.#order.makeRoom((place) => {
      isStored &&= place !== stored?.usage;
      this.#evictions += 1;
      const others = this.get(place.key).responses.filter(({ usage }) => usage !== place);
      this.#set(place.key, others);
    });
    return isStored;
  }

  /** With the place, and if possible the bytes, of the response that it replaces. @returns none if it is too large */
  #copy(key: string, response: StoredResponse): readonly MemoryResponse[] {
    if (!this.#hasRoom(key, response)) return [];
    const replaced = this.get(key).responses.find(({ variantKey }) => variantKey === response.variantKey);
    const isSameBody = replaced !== undefined && isEqualBody(replaced.body, response.body);
    const body = isSameBody ? replaced.body : compactBytes(response.body);
    const headers = this.#headers.share(response.headers);
    const tags = this.#tags.share(response.tags);
    const compressed = (isSameBody ? replaced.compressed : undefined) ?? NO_FORMS;
    const usage = replaced?.usage ?? new Place(key);
    return [{ ...response, headers, body, tags, identity: undefined, usage, compressed }];
  }
}

/** Never without the first, which is the newest. */
function withoutLeastUsed(responses: readonly MemoryResponse[]): readonly MemoryResponse[] {
  const kept = [...responses];
  while (kept.length > MAX_VARIANTS) {
    const [, ...others] = kept;
    const least = others.reduce((one, other) => (other.usage.hits <= one.usage.hits ? other : one));
    kept.splice(kept.indexOf(least), 1);
  }
  return kept;
}

/** Keeps a text once if the list before has it at the same place: names of fields, and most of their values. */
class SharedTexts {
  #last: readonly string[] = [];

  share(texts: readonly string[]): readonly string[] {
    const last = this.#last;
    this.#last = texts.map((text, at) => (text === last[at] ? last[at] : detachString(text)));
    return this.#last;
  }
}

/** A hit keeps the fields of each form once more, as the text of a head. */
function sizeOf({ body, compressed = NO_FORMS, headers, tags, variantKey }: StoredResponse): number {
  let fields = 0;
  for (const text of headers) fields += text.length;
  let size = RESPONSE_BYTES + body.byteLength + variantKey.length + 2 * fields + FIELD_BYTES * headers.length;
  for (const tag of tags) size += TAG_BYTES + tag.length;
  for (const form of compressed.values())
    size += FORM_BYTES + fields + (FIELD_BYTES / 2) * headers.length + form.body.byteLength;
  return size;
}

/** Copies bytes that would keep a buffer of much more in memory (Node's pool, a network packet). */
function compactBytes(bytes: Uint8Array): Uint8Array {
  const excess = bytes.buffer.byteLength - bytes.byteLength;
  return excess <= bytes.byteLength / 16 ? bytes : new Uint8Array(bytes);
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

/** A purge no longer recorded by name counts as one of everything. */
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

/** Rank of new responses. Those with 0, 1–2, 3–6, … and 255 hits have 1 to 9. */
const WINDOW = 0;
const WINDOW_SHARE = 1 / 8;
const MAX_RANK = 9;
const MAX_HITS = 255;
/** Milliseconds. */
const HALF_LIFE = 3_600_000;

class Place implements ResponseUsage {
  readonly key: string;
  hits = 0;
  bytes = 0;
  rank: number = WINDOW;
  rankedAt = 0;
  previous: Place = this;
  next: Place = this;

  constructor(key: string) {
    this.key = key;
  }
}

/**
 * The oldest of the responses with the fewest hits leaves a full store; hits halve each hour. New ones pass a window first: a flood
 * of addresses that are requested once or twice replaces itself, and nothing in use. The window is that of W-TinyLFU (Einziger
 * 2017), the ranks are those of Multi-Queue (Zhou 2001), and a hit only counts, as in S3-FIFO (Yang 2023).
 */
class EvictionOrder {
  bytes = 0;
  #windowBytes = 0;
  readonly #capacity: number;
  readonly #clock: Clock;
  readonly #window = new Place('');
  readonly #ranks = Array.from({ length: MAX_RANK }, () => new Place(''));

  constructor(capacity: number, clock: Clock) {
    this.#capacity = capacity;
    this.#clock = clock;
  }

  put(place: Place, bytes: number): void {
    if (place.next === place) link(place, this.#window);
    this.#weigh(place, bytes - place.bytes);
    place.bytes = bytes;
  }

  remove(place: Place): void {
    unlink(place);
    this.#weigh(place, -place.bytes);
  }

  makeRoom(evict: (place: Place) => void): void {
    const now = this.#clock.now();
    while (this.#windowBytes > this.#capacity * WINDOW_SHARE) this.#rank(this.#window.next, now);
    while (this.bytes > this.#capacity) evict(this.#findLeast(now));
  }

  #weigh({ rank }: Place, difference: number): void {
    this.bytes += difference;
    if (rank === WINDOW) this.#windowBytes += difference;
  }

  #rank(place: Place, now: number): void {
    if (place.rank === WINDOW) this.#windowBytes -= place.bytes;
    place.rank = rankOf(place);
    place.rankedAt = now;
    unlink(place);
    link(place, this.#ranks[place.rank - 1] ?? this.#window);
  }

  #findLeast(now: number): Place {
    for (const list of this.#ranks) this.#settle(list.next, now);
    for (;;) {
      const { next } = this.#ranks.find((list) => list.next !== list) ?? this.#window;
      if (next.rank === WINDOW || !this.#settle(next, now)) return next;
    }
  }

  #settle(place: Place, now: number): boolean {
    if (place.bytes === 0) return false;
    const halvings = Math.floor((now - place.rankedAt) / HALF_LIFE);
    if (halvings > 0) place.hits = Math.floor(Math.min(place.hits, MAX_HITS) / 2 ** halvings);
    if (rankOf(place) === place.rank && halvings <= 0) return false;
    this.#rank(place, now);
    return true;
  }
}

function rankOf({ hits }: Place): number {
  return Math.min(MAX_RANK, 32 - Math.clz32(hits + 1));
}

function link(place: Place, list: Place): void {
  place.previous = list.previous;
  place.next = list;
  list.previous.next = place;
  list.previous = place;
}

function unlink(place: Place): void {
  place.previous.next = place.next;
  place.next.previous = place.previous;
  place.previous = place;
  place.next = place;
}
