import type { HttpCache } from '../../cache/http-cache.ts';
import { isSharedStore, type PurgeSelection } from '../../cache/store.ts';
import type { SiteCacheOptions } from '../../config/option-types.ts';
import { EVERYTHING } from '../../wordpress/tags.ts';
import { createWriteRules, type LaterWork, type PurgedByWrite } from '../../wordpress/writes.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { Recent } from '../traffic/traffic-counters.ts';

/**
 * A write without response: its purge is repeated. PHP stops a request after 30 seconds of work by default (`max_execution_time`), in
 * which waiting for a database does not count.
 */
export const UNFINISHED: LaterWork = {
  delays: [2_000, 10_000, 35_000, 120_000],
  atMostEvery: 0,
  purged: null,
};

export interface WritePurge {
  readonly purged: PurgedByWrite;
  /** Names of the addresses that it invalidates in any case (RFC 9111 §4.4). */
  readonly addresses: readonly string[];
  /** Whether the site has certainly run it for a client that can write. */
  readonly isProven: boolean;
  /** In words: method and address. */
  readonly cause: string;
  /** Of the request; empty if its purge is repeated. */
  readonly requestId: string;
}

/** A purge of a site's stored responses. */
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

/** The writes of one site: purges what they might have changed. */
export class SiteWrites {
  readonly cache: HttpCache;
  readonly decide: ReturnType<typeof createWriteRules>;
  /** Selections of the last writes and purges. */
  readonly recent: Recent<RecentPurge> = new Recent<RecentPurge>(MAX_PURGES);
  /** Writes by what they have purged: `nothing`, `everything`, or only what a row or the site has named. */
  readonly counts: Record<'nothing' | 'everything' | 'named', number> = {
    nothing: 0,
    everything: 0,
    named: 0,
  };
  readonly #staleAfterWrite: SiteCacheOptions['staleAfterWrite'];
  readonly #selectTags: SelectTags;
  /** The purges whose timer runs, with what is purged after the next time, by their delay. */
  readonly #waiting = new Map<number, NextPurge>();
  /** The purges that anyone can ask for, by their tags: when the next one is due, or the last one was. */
  readonly #limited = new Map<string, number>();

  constructor(
    cache: HttpCache,
    { staleAfterWrite, writes = [] }: Pick<SiteCacheOptions, 'staleAfterWrite' | 'writes'>,
    selectTags: SelectTags,
  ) {
    this.cache = cache;
    this.decide = createWriteRules(writes);
    this.#staleAfterWrite = staleAfterWrite;
    this.#selectTags = selectTags;
  }

  /** Whether what a write might have changed is used while the site fails. */
  isUsedAfter(isProven: boolean): boolean {
    return this.#staleAfterWrite === 'always' || (!isProven && this.#staleAfterWrite !== 'never');
  }

  /**
   * Whether nothing is stored, and nothing in flight that can be stored. That is known only of a store that no other gateway
   * shares.
   */
  get hasNothingToPurge(): boolean {
    const { openFetches, store } = this.cache;
    return openFetches === 0 && !isSharedStore(store) && store.report().responseCount === 0;
  }

  /**
   * Purges what a write might have changed: a stored response is used again after the site has confirmed it. The time does not depend on
   * the number of stored responses.
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

  /** Purges again after each delay: the site can still be changing. What is fetched in between might be older than the change. */
  repeatLater(
    snapshot: Snapshot,
    { cause, purged: byWrite }: WritePurge,
    { atMostEvery, delays, purged = null }: LaterWork,
  ): void {
    const tags = purged ?? (byWrite === 'everything' ? [EVERYTHING] : byWrite);
    // What an anonymous write leaves unfinished is bounded by lifetimes: any client can choose its address.
    if (tags === 'nothing') return;
    const later = { cause, tags: new Set(tags), getSnapshot: () => snapshot };
    if (atMostEvery === 0) this.#addLater(later, delays);
    else this.#addLimited(later, delays[0] ?? 0, atMostEvery);
  }

  /** Purges after a delay, at most once in a time: a purge that is due later than the delay also covers this request. */
  #addLimited(purge: LaterPurge, delay: number, atMostEvery: number): void {
    const { clock } = this.cache;
    const name = [...purge.tags].join(' ');
    const last = this.#limited.get(name) ?? Number.NEGATIVE_INFINITY;
    const now = clock.now();
    // A clock that was set back must not delay it for longer.
    if (last >= now + delay && last <= now + atMostEvery + delay) return;
    const due = last > now + atMostEvery ? now + delay : Math.max(now + delay, last + atMostEvery);
    this.#limited.set(name, due);
    clock.after(due - now, () => this.#purgeLate(purge));
  }

  /** Purges everything after each delay. @param getSnapshot called at the time of the purge */
  purgeLater(getSnapshot: () => Snapshot | null, delays: readonly number[]): void {
    const cause = 'writes in progress when a process ended';
    this.#addLater({ cause, tags: new Set([EVERYTHING]), getSnapshot }, delays);
  }

  get isRepeating(): boolean {
    return this.#waiting.size > 0;
  }

  /**
   * One purge waits for each delay. What is added meanwhile is purged together, a delay after the last of it, so a busy site is purged once
   * per delay and not once per request.
   */
  #addLater(purge: LaterPurge, delays: readonly number[]): void {
    for (const delay of delays) {
      const next = this.#waiting.get(delay);
      if (next === undefined) this.#wait(delay, purge, delay);
      else {
        next.dueAt = this.cache.clock.now() + delay;
        next.purge = next.purge === null ? purge : join(next.purge, purge);
      }
    }
  }

  #wait(delay: number, purge: LaterPurge, milliseconds: number): void {
    const { clock } = this.cache;
    const next: NextPurge = { purge: null, dueAt: 0 };
    this.#waiting.set(delay, next);
    clock.after(milliseconds, () => {
      this.#waiting.delete(delay);
      if (next.purge !== null) this.#wait(delay, next.purge, next.dueAt - clock.now());
      this.#purgeLate(purge);
    });
  }

  #purgeLate({ cause, getSnapshot, tags }: LaterPurge): void {
    const snapshot = getSnapshot();
    const purged = tags.has(EVERYTHING) ? 'everything' : [...tags];
    const purge = { purged, addresses: [], isProven: false, cause, requestId: '' } as const;
    if (snapshot !== null) void this.purge(snapshot, purge);
  }

  /** @param cause in words */
  rememberPurge(cause: string, selection: PurgeSelection, requestId = ''): void {
    const time = this.cache.clock.now();
    this.recent.add({ time, requestId, selection, cause });
  }
}

/** A purge that is repeated. */
interface LaterPurge {
  readonly cause: string;
  readonly tags: ReadonlySet<string>;
  readonly getSnapshot: () => Snapshot | null;
}

interface NextPurge {
  /** Additions since the purge before was planned. */
  purge: LaterPurge | null;
  dueAt: number;
}

/** Tags that wait together. Beyond that everything is purged. */
const MAX_LATER_TAGS = 500;

function join(one: LaterPurge, other: LaterPurge): LaterPurge {
  const tags = new Set([...one.tags, ...other.tags]);
  const cause = one.cause === other.cause ? one.cause : 'several writes, again';
  return { ...other, cause, tags: tags.size > MAX_LATER_TAGS ? new Set([EVERYTHING]) : tags };
}
