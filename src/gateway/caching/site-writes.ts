import type { IndependenceRule, SiteCacheOptions } from '../../../generated/option-types.d.ts';
import type { Evidence, RecentWrite } from '../../cache/dependencies/evidence.ts';
import type { ItemState, ItemStates } from '../../cache/dependencies/item-states.ts';
import { ALL_GROUPS, type ResponseGroupName } from '../../cache/dependencies/write-rules.ts';
import type { HttpCache } from '../../cache/http-cache.ts';
import {
  type Awaitable,
  type GroupPurge,
  listSelectedTags,
  type PurgeClause,
  type PurgeMode,
  type PurgeSelection,
  whenResolved,
} from '../../cache/store.ts';
import { parseRouteGlob } from '../../glob.ts';
import { Recent } from '../traffic/traffic-counters.ts';
import type { DocumentCacheTags, RouteClassRegistry } from './document-cache-tags.ts';
import { MAX_PURGES, type RecentPurge } from './recent-purges.ts';
import type { InvalidatingWrite } from './write-effects.ts';

/** How many responses writes have purged and kept, in the memory of this process. */
export interface PurgeCounts {
  readonly writes: number;
  readonly purged: number;
  /** Responses that stay stored, and are used after the site has confirmed them. */
  readonly softPurged: number;
  /** Responses of the site that were still stored after a write, summed over all writes. */
  readonly kept: number;
}

/** The stored responses that the purge of a write selects. */
interface GroupSelection extends Extract<PurgeSelection, { kind: 'tags' }> {
  readonly groups: readonly GroupPurge[];
}

/**
 * Milliseconds after a write without response at which its purge is repeated. PHP stops a request after 30 seconds of work
 * by default (`max_execution_time`), in which waiting for a database does not count.
 */
const REPEAT_DELAYS = [2_000, 10_000, 35_000, 120_000];
const MAX_PENDING_REPEATS = 1_000;

/** The writes of one site: purges what they invalidate, tags and groups except the route classes that do not depend on them. */
export class SiteWrites {
  readonly cache: HttpCache;
  /** What items were before they are written. */
  readonly itemStates: ItemStates;
  /** Whether a write of unknown effect purges all that it may have changed, however unlikely. */
  readonly isCautious: boolean;
  readonly #staleAfterWrite: SiteCacheOptions['staleAfterWrite'];
  readonly #evidence: Evidence | null;
  readonly #findIndependentKinds: ReturnType<typeof createIndependentKindLookup>;
  #pendingRepeats = 0;
  /** What the last writes and purges have selected. */
  readonly recent: Recent<RecentPurge> = new Recent<RecentPurge>(MAX_PURGES);
  readonly counts: Record<keyof PurgeCounts, number> = { writes: 0, purged: 0, softPurged: 0, kept: 0 };

  /**
   * @param evidence `null` if nothing is learned
   * @param options the operator's rules
   * @param routeClasses that the rules select among
   */
  constructor(
    cache: HttpCache,
    evidence: Evidence | null,
    options: Pick<SiteCacheOptions, 'independent' | 'staleAfterWrite' | 'unknownWrites'>,
    routeClasses: RouteClassRegistry,
    itemStates: ItemStates,
  ) {
    const { independent: rules = [], unknownWrites } = options;
    this.cache = cache;
    this.itemStates = itemStates;
    this.isCautious = unknownWrites === 'cautious';
    this.#staleAfterWrite = options.staleAfterWrite;
    this.#evidence = evidence;
    this.#findIndependentKinds = createIndependentKindLookup(rules, routeClasses);
  }

  takeCounts(): PurgeCounts {
    const taken = { ...this.counts };
    Object.assign(this.counts, { writes: 0, purged: 0, softPurged: 0, kept: 0 });
    return taken;
  }

  addCounts(counts: PurgeCounts): void {
    for (const name of ['writes', 'purged', 'softPurged', 'kept'] as const) this.counts[name] += counts[name];
  }

  /** Whether what a write may have changed is used while the site fails. */
  isUsedAfter(isFailed: boolean): boolean {
    return this.#staleAfterWrite === 'always' || (isFailed && this.#staleAfterWrite !== 'never');
  }

  /** Logs that a write has begun; `null` if nothing is learned. */
  begin(): RecentWrite | null {
    return this.#evidence?.startWrite(this.cache.clock.now()) ?? null;
  }

  /**
   * Returns what an item was before a write that has ended; `null` if it is unknown: while nothing is learned, all that may depend on the
   * write is purged anyway.
   */
  getBefore(itemTag: string, recentWrite: RecentWrite | null): ItemState | null {
    return recentWrite !== null && this.isAlone(recentWrite)
      ? this.itemStates.getBefore(itemTag, recentWrite.start)
      : null;
  }

  /** Whether no other write has run at the same time; `false` if nothing is learned. */
  isAlone(recentWrite: RecentWrite | null): boolean {
    if (recentWrite === null) return false;
    return this.#evidence?.isAlone(recentWrite, this.cache.clock.now()) === true;
  }

  /** Logs that a write has changed nothing. */
  cancel(recentWrite: RecentWrite | null): void {
    if (recentWrite !== null) this.#evidence?.voidWrite(recentWrite);
  }

  /**
   * Logs the end of a write if nothing of the site is stored, and nothing in flight that may be stored, so that there is
   * nothing to purge. That is known only of a store that no other gateway shares.
   *
   * @returns whether there is nothing to purge
   */
  skip({ storedGroups }: DocumentCacheTags, recentWrite: RecentWrite | null): boolean {
    const { store } = this.cache;
    if (this.cache.openFetches > 0 || store.inspector?.isShared !== false) return false;
    for (const name of storedGroups) if (store.countGroup?.(name) !== 0) return false;
    if (recentWrite !== null) this.#evidence?.skipWrite(recentWrite, this.cache.clock.now());
    this.counts.writes += 1;
    return true;
  }

  /**
   * Purges what the writes of one request invalidate, in a time that does not depend on the number of stored responses: a store in
   * memory purges softly. What a write of unknown outcome selects stays usable while the site fails.
   *
   * @param tags further tags
   * @param isFailed whether the outcome is unknown: the site has not responded, or what stands before it has in its place
   * @param requestId of the request; empty if its purge is repeated
   * @returns a promise if the store is shared: each gateway knows the purge when it resolves
   */
  purgeAfterWrite(
    documentTags: DocumentCacheTags,
    writes: readonly InvalidatingWrite[],
    tags: readonly string[],
    recentWrite: RecentWrite | null,
    isFailed: boolean,
    requestId = '',
  ): void | Promise<void> {
    const { store } = this.cache;
    const selection = this.#select(documentTags, writes, tags);
    const isLearned = (routeClass: string): boolean =>
      recentWrite !== null && this.#evidence?.hasLearned(recentWrite, routeClass) === true;
    const purge = this.#log(documentTags, writes, selection, recentWrite, requestId);
    if (selection.groups.length === 0 && listSelectedTags(selection).length === 0) return undefined;
    const { counts } = this;
    const onRemoved = (): void => {
      counts.softPurged += 1;
      counts.kept -= 1;
      purge.marked += 1;
    };
    const mode = this.isUsedAfter(isFailed) ? 'unconfirmed' : 'soft';
    const softPurged = store.invalidate?.(selection, onRemoved, mode, isLearned);
    const purged = softPurged ?? store.purge(selection, 'hard');
    const counted = softPurged === undefined ? 'purged' : 'softPurged';
    return whenResolved(purged, (count) => {
      if (writes.length > 0) this.#count(documentTags, counted, count, purge);
    });
  }

  /** Purges what writes at the site itself invalidate. @returns number of responses that were purged */
  purge(
    documentTags: DocumentCacheTags,
    writes: readonly InvalidatingWrite[],
    mode: PurgeMode = 'hard',
  ): Awaitable<number> {
    const selection = this.#select(documentTags, writes, []);
    const purge = this.#log(documentTags, writes, selection, this.begin(), '');
    if (writes.length === 0) return 0;
    const purged = this.cache.store.purge(selection, mode);
    void whenResolved(purged, (count) => this.#count(documentTags, 'purged', count, purge));
    return purged;
  }

  /** Returns what {@link purge} would select at this moment, without effect on what is learned. */
  preview(documentTags: DocumentCacheTags, writes: readonly InvalidatingWrite[]): GroupSelection {
    return this.#select(documentTags, writes, []);
  }

  #select(
    documentTags: DocumentCacheTags,
    writes: readonly InvalidatingWrite[],
    tags: readonly string[],
  ): GroupSelection {
    const all = new Set(tags);
    const clauses: PurgeClause[] = [];
    for (const write of writes) {
      for (const tag of write.tags) all.add(tag);
      for (const clause of write.clauses)
        clauses.push({ ...clause, tags: documentTags.toStoredTags(clause.tags) });
    }
    return {
      kind: 'tags',
      tags: documentTags.toStoredTags(all),
      clauses,
      groups: this.#selectGroups(documentTags, writes),
    };
  }

  /** Repeats the purge of a write that the site may still be running. What is fetched in between may be older than it. */
  repeatLater(
    documentTags: DocumentCacheTags,
    writes: readonly InvalidatingWrite[],
    addresses: readonly string[],
  ): void {
    if (writes.length === 0 || this.#pendingRepeats >= MAX_PENDING_REPEATS) return;
    for (const delay of REPEAT_DELAYS) {
      this.#pendingRepeats += 1;
      this.cache.clock.after(delay, () => {
        this.#pendingRepeats -= 1;
        void this.purgeAfterWrite(documentTags, writes, addresses, this.begin(), true);
      });
    }
  }

  /** Remembers a purge without a write. @param cause in words */
  rememberPurge(cause: string, selection: PurgeSelection, requestId = ''): void {
    this.recent.add({ time: this.cache.clock.now(), requestId, selection, cause, marked: 0 });
  }

  /** Purges all responses of a site whose dependencies are not certain. */
  purgeGroups(documentTags: DocumentCacheTags): void {
    const groups = ALL_GROUPS.map((name) => ({ name: documentTags.toStoredGroup(name), exceptKinds: [] }));
    const { store } = this.cache;
    const selection: PurgeSelection = { kind: 'tags', tags: [], groups };
    this.rememberPurge('a page that contradicts what was learned', selection);
    void (store.invalidate?.(selection, () => {}) ?? store.purge(selection, 'hard'));
  }

  /** A route class is kept if each write that concerns its group keeps it. */
  #selectGroups(
    documentTags: DocumentCacheTags,
    writes: readonly InvalidatingWrite[],
  ): readonly GroupPurge[] {
    const exceptions = new Map<ResponseGroupName, readonly string[]>();
    for (const write of writes) {
      const independent = this.#findIndependentKinds(write);
      if (independent === 'all') continue;
      const learned = write.kind === null ? undefined : this.#evidence?.listKeptPatterns(write.kind);
      const kept = [...independent, ...(learned ?? [])];
      for (const name of write.groups) {
        exceptions.set(name, exceptions.get(name)?.filter((kind) => kept.includes(kind)) ?? kept);
      }
    }
    return Array.from(exceptions, ([name, kinds]) => ({
      name: documentTags.toStoredGroup(name),
      exceptKinds: [...new Set(kinds)],
    }));
  }

  /** @returns what is remembered of the purge */
  #log(
    documentTags: DocumentCacheTags,
    writes: readonly InvalidatingWrite[],
    selection: GroupSelection,
    recentWrite: RecentWrite | null,
    requestId: string,
  ): RecentPurge {
    const evidence = this.#evidence;
    const [first] = writes;
    const { address = '', kind = null, method = '' } = first ?? {};
    const time = this.cache.clock.now();
    const purge = { time, requestId, selection, cause: { method, address, kind }, marked: 0 };
    if (first !== undefined) this.recent.add(purge);
    if (evidence === null || recentWrite === null) return purge;
    if (first === undefined) {
      evidence.voidWrite(recentWrite);
      return purge;
    }
    const isSingle = writes.length === 1;
    const finished = {
      kind: isSingle ? first.kind : null,
      resource: first.resource,
      hasCertainEffect: isSingle && first.hasCertainEffect,
      effectTags: isSingle ? documentTags.toStoredTags(first.effectTags) : [],
      selection,
    };
    evidence.finishWrite(recentWrite, finished, time);
    return purge;
  }

  /** Counts what is left when the purge has begun. What a purge has removed is known later in a shared store. */
  #count(
    { storedGroups }: DocumentCacheTags,
    counted: 'purged' | 'softPurged',
    purged: number,
    purge: RecentPurge,
  ): void {
    const { counts } = this;
    const { store } = this.cache;
    counts.writes += 1;
    counts[counted] += purged;
    purge.marked += purged;
    for (const name of storedGroups) if (name !== null) counts.kept += store.countGroup?.(name) ?? 0;
  }
}

/** Creates the function that lists the route classes that the operator, or a table, has declared independent of a write. */
function createIndependentKindLookup(
  rules: readonly IndependenceRule[],
  routeClasses: RouteClassRegistry,
): (write: InvalidatingWrite) => readonly string[] | 'all' {
  const parsed = rules.map(({ methods, reads, writes }) => ({
    methods: methods?.map((method) => method.toUpperCase()),
    reads: reads.map(parseRouteGlob),
    // Kinds that were not seen yet, and those without a name, are kept too.
    keepsAll: reads.includes('*'),
    writes: parseRouteGlob(writes),
  }));
  return ({ address, changes, method, namespace }) => {
    const applying = parsed.filter(
      ({ methods, writes }) =>
        methods?.includes(method) !== false && writes.matches(writes.isForRoutes ? address : namespace),
    );
    if (applying.some(({ keepsAll }) => keepsAll)) return 'all';
    const stated = applying.flatMap(({ reads }) => reads.flatMap((glob) => routeClasses.select(glob)));
    return changes === undefined ? stated : [...stated, ...routeClasses.selectOthers(changes)];
  };
}
