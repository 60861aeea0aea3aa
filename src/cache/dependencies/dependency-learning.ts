import { LRUCache } from 'lru-cache';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../../json.ts';
import type { StoredResponse } from '../store.ts';

interface DependencyLearningOptions {
  /** Observations without a counter-example after which a route class is independent of a kind of write. */
  readonly observations: number;
  /** Called when a response was kept after a write that has changed it, so that similar ones may be outdated. */
  readonly onContradiction: () => void;
}

/** What names of kinds stand for in one document. */
export interface RouteClassContents {
  /** Changes with the operations of the document. */
  readonly version: string;
  /** Hash of the operations of a route class. */
  readonly ofRead: (routeClass: string) => string;
  /** Hash of the operations of a kind of write. */
  readonly ofWrite: (writeKind: string) => string;
}

/** The evidence about a pair, and the operations that it is about. */
interface StoredPair {
  readonly pair: PairEvidence;
  readonly readContent: string;
  readonly writeContent: string;
}

/** The effect of a write, or of several writes of one request. */
export interface ObservedWrite {
  /** `null` if it is unknown. */
  readonly kind: string | null;
  /** Tags that it purged, as they are stored. */
  readonly tags: readonly string[];
  /**
   * Tags of the responses that show the written resource, as they are stored. Only a change of one of these shows that the
   * write had an effect: any other response may change by itself, and a client chooses some of the purged tags.
   */
  readonly effectTags: readonly string[];
  /** Namespace of the written route. A change of one of its dependable responses shows an effect, too. */
  readonly namespace: string;
  /** Names of the groups that it purged, apart from exceptions. */
  readonly groups: readonly string[];
  /**
   * A wider kind of the write, about which the responses of one group are observed as a whole. @default none. Tables
   * state what such writes change in the group, so one hypothesis is tested: that nothing else does.
   */
  readonly wide?: { readonly kind: string; readonly group: string } | null;
  /** `null` if each write counts as one of a resource of its own. */
  readonly resource: string | null;
  readonly hasCertainEffect: boolean;
}

/** Kind of all reads of the group of a wider kind of write. */
export const WIDE_READ_KIND = 'all reads {}';

/** Observations of one write that count for one pair: with many addresses, one write must not decide. */
const MAX_OBSERVATIONS_PER_WRITE = 10;
/** The same for a wider kind, which has many addresses: a write after which all of them are the same shows that for each. */
const MAX_WIDE_OBSERVATIONS_PER_WRITE = 50;

/**
 * Learns which kinds of write do not change which route classes. A write purges all responses that may depend on it. When
 * one is fetched again and is the same, that is evidence about each write in between, if all of them wrote different resources.
 * Writes could still cancel each other out, such as a creation and a deletion for a page with a number of posts. So a few resources
 * must have been written alone between two fetches ({@link MIN_RESOURCES}). One that differs is a counter-example, whatever has
 * changed it, and the evidence begins anew.
 */
export class DependencyLearning {
  readonly pairs: PairTable = new PairTable();
  /** Called after a change of what is worth keeping across restarts. */
  onChange: () => void = () => {};
  readonly #options: DependencyLearningOptions;
  readonly #writes = new RecentWrites();
  readonly #fetches = new FetchMemory();
  readonly #stability = new ReadStability();
  #contents: RouteClassContents | null = null;
  /** Evidence of an earlier process, until the document is known. */
  #pending: readonly StoredPair[] = [];

  constructor(options: DependencyLearningOptions) {
    this.#options = options;
  }

  /** The operations that the kinds stand for at present; `null` before the first document. */
  get contents(): RouteClassContents | null {
    return this.#contents;
  }

  /** Forgets what is about operations that another document changes: the same names may mean something else. */
  useDocument(contents: RouteClassContents): void {
    const previous = this.#contents;
    this.#contents = contents;
    if (previous === null) {
      this.#restorePending(contents);
      return;
    }
    if (previous.version === contents.version) return;
    const isSameRead = (kind: string): boolean => previous.ofRead(kind) === contents.ofRead(kind);
    this.#stability.retain(isSameRead);
    const dropped = this.pairs.retain(
      ({ routeClass, writeKind }) =>
        isSameRead(routeClass) && previous.ofWrite(writeKind) === contents.ofWrite(writeKind),
    );
    if (dropped > 0) this.onChange();
  }

  /** Adds evidence of an earlier process, except what is about operations that have changed since. */
  restore(pairs: readonly StoredPair[]): void {
    this.#pending = pairs;
    if (this.#contents !== null) this.#restorePending(this.#contents);
  }

  #restorePending(contents: RouteClassContents): void {
    for (const { pair, readContent, writeContent } of this.#pending) {
      const { routeClass, writeKind } = pair;
      if (contents.ofRead(routeClass) !== readContent || contents.ofWrite(writeKind) !== writeContent)
        continue;
      const known = this.pairs.find(writeKind, routeClass);
      // What was observed since the start of this process is newer, and a counter-example outweighs all before.
      if (known === undefined || (known.changes === 0 && !known.isIndependent)) this.pairs.add(pair);
    }
    this.#pending = [];
  }

  /** Logs the beginning of a write. Every write must end with {@link finishWrite} or {@link voidWrite}. */
  startWrite(now: number): RecentWrite {
    return this.#writes.start(now);
  }

  /** Logs that a write changed nothing. */
  voidWrite(write: RecentWrite): void {
    write.isVoid = true;
  }

  /** Logs the end of a write. Hashes nothing: most writes are never compared. */
  finishWrite(write: RecentWrite, observed: ObservedWrite, now: number): void {
    write.end = now;
    write.observed = observed;
    write.hasSeenEffect = observed.hasCertainEffect;
  }

  /** Logs the end of a write that could change nothing that is stored or in flight, and that was not looked at. */
  skipWrite(write: RecentWrite, now: number): void {
    write.end = now;
    write.isUnseen = true;
  }

  /** Compares a stored response with the last of the same key. */
  observeStored(key: string, response: StoredResponse): void {
    if (!this.#writes.isEmpty) this.observeFetch(hashText(key), rememberFetch(response));
  }

  /** @param fetch `null` if nothing is learned about the response */
  observeFetch(keyHash: number, fetch: RememberedFetch | null): void {
    if (this.#writes.isEmpty) return;
    if (fetch === null) this.#fetches.delete(keyHash);
    else this.#observe(keyHash, fetch);
  }

  /** Compares a response that is not stored with the last of the same key: an error, or one for a single client. */
  observeNotStored(key: string, status: number, requestTime: number, responseTime: number): void {
    this.observeStatus(hashText(key), { status, requestTime, responseTime });
  }

  observeStatus(keyHash: number, { requestTime, responseTime, status }: UnstoredFetch): void {
    const previous = this.#fetches.get(keyHash);
    if (previous === undefined || !STATUSES_OF_RESOURCES.has(status)) return;
    this.#observe(keyHash, { ...previous, content: status, requestTime, responseTime, unchangedBy: null });
  }

  /** Writes that ran until this time may be unknown, so that fetches before are not compared with later ones. */
  interrupt(now: number): void {
    this.#writes.interrupt(now);
  }

  #observe(keyHash: number, fetch: RememberedFetch): void {
    const previous = this.#fetches.get(keyHash);
    const isComparable = previous?.routeClass === fetch.routeClass && previous.group === fetch.group;
    const unchangedBy = isComparable ? this.#compare(keyHash, previous, fetch) : null;
    this.#fetches.set(keyHash, { ...fetch, unchangedBy });
  }

  /** @returns the writes for which the comparison is evidence */
  #compare(
    keyHash: number,
    previous: RememberedFetch,
    fetch: RememberedFetch,
  ): readonly RecentWrite[] | null {
    const writes = this.#writes.listBetween(previous.requestTime, fetch.responseTime);
    if (writes === null) return null;
    const [first] = writes;
    const isSame = previous.content === fetch.content;
    if (first === undefined) {
      if (isSame) this.#stability.recordSame(previous.routeClass);
      else this.#onChangeWithoutWrite(previous);
      return isSame ? previous.unchangedBy : null;
    }
    // A write that ran during a fetch may have come before or after it.
    const areBetween = writes.every(
      ({ end, start }) => start > previous.responseTime && end !== null && end < fetch.requestTime,
    );
    const single = writes.length === 1 && areBetween ? first : null;
    if (!isSame) this.#onChange(writes, single, previous);
    const isTagged = writes.some((write) => hasTagOf(previous, write) || hasTagOf(fetch, write));
    if (!isSame || !areBetween || isTagged || !canBeToldApart(writes)) return null;
    return writes.filter((write) => this.#onSame(write, fetch, keyHash, single !== null));
  }

  #onSame(
    write: RecentWrite,
    { group, routeClass }: RememberedFetch,
    key: number,
    isSingle: boolean,
  ): boolean {
    if (write.kind === null || !write.purges(group)) return false;
    const wide = write.findWideKind(group);
    if (wide !== undefined) {
      this.#observeSame(write, this.pairs.getOrCreate(wide, WIDE_READ_KIND), key, isSingle);
    }
    return this.#observeSame(write, this.pairs.getOrCreate(write.kind, routeClass), key, isSingle);
  }

  #observeSame(write: RecentWrite, pair: PairEvidence, key: number, isSingle: boolean): boolean {
    write.counts ??= new Map();
    const count = write.counts.get(pair) ?? 0;
    const isWide = pair.routeClass === WIDE_READ_KIND;
    if (count >= (isWide ? MAX_WIDE_OBSERVATIONS_PER_WRITE : MAX_OBSERVATIONS_PER_WRITE)) return false;
    write.counts.set(pair, count + 1);
    if (write.hasSeenEffect) this.#count(write, { pair, key, isSingle });
    else {
      write.pending ??= [];
      write.pending.push({ pair, key, isSingle });
    }
    return true;
  }

  #onChange(writes: readonly RecentWrite[], single: RecentWrite | null, previous: RememberedFetch): void {
    const { group, routeClass } = previous;
    const isTagged = writes.some((write) => hasTagOf(previous, write));
    if (single !== null && this.#showsEffect(previous, single)) this.#onEffectSeen(single);
    if (isTagged || writes.some((write) => write.kind === null && !write.isUnseen)) return;
    const suspects = writes.filter((write) => write.purges(group));
    for (const suspect of suspects) {
      const wide = suspect.findWideKind(group);
      if (wide !== undefined) this.#contradict(this.pairs.getOrCreate(wide, WIDE_READ_KIND), single !== null);
    }
    const isExplained = suspects.some(({ kind }) => kind !== null && this.#isDependent(kind, routeClass));
    if (isExplained && single === null) return;
    for (const { kind } of suspects) {
      if (kind !== null) this.#contradict(this.pairs.getOrCreate(kind, routeClass), single !== null);
    }
  }

  /**
   * Whether a changed response shows that a write had an effect: one that shows the written resource, or one of the same
   * namespace whose kind was never seen to change by itself, in enough fetches without a write.
   */
  #showsEffect({ routeClass, tags }: RememberedFetch, { effectTagHashes, observed }: RecentWrite): boolean {
    if (observed === null || this.#stability.isVolatile(routeClass)) return false;
    if (tags.some((tag) => effectTagHashes.has(tag))) return true;
    const { namespace } = observed;
    const isOfNamespace = namespace !== '' && routeClass.startsWith(`/${namespace}/`);
    return isOfNamespace && this.#stability.isDependable(routeClass);
  }

  #isDependent(writeKind: string, routeClass: string): boolean {
    const pair = this.pairs.find(writeKind, routeClass);
    return pair !== undefined && pair.changes > 0 && !pair.isIndependent;
  }

  /** The effect of the last write may have come late, after the response was seen to be the same. */
  #onChangeWithoutWrite({ group, routeClass, unchangedBy }: RememberedFetch): void {
    this.#stability.recordChange(routeClass);
    for (const write of unchangedBy ?? []) {
      const wide = write.findWideKind(group);
      if (wide !== undefined) this.#contradict(this.pairs.getOrCreate(wide, WIDE_READ_KIND), true);
      if (write.kind !== null) this.#contradict(this.pairs.getOrCreate(write.kind, routeClass), true);
    }
  }

  #onEffectSeen(write: RecentWrite): void {
    if (write.hasSeenEffect) return;
    write.hasSeenEffect = true;
    for (const observation of write.pending ?? []) this.#count(write, observation);
    write.pending = undefined;
  }

  #count(write: RecentWrite, { isSingle, key, pair }: Observation): void {
    const { observed } = write;
    pair.observations += 1;
    if (isSingle && pair.resources.size < MIN_RESOURCES) pair.resources.add(hashText(write.resource));
    if (pair.keys.size < MIN_KEYS) pair.keys.add(key);
    const counted = pair.routeClass === WIDE_READ_KIND ? (observed?.wide?.group ?? '') : pair.routeClass;
    const keyCount = this.#fetches.countKeys(counted);
    if (!pair.isIndependent && isSufficient(pair, this.#options.observations, keyCount)) {
      pair.isIndependent = true;
      pair.uses = 0;
    }
    this.onChange();
  }

  #contradict(pair: PairEvidence, isCertain: boolean): void {
    const wasIndependent = pair.isIndependent;
    pair.isIndependent = false;
    pair.observations = 0;
    pair.resources.clear();
    pair.keys.clear();
    if (isCertain || wasIndependent) pair.changes += 1;
    this.onChange();
    if (wasIndependent) this.#options.onContradiction();
  }
}

/** Statuses that tell that a resource is no longer public. Others come from the request, or from a failure of the site. */
const STATUSES_OF_RESOURCES: ReadonlySet<number> = new Set([
  301, 302, 303, 307, 308, 400, 401, 403, 404, 410,
]);

/**
 * Whether a response that is the same after several writes shows that none of them has changed it. A second write to one resource
 * may undo the first, and one of unknown kind any other.
 */
function canBeToldApart(writes: readonly RecentWrite[]): boolean {
  if (writes.length === 1) return true;
  const resources = new Set(writes.map(({ resource }) => resource));
  return resources.size === writes.length && writes.every(({ kind }) => kind !== null);
}

function hasTagOf({ tags }: RememberedFetch, { tagHashes }: RecentWrite): boolean {
  return tags.some((tag) => tagHashes.has(tag));
}

/** Maximum volatile kinds, and maximum kinds with steady fetches. */
const MAX_KINDS = 1000;
/** Fetches without a write in between, all with the same response, after which a route class does not change by itself. */
const MIN_STEADY_FETCHES = 5;

/** Which route classes change without a write. Such a change must not be taken for the effect of a write. */
class ReadStability {
  /** Kinds whose responses have changed without a write. */
  readonly #volatileKinds = new Set<string>();
  /** By kind: how often a response was fetched again without a write, and was the same. */
  readonly #steadyFetches = new Map<string, number>();

  /** Records that a response was fetched again without a write, and was the same. */
  recordSame(routeClass: string): void {
    const count = this.#steadyFetches.get(routeClass);
    if (count === undefined && this.#steadyFetches.size >= MAX_KINDS) return;
    this.#steadyFetches.set(routeClass, Math.min(MIN_STEADY_FETCHES, (count ?? 0) + 1));
  }

  /** Records that a response has changed without a write. */
  recordChange(routeClass: string): void {
    if (this.#volatileKinds.size < MAX_KINDS) this.#volatileKinds.add(routeClass);
  }

  /** Whether a response of the kind was seen to change without a write. */
  isVolatile(routeClass: string): boolean {
    return this.#volatileKinds.has(routeClass);
  }

  /** Whether the kind was never seen to change without a write, in enough fetches. */
  isDependable(routeClass: string): boolean {
    return !this.isVolatile(routeClass) && (this.#steadyFetches.get(routeClass) ?? 0) >= MIN_STEADY_FETCHES;
  }

  /** Forgets the kinds that do not fulfil a condition. */
  retain(isKept: (routeClass: string) => boolean): void {
    for (const kind of this.#volatileKinds) if (!isKept(kind)) this.#volatileKinds.delete(kind);
    for (const kind of this.#steadyFetches.keys()) if (!isKept(kind)) this.#steadyFetches.delete(kind);
  }
}

/** One write of the site, from the moment its request was planned. It hashes what was observed when it is compared. */
export class RecentWrite {
  readonly start: number;
  /** `null` while it runs. */
  end: number | null = null;
  /** Whether it turned out to have changed nothing: the site refused it, or never received it. */
  isVoid = false;
  /** Whether it was not looked at, because nothing was stored or in flight that it could change. */
  isUnseen = false;
  /** `null` while it runs, and if it was not looked at. */
  observed: ObservedWrite | null = null;
  /** Whether it is certain that something has changed. Until then its observations do not count. */
  hasSeenEffect = false;
  /** Number of observations of each pair. */
  counts: Map<PairEvidence, number> | undefined;
  /** Observations that count once the write is seen to have had an effect. */
  pending: Observation[] | undefined;
  #tagHashes: ReadonlySet<number> | undefined;
  #effectTagHashes: ReadonlySet<number> | undefined;

  constructor(start: number) {
    this.start = start;
  }

  get kind(): string | null {
    return this.observed?.kind ?? null;
  }

  /** Identifies the written resource. */
  get resource(): string {
    return this.observed?.resource ?? String(this.start);
  }

  /** Hashes of the tags that it purged. */
  get tagHashes(): ReadonlySet<number> {
    if (this.observed === null) return NO_HASHES;
    this.#tagHashes ??= hashAll(this.observed.tags);
    return this.#tagHashes;
  }

  /** Hashes of the tags by which a changed response shows that the write had an effect. */
  get effectTagHashes(): ReadonlySet<number> {
    if (this.observed === null) return NO_HASHES;
    this.#effectTagHashes ??= hashAll(this.observed.effectTags);
    return this.#effectTagHashes;
  }

  /** Returns the wider kind of the write, if there is one for the group. */
  findWideKind(group: string): string | undefined {
    const wide = this.observed?.wide;
    return wide?.group === group ? wide.kind : undefined;
  }

  purges(group: string): boolean {
    return this.observed?.groups.includes(group) ?? false;
  }
}

const NO_HASHES: ReadonlySet<number> = new Set();

function hashAll(tags: readonly string[]): ReadonlySet<number> {
  return new Set(tags.map((tag) => hashText(tag)));
}

/** A response that was the same after a write. */
interface Observation {
  readonly pair: PairEvidence;
  readonly key: number;
  /** Whether it was the only write in between. */
  readonly isSingle: boolean;
}

/** Maximum writes that are remembered. */
const MAX_WRITES = 1024;
/** A write without end after this time, in milliseconds, is ignored: it was never forwarded. */
const MAX_DURATION = 10 * 60_000;

/** The last writes of a site, in the order in which they began. */
class RecentWrites {
  #writes: RecentWrite[] = [];
  /** Writes that ran until this time may be missing. */
  #completeSince = Number.NEGATIVE_INFINITY;

  get isEmpty(): boolean {
    return this.#writes.length === 0;
  }

  start(now: number): RecentWrite {
    const write = new RecentWrite(now);
    this.#writes.push(write);
    if (this.#writes.length > MAX_WRITES) {
      const dropped = this.#writes.splice(0, MAX_WRITES / 2);
      this.interrupt(Math.max(...dropped.map(({ end, start: began }) => end ?? began)));
    }
    return write;
  }

  /** Writes that ran until this time may be missing. */
  interrupt(now: number): void {
    this.#completeSince = Math.max(this.#completeSince, now);
  }

  /**
   * Lists the writes that ran at some time from `since` to `until`.
   *
   * @returns `null` if the writes that are remembered do not reach back that far
   */
  listBetween(since: number, until: number): readonly RecentWrite[] | null {
    if (this.#completeSince >= since) return null;
    const found: RecentWrite[] = [];
    for (let at = this.#writes.length - 1; at >= 0; at -= 1) {
      const write = this.#writes[at];
      if (write === undefined || write.start < since - MAX_DURATION) break;
      const end = write.end ?? write.start + MAX_DURATION;
      if (!write.isVoid && write.start <= until && end >= since) found.push(write);
    }
    return found;
  }
}

/** What is remembered of the last fetch of a key. */
export interface RememberedFetch {
  /** Hash of status, media type and body. */
  readonly content: number;
  readonly group: string;
  readonly routeClass: string;
  /** Hashes of the tags. */
  readonly tags: Float64Array;
  readonly requestTime: number;
  readonly responseTime: number;
  /** The writes after which the response was the same, if that was counted as an observation. */
  readonly unchangedBy: readonly RecentWrite[] | null;
}

/** A response that was not stored. */
export interface UnstoredFetch {
  readonly status: number;
  readonly requestTime: number;
  readonly responseTime: number;
}

/** Maximum remembered fetches. */
const MAX_FETCHES = 10_000;
/** Longer bodies are not compared. */
const MAX_BODY_LENGTH = 1024 * 1024;

/** The last fetch of each key, by a hash of the key. */
class FetchMemory {
  readonly #keyCounts = new Map<string, number>();
  readonly #fetches = new LRUCache<number, RememberedFetch>({
    // `max` allocates for all fetches at once.
    maxSize: MAX_FETCHES,
    sizeCalculation: () => 1,
    dispose: ({ group, routeClass }) => {
      this.#count(routeClass, -1);
      this.#count(group, -1);
    },
  });

  get(key: number): RememberedFetch | undefined {
    return this.#fetches.get(key);
  }

  set(key: number, fetch: RememberedFetch): void {
    this.#fetches.set(key, fetch);
    this.#count(fetch.routeClass, 1);
    this.#count(fetch.group, 1);
  }

  delete(key: number): void {
    this.#fetches.delete(key);
  }

  /** Number of keys of a route class, or of a group. */
  countKeys(name: string): number {
    return this.#keyCounts.get(name) ?? 0;
  }

  #count(routeClass: string, difference: number): void {
    const count = this.countKeys(routeClass) + difference;
    if (count === 0) this.#keyCounts.delete(routeClass);
    else this.#keyCounts.set(routeClass, count);
  }
}

/** Creates the memory of a stored response; `null` if nothing is learned about its kind. */
export function rememberFetch({
  body,
  group,
  headers,
  requestTime,
  responseTime,
  status,
  tags,
}: StoredResponse): RememberedFetch | null {
  if (group === null || group.routeClass === '' || body.byteLength > MAX_BODY_LENGTH) return null;
  const typeAt = headers.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-type');
  return {
    content: hashBytes(body, hashText(headers[typeAt + 1] ?? '', status) | 0),
    group: group.name,
    routeClass: group.routeClass,
    tags: Float64Array.from(tags, (tag) => hashText(tag)),
    requestTime,
    responseTime,
    unchangedBy: null,
  };
}

/** Converts the evidence about dependencies to the content of a stored state. */
export function dependenciesToJson({ contents, pairs }: DependencyLearning): object {
  const stored = Array.from(
    pairs,
    ({ isIndependent, keys, routeClass, resources, uses, writeKind, ...counts }) => ({
      write: writeKind,
      read: routeClass,
      contents: [contents?.ofWrite(writeKind) ?? '', contents?.ofRead(routeClass) ?? ''],
      independent: isIndependent,
      ...counts,
      resources: [...resources],
      keys: [...keys],
    }),
  );
  return { pairs: stored };
}

/**
 * Adds stored evidence to the evidence collected since, except what is about operations that have changed.
 *
 * @returns false if it is malformed, in which case nothing is added
 */
export function restoreDependencies({ pairs }: JsonObject, learning: DependencyLearning): boolean {
  if (!Array.isArray(pairs)) return false;
  learning.restore(pairs.map(parsePair).filter((pair) => pair !== null));
  return true;
}

function parsePair(value: Json): StoredPair | null {
  if (!isJsonObject(value)) return null;
  const { read, write, independent } = value;
  const [observations, changes] = [readCount(value, 'observations'), readCount(value, 'changes')];
  const [resources, keys] = [readNumbers(value, 'resources'), readNumbers(value, 'keys')];
  if (typeof read !== 'string' || typeof write !== 'string' || typeof independent !== 'boolean') return null;
  if (observations === null || changes === null || resources === null || keys === null) return null;
  const [writeContent, readContent] = jsonItems(value['contents']);
  if (typeof writeContent !== 'string' || typeof readContent !== 'string') return null;
  const counts = { observations, changes, resources: new Set(resources), keys: new Set(keys) };
  const pair = { writeKind: write, routeClass: read, ...counts, isIndependent: independent, uses: 0 };
  return { pair, readContent, writeContent };
}

function readCount(pair: JsonObject, name: string): number | null {
  const value = pair[name];
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;
}

function readNumbers(pair: JsonObject, name: string): readonly number[] | null {
  const value = pair[name];
  if (!Array.isArray(value)) return null;
  const numbers = value.filter((each) => typeof each === 'number');
  return numbers.length === value.length ? numbers : null;
}

/** What was observed about one kind of write and one route class. */
export interface PairEvidence {
  readonly writeKind: string;
  readonly routeClass: string;
  /** Writes after which a response was the same, since the last counter-example. */
  observations: number;
  /** Counter-examples: responses that a single write of the kind has changed. */
  changes: number;
  /** Hashes of written resources, at most {@link MIN_RESOURCES}. */
  readonly resources: Set<number>;
  /** Hashes of the keys of compared responses, at most {@link MIN_KEYS}. */
  readonly keys: Set<number>;
  /** Whether writes of the kind keep responses of the kind. */
  isIndependent: boolean;
  /** Writes since the pair became independent. */
  uses: number;
}

/** Different resources that must have been written, each by the only write between two fetches. */
const MIN_RESOURCES = 5;
/** Different addresses that must have been read, if the route class has more than one. */
const MIN_KEYS = 5;
/**
 * Observations for each address of a route class, because a write may change only one of them: (1 - 1/K)^(3K) is below 5 %, so
 * that is the risk that none of them has met it.
 */
const OBSERVATIONS_PER_KEY = 3;
/** Each counter-example multiplies the required observations, up to this factor. */
const MAX_FACTOR = 10;
/** Every so many writes an independent pair is purged all the same, and compared. */
const CHECK_INTERVAL = 50;
/** Maximum pairs. The write kind that was seen the longest time ago is dropped first. */
const MAX_PAIRS = 10_000;
/** Maximum route classes per kind of write. Clients choose some of the values that are part of their names. */
const MAX_READS = 500;

/** The evidence about all pairs of a site. */
class PairTable {
  readonly #byWriteKind = new Map<string, Map<string, PairEvidence>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  find(writeKind: string, routeClass: string): PairEvidence | undefined {
    return this.#byWriteKind.get(writeKind)?.get(routeClass);
  }

  getOrCreate(writeKind: string, routeClass: string): PairEvidence {
    const known = this.find(writeKind, routeClass);
    if (known !== undefined) return known;
    const pair: PairEvidence = {
      writeKind,
      routeClass,
      observations: 0,
      changes: 0,
      resources: new Set(),
      keys: new Set(),
      isIndependent: false,
      uses: 0,
    };
    this.add(pair);
    return pair;
  }

  add(pair: PairEvidence): void {
    const reads = this.#byWriteKind.get(pair.writeKind) ?? new Map<string, PairEvidence>();
    // The order of the map is that of the last additions.
    this.#byWriteKind.delete(pair.writeKind);
    this.#byWriteKind.set(pair.writeKind, reads);
    if (!reads.has(pair.routeClass)) {
      if (reads.size >= MAX_READS) this.#dropLeastObserved(reads);
      this.#size += 1;
    }
    reads.set(pair.routeClass, pair);
    for (const [writeKind, others] of this.#byWriteKind) {
      if (this.#size <= MAX_PAIRS || this.#byWriteKind.size === 1) break;
      this.#byWriteKind.delete(writeKind);
      this.#size -= others.size;
    }
  }

  /**
   * Lists the route classes that a write of this kind keeps.
   *
   * @param countsWrite whether there is such a write: every {@link CHECK_INTERVAL} of them purge the responses all the same
   */
  listIndependentKinds(writeKind: string, countsWrite: boolean): readonly string[] {
    const kinds: string[] = [];
    for (const pair of this.#byWriteKind.get(writeKind)?.values() ?? []) {
      if (!pair.isIndependent) continue;
      if (countsWrite) pair.uses += 1;
      if (!countsWrite || pair.uses % CHECK_INTERVAL !== 0) kinds.push(pair.routeClass);
    }
    return kinds;
  }

  /** Drops a pair with little evidence, the oldest of several: without it the write purges the responses. */
  #dropLeastObserved(reads: Map<string, PairEvidence>): void {
    let least: PairEvidence | null = null;
    for (const pair of reads.values()) {
      if (least === null || weightOf(pair) < weightOf(least)) least = pair;
    }
    if (least !== null && reads.delete(least.routeClass)) this.#size -= 1;
  }

  *[Symbol.iterator](): Generator<PairEvidence, undefined> {
    for (const reads of this.#byWriteKind.values()) yield* reads.values();
  }

  /** Drops the pairs that do not fulfil a condition. @returns their number */
  retain(isKept: (pair: PairEvidence) => boolean): number {
    const before = this.#size;
    for (const [writeKind, reads] of this.#byWriteKind) {
      for (const [routeClass, pair] of reads) {
        if (!isKept(pair) && reads.delete(routeClass)) this.#size -= 1;
      }
      if (reads.size === 0) this.#byWriteKind.delete(writeKind);
    }
    return before - this.#size;
  }
}

/** Counter-examples are kept the longest: without them a dependent pair would need fewer observations again. */
function weightOf({ changes, isIndependent, observations }: PairEvidence): number {
  return observations + (changes + (isIndependent ? 1 : 0)) * OBSERVATIONS_PER_KEY;
}

/** Whether the evidence suffices to keep responses of a kind after writes of a kind. */
function isSufficient(pair: PairEvidence, required: number, keyCount: number): boolean {
  const factor = Math.min(MAX_FACTOR, 1 + pair.changes);
  return (
    pair.observations >= Math.max(required, OBSERVATIONS_PER_KEY * keyCount) * factor &&
    pair.resources.size >= MIN_RESOURCES &&
    pair.keys.size >= (hasOneAddress(pair.routeClass) ? 1 : MIN_KEYS)
  );
}

/** Whether all reads of a kind have one address: no part of the path and no value of the query varies. */
function hasOneAddress(routeClass: string): boolean {
  const [template = '', ...query] = routeClass.split('?');
  const parameters = query.join('?').split('&');
  return !template.includes('{') && (query.length === 0 || parameters.every((each) => each.includes('=')));
}

/** Hashes that compare contents and name them in entity tags, not cryptographic: MurmurHash3's mixing in two lanes of 32 bits. */

const PRIME_A = 0xcc9e2d51;
const PRIME_B = 0x1b873593;

/** Hashes bytes to an integer of 53 bits. */
export function hashBytes(bytes: Uint8Array, seed = 0): number {
  let one = Math.imul(seed ^ 0x9747b28c, PRIME_B);
  let two = Math.imul(seed ^ 0x3c6ef372, PRIME_A);
  const words = toWords(bytes);
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? 0;
    one = Math.imul(one ^ word, PRIME_A);
    one ^= one >>> 15;
    two = Math.imul(two ^ word, PRIME_B);
    two ^= two >>> 13;
  }
  for (let at = words.byteLength; at < bytes.byteLength; at += 1) {
    const byte = bytes[at] ?? 0;
    one = Math.imul(one ^ byte, PRIME_A);
    two = Math.imul(two ^ byte, PRIME_B);
  }
  return combine(one ^ bytes.byteLength, two);
}

/** Views bytes as words of 32 bits, without the last three at most. Words must begin at a multiple of four. */
function toWords(bytes: Uint8Array): Int32Array {
  const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength >> 2);
}

/** Hashes a text to an integer of 53 bits. */
export function hashText(text: string, seed = 0): number {
  let one = Math.imul(seed ^ 0x9747b28c, PRIME_B);
  let two = Math.imul(seed ^ 0x3c6ef372, PRIME_A);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, PRIME_A);
    one ^= one >>> 15;
    two = Math.imul(two ^ code, PRIME_B);
  }
  return combine(one ^ text.length, two);
}

function combine(one: number, two: number): number {
  const high = finish(one) & 0x1fffff;
  return high * 0x1_0000_0000 + (finish(two) >>> 0);
}

function finish(lane: number): number {
  let mixed = Math.imul(lane ^ (lane >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}
