import { randomUUID } from 'node:crypto';
import { computeHmac } from '../../../base/hash.ts';
import type { CacheReason } from '../../../base/http/cache-status.ts';
import {
  type Dispatch,
  type Exchange,
  mapHead,
  type RequestHead,
  type ResponseHead,
  type ResponseSink,
  type UpstreamRequest,
} from '../../../base/http/exchange.ts';
import { hasField } from '../../../base/http/fields.ts';
import type { SiteCacheOptions } from '../../../base/option-types.ts';
import type { Clock, Environment, Log } from '../../../base/ports.ts';
import type { HttpCache } from '../../cache/http-cache.ts';
import type { CacheRule } from '../../cache/policy/freshness.ts';
import type { PurgeSelection } from '../../cache/store.ts';
import { PROBLEMS, problemResponse } from '../../exchange/problem.ts';
import type { ResponseObserver } from '../../exchange/response-relay.ts';
import { NetworkBudget, type NetworkLimits } from '../../upstream/network-budget.ts';
import { createNetworkCheck } from '../../upstream/networks.ts';
import {
  atSubsite,
  CODE_FILES,
  EVERYTHING,
  kindOf,
  namedTag,
  subsiteTag,
  UNTAGGED,
} from '../../wordpress/cache-names.ts';
import { createDefaultRule } from '../../wordpress/response-rules.ts';
import {
  dropOtherAnswers,
  isExcludedBySite,
  listSiteFields,
  type OwnChange,
  readInexactReason,
  readOwnChange,
  readOwnTags,
  readPluginVersion,
  readPurgeRequest,
  type SitePurge,
  toOwnPurge,
} from '../../wordpress/site-fields.ts';
import {
  createWriteRules,
  type DecideWrite,
  isRedirectToTasks,
  type LaterWork,
  type PurgedByWrite,
} from '../../wordpress/writes.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { Recent } from '../traffic/site-recorder.ts';
import { ProvenEditors } from './users.ts';

/** Milliseconds without a message of a site with tags: WordPress cleans its options once a day. */
const MAX_SILENCE = 25 * 60 * 60_000;
const NO_FIELDS: readonly string[] = [];

interface OwnAnswerNote {
  readonly time: number;
  /** Why it is not exact; empty if it is. */
  readonly reason: string;
}

interface TagStore {
  selectTags(snapshot: Snapshot, tags: readonly string[]): PurgeSelection;
  getResourceTag(snapshot: Snapshot, head: RequestHead): string | null;
  getFolderTag(snapshot: Snapshot, path: string): string;
  readonly writes: SiteWrites;
}

/** Tags and purges in one site's responses and messages (`cache.webhook`, `cache.purgers`). */
export class SiteTags {
  readonly #store: TagStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #webhook: string | undefined;
  readonly #taggedRule: CacheRule;
  readonly #taggedLifetime: number;
  readonly isSender: (address: string) => boolean;
  /** Time of the first response with waygate.php's tags; `null` after a message or a line in the log. */
  #silentSince: number | null = Number.POSITIVE_INFINITY;
  #isRepetitionReported = false;
  /** The latest responses with status 200 that waygate.php tagged. */
  readonly answers: Recent<OwnAnswerNote> = new Recent(MAX_ANSWERS);
  /** Version of the site's waygate.php. */
  version: string | undefined;
  /** Names of changes of strangers that wait for the end of the minute. */
  readonly #late = new Set<string>();
  #answeredAt = Number.NEGATIVE_INFINITY;

  constructor(
    store: TagStore,
    { purgers = [], tagged, webhook }: SiteCacheOptions,
    { clock, log }: Environment,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#webhook = webhook;
    this.#taggedLifetime = tagged ?? DEFAULT_TAGGED_LIFETIME;
    this.#taggedRule = createDefaultRule(this.#taggedLifetime);
    this.isSender = createNetworkCheck(purgers);
  }

  /** Adds a number that waygate.php's answer repeats: any other answer comes from a cache, e.g. nginx's `fastcgi_cache`. */
  send(dispatch: Dispatch, request: UpstreamRequest, sink: ResponseSink): Exchange {
    if (this.#webhook === undefined) return dispatch(request, sink);
    const number = `${Math.floor(this.#clock.now() / 1_000)}-${randomUUID().slice(0, 13)}`;
    const signature = computeHmac(this.#webhook, `waygate request ${number}`).toString('hex');
    const headers = [...request.headers, 'X-Waygate-Request', `${number}.${signature}`];
    return dispatch(
      { ...request, headers },
      mapHead(sink, (head) => this.#dropOtherAnswers(head, number)),
    );
  }

  #dropOtherAnswers(head: ResponseHead, number: string): ResponseHead {
    const headers = dropOtherAnswers(head.headers, number);
    if (headers === head.headers) return head;
    if (!this.#isRepetitionReported) {
      this.#isRepetitionReported = true;
      this.#log.warn(
        {},
        'the site repeats what waygate.php said of another request, which is not believed: let requests with X-Waygate-Request past its cache (fastcgi_cache_bypass $http_x_waygate_request), or install the waygate.php of this version',
      );
    }
    return { ...head, headers };
  }

  /** Whether waygate.php tagged a response: it depends on nothing else. */
  isTagged({ siteFields = NO_FIELDS }: ResponseHead): boolean {
    return this.#webhook !== undefined && readOwnTags(siteFields) !== null;
  }

  selectRule(head: ResponseHead, rule: CacheRule): CacheRule | undefined {
    if (!this.isTagged(head)) return undefined;
    this.#reportSilence();
    return (rule.getTtl(head.status) ?? 0) > this.#taggedLifetime ? rule : this.#taggedRule;
  }

  #reportSilence(): void {
    if (this.#silentSince === null) return;
    const now = this.#clock.now();
    this.#silentSince = Math.min(this.#silentSince, now);
    if (now - this.#silentSince < MAX_SILENCE) return;
    this.#silentSince = null;
    this.#log.warn(
      {},
      'waygate.php tags responses, but has sent no message for a day, so changes outside the gateway show late: Site Health of the site says why',
    );
  }

  namesChanges({ headers }: ResponseHead): boolean {
    return this.#readChange(headers) !== null;
  }

  /** Why waygate.php doesn't know all that a response shows. */
  findInexactReason({ siteFields = NO_FIELDS }: ResponseHead): string | undefined {
    return this.#webhook === undefined ? undefined : readInexactReason(siteFields);
  }

  /** Whether waygate.php reports what changes. */
  get isAnswering(): boolean {
    return this.#clock.now() < this.#answeredAt + SHOWN_FOR;
  }

  findUnshareableReason({ siteFields = NO_FIELDS }: ResponseHead): CacheReason | undefined {
    return siteFields.length > 0 && isExcludedBySite(siteFields) ? { kind: 'no-store' } : undefined;
  }

  async receiveMessage(
    snapshot: Snapshot,
    { stranger, tags, version }: { readonly [name: string]: unknown },
  ): Promise<boolean> {
    if (!Array.isArray(tags)) return false;
    this.#silentSince = null;
    const change = { names: tags, isOfStranger: stranger === true, isFirstVersion: version === undefined };
    await this.#purgeChange(snapshot, change, 'a message of waygate.php', '', '');
    return true;
  }

  /** What strangers change beyond their bound is purged at the end of the minute. */
  async #purgeChange(
    snapshot: Snapshot,
    change: OwnChange,
    what: string,
    requestId: string,
    client: string,
  ): Promise<void> {
    const { writes } = this.#store;
    const names = change.isOfStranger
      ? change.names.filter((name) => writes.admitStranger(client) || !this.#keepForLater(snapshot, name))
      : change.names;
    const purge = toOwnPurge({ ...change, names });
    if (names.length > 0) await this.purge(snapshot, purge, what, requestId, change.isOfStranger);
  }

  #keepForLater(snapshot: Snapshot, name: unknown): boolean {
    if (typeof name !== 'string') return false;
    if (this.#late.size === 0)
      this.#clock.after(AT_MOST_EVERY, () => {
        const names = [...this.#late];
        this.#late.clear();
        const purge = toOwnPurge({ names, isOfStranger: true, isFirstVersion: false });
        void this.purge(snapshot, purge, 'changes of visitors beyond their bound', '', true);
      });
    this.#late.add(this.#late.size < MAX_LATE ? name : `${kindOf(name)}*`);
    return true;
  }

  async purge(
    snapshot: Snapshot,
    { everything, folder, isOfInexact = false, names, targets }: SitePurge,
    what: string,
    requestId = '',
    isOfStranger = false,
  ): Promise<void> {
    const tags = everything ? [EVERYTHING, CODE_FILES] : names.map(namedTag);
    if (isOfInexact) tags.push(UNTAGGED);
    if (folder !== undefined) tags.push(this.#store.getFolderTag(snapshot, folder));
    for (const target of targets) {
      const tag = this.#store.getResourceTag(snapshot, { method: 'GET', target, headers: [] });
      if (tag !== null) tags.push(tag);
    }
    const selection = this.#store.selectTags(snapshot, tags);
    const { writes } = this.#store;
    writes.rememberPurge(`the site itself: ${what}`, selection, requestId);
    await writes.cache.purge(selection, isOfStranger ? 'unconfirmed' : 'revalidate');
  }

  observe(
    snapshot: Snapshot,
    { method, target }: RequestHead,
    requestId: string,
    client: string,
  ): ResponseObserver {
    let purging: Promise<void> | undefined;
    return {
      head: ({ headers, status }) => {
        if (this.#webhook === undefined) return;
        this.version = readPluginVersion(headers) ?? this.version;
        if (status === 200 && hasField(headers, 'x-waygate-tags'))
          this.answers.add({ time: this.#clock.now(), reason: readInexactReason(headers) ?? '' });
        if (OWN_ANSWERS.some((name) => hasField(headers, name))) this.#answeredAt = this.#clock.now();
        const change = this.#readChange(headers);
        if (change === null) return;
        purging = this.#purgeChange(snapshot, change, `${method} ${target.slice(0, 200)}`, requestId, client);
      },
      end: () => purging,
    };
  }

  #readChange(headers: readonly string[]): OwnChange | null {
    return this.#webhook === undefined ? null : readOwnChange(listSiteFields(headers) ?? NO_FIELDS);
  }
}

const MAX_LATE = 1_000;
const MAX_ANSWERS = 500;
const OWN_ANSWERS = ['x-waygate-tags', 'x-waygate-changed'];
const DEFAULT_TAGGED_LIFETIME = 600;

/** As plugins for Varnish send it. */
export async function respondToPurge(
  siteTags: SiteTags,
  snapshot: Snapshot,
  { headers, method, target }: RequestHead,
  clientAddress: string,
): Promise<Response> {
  if (!siteTags.isSender(clientAddress)) return problemResponse(PROBLEMS.purgeRefused);
  const purge = readPurgeRequest(target, headers);
  await siteTags.purge(snapshot, purge, `${method} ${target.slice(0, 200)}`);
  return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } });
}

/** Milliseconds for which a site works on after a response, and between two purges that anybody can cause. */
const LATER = 10_000;
const AT_MOST_EVERY = 60_000;
/** Addresses that a network's clients, and those of all networks, can purge in a minute if they may not edit. */
const STRANGERS: NetworkLimits = { ofNetwork: 10, window: AT_MOST_EVERY };
const ALL_STRANGERS: NetworkLimits = { ofNetwork: 60, window: AT_MOST_EVERY };
/** Milliseconds for which the site's redirect to its tasks, or an answer of waygate.php, counts. */
const SHOWN_FOR = 10 * 60_000;

export interface WritePurge {
  readonly purged: PurgedByWrite;
  /** The sites of their own that it changes besides the main site; `null` if it changes all. */
  readonly subsites: readonly string[] | null;
  /** In front of the routes that a row names: `/`, or a subsite's. */
  readonly folder: string;
  /** Names that it invalidates in any case (RFC 9111 §4.4). */
  readonly addresses: readonly string[];
  /** Run by the site, for a proved editor. */
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
  readonly editors: ProvenEditors;
  readonly #strangers: NetworkBudget;
  readonly #allStrangers: NetworkBudget;
  #redirectedAt = Number.NEGATIVE_INFINITY;
  /** When everything is purged later, or was. */
  #due = Number.NEGATIVE_INFINITY;
  #waiting = 0;

  constructor(cache: HttpCache, { writes = [] }: Pick<SiteCacheOptions, 'writes'>, selectTags: SelectTags) {
    this.cache = cache;
    this.editors = new ProvenEditors(cache.clock);
    this.#strangers = new NetworkBudget(STRANGERS, cache.clock);
    this.#allStrangers = new NetworkBudget(ALL_STRANGERS, cache.clock);
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
    { addresses, cause, client, folder, isProven, purged, requestId, subsites }: WritePurge,
  ): void | Promise<void> {
    // Pages of the site itself list those of its subsites.
    const all = subsites === null ? [EVERYTHING] : ['/', ...subsites].map(subsiteTag);
    const named = typeof purged === 'string' ? [] : purged;
    const tags = purged === 'everything' ? all : [...named, ...named.map((tag) => atSubsite(folder, tag))];
    if (purged === 'later') this.purgeLater(() => snapshot, cause);
    else this.counts[typeof purged !== 'string' ? 'named' : purged === 'page' ? 'nothing' : purged] += 1;
    if (tags.length === 0 && addresses.length === 0) return undefined;
    const selection = this.#selectTags(snapshot, [...tags, ...addresses]);
    if (tags.length > 0) this.rememberPurge(cause, selection, requestId, client);
    return this.cache.purge(selection, isProven ? 'revalidate' : 'unconfirmed');
  }

  /** Counts an address that a client purges who is not proved to edit. @returns false for one too many */
  admitStranger(client: string): boolean {
    return this.#strangers.take(client) && this.#allStrangers.take('');
  }

  noteRedirect(location: string, head: RequestHead): void {
    if (isRedirectToTasks(location, head)) this.#redirectedAt = this.cache.clock.now();
  }

  /** Whether the site has shown that it does such work. */
  believes(work: LaterWork, { isProvisional, matcher }: Snapshot): boolean {
    if (work === 'redirected') return this.cache.clock.now() < this.#redirectedAt + SHOWN_FOR;
    return work === 'scripts' || isProvisional || matcher.namespaces.some((name) => name.startsWith('wc/'));
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
      const purge = { addresses: [], folder: '/', isProven: false, client: '', cause, requestId: '' };
      if (snapshot !== null) void this.purge(snapshot, { ...purge, purged: 'everything', subsites: null });
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
