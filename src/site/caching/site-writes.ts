import type { SiteCacheOptions } from '../../../generated/option-types.d.ts';
import type { HttpCache } from '../../cache/http-cache.ts';
import { isSharedStore, type PurgeSelection } from '../../cache/store.ts';
import type { Clock } from '../../ports.ts';
import { EVERYTHING } from '../../wordpress/tags.ts';
import { createWriteRules, type PurgedByWrite } from '../../wordpress/writes.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { Recent } from '../traffic/traffic-counters.ts';

/**
 * Milliseconds after a write without response at which its purge is repeated. PHP stops a request after 30 seconds of work
 * by default (`max_execution_time`), in which waiting for a database does not count.
 */
export const UNFINISHED_DELAYS: readonly number[] = [2_000, 10_000, 35_000, 120_000];

/** The purge of one write. */
export interface WritePurge {
  readonly purged: PurgedByWrite;
  /** Names of the addresses that it invalidates in any case (RFC 9111 §4.4). */
  readonly addresses: readonly string[];
  /** Whether the site has certainly run it for a client that may write. */
  readonly isProven: boolean;
  /** In words: method and address. */
  readonly cause: string;
  /** Of the request; empty if its purge is repeated. */
  readonly requestId: string;
}

/** What has purged stored responses of a site. */
export interface RecentPurge {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly requestId: string;
  readonly selection: PurgeSelection;
  readonly cause: string;
}

/** Purges that are remembered of a site. */
const MAX_PURGES = 1_000;

/** Turns tags of a site into their form in the store. */
type SelectTags = (snapshot: Snapshot, tags: Iterable<string>) => PurgeSelection;

/** The writes of one site: purges what they may have changed. */
export class SiteWrites {
  readonly cache: HttpCache;
  readonly decide: ReturnType<typeof createWriteRules>;
  /** What the last writes and purges have selected. */
  readonly recent: Recent<RecentPurge> = new Recent<RecentPurge>(MAX_PURGES);
  /** Writes by what they have purged: `nothing`, `everything`, or only what a row or the site has named. */
  readonly counts: Record<'nothing' | 'everything' | 'named', number> = {
    nothing: 0,
    everything: 0,
    named: 0,
  };
  readonly #staleAfterWrite: SiteCacheOptions['staleAfterWrite'];
  readonly #selectTags: SelectTags;
  readonly #later: LaterPurges;

  constructor(
    cache: HttpCache,
    { staleAfterWrite, writes = [] }: Pick<SiteCacheOptions, 'staleAfterWrite' | 'writes'>,
    selectTags: SelectTags,
  ) {
    this.cache = cache;
    this.decide = createWriteRules(writes);
    this.#staleAfterWrite = staleAfterWrite;
    this.#selectTags = selectTags;
    this.#later = new LaterPurges(cache.clock, (purges) => this.#repeat(purges));
  }

  /** Whether what a write may have changed is used while the site fails. */
  isUsedAfter(isProven: boolean): boolean {
    return this.#staleAfterWrite === 'always' || (!isProven && this.#staleAfterWrite !== 'never');
  }

  /**
   * Whether nothing is stored, and nothing in flight that may be stored. That is known only of a store that no other gateway
   * shares.
   */
  get hasNothingToPurge(): boolean {
    const { openFetches, store } = this.cache;
    return openFetches === 0 && !isSharedStore(store) && store.report().responseCount === 0;
  }

  /**
   * Purges softly what a write may have changed: it is used again after the site has confirmed it. The time does not depend on the number
   * of stored responses.
   *
   * @returns a promise if the store is shared: each gateway knows the purge when it resolves
   */
  purge(
    snapshot: Snapshot,
    { addresses, cause, isProven, purged, requestId }: WritePurge,
  ): void | Promise<void> {
    const tags = typeof purged === 'string' ? (purged === 'everything' ? [EVERYTHING] : []) : purged;
    this.counts[typeof purged === 'string' ? purged : 'named'] += 1;
    if (tags.length === 0 && addresses.length === 0) return undefined;
    const selection = this.#selectTags(snapshot, [...tags, ...addresses]);
    if (tags.length > 0) this.rememberPurge(cause, selection, requestId);
    return this.cache.purge(selection, this.isUsedAfter(isProven) ? 'unconfirmed' : 'revalidate');
  }

  /** Repeats a purge after each delay: the site may still be changing. What is fetched in between may be older than the change. */
  repeatLater(snapshot: Snapshot, purge: WritePurge, delays: readonly number[]): void {
    if (purge.purged !== 'nothing') this.#later.add({ ...purge, getSnapshot: () => snapshot }, delays);
  }

  /** Purges everything after each delay. @param getSnapshot called at the time of the purge */
  purgeLater(getSnapshot: () => Snapshot | null, delays: readonly number[]): void {
    const cause = 'writes that a process had forwarded when it ended';
    this.#later.add({ ...EVERY_WRITE, cause, getSnapshot }, delays);
  }

  /** Whether a purge waits to be repeated. */
  get isRepeating(): boolean {
    return this.#later.isWaiting;
  }

  #repeat(purges: readonly LaterPurge[]): void {
    const [first] = purges;
    const isMany = first !== undefined && purges.length > MAX_LATER_PURGES;
    const whole = isMany
      ? { ...first, ...EVERY_WRITE }
      : purges.find(({ purged }) => purged === 'everything');
    for (const { getSnapshot, ...purge } of whole === undefined ? purges : [whole]) {
      const snapshot = getSnapshot();
      if (snapshot !== null) void this.purge(snapshot, { ...purge, isProven: false, requestId: '' });
    }
  }

  /** @param cause in words */
  rememberPurge(cause: string, selection: PurgeSelection, requestId = ''): void {
    const time = this.cache.clock.now();
    this.recent.add({ time, requestId, selection, cause });
  }
}

/** A purge that is repeated. */
interface LaterPurge extends WritePurge {
  readonly getSnapshot: () => Snapshot | null;
}

const EVERY_WRITE: WritePurge = {
  ...{ purged: 'everything', addresses: [], isProven: false, cause: 'many writes, again', requestId: '' },
};

/** Purges that wait together are no more than these: one beyond shows that there were more. */
const MAX_LATER_PURGES = 100;

/**
 * Purges of one site that are repeated after fixed delays, because the site may still be changing: it has not responded to a write, or
 * goes on working after its response. One purge waits for each delay. What is added meanwhile is purged together, a delay after the
 * last of it, so a busy site is purged once per delay and not once per request.
 */
class LaterPurges {
  readonly #clock: Clock;
  readonly #purge: (purges: readonly LaterPurge[]) => void;
  /** Those of the next purge but one, by delay. */
  readonly #waiting = new Map<number, { readonly purges: LaterPurge[]; dueAt: number }>();

  constructor(clock: Clock, purge: (purges: readonly LaterPurge[]) => void) {
    this.#clock = clock;
    this.#purge = purge;
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  add(purge: LaterPurge, delays: readonly number[]): void {
    for (const delay of delays) {
      const next = this.#waiting.get(delay);
      if (next === undefined) this.#wait(delay, [purge], delay);
      else {
        next.dueAt = this.#clock.now() + delay;
        if (next.purges.length <= MAX_LATER_PURGES) next.purges.push(purge);
      }
    }
  }

  #wait(delay: number, purges: readonly LaterPurge[], milliseconds: number): void {
    const next = { purges: [], dueAt: 0 };
    this.#waiting.set(delay, next);
    this.#clock.after(milliseconds, () => {
      this.#waiting.delete(delay);
      if (next.purges.length > 0) this.#wait(delay, next.purges, next.dueAt - this.#clock.now());
      this.#purge(purges);
    });
  }
}
