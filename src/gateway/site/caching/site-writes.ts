import { createLru } from '../../../base/memoize.ts';
import type { SiteCacheOptions } from '../../../base/option-types.ts';
import type { HttpCache } from '../../cache/http-cache.ts';
import type { PurgeSelection } from '../../cache/store.ts';
import { nameNetwork } from '../../upstream/forwarded.ts';
import { EVERYTHING } from '../../wordpress/tags.ts';
import { createWriteRules, type DecideWrite, type PurgedByWrite } from '../../wordpress/writes.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { Recent } from '../traffic/site-recorder.ts';
import { ProvenUsers } from './users.ts';

/** Milliseconds for which a site works on after a response, and between two purges that anybody can cause. */
const LATER = 10_000;
const AT_MOST_EVERY = 60_000;
/** Purges of their own address that a network's clients who are no users can cause in a minute. */
const MAX_STRANGERS = 10;

export interface WritePurge {
  readonly purged: PurgedByWrite;
  /** Names that it invalidates in any case (RFC 9111 §4.4). */
  readonly addresses: readonly string[];
  /** Run by the site, for a proved user. */
  readonly isProven: boolean;
  readonly cause: string;
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
/** Bytes remembered of one purge's tags, and of each text. */
const MAX_TAG_BYTES = 4_096;
const MAX_TEXT_BYTES = 500;
const MAX_NETWORKS = 10_000;

type SelectTags = (snapshot: Snapshot, tags: Iterable<string>) => PurgeSelection;

export class SiteWrites {
  readonly cache: HttpCache;
  readonly decide: DecideWrite;
  readonly recent: Recent<RecentPurge> = new Recent<RecentPurge>(MAX_PURGES);
  /** Purges after writes, repeated ones too; `named` by `cache.writes`, a row or the site. */
  readonly counts: Record<'nothing' | 'everything' | 'named', number> = {
    nothing: 0,
    everything: 0,
    named: 0,
  };
  readonly #selectTags: SelectTags;
  readonly users: ProvenUsers;
  readonly #strangers = createLru<{ count: number; readonly since: number }>(MAX_NETWORKS);
  /** When everything is purged later, or was. */
  #due = Number.NEGATIVE_INFINITY;
  #waiting = 0;

  constructor(cache: HttpCache, { writes = [] }: Pick<SiteCacheOptions, 'writes'>, selectTags: SelectTags) {
    this.cache = cache;
    this.users = new ProvenUsers(cache.clock);
    this.decide = createWriteRules(writes);
    this.#selectTags = selectTags;
  }

  /** Whether nothing can be stale, known only of a store that isn't shared. */
  get hasNothingToPurge(): boolean {
    const { openFetches, store } = this.cache;
    return openFetches === 0 && store.isShared !== true && store.report().responseCount === 0;
  }

  /** The time does not depend on the number of responses. @returns a promise that resolves when each gateway knows the purge */
  purge(
    snapshot: Snapshot,
    { addresses, cause, client, isProven, purged, requestId }: WritePurge,
  ): void | Promise<void> {
    const tags = typeof purged === 'string' ? (purged === 'everything' ? [EVERYTHING] : []) : purged;
    if (purged === 'later') this.purgeLater(() => snapshot, cause);
    else this.counts[typeof purged === 'string' ? purged : 'named'] += 1;
    if (tags.length === 0 && addresses.length === 0) return undefined;
    const selection = this.#selectTags(snapshot, [...tags, ...addresses]);
    if (tags.length > 0) this.rememberPurge(cause, selection, requestId, client);
    return this.cache.purge(selection, isProven ? 'revalidate' : 'unconfirmed');
  }

  /** Counts a purge of a client that is not proved to be a user. @returns false for one too many */
  admitStranger(client: string): boolean {
    const network = nameNetwork(client);
    const now = this.cache.clock.now();
    const known = this.#strangers.get(network);
    const isCurrent = known !== undefined && Math.abs(now - known.since) < AT_MOST_EVERY;
    const entry = isCurrent ? known : { count: 0, since: now };
    entry.count += 1;
    this.#strangers.set(network, entry);
    return entry.count <= MAX_STRANGERS;
  }

  /**
   * Purges everything once the site has worked on, e.g. at scheduled tasks: responses fetched meanwhile can be old. Anybody can
   * cause it, so it happens at most once a minute. @param getSnapshot called at the time of the purge
   */
  purgeLater(getSnapshot: () => Snapshot | null, cause: string, times = 1): void {
    const { clock } = this.cache;
    const now = clock.now();
    // A clock that was set back must not delay it for longer.
    const last = this.#due > now + LATER + AT_MOST_EVERY ? Number.NEGATIVE_INFINITY : this.#due;
    // A later purge covers this request too.
    if (last >= now + LATER) return;
    this.#due = Math.max(now + LATER, last + AT_MOST_EVERY);
    this.#waiting += 1;
    clock.after(this.#due - now, () => {
      this.#waiting -= 1;
      const snapshot = getSnapshot();
      const purge = {
        purged: 'everything',
        addresses: [],
        isProven: false,
        client: '',
        requestId: '',
      } as const;
      if (snapshot !== null) void this.purge(snapshot, { ...purge, cause });
      if (times > 1) this.purgeLater(getSnapshot, cause, times - 1);
    });
  }

  get isRepeating(): boolean {
    return this.#waiting > 0;
  }

  rememberPurge(cause: string, selection: PurgeSelection, requestId = '', client = ''): void {
    const time = this.cache.clock.now();
    const texts = { client: cut(client), cause: cut(cause) };
    this.recent.add({ time, requestId, ...texts, selection: shorten(selection) });
  }
}

/** The end of a text that is cut within a character is left out. */
const cut = (text: string): string =>
  Buffer.from(text.slice(0, MAX_TEXT_BYTES))
    .subarray(0, MAX_TEXT_BYTES)
    .toString()
    .replace(/\uFFFD$/, '');

function shorten(selection: PurgeSelection): PurgeSelection {
  if (selection.kind === 'all') return selection;
  let left = MAX_TAG_BYTES;
  const tags = selection.tags.filter((tag) => {
    left -= Buffer.byteLength(tag);
    return left >= 0;
  });
  return { kind: 'tags', tags };
}
