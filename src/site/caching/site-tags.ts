import type { HttpCache } from '../../cache/http-cache.ts';
import type { CacheRule } from '../../cache/policy/freshness.ts';
import { isSharedStore, type PurgeSelection } from '../../cache/store.ts';
import type { SiteCacheOptions } from '../../config/option-types.ts';
import { PROBLEMS, type Problem } from '../../exchange/problem.ts';
import { toClientNetwork } from '../../exchange/request-body-validator.ts';
import type { ResponseObserver } from '../../exchange/response-relay.ts';
import { computeHmac, createSecretCheck, encodeText, toHex } from '../../hash.ts';
import type { RequestHead, ResponseHead } from '../../http/exchange.ts';
import { normalizeRoute } from '../../php/request.ts';
import type { Clock, Log } from '../../ports.ts';
import type { SiteEnvironment } from '../../state.ts';
import { createNetworkCheck } from '../../upstream/forwarded.ts';
import { createDefaultRule } from '../../wordpress/cache-key.ts';
import { isHtml } from '../../wordpress/page-responses.ts';
import {
  type ChangeNumber,
  isExcludedByLiteSpeed,
  listSiteFields,
  readChangeNumber,
  readLiteSpeedPurges,
  readOwnChange,
  readOwnTags,
  type SitePurge,
  toOwnChange,
} from '../../wordpress/site-fields.ts';
import { EVERYTHING, pageTag, tagNames, toTagPath } from '../../wordpress/tags.ts';
import { TokenAttempts } from '../limiting/token-attempts.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { SiteWrites } from './site-writes.ts';

/** Seconds for which a response is fresh that waygate.php has tagged. What waygate.php does not see, such as the time, shows after it. */
const TAGGED_LIFETIME = 3_600;
/** Milliseconds in which the message about a change must arrive. */
const MESSAGE_DELAY = 2_000;
/** Milliseconds between the message about a change and a response from before it that arrives later. */
const MAX_RESPONSE_TIME = 1_000;
/** Milliseconds after which responses without the number of the last change show that the plugin is gone. */
const GONE_DELAY = 60_000;
/** Numbers that might be missing at once. */
const MAX_REMEMBERED = 200;
const NO_FIELDS: readonly string[] = [];

/** Store of tags, with their names in it (`SiteCaching`). */
interface TagStore {
  readonly cache: HttpCache;
  selectTags(snapshot: Snapshot, tags: readonly string[]): PurgeSelection;
  getResourceTag(snapshot: Snapshot, head: RequestHead): string | null;
  getStoreScope(snapshot: Snapshot): string;
  readonly writes: Pick<SiteWrites, 'rememberPurge'>;
}

/** Tags and purges in one site's responses and messages (`cache.tags: site`). */
export class SiteTags {
  /** Fields of each request to the site, a flat list name, value. */
  readonly requestFields: string[] = ['X-LSCache', 'on'];
  readonly #store: TagStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #hasPlugin: boolean;
  readonly #isSenderNetwork: (address: string) => boolean;
  readonly #attempts: TokenAttempts;
  readonly #isSecret: ((text: string) => Promise<boolean>) | null;
  /** Everything that is stored shows this change and those before it; `null` before the first response. */
  #known: ChangeNumber | null = null;
  /** Time since which messages about later changes might have come. */
  #knownSince = Number.NEGATIVE_INFINITY;
  /** When a response last had a number. */
  #lastSeen = Number.NEGATIVE_INFINITY;
  #isChecking = false;
  /** Messages that were lost. */
  lost = 0;

  constructor(store: TagStore, { purge = {}, webhook }: SiteCacheOptions, { clock, log }: SiteEnvironment) {
    const { networks = [], secret } = purge;
    this.#store = store;
    this.#clock = clock;
    this.#log = log;
    this.#hasPlugin = webhook !== undefined;
    this.#isSenderNetwork =
      networks.length === 0 ? () => false : createNetworkCheck(networks, 'cache.purge.networks');
    this.#attempts = new TokenAttempts(clock);
    this.#isSecret = secret === undefined ? null : createSecretCheck(secret);
    if (webhook === undefined) return;
    void computeHmac(encodeText(webhook), 'waygate request').then((hmac) => {
      this.requestFields.push('X-Waygate-Request', toHex(hmac));
    });
  }

  /** Returns the refusal of a sender; `null` if it can purge, by its network or by its secret. */
  async checkSender(address: string, secrets: readonly string[]): Promise<Problem | null> {
    if (this.#isSenderNetwork(address)) return null;
    const isSecret = this.#isSecret;
    if (isSecret === null || secrets.length === 0) return PROBLEMS.purgeRefused;
    const isRight = (await Promise.all(secrets.map(isSecret))).includes(true);
    return this.#attempts.check(toClientNetwork(address), isRight, PROBLEMS.purgeRefused);
  }

  /** Whether a request is one to purge: by its method, or a read of Nginx Helper, which is known by its network alone. */
  isPurgeRequest({ method, target }: RequestHead, address: string, mountPath: string): boolean {
    if (method === 'PURGE') return true;
    const start = mountPath + READ_TO_PURGE;
    const isRead = method === 'GET' && (target === start || target.startsWith(`${start}/`));
    return isRead && this.#isSenderNetwork(address);
  }

  /** Lists the tags of a response that waygate.php has tagged, in their stored form: it depends on nothing else; `null` for another. */
  listTags(storeScope: string, head: ResponseHead): readonly string[] | null {
    const names = this.#readTags(head);
    return names && [TAGGED, ...names].map((name) => `${storeScope} ${tagNames.customName(name)}`);
  }

  /** @returns `null` if the response has no tags of waygate.php */
  #readTags({ siteFields = NO_FIELDS }: ResponseHead): readonly string[] | null {
    return this.#hasPlugin ? readOwnTags(siteFields) : null;
  }

  /** Selects the rule of a response that waygate.php has tagged: it is fresh until the site says something else. */
  selectRule(head: ResponseHead, rule: CacheRule): CacheRule | undefined {
    if (this.#readTags(head) === null) return undefined;
    return (rule.getTtl(head.status) ?? 0) > TAGGED_LIFETIME ? rule : TAGGED_RULE;
  }

  /** Whether waygate.php has run until the head of a response was sent, so that it names all changes of tagged responses. */
  namesChanges({ headers }: ResponseHead): boolean {
    return this.#hasPlugin && readChangeNumber(listSiteFields(headers) ?? NO_FIELDS) !== null;
  }

  findUnshareableReason({ siteFields = NO_FIELDS }: ResponseHead): string | null {
    return siteFields.length > 0 && isExcludedByLiteSpeed(siteFields) ? 'no-store' : null;
  }

  /** Receives what the site says in a response. Resolves when it is purged. */
  #receive(
    snapshot: Snapshot,
    siteFields: readonly string[],
    what: string,
    requestId: string,
  ): Promise<void> | undefined {
    const number = this.#hasPlugin ? readChangeNumber(siteFields) : null;
    const change = this.#hasPlugin ? readOwnChange(siteFields) : null;
    if (number !== null) this.#noteNumber(snapshot, number);
    const purges = readLiteSpeedPurges(siteFields).map((purge) =>
      this.purge(snapshot, purge, what, null, requestId),
    );
    if (change !== null) purges.push(this.purge(snapshot, change, what, number, requestId));
    return purges.length === 0 ? undefined : Promise.all(purges).then(() => {});
  }

  /** Receives a message of waygate.php. @returns false if it is not valid */
  async receiveMessage(
    snapshot: Snapshot,
    { instance, sequence, tags }: { readonly [name: string]: unknown },
  ): Promise<boolean> {
    if (!Array.isArray(tags)) return false;
    const number = readChangeNumber(['x-waygate-sequence', `${String(instance)}.${String(sequence)}`]);
    if (number === null) return false;
    // The response with the change might have come before the message.
    if (!this.#isTold(snapshot, number))
      await this.purge(snapshot, toOwnChange(tags), `change ${sequence}`, number);
    return true;
  }

  /** @param number of the change, by which all processes know that its message has come */
  async purge(
    snapshot: Snapshot,
    { below, everything, isSoft, names, targets }: SitePurge,
    what: string,
    number: ChangeNumber | null = null,
    requestId = '',
  ): Promise<void> {
    const tags = everything ? [EVERYTHING] : names.map(tagNames.customName);
    for (const target of targets) {
      const tag = this.#store.getResourceTag(snapshot, { method: 'GET', target, headers: [] });
      if (tag !== null) tags.push(tag);
    }
    for (const path of below) tags.push(...this.#listPathTags(snapshot, path));
    if (number !== null) tags.push(nameChange(number));
    const selection = this.#store.selectTags(snapshot, tags);
    this.#store.writes.rememberPurge(`the site itself: ${what}`, selection, requestId);
    await this.#store.cache.purge(selection, isSoft ? 'unconfirmed' : 'revalidate');
  }

  /** Lists the tags of what is at or below a path of the gateway: pages, or routes. */
  #listPathTags(snapshot: Snapshot, path: string): readonly string[] {
    const resolved = snapshot.resolveRequest({
      method: 'GET',
      target: path === '' ? '/' : path,
      headers: [],
    });
    if (resolved.kind === 'route') return [toTagPath(normalizeRoute(resolved.target.route))];
    const { path: page } = resolved.kind === 'page' ? resolved.target : { path };
    return page === '/' || page === '' ? [EVERYTHING] : [pageTag(page.replace(/(?<=.)\/$/, ''))];
  }

  /** Notes that a response to a read has no number: after a while that shows that the plugin is gone. */
  #noteMissingNumber(snapshot: Snapshot): void {
    if (this.#known === null || this.#clock.now() - this.#lastSeen < GONE_DELAY) return;
    this.#known = null;
    this.#log.warn({}, 'waygate.php no longer runs at the site, so responses with its tags are purged');
    void this.#purgeTagged(snapshot, 'waygate.php is gone', []);
  }

  /** Checks that a message has come for each change up to a number. Otherwise one was lost, and stored responses might be older. */
  #noteNumber(snapshot: Snapshot, number: ChangeNumber): void {
    const now = this.#clock.now();
    this.#lastSeen = now;
    const known = this.#known;
    const since = now - MAX_RESPONSE_TIME;
    if (known === null) {
      this.#known = number;
      this.#knownSince = since;
      // A response that another process stored might be older than a change of which no message came.
      if (!isSharedStore(this.#store.cache.store)) return;
      const message =
        'a change might have been missed before this start, so responses with tags of waygate.php are purged';
      this.#log.info({ last: number.number }, message);
      void this.#purgeTagged(snapshot, 'a start', [number]);
      return;
    }
    const isKnown = known.instance === number.instance && known.number >= number.number;
    if (isKnown || this.#isChecking) return;
    this.#isChecking = true;
    this.#clock.after(MESSAGE_DELAY, () => this.#checkMessages(snapshot, number, since));
  }

  #checkMessages(snapshot: Snapshot, seen: ChangeNumber, since: number): void {
    this.#isChecking = false;
    const known = this.#known;
    if (known === null) return;
    let isComplete = known.instance === seen.instance && seen.number - known.number <= MAX_REMEMBERED;
    for (let number = known.number + 1; isComplete && number <= seen.number; number += 1)
      isComplete = this.#isTold(snapshot, { ...seen, number });
    this.#known = seen;
    this.#knownSince = since;
    if (isComplete) return;
    this.lost += 1;
    this.#log.warn(
      { known: known.number, last: seen.number },
      'a message of waygate.php was lost, so responses with its tags are purged: check that the site reaches each gateway',
    );
    void this.#purgeTagged(snapshot, 'a lost message', [seen]);
  }

  /** Whether a message about a change has come to any process that shares the store. A purge of everything hides earlier messages. */
  #isTold(snapshot: Snapshot, number: ChangeNumber): boolean {
    const isPurged = (name: string): boolean => {
      const tags = [`${this.#store.getStoreScope(snapshot)} ${name}`];
      return this.#store.cache.store.isPurgedSince('', tags, this.#knownSince);
    };
    return isPurged(nameChange(number)) && !isPurged(nameChange({ ...number, number: -1 }));
  }

  /** Purges all responses that are stored until the site says something else. @param changes the changes that then count as reported */
  async #purgeTagged(snapshot: Snapshot, what: string, changes: readonly ChangeNumber[]): Promise<void> {
    const selection = this.#store.selectTags(snapshot, [
      tagNames.customName(TAGGED),
      ...changes.map(nameChange),
    ]);
    this.#store.writes.rememberPurge(`the site itself: ${what}`, selection);
    await this.#store.cache.purge(selection, 'revalidate');
  }

  observe(snapshot: Snapshot, { method, target }: RequestHead, requestId: string): ResponseObserver {
    let purging: Promise<void> | undefined;
    return {
      head: (head) => {
        const what = `${method} ${target.slice(0, 200)}`;
        const fields = listSiteFields(head.headers) ?? NO_FIELDS;
        purging = this.#receive(snapshot, fields, what, requestId);
        if (head.status === 200 && isHtml(head) && !fields.includes('x-waygate-sequence'))
          this.#noteMissingNumber(snapshot);
      },
      end: () => purging,
    };
  }
}

/** Where Nginx Helper sends its reads: `/purge/about/` purges `/about/`. */
export const READ_TO_PURGE = '/purge';

/** Name of all responses that waygate.php has tagged. Its own names have no space. */
const TAGGED = 'tagged by waygate.php';
const TAGGED_RULE = createDefaultRule(TAGGED_LIFETIME);

const nameChange = ({ instance, number }: ChangeNumber): string =>
  tagNames.customName(`change ${instance}.${number}`);
