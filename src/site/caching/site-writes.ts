import type { HttpCache } from '../../cache/http-cache.ts';
import { isSharedStore, type PurgeSelection } from '../../cache/store.ts';
import type { SiteCacheOptions } from '../../config/option-types.ts';
import { createLru } from '../../memoize.ts';
import { EVERYTHING } from '../../wordpress/tags.ts';
import { createWriteRules, type LaterWork, type PurgedByWrite } from '../../wordpress/writes.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { Recent } from '../traffic/traffic-counters.ts';

/**
 * PHP stops after 30 seconds by default (`max_execution_time`), in which waiting for a database does not
 * count.
 */
export const UNFINISHED: LaterWork = {
  delays: [2_000, 10_000, 35_000, 120_000],
  atMostEvery: 0,
  purged: null,
};

export interface WritePurge {
  readonly purged: PurgedByWrite;
  /** Names that it invalidates in any case (RFC 9111 §4.4). */
  readonly addresses: readonly string[];
  /** Run by the site, for a client that can write. */
  readonly isProven: boolean;
  readonly cause: string;
  /** Empty if the purge is repeated. */
  readonly requestId: string;
  /** Who asked: the address, and the user of Basic credentials. */
  readonly client: string;
}

export interface RecentPurge extends Pick<WritePurge, 'client' | 'requestId'> {
  readonly time: number;
  readonly selection: PurgeSelection;
  readonly cause: string;
}

const MAX_PURGES = 1_000;
/** Later purges. While more are due, each one is of everything. */
const MAX_WAITING = 500;

type SelectTags = (snapshot: Snapshot, tags: Iterable<string>) => PurgeSelection;

export class SiteWrites {
  readonly cache: HttpCache;
  readonly decide: ReturnType<typeof createWriteRules>;
  readonly recent: Recent<RecentPurge> = new Recent<RecentPurge>(MAX_PURGES);
  /** Purges after writes, repeated ones too; `named` by `cache.writes`, a row or the site. */
  readonly counts: Record<'nothing' | 'everything' | 'named', number> = {
    nothing: 0,
    everything: 0,
    named: 0,
  };
  readonly #selectTags: SelectTags;
  /** Purges by their delay and tags: when the next one is due, or the last one was. */
  readonly #due = createLru<number>(MAX_WAITING);
  #waiting = 0;

  constructor(cache: HttpCache, { writes = [] }: Pick<SiteCacheOptions, 'writes'>, selectTags: SelectTags) {
    this.cache = cache;
    this.decide = createWriteRules(writes);
    this.#selectTags = selectTags;
  }

  /** Whether nothing can be stale, which is known only of a store that isn't shared. */
  get hasNothingToPurge(): boolean {
    const { openFetches, store } = this.cache;
    return openFetches === 0 && !isSharedStore(store) && store.report().responseCount === 0;
  }

  /**
   * A response is used again after the site has confirmed it. The time does not depend on the number of
   * responses.
   * @returns a promise if the store is shared, which resolves when each gateway knows the purge
   */
  purge(
    snapshot: Snapshot,
    { addresses, cause, client, isProven, purged, requestId }: WritePurge,
  ): void | Promise<void> {
    const tags = typeof purged === 'string' ? (purged === 'everything' ? [EVERYTHING] : []) : purged;
    this.counts[typeof purged === 'string' ? purged : 'named'] += 1;
    if (tags.length === 0 && addresses.length === 0) return undefined;
    const selection = this.#selectTags(snapshot, [...tags, ...addresses]);
    if (tags.length > 0) this.rememberPurge(cause, selection, requestId, client);
    return this.cache.purge(selection, isProven ? 'revalidate' : 'unconfirmed');
  }

  /** What is fetched while the site works might be older than the change. */
  repeatLater(
    snapshot: Snapshot,
    { cause, client, purged: byWrite }: WritePurge,
    { atMostEvery, delays, purged = null }: LaterWork,
  ): void {
    const tags = purged ?? (byWrite === 'everything' ? [EVERYTHING] : byWrite);
    // Lifetimes bound what an anonymous write leaves unfinished.
    if (tags === 'nothing') return;
    for (const delay of delays)
      this.#schedule(
        { cause, client, tags, getSnapshot: () => snapshot },
        delay,
        Math.max(1_000, atMostEvery),
      );
  }

  /** @param getSnapshot called at the time of the purge */
  purgeLater(getSnapshot: () => Snapshot | null, delays: readonly number[]): void {
    const cause = 'writes in progress when a process ended';
    for (const delay of delays)
      this.#schedule({ cause, client: '', tags: [EVERYTHING], getSnapshot }, delay, delay);
  }

  get isRepeating(): boolean {
    return this.#waiting > 0;
  }

  /** Purges at most once in a time. A purge that is due later covers this request too. */
  #schedule(purge: LaterPurge, delay: number, atMostEvery: number): void {
    const { clock } = this.cache;
    const tags = this.#waiting < MAX_WAITING ? purge.tags : [EVERYTHING];
    const name = `${delay} ${tags.join(' ')}`;
    const now = clock.now();
    const known = this.#due.get(name) ?? Number.NEGATIVE_INFINITY;
    // A clock that was set back must not delay it for longer.
    const last = known > now + delay + atMostEvery ? Number.NEGATIVE_INFINITY : known;
    if (last >= now + delay) return;
    const due = Math.max(now + delay, last + atMostEvery);
    this.#due.set(name, due);
    this.#waiting += 1;
    clock.after(due - now, () => {
      this.#waiting -= 1;
      this.#purgeLate({ ...purge, tags });
    });
  }

  #purgeLate({ cause, client, getSnapshot, tags }: LaterPurge): void {
    const snapshot = getSnapshot();
    const purged = tags.includes(EVERYTHING) ? 'everything' : tags;
    const purge = { purged, addresses: [], isProven: false, cause, client, requestId: '' } as const;
    if (snapshot !== null) void this.purge(snapshot, purge);
  }

  rememberPurge(cause: string, selection: PurgeSelection, requestId = '', client = ''): void {
    const time = this.cache.clock.now();
    this.recent.add({ time, requestId, client, selection, cause });
  }
}

interface LaterPurge extends Pick<WritePurge, 'cause' | 'client'> {
  readonly tags: readonly string[];
  readonly getSnapshot: () => Snapshot | null;
}
