import type { DependencyLearning, LoggedWrite } from '../../cache/dependencies/dependency-learning.ts';
import type { HttpCache } from '../../cache/http-cache.ts';
import type { Awaitable, GroupPurge, PurgeMode, PurgeSelection } from '../../cache/store.ts';
import { ALL_GROUPS, type ResponseGroupName } from '../../cache/wordpress/write-invalidation.ts';
import { parseRouteGlob } from '../../glob.ts';
import type { IndependenceRule } from '../../option-types.ts';
import type { ReadKindRegistry, SiteCacheProfile } from './site-cache-profile.ts';
import type { InvalidatingWrite } from './write-effects.ts';

/** How many responses writes have purged and kept, in the memory of this process. */
export interface PurgeCounts {
  readonly writes: number;
  readonly purged: number;
  /** Responses of the site that were still stored after a write, summed over all writes. */
  readonly kept: number;
}

/** The stored responses that the purge of a write selects. */
interface TagSelection extends Extract<PurgeSelection, { kind: 'tags' }> {
  readonly groups: readonly GroupPurge[];
}

/**
 * Milliseconds after a write without response at which its purge is repeated. PHP stops a request after 30 seconds of work
 * by default (`max_execution_time`), in which waiting for a database does not count.
 */
const REPEAT_DELAYS = [2_000, 10_000, 35_000, 120_000];
const MAX_PENDING_REPEATS = 1_000;

/** Purges what writes invalidate: tags, and groups except the kinds of read that do not depend on the write. */
export class WritePurges {
  readonly #cache: HttpCache;
  readonly #learning: DependencyLearning | null;
  readonly #findIndependentKinds: IndependentKindLookup;
  #pendingRepeats = 0;
  readonly #counts = { writes: 0, purged: 0, kept: 0 };

  /** @param learning `null` if nothing is learned */
  constructor(
    cache: HttpCache,
    learning: DependencyLearning | null,
    findIndependentKinds: IndependentKindLookup,
  ) {
    this.#cache = cache;
    this.#learning = learning;
    this.#findIndependentKinds = findIndependentKinds;
  }

  get counts(): PurgeCounts {
    return this.#counts;
  }

  /** Logs that a write has begun; `null` if nothing is learned. */
  begin(): LoggedWrite | null {
    return this.#learning?.startWrite(this.#cache.clock.now()) ?? null;
  }

  /** Logs that a write has changed nothing. */
  cancel(logged: LoggedWrite | null): void {
    if (logged !== null) this.#learning?.voidWrite(logged);
  }

  /**
   * Logs the end of a write if nothing of the site is stored, and nothing in flight that may be stored, so that there is
   * nothing to purge. That is known only of a store that no other gateway shares.
   *
   * @returns whether there is nothing to purge
   */
  skip({ storedGroups }: SiteCacheProfile, logged: LoggedWrite | null): boolean {
    const { store } = this.#cache;
    if (this.#cache.hasOpenFetches || store.inspector?.isShared !== false) return false;
    if (storedGroups.some((name) => store.countGroup?.(name) !== 0)) return false;
    if (logged !== null) this.#learning?.skipWrite(logged, this.#cache.clock.now());
    this.#counts.writes += 1;
    return true;
  }

  /**
   * Purges what the writes of one request invalidate, in a time that does not depend on the number of stored responses.
   *
   * @param tags further tags
   * @returns a promise if the store is shared: each gateway knows the purge when it resolves
   */
  purgeAfterWrite(
    profile: SiteCacheProfile,
    writes: readonly InvalidatingWrite[],
    tags: readonly string[],
    logged: LoggedWrite | null,
  ): void | Promise<void> {
    const { store } = this.#cache;
    const selection = this.#select(profile, writes, tags, true);
    this.#log(profile, writes, selection.tags, logged);
    if (selection.tags.length === 0 && selection.groups.length === 0) return undefined;
    const counts = this.#counts;
    const onRemoved = (): void => {
      counts.purged += 1;
      counts.kept -= 1;
    };
    const purged = store.invalidate?.(selection, onRemoved) ?? store.purge(selection, 'hard');
    if (writes.length > 0) this.#count(profile, purged);
    return purged instanceof Promise ? purged.then(() => undefined) : undefined;
  }

  /**
   * Purges what writes at the site itself invalidate.
   *
   * @returns number of responses that were purged
   */
  purge(
    profile: SiteCacheProfile,
    writes: readonly InvalidatingWrite[],
    mode: PurgeMode = 'hard',
  ): Awaitable<number> {
    const selection = this.#select(profile, writes, [], true);
    this.#log(profile, writes, selection.tags, this.begin());
    if (writes.length === 0) return 0;
    const purged = this.#cache.store.purge(selection, mode);
    this.#count(profile, purged);
    return purged;
  }

  /** Returns what {@link purge} would select at this moment, without effect on what is learned. */
  preview(profile: SiteCacheProfile, writes: readonly InvalidatingWrite[]): TagSelection {
    return this.#select(profile, writes, [], false);
  }

  /** @param countsWrite whether the learned exceptions count the write */
  #select(
    profile: SiteCacheProfile,
    writes: readonly InvalidatingWrite[],
    tags: readonly string[],
    countsWrite: boolean,
  ): TagSelection {
    const all = new Set(tags);
    for (const write of writes) for (const tag of write.tags) all.add(tag);
    return {
      kind: 'tags',
      tags: profile.toStoredTags(all),
      groups: this.#selectGroups(profile, writes, countsWrite),
    };
  }

  /**
   * Repeats the purge of a write that the site may still be running. What is fetched in between may be older than it.
   */
  repeatLater(profile: SiteCacheProfile, writes: readonly InvalidatingWrite[]): void {
    if (writes.length === 0 || this.#pendingRepeats >= MAX_PENDING_REPEATS) return;
    for (const delay of REPEAT_DELAYS) {
      this.#pendingRepeats += 1;
      this.#cache.clock.after(delay, () => {
        this.#pendingRepeats -= 1;
        void this.purgeAfterWrite(profile, writes, [], this.begin());
      });
    }
  }

  /** Purges all responses of a site whose dependencies are not certain. */
  purgeGroups(profile: SiteCacheProfile): Awaitable<number> {
    const groups = ALL_GROUPS.map((name) => ({ name: profile.toStoredGroup(name), exceptKinds: [] }));
    return this.#cache.store.purge({ kind: 'tags', tags: [], groups }, 'hard');
  }

  /** A kind of read is kept if each write that concerns its group keeps it. */
  #selectGroups(
    profile: SiteCacheProfile,
    writes: readonly InvalidatingWrite[],
    countsWrite: boolean,
  ): readonly GroupPurge[] {
    const exceptions = new Map<ResponseGroupName, readonly string[]>();
    for (const write of writes) {
      const learned =
        write.kind === null ? undefined : this.#learning?.listIndependentKinds(write.kind, countsWrite);
      const kept = [...this.#findIndependentKinds(write), ...(learned ?? [])];
      for (const name of write.groups) {
        exceptions.set(name, exceptions.get(name)?.filter((kind) => kept.includes(kind)) ?? kept);
      }
    }
    return Array.from(exceptions, ([name, kinds]) => ({
      name: profile.toStoredGroup(name),
      exceptKinds: [...new Set(kinds)],
    }));
  }

  #log(
    profile: SiteCacheProfile,
    writes: readonly InvalidatingWrite[],
    tags: readonly string[],
    logged: LoggedWrite | null,
  ): void {
    const learning = this.#learning;
    if (learning === null || logged === null) return;
    const [first] = writes;
    if (first === undefined) {
      learning.voidWrite(logged);
      return;
    }
    const isSingle = writes.length === 1;
    const groups = new Set(writes.flatMap((write) => write.groups));
    learning.finishWrite(
      logged,
      {
        kind: isSingle ? first.kind : null,
        resource: first.resource,
        hasCertainEffect: isSingle && first.hasCertainEffect,
        tags,
        effectTags: isSingle ? profile.toStoredTags(first.effectTags) : [],
        namespace: isSingle ? first.namespace : '',
        groups: Array.from(groups, profile.toStoredGroup),
      },
      this.#cache.clock.now(),
    );
  }

  /** Counts what is left when the purge has begun. What a purge has removed is known later in a shared store. */
  #count({ storedGroups }: SiteCacheProfile, purged: Awaitable<number>): void {
    const counts = this.#counts;
    const { store } = this.#cache;
    const add = (count: number): void => {
      counts.writes += 1;
      counts.purged += count;
      for (const name of storedGroups) if (name !== null) counts.kept += store.countGroup?.(name) ?? 0;
    };
    if (purged instanceof Promise) void purged.then(add);
    else add(purged);
  }
}

/** Lists the kinds of read that the operator has declared independent of a write. */
type IndependentKindLookup = (
  write: Pick<InvalidatingWrite, 'method' | 'address' | 'namespace'>,
) => readonly string[];

/** Creates the lookup for the rules of one site. */
export function createIndependentKindLookup(
  rules: readonly IndependenceRule[],
  readKinds: ReadKindRegistry,
): IndependentKindLookup {
  const parsed = rules.map(({ methods, reads, writes }) => ({
    methods: methods?.map((method) => method.toUpperCase()),
    reads: reads.map(parseRouteGlob),
    writes: parseRouteGlob(writes),
  }));
  return ({ address, method, namespace }) =>
    parsed.flatMap(({ methods, reads, writes }) => {
      if (methods?.includes(method) === false) return [];
      if (!writes.matches(writes.isForRoutes ? address : namespace)) return [];
      return reads.flatMap((glob) => readKinds.select(glob));
    });
}
