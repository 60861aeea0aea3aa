import { randomUUID } from 'node:crypto';
import { computeHmac } from '../../../base/hash.ts';
import {
  type Dispatch,
  type Exchange,
  mapHead,
  type RequestHead,
  type ResponseHead,
  type ResponseSink,
  type UpstreamRequest,
} from '../../../base/http/message.ts';
import type { SiteCacheOptions } from '../../../base/option-types.ts';
import type { Clock, Log } from '../../../base/ports.ts';
import type { HttpCache } from '../../cache/http-cache.ts';
import type { CacheRule } from '../../cache/policy/freshness.ts';
import type { PurgeSelection } from '../../cache/store.ts';
import { PROBLEMS, problemResponse } from '../../exchange/problem.ts';
import type { ResponseObserver } from '../../exchange/response-relay.ts';
import { createNetworkCheck } from '../../upstream/forwarded.ts';
import { createDefaultRule } from '../../wordpress/cache-key.ts';
import {
  dropOtherAnswers,
  isExcludedBySite,
  listSiteFields,
  readOwnChange,
  readOwnTags,
  readPurgeRequest,
  type SitePurge,
  toOwnChange,
} from '../../wordpress/site-fields.ts';
import { CODE_FILES, EVERYTHING, namedTag, UNTAGGED } from '../../wordpress/tags.ts';
import type { SiteEnvironment } from '../mounted-site-settings.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { SiteWrites } from './site-writes.ts';

/** Milliseconds without a message of a site with tags: WordPress cleans its options once a day. */
const MAX_SILENCE = 25 * 60 * 60_000;
const NO_FIELDS: readonly string[] = [];

interface TagStore {
  readonly cache: HttpCache;
  selectTags(snapshot: Snapshot, tags: readonly string[]): PurgeSelection;
  getResourceTag(snapshot: Snapshot, head: RequestHead): string | null;
  getFolderTag(snapshot: Snapshot, path: string): string;
  readonly writes: Pick<SiteWrites, 'rememberPurge'>;
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

  constructor(
    store: TagStore,
    { purgers = [], tagged, webhook }: SiteCacheOptions,
    { clock, log }: SiteEnvironment,
  ) {
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#webhook = webhook;
    this.#taggedLifetime = tagged ?? DEFAULT_TAGGED_LIFETIME;
    this.#taggedRule = createDefaultRule(this.#taggedLifetime);
    this.isSender = purgers.length === 0 ? () => false : createNetworkCheck(purgers, 'cache.purgers');
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

  findUnshareableReason({ siteFields = NO_FIELDS }: ResponseHead): string | null {
    return siteFields.length > 0 && isExcludedBySite(siteFields) ? 'no-store' : null;
  }

  async receiveMessage(snapshot: Snapshot, { tags }: { readonly [name: string]: unknown }): Promise<boolean> {
    if (!Array.isArray(tags)) return false;
    this.#silentSince = null;
    await this.#purgeChange(snapshot, toOwnChange(tags), 'a message of waygate.php', '');
    return true;
  }

  /** Includes responses without tags: what they show is unknown. */
  async #purgeChange(snapshot: Snapshot, change: SitePurge, what: string, requestId: string): Promise<void> {
    const { everything, names, targets } = change;
    if (everything || names.length > 0 || targets.length > 0)
      await this.purge(snapshot, change, what, requestId, names.length > 0 ? [UNTAGGED] : []);
  }

  async purge(
    snapshot: Snapshot,
    { everything, folder, names, targets }: SitePurge,
    what: string,
    requestId = '',
    others: readonly string[] = [],
  ): Promise<void> {
    const tags = everything ? [EVERYTHING, CODE_FILES] : [...others, ...names.map(namedTag)];
    if (folder !== undefined) tags.push(this.#store.getFolderTag(snapshot, folder));
    for (const target of targets) {
      const tag = this.#store.getResourceTag(snapshot, { method: 'GET', target, headers: [] });
      if (tag !== null) tags.push(tag);
    }
    const selection = this.#store.selectTags(snapshot, tags);
    this.#store.writes.rememberPurge(`the site itself: ${what}`, selection, requestId);
    await this.#store.cache.purge(selection, 'revalidate');
  }

  observe(snapshot: Snapshot, { method, target }: RequestHead, requestId: string): ResponseObserver {
    let purging: Promise<void> | undefined;
    return {
      head: ({ headers }) => {
        const change = this.#readChange(headers);
        if (change === null) return;
        purging = this.#purgeChange(snapshot, change, `${method} ${target.slice(0, 200)}`, requestId);
      },
      end: () => purging,
    };
  }

  #readChange(headers: readonly string[]): SitePurge | null {
    return this.#webhook === undefined ? null : readOwnChange(listSiteFields(headers) ?? NO_FIELDS);
  }
}

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
  if (typeof purge === 'string') return problemResponse({ ...PROBLEMS.invalidSitePurge, message: purge });
  await siteTags.purge(snapshot, purge, `${method} ${target.slice(0, 200)}`);
  return Response.json({ status: 'ok' }, { headers: { 'cache-control': 'no-store' } });
}
