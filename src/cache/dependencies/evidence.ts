import type { LRUCache } from 'lru-cache';
import { firstFieldValue } from '../../http/fields.ts';
import { createLru, getOrCreate } from '../../memoize.ts';
import { compareResponses, type Differences, earliestOwnTime } from '../content/compare-pages.ts';
import { hashText } from '../content/content-hash.ts';
import { isOwnEntityTag } from '../policy/storability.ts';
import {
  createSelectionMatcher,
  type PurgeClause,
  type PurgeSelection,
  type StoredResponse,
} from '../store.ts';
import { isEqualBody } from '../stores/memory-store.ts';
import { isOwnPageTag } from './tags.ts';

/**
 * Evidence about what writes leave unchanged. A write purges all responses that may depend on it. Each of them that is fetched again is
 * compared with the stored one. Those that are the same, although neither tags nor clauses of the write select them, are counted for
 * the kind of the write over the whole site: once no counter-example is among as many as the accepted probability of a wrong page
 * needs, such writes keep the route classes that were compared and that no counter-example made dependent.
 */

export interface EvidenceOptions {
  /** Probability of a wrong page after a write that the operator accepts, more than 0 and less than 1. */
  readonly confidence: number;
  /** Called when a response was kept after a write that has changed it, so that similar ones may be outdated. */
  readonly onContradiction: () => void;
}

/** What a write purged: tags and clauses select what depends on it, groups what may depend on it. */
export type WriteSelection = Extract<PurgeSelection, { kind: 'tags' }>;

/** The effect of a write, or of several writes of one request. */
export interface FinishedWrite {
  /** `null` if it is unknown. */
  readonly kind: string | null;
  readonly selection: WriteSelection;
  /** `null` if each write counts as one of a resource of its own. */
  readonly resource: string | null;
  /**
   * Tags of the responses that show the written resource, as they are stored. Only a change of one of these shows that the
   * write had an effect: any other response may change by itself, and a client chooses some of the purged tags.
   */
  readonly effectTags: readonly string[];
  /** Whether it is certain that the write changed something. Without an effect, an equal response is no evidence. */
  readonly hasCertainEffect: boolean;
}

/** A response that was fetched again, compared with the stored one that it replaces. Times in milliseconds since the epoch. */
export interface ResponseComparison {
  readonly key: string;
  readonly group: string;
  readonly routeClass: string;
  /** When the first was requested and received, and when the second was. */
  readonly since: number;
  readonly received: number;
  readonly requested: number;
  readonly until: number;
  /** Where they differ: see {@link compareResponses}. */
  readonly differences: Differences | null;
  /** The ends of the writes since then whose tags or clauses select the first. */
  readonly selectedAt: readonly number[];
  /** The ends of the writes that select the first by an uncertain clause alone. */
  readonly perhapsSelectedAt: readonly number[];
  /** Tags of the first; if they are the same, only those of the page of an item. */
  readonly tags: readonly string[];
}

type ResponseStatus = Pick<StoredResponse, 'status' | 'requestTime' | 'responseTime'>;

/** A counter-example: a page that a write has changed. */
export interface CounterExample {
  readonly page: string;
  readonly write: string;
  /** When the change was seen, in milliseconds since the epoch. */
  readonly time: number;
}

/** The evidence about one kind of write and one route class. */
export interface PatternEvidence {
  /** Comparisons that were the same since the last counter-example. */
  same: number;
  /** Counter-examples. */
  changes: number;
  /** Hashes of the keys that were the same, at most {@link MIN_KEYS}. */
  readonly keys: Set<number>;
  example: CounterExample | null;
  /** When it was compared last, or purged to be compared. */
  checked: number;
}

/** The evidence about one kind of write. */
export interface KindEvidence {
  /** Writes since there is evidence. */
  writes: number;
  /** Hashes of resources that were written alone between two fetches, at most {@link MIN_RESOURCES}. */
  readonly resources: Set<number>;
  /** Counter-examples in what was kept. Each doubles what is needed. */
  mistakes: number;
  readonly patterns: Map<string, PatternEvidence>;
}

/** What is known of one route class by comparisons without a write. */
export interface PatternVariation {
  compared: number;
  changed: number;
  /** How often each place has differed. */
  readonly places: Map<number, number>;
}

/** What outlives the process, of one document. */
interface StoredEvidence {
  readonly version: string;
  readonly kinds: ReadonlyMap<string, KindEvidence>;
  readonly variations: ReadonlyMap<string, PatternVariation>;
  readonly validators: ReadonlyMap<string, number>;
}

/** Different resources that must have been written. With fewer, what only some writes change is not seen. */
const MIN_RESOURCES = 2;
/** Different addresses that must have been compared, if the route class has as many. */
const MIN_KEYS = 2;
/** Comparisons of one address that are enough for its route class. Each write may select the others by what they show. */
const MIN_SAME_OF_ONE_KEY = 4;
/** A dependent route class is forgotten once it was the same so often for each of its counter-examples. */
const SAME_PER_CHANGE = 30;
/**
 * After so many writes of a kind, one of the route classes that it keeps is purged all the same, and compared, unless each was compared
 * in so many writes for each class.
 */
const SAMPLE_INTERVAL = 2;
const MAX_DOUBLINGS = 20;
const MAX_KINDS = 1000;
/** Maximum route classes per kind of write. Clients choose some of the values that are part of their names. */
const MAX_PATTERNS = 500;
const MAX_PLACES = 64;
/** Changes of a place after which it is known to vary by itself. */
const MIN_CHANGES = 2;
/** Maximum observations that wait for the effect of their write. */
const MAX_PENDING = 1000;
/** Maximum selections and writes that are remembered. */
const MAX_WRITES = 1024;
/** Changes of a route class that its validators must have shown before they are believed. */
const MIN_VALIDATED_CHANGES = 2;
const MISSED_CHANGE = -1;
/** What {@link Evidence.validators} has: with more, validators would stay believed after a change that they missed. */
export const VALIDATOR_COUNTS: readonly number[] = [MISSED_CHANGE, 1, MIN_VALIDATED_CHANGES];
/** Milliseconds after which WordPress makes other nonces (`wp_nonce_tick()`), counted from the epoch: all pages that have one change. */
const NONCE_TICK = 12 * 3_600_000;
/** Milliseconds by which the clocks of the site and of the gateway may differ. */
const MAX_CLOCK_SKEW = 60_000;
/** A write without end after this time, in milliseconds, is ignored. A change later than this after a write is not its effect. */
const MAX_DURATION = 10 * 60_000;

/** Statuses that tell that a resource is no longer public. Others come from the request, or from a failure of the site. */
const STATUSES_OF_RESOURCES: ReadonlySet<number> = new Set([
  301, 302, 303, 307, 308, 400, 401, 403, 404, 410,
]);

/** One write of the site, from the moment its request was planned. */
export interface RecentWrite {
  readonly start: number;
  /** `null` while it runs. */
  end: number | null;
  /** `null` while it runs, and if nothing was stored or in flight that it could change. */
  finished: FinishedWrite | null;
  hasSeenEffect: boolean;
  /** Observations that count once the write is seen to have had an effect. */
  readonly pending: Observation[];
  /** The route classes of which a response was the same after it. */
  readonly unchanged: Set<string>;
}

/** Stands among the route classes of a kind of write for the pages that show the written item. Few comparisons are of these. */
export const OWN_PAGES = 'own pages';

/** Stands among the route classes of {@link Evidence.variations} for all that show the time of their request at the same place. */
export const REQUEST_TIMES = 'times of requests';

export const isUncertain = ({ exceptKinds }: PurgeClause): boolean => exceptKinds !== undefined;

/**
 * Names the writes of a kind to items that were not edited before: they tell which responses show the date of change. What they keep is
 * compared when its lifetime ends, not in turns.
 */
export const nameFirstEdit = (kind: string): string => `${kind}, first edit of an item`;

interface Observation {
  readonly comparison: ResponseComparison;
  /** Whether it was the only write in between. */
  readonly isSingle: boolean;
}

export class Evidence {
  readonly kinds: LRUCache<string, KindEvidence> = createLru(MAX_KINDS);
  readonly variations: LRUCache<string, PatternVariation> = createLru(MAX_KINDS);
  /** Responses that were fetched again after one write of a kind alone, and how many of them it had changed. */
  readonly differences: LRUCache<string, { readonly compared: number; readonly changed: number }> =
    createLru(MAX_KINDS);
  /** How many changes of a route class its validators have shown, or {@link MISSED_CHANGE}. */
  readonly validators: LRUCache<string, number> = createLru(MAX_KINDS);
  /** Called after a change of what is worth keeping across restarts. */
  onChange: () => void = () => {};
  readonly #options: EvidenceOptions;
  /** In the order in which they began. */
  #writes: RecentWrite[] = [];
  /** Writes that ran until this time may be missing. */
  #completeSince = Number.NEGATIVE_INFINITY;
  readonly #selections: {
    readonly time: number;
    readonly selection: WriteSelection;
    matchers?: ReturnType<typeof createMatchers>;
  }[] = [];
  /** Hashes of the first keys of each route class. */
  readonly #keys = createLru<Set<number>>(MAX_KINDS);
  /** The writes after which a response was the same, by its key, and when it was received. */
  readonly #unchanged = createLru<{ until: number; writes: readonly RecentWrite[] }>(10_000);
  /** Identifies the document by whose operations the kinds are named; `null` before the first. */
  version: string | null = null;
  /** The evidence of an earlier process, by its document. */
  #stored: StoredEvidence | null = null;

  constructor(options: EvidenceOptions) {
    this.#options = options;
  }

  /** Forgets what is about another document: the same names may mean something else, and a new plugin may show anything. */
  useDocument(version: string): void {
    const previous = this.version;
    this.version = version;
    if (previous === version) return;
    if (previous !== null) {
      for (const table of [this.variations, this.kinds, this.validators]) table.clear();
      this.onChange();
    }
    if (this.#stored !== null) this.restore(this.#stored);
  }

  /** Adds the evidence of an earlier process, once its document is known to be that of this one. */
  restore(stored: StoredEvidence): void {
    this.#stored = this.version === null ? stored : null;
    if (this.version !== stored.version) return;
    addMissing(this.kinds, stored.kinds);
    addMissing(this.variations, stored.variations);
    addMissing(this.validators, stored.validators);
  }

  /** Logs the beginning of a write. Every write must end with {@link finishWrite}, {@link skipWrite} or {@link voidWrite}. */
  startWrite(now: number): RecentWrite {
    const begun = { start: now, end: null, finished: null, hasSeenEffect: false };
    const write: RecentWrite = { ...begun, pending: [], unchanged: new Set() };
    this.#writes.push(write);
    if (this.#writes.length > MAX_WRITES) {
      const dropped = this.#writes.splice(0, MAX_WRITES / 2);
      this.interrupt(Math.max(...dropped.map(({ end, start }) => end ?? start)));
    }
    return write;
  }

  /** Whether no other write has run at the same time as this one. */
  isAlone({ start }: RecentWrite, now: number): boolean {
    return this.#listWrites(start, now).length === 1;
  }

  /** Forgets a write that turned out to have changed nothing: the site refused it, or never received it. */
  voidWrite(write: RecentWrite): void {
    this.#writes = this.#writes.filter((each) => each !== write);
  }

  /** Logs the end of a write that could change nothing that is stored or in flight, and that was not looked at. */
  skipWrite(write: RecentWrite, now: number): void {
    write.end = now;
  }

  finishWrite(write: RecentWrite, finished: FinishedWrite, now: number): void {
    write.end = now;
    write.finished = finished;
    write.hasSeenEffect = finished.hasCertainEffect;
    this.noteSelection(finished.selection, now);
    const evidence = finished.kind === null ? undefined : this.kinds.get(finished.kind);
    if (evidence === undefined || !this.#isSufficient(evidence)) return;
    const sample = this.#findSample(evidence);
    if (sample !== undefined) sample.checked = now;
    evidence.writes += 1;
  }

  /** Logs what a write has purged, here or in another process. */
  noteSelection(selection: WriteSelection, time: number): void {
    this.#selections.push({ time, selection });
    if (this.#selections.length > MAX_WRITES) this.#selections.splice(0, MAX_WRITES / 2);
  }

  /** Writes that ran until this time may be unknown, so that fetches before are not compared with later ones. */
  interrupt(now: number): void {
    this.#completeSince = Math.max(this.#completeSince, now);
  }

  /** Compares a fresh response with the stored one that it replaces. */
  observe(key: string, before: StoredResponse | undefined, after: StoredResponse): void {
    const { group, variantKey } = after;
    if (group === null || group.routeClass === '') return;
    this.noteKey(group.routeClass, key);
    const isComparable =
      before?.group?.name === group.name &&
      before.group.routeClass === group.routeClass &&
      before.variantKey === variantKey;
    if (isComparable) this.#checkValidators(group.routeClass, before, after);
    if (isComparable && this.#selections.length > 0) this.#compare(key, before, after);
  }

  /** Whether each change that was seen of a route class has changed its validators too, and enough were. */
  trustsValidators(routeClass: string): boolean {
    return (this.validators.get(routeClass) ?? 0) >= MIN_VALIDATED_CHANGES;
  }

  /** WordPress takes both validators of a feed from the time of its last post (`WP::send_headers()`): they miss other changes. */
  #checkValidators(routeClass: string, before: StoredResponse, after: StoredResponse): void {
    const validator = readValidator(before);
    if (validator === undefined || isEqualBody(before.body, after.body)) return;
    const seen = this.validators.get(routeClass) ?? 0;
    const isSeen = seen >= 0 && validator !== readValidator(after);
    this.validators.set(routeClass, isSeen ? Math.min(seen + 1, MIN_VALIDATED_CHANGES) : MISSED_CHANGE);
    this.onChange();
  }

  /** Observes a response that is not stored: an error, or one for a single client. */
  observeStatus(key: string, before: StoredResponse | undefined, after: ResponseStatus): void {
    if (before === undefined || this.#selections.length === 0) return;
    if (before.status !== after.status && STATUSES_OF_RESOURCES.has(after.status))
      this.#compare(key, before, after);
  }

  #compare(key: string, before: StoredResponse, after: StoredResponse | ResponseStatus): void {
    const { group, requestTime: since, responseTime: received, tags } = before;
    if (group === null || group.routeClass === '') return;
    const differences = 'body' in after ? compareResponses(before, after) : null;
    const selectedAt: number[] = [];
    const perhapsSelectedAt: number[] = [];
    for (const each of this.#selections) {
      if (each.time < since) continue;
      each.matchers ??= createMatchers(each.selection);
      if (each.matchers.isSelected(before)) selectedAt.push(each.time);
      else if (each.matchers.isPerhapsSelected?.(before) === true) perhapsSelectedAt.push(each.time);
    }
    this.record({
      ...{ key, group: group.name, routeClass: group.routeClass },
      ...{ since, received, requested: after.requestTime, until: after.responseTime },
      ...{ differences, selectedAt, perhapsSelectedAt },
      tags: differences?.places.length === 0 ? tags.filter(isOwnPageTag) : tags,
    });
  }

  /** Adds a key to the first ones of its route class. @returns false if it is known, or not needed */
  noteKey(routeClass: string, key: string): boolean {
    const known = getOrCreate<string, Set<number>>(this.#keys, routeClass, () => new Set());
    const { size } = known;
    if (size < MIN_KEYS) known.add(hashText(key));
    return known.size > size;
  }

  /** Adds a comparison. All writes until its end must be known. */
  record(comparison: ResponseComparison): void {
    const { received, requested, since, until } = comparison;
    if (this.#completeSince >= since || mayDifferByNonce(comparison)) return;
    const writes = this.#listWrites(since, until);
    this.#noteTimes(comparison, writes);
    const isSame = this.#isSame(comparison);
    if (writes.length === 0) {
      this.#onNoWrite(comparison, isSame);
      return;
    }
    // A write that ran during a fetch may have come before or after it.
    if (writes.some(({ end, start }) => start <= received || end === null || end >= requested)) return;
    const kind = writes.length === 1 ? writes[0]?.finished?.kind : null;
    if (kind != null) {
      const { changed, compared } = this.differences.get(kind) ?? { compared: 0, changed: 0 };
      this.differences.set(kind, { compared: compared + 1, changed: changed + (isSame ? 0 : 1) });
    }
    if (isSame) this.#onSame(comparison, writes);
    else this.#onDifferent(comparison, writes);
  }

  #listWrites(since: number, until: number): readonly RecentWrite[] {
    const found: RecentWrite[] = [];
    for (let at = this.#writes.length - 1; at >= 0; at -= 1) {
      const write = this.#writes[at];
      if (write === undefined || write.start < since - MAX_DURATION) break;
      const end = write.end ?? write.start + MAX_DURATION;
      if (write.start <= until && end >= since) found.push(write);
    }
    return found;
  }

  /** Whether two responses are the same apart from places that vary by themselves: a quarter of the times without a write. */
  #isSame({ differences, routeClass }: ResponseComparison): boolean {
    if (differences === null) return false;
    const { places, times } = differences;
    if (places.length === 0) return true;
    const known = this.variations.get(routeClass);
    return places.every(
      (place) => isVarying(known, place) || (times.includes(place) && this.#isKnownTime(place)),
    );
  }

  /**
   * Notes the places that show the time of the request, wherever they are: WooCommerce sends it on each page. A time soon after a write may
   * be that of the write. What such a place has made dependent is compared anew.
   */
  #noteTimes({ differences, requested, until }: ResponseComparison, writes: readonly RecentWrite[]): void {
    const latest = earliestOwnTime({ requestTime: requested, responseTime: until });
    const times = differences?.times.filter((place) => !this.#isKnownTime(place)) ?? [];
    if (times.length === 0 || writes.some(({ end }) => end === null || end > latest)) return;
    this.#noteVariation(REQUEST_TIMES, times);
    if (!times.some((place) => this.#isKnownTime(place))) return;
    for (const { patterns } of this.kinds.values())
      for (const [name, pattern] of patterns) if (isDependent(pattern)) patterns.delete(name);
  }

  #isKnownTime(place: number): boolean {
    return (this.variations.get(REQUEST_TIMES)?.places.get(place) ?? 0) >= MIN_CHANGES;
  }

  #onNoWrite(comparison: ResponseComparison, isSame: boolean): void {
    const { differences, key, received, requested, routeClass, until } = comparison;
    const last = this.#unchanged.get(key);
    const writes = last?.until === received ? last.writes : [];
    const recent = writes.filter(({ end }) => requested - (end ?? 0) < MAX_DURATION);
    if (isSame && recent.length > 0) this.#unchanged.set(key, { until, writes: recent });
    // The effect of the last write may have come late, after the response was seen to be the same.
    if (!isSame && recent.length > 0) {
      for (const write of recent) this.#contradict(write, comparison);
      return;
    }
    this.#noteVariation(routeClass, differences?.places ?? null);
  }

  /** @param places that differ without a write; `null` if all is different */
  #noteVariation(routeClass: string, places: readonly number[] | null): void {
    const known = getOrCreate<string, PatternVariation>(this.variations, routeClass, createVariation);
    known.compared += 1;
    if (places?.length === 0) return;
    known.changed += 1;
    for (const place of places ?? []) {
      const count = known.places.get(place) ?? 0;
      if (count > 0 || known.places.size < MAX_PLACES) known.places.set(place, count + 1);
    }
    this.onChange();
  }

  #onSame(comparison: ResponseComparison, writes: readonly RecentWrite[]): void {
    const observed = listUnchanging(comparison, writes);
    for (const write of observed) {
      const observation = { comparison, isSingle: writes.length === 1 };
      if (write.hasSeenEffect) this.#count(write, observation);
      else if (write.pending.length < MAX_PENDING) write.pending.push(observation);
    }
    if (observed.length > 0)
      this.#unchanged.set(comparison.key, { until: comparison.until, writes: observed });
  }

  #onDifferent(comparison: ResponseComparison, writes: readonly RecentWrite[]): void {
    const { routeClass, selectedAt, tags } = comparison;
    const single = writes.length === 1 ? writes[0] : undefined;
    const hasTimes = (comparison.differences?.times.length ?? 0) > 0;
    const isSteady = !hasTimes && (this.variations.get(routeClass)?.changed ?? 0) === 0;
    if (isSteady && single?.finished?.effectTags.some((tag) => tags.includes(tag)) === true) {
      single.hasSeenEffect = true;
      for (const observation of single.pending.splice(0)) this.#count(single, observation);
    }
    if (selectedAt.length > 0 || writes.some(({ finished }) => finished?.kind === null)) return;
    const mayHaveChanged = writes.filter((write) => mayDepend(comparison, write));
    // What shows the date of change is changed by first edits, whatever else was written.
    const byDate = mayHaveChanged.filter((write) => isByDate(write, comparison));
    const suspects = byDate.length > 0 ? byDate : mayHaveChanged;
    const isExplained = suspects.some((write) => {
      const pattern = this.kinds.get(kindOf(write, comparison))?.patterns.get(patternOf(write, comparison));
      return pattern !== undefined && isDependent(pattern);
    });
    if (isExplained && single === undefined) return;
    for (const write of suspects) this.#contradict(write, comparison);
  }

  #count(write: RecentWrite, { comparison, isSingle }: Observation): void {
    const name = patternOf(write, comparison);
    write.unchanged.add(name);
    // What a first edit leaves unchanged is evidence about all writes of its kind too.
    for (const kind of new Set([write.finished?.kind ?? '', kindOf(write, comparison)])) {
      const [evidence, pattern] = this.#getOrCreate(kind, name);
      if (isSingle && evidence.resources.size < MIN_RESOURCES)
        evidence.resources.add(hashText(resourceOf(write)));
      if (pattern.keys.size < MIN_KEYS) pattern.keys.add(hashText(comparison.key));
      pattern.same += 1;
      pattern.checked = Math.max(pattern.checked, comparison.until);
    }
    this.onChange();
  }

  #contradict(write: RecentWrite, comparison: ResponseComparison): void {
    const { key, until } = comparison;
    const name = patternOf(write, comparison);
    const [evidence, pattern] = this.#getOrCreate(kindOf(write, comparison), name);
    const wasKept = this.#isSufficient(evidence) && this.#isKept(name, pattern);
    pattern.same = 0;
    pattern.changes += 1;
    pattern.keys.clear();
    // A key has the scope, the gateway's URL, and the resource, separated by line feeds.
    const page = key.split('\n')[2] ?? key;
    pattern.example = { page, write: resourceOf(write), time: until };
    if (wasKept) evidence.mistakes += 1;
    this.onChange();
    if (wasKept) this.#options.onContradiction();
  }

  /**
   * Lists the route classes that a write of this kind keeps: none before there are enough comparisons without a counter-example. With
   * Jeffreys' prior, the next trial after n without a counter-example is one with a probability of 1/(2n + 2).
   */
  listKeptPatterns(kind: string | null): readonly string[] {
    const evidence = kind === null ? undefined : this.kinds.get(kind);
    if (evidence === undefined || !this.#isSufficient(evidence)) return [];
    const sample = this.#findSample(evidence);
    return [...evidence.patterns].flatMap(([name, pattern]) =>
      pattern !== sample && this.#isKept(name, pattern) ? [name] : [],
    );
  }

  /** Whether comparisons have shown that a write, and others of its kind, leave a route class unchanged. */
  hasLearned({ finished, unchanged }: RecentWrite, routeClass: string): boolean {
    if (!unchanged.has(routeClass)) return false;
    const evidence = this.kinds.get(finished?.kind ?? '');
    const pattern = evidence?.patterns.get(routeClass);
    if (evidence === undefined || pattern === undefined || evidence.mistakes > 0) return false;
    if (pattern.same < MIN_SAME_OF_ONE_KEY) return false;
    return this.#isKept(routeClass, pattern) && this.#isSufficient(evidence);
  }

  /**
   * Finds the route class that the next write purges all the same: the one compared longest ago, if no fetch for another reason, such as
   * the end of a lifetime, has compared it since its last turn.
   */
  #findSample({ patterns, writes }: KindEvidence): PatternEvidence | undefined {
    if (writes % SAMPLE_INTERVAL !== SAMPLE_INTERVAL - 1) return undefined;
    const kept = [...patterns].flatMap(([name, pattern]) => (this.#isKept(name, pattern) ? [pattern] : []));
    const [oldest] = kept.sort((one, other) => one.checked - other.checked);
    const turn = this.#writes.at(-Math.min(SAMPLE_INTERVAL * kept.length, this.#writes.length));
    return oldest !== undefined && turn !== undefined && oldest.checked < turn.start ? oldest : undefined;
  }

  #isSufficient(evidence: KindEvidence): boolean {
    return evidence.resources.size >= MIN_RESOURCES && sumSame(evidence) >= this.countNeeded(evidence);
  }

  /** Comparisons without a counter-example that a kind of write needs. */
  countNeeded({ mistakes }: KindEvidence): number {
    return Math.ceil((0.5 / this.#options.confidence) * 2 ** Math.min(mistakes, MAX_DOUBLINGS));
  }

  #isKept(name: string, pattern: PatternEvidence): boolean {
    const hasKeys = name !== OWN_PAGES && pattern.keys.size >= (this.#keys.peek(name)?.size ?? MIN_KEYS);
    const isCompared = hasKeys || pattern.same >= MIN_SAME_OF_ONE_KEY;
    return isCompared && !isDependent(pattern);
  }

  #getOrCreate(kind: string, name: string): readonly [KindEvidence, PatternEvidence] {
    const evidence = getOrCreate<string, KindEvidence>(this.kinds, kind, createKind);
    const { patterns } = evidence;
    const pattern = getOrCreate(patterns, name, (): PatternEvidence => {
      if (patterns.size >= MAX_PATTERNS) dropPattern(patterns);
      return { same: 0, changes: 0, keys: new Set(), example: null, checked: 0 };
    });
    return [evidence, pattern];
  }
}

/** Creates functions that tell what a write selects for certain, and what by an uncertain clause. */
function createMatchers(selection: WriteSelection) {
  const { clauses = [] } = selection;
  const uncertain = clauses.filter(isUncertain).map(({ tags, texts }) => ({ tags, texts }));
  const certain = clauses.filter((clause) => !isUncertain(clause));
  return {
    isSelected: createSelectionMatcher({ ...selection, groups: [], clauses: certain }),
    isPerhapsSelected:
      uncertain.length === 0 ? null : createSelectionMatcher({ kind: 'tags', tags: [], clauses: uncertain }),
  };
}

const createKind = (): KindEvidence => ({
  writes: 0,
  resources: new Set(),
  mistakes: 0,
  patterns: new Map(),
});
const createVariation = (): PatternVariation => ({ compared: 0, changed: 0, places: new Map() });

/** Adds what was stored. What was observed since the start of this process is newer. */
function addMissing<T>(
  known: { has(name: string): boolean; set(name: string, value: T): unknown },
  stored: ReadonlyMap<string, T>,
): void {
  for (const [name, value] of stored) if (!known.has(name)) known.set(name, value);
}

/** The validator of the site by which it would decide (RFC 9110 §13.2.2); `undefined` if there is none. */
function readValidator({ headers }: StoredResponse): string | undefined {
  const tag = firstFieldValue(headers, 'etag');
  return tag === undefined || isOwnEntityTag(tag) ? firstFieldValue(headers, 'last-modified') : tag;
}

/** Drops the oldest route class that is not known to depend on the writes, or the oldest one. */
function dropPattern(patterns: Map<string, PatternEvidence>): void {
  const independent = [...patterns].find(([, pattern]) => !isDependent(pattern))?.[0];
  const dropped = independent ?? patterns.keys().next().value;
  if (dropped !== undefined) patterns.delete(dropped);
}

export function isDependent({ changes, same }: PatternEvidence): boolean {
  return same < changes * SAME_PER_CHANGE;
}

/** Comparisons that were the same, of all route classes that do not depend on the writes. */
export function sumSame({ patterns }: KindEvidence): number {
  let sum = 0;
  for (const pattern of patterns.values()) if (!isDependent(pattern)) sum += pattern.same;
  return sum;
}

function isVarying(known: PatternVariation | undefined, place: number): boolean {
  const count = known?.places.get(place) ?? 0;
  return count >= MIN_CHANGES && count * 4 >= (known?.compared ?? 0);
}

/** Whether a write purged the group of a response, so that its class may depend on it. */
function mayDepend({ group }: ResponseComparison, { finished }: RecentWrite): boolean {
  return finished?.kind != null && finished.selection.groups?.some(({ name }) => name === group) === true;
}

/** Whether two responses differ, and WordPress may have made other nonces between them. */
function mayDifferByNonce({ differences, since, until }: ResponseComparison): boolean {
  const tick = Math.floor((since - MAX_CLOCK_SKEW) / NONCE_TICK);
  const isNext = Math.floor((until + MAX_CLOCK_SKEW) / NONCE_TICK) > tick;
  return isNext && differences?.places.length !== 0;
}

/** Whether a write selects a response only by a date of its item that may be that of the publication. */
function isByDate({ end }: RecentWrite, { perhapsSelectedAt }: ResponseComparison): boolean {
  return perhapsSelectedAt.includes(end ?? 0);
}

/** Names the kind of a write for a response: that of first edits where only such a date selects it. */
function kindOf(write: RecentWrite, comparison: ResponseComparison): string {
  const kind = write.finished?.kind ?? '';
  return isByDate(write, comparison) ? nameFirstEdit(kind) : kind;
}

/** Names the responses to which a comparison is evidence of what a write leaves unchanged. */
function patternOf({ finished }: RecentWrite, { routeClass, tags }: ResponseComparison): string {
  const isOwnPage = tags.some((tag) => isOwnPageTag(tag) && finished?.effectTags.includes(tag) === true);
  return isOwnPage ? OWN_PAGES : routeClass;
}

function resourceOf({ finished, start }: RecentWrite): string {
  return finished?.resource ?? `${finished?.kind} ${start}`;
}

/**
 * Lists the writes that a response which is the same after them shows to have left it unchanged: not those that select it, nor one of
 * several to one resource, which may undo each other. One of unknown kind may undo any.
 */
function listUnchanging(
  comparison: ResponseComparison,
  writes: readonly RecentWrite[],
): readonly RecentWrite[] {
  const { selectedAt } = comparison;
  const isKnown = selectedAt.every((time) => writes.some(({ end }) => end === time));
  if (!isKnown || writes.some(({ finished }) => finished?.kind == null)) return [];
  const resources = writes.map(resourceOf);
  return writes.filter(
    (write, at) =>
      mayDepend(comparison, write) &&
      !selectedAt.includes(write.end ?? 0) &&
      resources.indexOf(resources[at] ?? '') === resources.lastIndexOf(resources[at] ?? ''),
  );
}
