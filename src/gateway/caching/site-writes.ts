import type { IndependenceRule, SiteCacheOptions } from '../../../generated/option-types.d.ts';
import {
  type Evidence,
  isUncertain,
  nameFirstEdit,
  OWN_PAGES,
  type RecentWrite,
} from '../../cache/dependencies/evidence.ts';
import type { ItemState, ItemStates } from '../../cache/dependencies/item-states.ts';
import { createUnknownWrite, type InvalidatingWrite } from '../../cache/dependencies/route-writes.ts';
import { EVERYTHING } from '../../cache/dependencies/tags.ts';
import { ALL_GROUPS, type ResponseGroupName } from '../../cache/dependencies/write-rules.ts';
import type { HttpCache } from '../../cache/http-cache.ts';
import {
  type Awaitable,
  type GroupPurge,
  listSelectedTags,
  type OpenWrite,
  type PurgeClause,
  type PurgeMode,
  type PurgeSelection,
  whenResolved,
} from '../../cache/store.ts';
import { PAGE_NAMESPACES } from '../../cache/wordpress/page-kinds.ts';
import { parseRouteGlob } from '../../glob.ts';
import type { Clock } from '../../ports.ts';
import { Recent } from '../traffic/traffic-counters.ts';
import type { DocumentCacheTags, RouteClassRegistry } from './document-cache-tags.ts';
import { MAX_PURGES, type RecentPurge } from './recent-purges.ts';

/** How many responses writes have purged and kept, in the memory of this process. */
export interface PurgeCounts {
  readonly writes: number;
  readonly purged: number;
  /** Responses that stay stored, and are used after the site has confirmed them. */
  readonly softPurged: number;
  /** Responses of the site that were still stored after a write, summed over all writes. */
  readonly kept: number;
}

/** A write, from the moment its request was planned. */
export interface BegunWrite extends OpenWrite {
  /** `null` if nothing is learned. */
  readonly logged: RecentWrite | null;
}

/** The stored responses that the purge of a write selects. */
interface GroupSelection extends Extract<PurgeSelection, { kind: 'tags' }> {
  readonly groups: readonly GroupPurge[];
  readonly clauses: readonly PurgeClause[];
}

/**
 * Milliseconds after a write without response at which its purge is repeated. PHP stops a request after 30 seconds of work
 * by default (`max_execution_time`), in which waiting for a database does not count.
 */
export const UNFINISHED_DELAYS: readonly number[] = [2_000, 10_000, 35_000, 120_000];

/** Stands for any number of writes. */
export const EVERY_WRITE: InvalidatingWrite = createUnknownWrite('', '', [EVERYTHING]);

/** Writes whose purge is repeated. */
interface RepeatedPurge {
  readonly documentTags: DocumentCacheTags;
  readonly writes: readonly InvalidatingWrite[];
  readonly addresses: readonly string[];
}

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
  readonly #later: LaterPurges<() => RepeatedPurge | null>;
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
    this.#later = new LaterPurges(cache.clock, (purges) => this.#repeat(purges));
    this.itemStates = itemStates;
    this.isCautious = unknownWrites === 'cautious';
    this.#staleAfterWrite = options.staleAfterWrite;
    this.#evidence = evidence;
    this.#findIndependentKinds = createIndependentKindLookup(rules, routeClasses);
  }

  /** Whether what a write may have changed is used while the site fails. */
  isUsedAfter(isFailed: boolean): boolean {
    return this.#staleAfterWrite === 'always' || (isFailed && this.#staleAfterWrite !== 'never');
  }

  /** Logs that a write has begun. It must be passed to {@link cancel}, {@link skip} or {@link purgeAfterWrite}. */
  begin({ storeScope: scope }: DocumentCacheTags): BegunWrite {
    const { clock, store } = this.cache;
    const logged = this.#evidence?.startWrite(clock.now()) ?? null;
    const write = { scope, isOverlapped: store.openWrites === undefined, logged };
    store.openWrites?.add(write);
    return write;
  }

  /**
   * Returns what an item was before a write that has ended; `null` if it is unknown: while nothing is learned, all that may depend on the
   * write is purged anyway.
   */
  getBefore(itemTag: string, write: BegunWrite): ItemState | null {
    const { logged } = write;
    return logged !== null && this.isAlone(write) ? this.itemStates.getBefore(itemTag, logged.start) : null;
  }

  /** Whether no other write has run at the same time, here or in another process; `false` if nothing is learned. */
  isAlone({ isOverlapped, logged }: BegunWrite): boolean {
    if (isOverlapped || logged === null) return false;
    return this.#evidence?.isAlone(logged, this.cache.clock.now()) === true;
  }

  /** Logs that a write has changed nothing. */
  cancel(write: BegunWrite): void {
    if (write.logged !== null) this.#evidence?.voidWrite(write.logged);
    this.cache.store.openWrites?.delete(write);
  }

  /**
   * Logs the end of a write if nothing of the site is stored, and nothing in flight that may be stored, so that there is
   * nothing to purge. That is known only of a store that no other gateway shares.
   *
   * @returns whether there is nothing to purge
   */
  skip({ storedGroups }: DocumentCacheTags, write: BegunWrite): boolean {
    const { store } = this.cache;
    if (this.cache.openFetches > 0 || store.inspector?.isShared !== false) return false;
    for (const name of storedGroups) if (store.countGroup?.(name) !== 0) return false;
    if (write.logged !== null) this.#evidence?.skipWrite(write.logged, this.cache.clock.now());
    store.openWrites?.delete(write);
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
   * @param decideAgain decides what the writes invalidate if what there was before is not known: if another process wrote at the same time
   * @returns a promise if the store is shared: each gateway knows the purge when it resolves
   */
  purgeAfterWrite(
    documentTags: DocumentCacheTags,
    writes: readonly InvalidatingWrite[],
    tags: readonly string[],
    write: BegunWrite,
    isFailed: boolean,
    requestId = '',
    decideAgain?: () => readonly InvalidatingWrite[],
  ): void | Promise<void> {
    const { clock, store } = this.cache;
    const selection = this.select(documentTags, writes, tags);
    const isLearned = (routeClass: string): boolean =>
      write.logged !== null && this.#evidence?.hasLearned(write.logged, routeClass) === true;
    const purge = this.#log(documentTags, writes, selection, write, requestId);
    if (selection.groups.length === 0 && listSelectedTags(selection).length === 0) {
      store.openWrites?.delete(write);
      return undefined;
    }
    const { counts } = this;
    const onRemoved = (): void => {
      counts.softPurged += 1;
      counts.kept -= 1;
      purge.marked += 1;
    };
    const mode = this.isUsedAfter(isFailed) ? 'unconfirmed' : 'soft';
    const counted = store.invalidate === undefined ? 'purged' : 'softPurged';
    return whenResolved(this.cache.invalidate(selection, mode, onRemoved, isLearned), (count) => {
      if (writes.length > 0) this.#count(documentTags, counted, count, purge);
      if (!write.isOverlapped || decideAgain === undefined) {
        store.openWrites?.delete(write);
        return undefined;
      }
      const wide = this.select(documentTags, decideAgain(), tags);
      this.#evidence?.noteSelection(wide, clock.now());
      return whenResolved(this.cache.invalidate(wide, mode, onRemoved, isLearned), () => {
        store.openWrites?.delete(write);
      });
    });
  }

  /** Purges what writes at the site itself invalidate. @returns number of responses that were purged */
  purge(
    documentTags: DocumentCacheTags,
    writes: readonly InvalidatingWrite[],
    mode: PurgeMode = 'hard',
  ): Awaitable<number> {
    if (writes.length === 0) return 0;
    const { store } = this.cache;
    const write = this.begin(documentTags);
    const selection = this.select(documentTags, writes);
    const purge = this.#log(documentTags, writes, selection, write, '');
    const purged = this.cache.purge(selection, mode);
    void whenResolved(purged, (count) => {
      store.openWrites?.delete(write);
      this.#count(documentTags, 'purged', count, purge);
    });
    return purged;
  }

  /** Selects what writes invalidate at this moment, without effect on what is learned. @param tags further tags */
  select(
    documentTags: DocumentCacheTags,
    writes: readonly InvalidatingWrite[],
    tags: readonly string[] = [],
  ): GroupSelection {
    const all = new Set(tags);
    const clauses: PurgeClause[] = [];
    for (const write of writes) {
      for (const tag of write.tags) all.add(tag);
      if (write.ownPage !== undefined && !this.#keepsOwnPages(write)) all.add(write.ownPage);
      for (const clause of write.clauses) {
        const { kind } = write;
        const learned = clause.exceptKinds && this.#evidence?.listKeptPatterns(kind && nameFirstEdit(kind));
        // Of routes, some responses of a class show the date of change, and others do not (`_fields`).
        const exceptKinds = learned?.filter((name) => name.startsWith(`${PAGE_NAMESPACES.pages} `));
        const exceptions = exceptKinds && { exceptKinds };
        clauses.push({ ...clause, ...exceptions, tags: documentTags.toStoredTags(clause.tags) });
      }
    }
    return {
      kind: 'tags',
      tags: documentTags.toStoredTags(all),
      clauses,
      groups: this.#selectGroups(documentTags, writes),
    };
  }

  /**
   * Repeats a purge after each delay: the site may still be changing. What is fetched in between may be older than the change.
   *
   * @param getPurge called at the time of the purge. `null` if there is nothing to purge
   */
  repeatLater(getPurge: () => RepeatedPurge | null, delays: readonly number[]): void {
    this.#later.add(getPurge, delays);
  }

  /** Whether a purge waits to be repeated. */
  get isRepeating(): boolean {
    return this.#later.isWaiting;
  }

  #repeat(getPurges: readonly (() => RepeatedPurge | null)[]): void {
    const purges = getPurges.flatMap((getPurge) => getPurge() ?? []);
    const last = purges.at(-1);
    if (last === undefined) return;
    const { documentTags } = last;
    const writes = purges.length > MAX_LATER_ITEMS ? [EVERY_WRITE] : purges.flatMap((purge) => purge.writes);
    const addresses = purges.flatMap((purge) => purge.addresses);
    void this.purgeAfterWrite(documentTags, writes, addresses, this.begin(documentTags), true);
  }

  /** Remembers a purge without a write. @param cause in words */
  rememberPurge(cause: string, selection: PurgeSelection, requestId = ''): void {
    this.recent.add({ time: this.cache.clock.now(), requestId, selection, cause, marked: 0 });
  }

  /** Purges all responses of a site whose dependencies are not certain. */
  purgeGroups(documentTags: DocumentCacheTags): void {
    const groups = ALL_GROUPS.map((name) => ({ name: documentTags.toStoredGroup(name), exceptKinds: [] }));
    const selection: PurgeSelection = { kind: 'tags', tags: [], groups };
    this.rememberPurge('a page that contradicts what was learned', selection);
    void this.cache.invalidate(selection);
  }

  #keepsOwnPages({ clauses, kind }: InvalidatingWrite): boolean {
    const kinds = clauses.some(isUncertain) ? [kind, kind && nameFirstEdit(kind)] : [kind];
    return kinds.every((each) => this.#evidence?.listKeptPatterns(each).includes(OWN_PAGES) === true);
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
      const kept = [...independent, ...(this.#evidence?.listKeptPatterns(write.kind) ?? [])];
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
    { logged }: BegunWrite,
    requestId: string,
  ): RecentPurge {
    const evidence = this.#evidence;
    const [first] = writes;
    const { address = '', kind = null, method = '' } = first ?? {};
    const time = this.cache.clock.now();
    const purge = { time, requestId, selection, cause: { method, address, kind }, marked: 0 };
    if (first !== undefined) this.recent.add(purge);
    if (evidence === null || logged === null) return purge;
    if (first === undefined) {
      evidence.voidWrite(logged);
      return purge;
    }
    const isSingle = writes.length === 1;
    const ownPage = isSingle && first.ownPage !== undefined ? documentTags.toStoredTag(first.ownPage) : null;
    const finished = {
      kind: isSingle ? first.kind : null,
      resource: first.resource,
      hasCertainEffect: isSingle && first.hasCertainEffect,
      effectTags: isSingle ? documentTags.toStoredTags(first.effectTags) : [],
      // That the page of the item was purged tells nothing of whether it depends on the write.
      selection:
        ownPage === null
          ? selection
          : { ...selection, tags: selection.tags.filter((tag) => tag !== ownPage) },
    };
    evidence.finishWrite(logged, finished, time);
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

/** Items that wait together are no more than these: one beyond shows that there were more. */
const MAX_LATER_ITEMS = 100;

/**
 * Purges of one site that are repeated after fixed delays, because the site may still be changing: it has not responded to a write, or
 * goes on working after its response. One purge waits for each delay. What is added meanwhile is purged together, a delay after the
 * last of it, so a busy site is purged once per delay and not once per request.
 */
class LaterPurges<Item> {
  readonly #clock: Clock;
  readonly #purge: (items: readonly Item[]) => void;
  /** The items of the next purge but one, by delay. */
  readonly #waiting = new Map<number, { readonly items: Item[]; dueAt: number }>();

  constructor(clock: Clock, purge: (items: readonly Item[]) => void) {
    this.#clock = clock;
    this.#purge = purge;
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  add(item: Item, delays: readonly number[]): void {
    for (const delay of delays) {
      const next = this.#waiting.get(delay);
      if (next === undefined) this.#wait(delay, [item], delay);
      else {
        next.dueAt = this.#clock.now() + delay;
        if (next.items.length <= MAX_LATER_ITEMS) next.items.push(item);
      }
    }
  }

  #wait(delay: number, items: readonly Item[], milliseconds: number): void {
    const next = { items: [], dueAt: 0 };
    this.#waiting.set(delay, next);
    this.#clock.after(milliseconds, () => {
      this.#waiting.delete(delay);
      if (next.items.length > 0) this.#wait(delay, next.items, next.dueAt - this.#clock.now());
      this.#purge(items);
    });
  }
}
