import type { DependencyLearning, LoggedWrite } from '../../cache/dependencies/dependency-learning.ts';
import type { Awaitable, CacheStore, GroupPurge, PurgeMode, PurgeSelection } from '../../cache/store.ts';
import { ALL_GROUPS, type ResponseGroupName } from '../../cache/wordpress/write-invalidation.ts';
import { parseRouteGlob } from '../../glob.ts';
import type { Clock } from '../../ports.ts';
import type { IndependenceRule } from '../options/site-options.ts';
import type { ReadKindRegistry, SiteCacheProfile } from './site-cache-profile.ts';
import type { InvalidatingWrite } from './write-effects.ts';

/** Options of {@link WritePurges}. */
interface WritePurgesOptions {
  readonly store: CacheStore;
  /** `null` if nothing is learned. */
  readonly learning: DependencyLearning | null;
  readonly findIndependentKinds: IndependentKindLookup;
  readonly clock: Clock;
}

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
  readonly #options: WritePurgesOptions;
  #pendingRepeats = 0;
  #counts: PurgeCounts = { writes: 0, purged: 0, kept: 0 };

  constructor(options: WritePurgesOptions) {
    this.#options = options;
  }

  get counts(): PurgeCounts {
    return this.#counts;
  }

  /** Logs that a write has begun; `null` if nothing is learned. */
  begin(): LoggedWrite | null {
    const { clock, learning } = this.#options;
    return learning?.startWrite(clock.now()) ?? null;
  }

  /** Logs that a write has changed nothing. */
  cancel(logged: LoggedWrite | null): void {
    if (logged !== null) this.#options.learning?.voidWrite(logged);
  }

  /**
   * Purges what the writes of one request invalidate.
   *
   * @param tags further tags
   * @returns number of responses that were purged
   */
  purge(
    profile: SiteCacheProfile,
    writes: readonly InvalidatingWrite[],
    tags: readonly string[],
    logged: LoggedWrite | null,
    mode: PurgeMode = 'hard',
  ): Awaitable<number> {
    const { store } = this.#options;
    const { learning } = this.#options;
    const selection = this.#select(
      profile,
      writes,
      tags,
      (kind) => learning?.takeIndependentKinds(kind) ?? [],
    );
    this.#log(profile, writes, selection.tags, logged);
    if (selection.tags.length === 0 && selection.groups.length === 0) return 0;
    const purged = store.purge(selection, mode);
    if (writes.length === 0) return purged;
    if (!(purged instanceof Promise)) return this.#count(profile, purged);
    return purged.then((count) => this.#count(profile, count));
  }

  /** Returns what {@link purge} would select at this moment, without effect on what is learned. */
  preview(profile: SiteCacheProfile, writes: readonly InvalidatingWrite[]): TagSelection {
    const { learning } = this.#options;
    return this.#select(profile, writes, [], (kind) => learning?.listIndependentKinds(kind) ?? []);
  }

  #select(
    profile: SiteCacheProfile,
    writes: readonly InvalidatingWrite[],
    tags: readonly string[],
    listLearned: (writeKind: string | null) => readonly string[],
  ): TagSelection {
    const all = new Set([...writes.flatMap((write) => write.tags), ...tags]);
    const groups = writes.length === 0 ? [] : this.#selectGroups(profile, writes, listLearned);
    return { kind: 'tags', tags: profile.toStoredTags(all), groups };
  }

  /**
   * Repeats the purge of a write that the site may still be running. What is fetched in between may be older than it.
   */
  repeatLater(profile: SiteCacheProfile, writes: readonly InvalidatingWrite[]): void {
    if (writes.length === 0 || this.#pendingRepeats >= MAX_PENDING_REPEATS) return;
    for (const delay of REPEAT_DELAYS) {
      this.#pendingRepeats += 1;
      this.#options.clock.after(delay, () => {
        this.#pendingRepeats -= 1;
        void this.purge(profile, writes, [], this.begin());
      });
    }
  }

  /** Purges all responses of a site whose dependencies are not certain. */
  purgeGroups(profile: SiteCacheProfile): Awaitable<number> {
    const groups = ALL_GROUPS.map((name) => ({ name: profile.toStoredGroup(name), exceptKinds: [] }));
    return this.#options.store.purge({ kind: 'tags', tags: [], groups }, 'hard');
  }

  /** A kind of read is kept if each write that concerns its group keeps it. */
  #selectGroups(
    profile: SiteCacheProfile,
    writes: readonly InvalidatingWrite[],
    listLearned: (writeKind: string | null) => readonly string[],
  ): readonly GroupPurge[] {
    const { findIndependentKinds } = this.#options;
    const exceptions = new Map<ResponseGroupName, Set<string>>();
    for (const write of writes) {
      const kept = new Set([...findIndependentKinds(write), ...listLearned(write.kind)]);
      for (const name of write.groups) {
        const others = exceptions.get(name);
        exceptions.set(
          name,
          others === undefined ? kept : new Set([...others].filter((kind) => kept.has(kind))),
        );
      }
    }
    return Array.from(exceptions, ([name, kept]) => ({
      name: profile.toStoredGroup(name),
      exceptKinds: [...kept],
    }));
  }

  #log(
    profile: SiteCacheProfile,
    writes: readonly InvalidatingWrite[],
    tags: readonly string[],
    logged: LoggedWrite | null,
  ): void {
    const { clock, learning } = this.#options;
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
      clock.now(),
    );
  }

  #count(profile: SiteCacheProfile, purged: number): number {
    const { store } = this.#options;
    const left = ALL_GROUPS.map((name) => store.countGroup?.(profile.toStoredGroup(name)) ?? 0);
    const { kept, purged: purgedBefore, writes } = this.#counts;
    this.#counts = {
      writes: writes + 1,
      purged: purgedBefore + purged,
      kept: left.reduce((sum, count) => sum + count, kept),
    };
    return purged;
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
