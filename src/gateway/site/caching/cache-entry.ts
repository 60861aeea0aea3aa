import { hash } from 'node:crypto';
import { createNameMatcher } from '../../../base/glob.ts';
import { type CacheReason, keepName } from '../../../base/http/cache-status.ts';
import type { ResponseHead } from '../../../base/http/exchange.ts';
import { fieldValue, hasField } from '../../../base/http/fields.ts';
import { createLru, memoizeByString } from '../../../base/memoize.ts';
import { toByteString, urlDecode } from '../../../base/php/request.ts';
import type { EntryPolicy } from '../../cache/engine/fetch-plan.ts';
import { type CacheRule, DEFAULT_STALE_IF_UNREACHABLE } from '../../cache/policy/freshness.ts';
import { type StoredResponse, writeStoredTag } from '../../cache/store.ts';
import {
  type CacheBypass,
  type CacheBypassRules,
  parseCookies,
  type StoreExclusions,
} from '../../wordpress/bypass-rules.ts';
import {
  atSubsite,
  CODE_FILES,
  EVERYTHING,
  findShownItem,
  headerTags,
  listItems,
  NOT_EXACT,
  PRODUCTS,
  showsProducts,
  subsiteTag,
  UNTAGGED,
} from '../../wordpress/cache-names.ts';
import {
  addUnstatedVary,
  findNonceMember,
  findPageToken,
  findRefusingField,
  findUnshareableReason,
  isBrokenResponse,
  isHtml,
  isJson,
  isServedFile,
  looksRandom,
  type PageCaching,
  type ResolvedCacheRule,
} from '../../wordpress/response-rules.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { IndexHealth } from './index-health.ts';
import type { SiteTags } from './site-purges.ts';

export interface SiteCachePolicy {
  readonly bypassRules: CacheBypassRules;
  readonly addsSurrogateKeys: boolean;
  readonly exclusions: StoreExclusions;
  /** Returns the client address that the site gets with a request for everyone (RFC 5737's test range). */
  readonly findForeignAddress: (target: string) => string;
  /** `null` without `cache.webhook` and `cache.purgers`. */
  readonly siteTags: SiteTags | null;
  readonly indexHealth: IndexHealth;
  /** `null` without `cache.ignoreCookies`. */
  readonly ignoredCookies: IgnoredCookies | null;
}

interface CacheEntry {
  readonly isRoute: boolean;
  /** `false` for a plain origin. */
  readonly isWordPress: boolean;
  readonly upstreamTarget: string;
  readonly resourceKey: string;
  /** Path of the request to a route that usually has another one; else empty. */
  readonly unusualPath: string;
  readonly rule: ResolvedCacheRule;
  readonly tags: readonly string[];
  /** A page's response is the first that names it. */
  readonly findSubsite: (publicBase: string | undefined) => string;
  /** Query without influence on the response, e.g. `utm_source=x`, which the site doesn't get. */
  readonly ignoredQuery: string;
  /** Path template, route or `pages`, for rules and reports. */
  readonly name: string;
  /** Why it has no default lifetime, e.g. an unknown namespace; `null` if it has one. */
  readonly unlisted: CacheBypass | null;
  /** A file of WordPress, a theme or a plugin, which no cookie changes. */
  readonly isCode: boolean;
  /** `undefined` for a route, and for a plain origin. */
  readonly page: PageCaching | undefined;
}

/** Seconds: half of the time for which WordPress accepts a nonce at least. */
const MAX_PAGE_LIFETIME = 6 * 3600;

/** Memoized with its target: none of it depends on the client. */
export class CacheEntryPolicy implements EntryPolicy {
  readonly kind = 'resource';
  readonly entry: CacheEntry;
  readonly site: SiteCachePolicy;
  readonly rule: CacheRule;
  readonly readsBody: boolean;
  readonly addsEntityTag: boolean;
  readonly addsSurrogateKeys: boolean;
  readonly hidesClient: boolean;
  readonly spelling: string;
  readonly storeScope: string;
  readonly #documentTags: DocumentCacheTags;

  constructor(site: SiteCachePolicy, documentTags: DocumentCacheTags, entry: CacheEntry) {
    const { isRoute, isWordPress, page, rule } = entry;
    this.entry = entry;
    this.site = site;
    this.rule = isWordPress || rule.statesLifetime ? rule.rule : rule.refine(RFC_9111_RULE);
    this.readsBody = isRoute || page?.readsBody === true;
    this.addsEntityTag = this.readsBody;
    this.addsSurrogateKeys = site.addsSurrogateKeys;
    this.hidesClient = isWordPress;
    this.spelling = entry.upstreamTarget;
    this.storeScope = documentTags.storeScope;
    this.#documentTags = documentTags;
  }

  countPassed(reason: CacheReason, isHitForPass: boolean): CacheReason {
    const unlisted = reason.kind === 'no-freshness' ? this.entry.unlisted : null;
    this.site.exclusions.count(unlisted?.reason.kind ?? (isHitForPass ? 'hit-for-pass' : 'response'));
    return unlisted?.reason ?? reason;
  }

  /** Plugins count missing pages by client. */
  needsStatedLifetime(status: number): boolean {
    return status === 404 || status === 410;
  }

  selectRule(head: ResponseHead): CacheRule {
    const { isWordPress, page, rule, unlisted } = this.entry;
    const { siteTags } = this.site;
    let selected = this.rule;
    if (!rule.statesLifetime) {
      const tagged = siteTags?.selectRule(head, this.rule);
      const chosen = tagged ?? (unlisted === null ? page?.selectRule(head) : undefined);
      if (chosen !== undefined) selected = rule.refine(chosen);
    }
    const hasNonces = isWordPress && isHtml(head) && siteTags?.isTagged(head) !== true;
    return hasNonces ? { ...selected, maxStatedLifetime: MAX_PAGE_LIFETIME } : selected;
  }

  /** @param requestFields without cookies that aren't part of the key */
  prepareHead(received: ResponseHead, requestFields: readonly string[]): ResponseHead {
    const { isRoute, isWordPress, upstreamTarget } = this.entry;
    const head = addUnstatedVary(received, isRoute, upstreamTarget);
    if (!hasField(head.headers, 'set-cookie')) return head;
    const others = isWordPress ? withoutRepeatedCookies(head, requestFields) : head;
    return this.site.ignoredCookies?.strip(others) ?? others;
  }

  findObjection(head: ResponseHead): CacheReason | undefined {
    const reason = findRefusingField(head.headers);
    if (reason?.kind === 'set-cookie') return { ...reason, name: keepName(this.#findOwnCookie(head)) };
    if (reason !== undefined || !this.entry.isWordPress) return reason;
    return findUnshareableReason(head) ?? this.site.siteTags?.findUnshareableReason(head);
  }

  /** @returns the name of a cookie that isn't part of the key, if there is one */
  #findOwnCookie({ headers }: ResponseHead): string {
    const names = listSetCookies(headers).map(({ name }) => name);
    return names.find((each) => !this.site.bypassRules.isKeyCookie(each)) ?? names[0] ?? '';
  }

  findUnshareableBodyReason(
    head: ResponseHead,
    body: Uint8Array,
    stored: StoredResponse | undefined,
  ): CacheReason | null {
    const { isRoute, isWordPress, name, rule } = this.entry;
    if (!isWordPress) return null;
    const isPage = !isRoute && isHtml(head);
    // A page in place of a route's JSON is stored only by a rule of the operator.
    const isBroken =
      isBrokenResponse(head, body, isRoute && !rule.statesLifetime) ||
      (isPage && head.status === 200 && this.site.indexHealth.isLost(head, stored));
    if (isBroken) return { kind: 'broken response' };
    // A page that isn't HTML doesn't have a form, and scripts in it don't run.
    if (!isRoute && !isPage) return null;
    const { exclusions, ignoredCookies } = this.site;
    if (ignoredCookies?.isInBody(head, body) === true) return { kind: 'set-cookie', name: '' };
    // What follows is a guess.
    if (rule.statesLifetime) return null;
    const token = isRoute ? findNonceMember(body) : findPageToken(body);
    if (token === undefined) return null;
    exclusions.reportNonce(name, token);
    return { kind: 'nonce in body' };
  }

  /** Web servers take validators from files. A script's can stay when the response changes. */
  trustsValidators(stored: StoredResponse): boolean {
    return !this.entry.isWordPress || this.#isServedFile(stored);
  }

  #isServedFile(head: Pick<ResponseHead, 'headers' | 'status'>): boolean {
    const path = this.entry.upstreamTarget.split('?', 1)[0] ?? '/';
    return isServedFile(path, head);
  }

  getTags(head: ResponseHead, body: Uint8Array, publicBase?: string): readonly string[] {
    if (this.entry.isCode && this.#isServedFile(head)) {
      const [everything, codeFiles] = this.#documentTags.toStoredTags([EVERYTHING, CODE_FILES]);
      return this.entry.tags.map((tag) => (tag === everything && codeFiles ? codeFiles : tag));
    }
    const subsite = this.entry.findSubsite(publicBase);
    const shown = this.#listShown(head, body).map((tag) => atSubsite(subsite, tag));
    const named = [subsiteTag(subsite), ...headerTags(head), ...shown];
    // waygate.php names all that a response shows.
    if (this.site.siteTags?.isTagged(head) !== true) named.push(UNTAGGED);
    const reason = this.site.siteTags?.findInexactReason(head);
    if (reason !== undefined) named.push(NOT_EXACT + reason);
    return [...this.entry.tags, ...this.#documentTags.toStoredTags(named)];
  }

  #listShown(head: ResponseHead, body: Uint8Array): readonly string[] {
    const { prefix } = this.#documentTags;
    const read = body.subarray(0, MAX_TEXT);
    if (this.entry.isRoute) return isJson(head) ? listItems(read, prefix) : [];
    const item = findShownItem(head, prefix);
    const hasProducts = isHtml(head) && showsProducts(toByteString(read));
    return [...(item === null ? [] : [item]), ...(hasProducts ? [PRODUCTS] : [])];
  }
}

const RFC_9111_RULE: CacheRule = {
  getTtl: () => undefined,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  staleIfUnreachable: DEFAULT_STALE_IF_UNREACHABLE,
  defaultWindows: ['staleIfUnreachable'],
  overridesResponse: false,
};

const MAX_TEXT = 1024 * 1024;

export class DocumentCacheTags {
  readonly storeScope: string;
  /** Path of the root index below the base, e.g. `wp-json`. */
  readonly prefix: string;
  readonly #toStoredTag: (tag: string) => string;

  constructor(snapshot: Snapshot) {
    this.prefix = snapshot.siteAddress.prefix;
    this.storeScope = snapshot.siteAddress.base.replace(/^https?:\/\//, '');
    this.#toStoredTag = memoizeByString((tag) => writeStoredTag(this.storeScope, tag));
  }

  toStoredTags(tags: Iterable<string>): string[] {
    return Array.from(tags, this.#toStoredTag);
  }
}

/** Length from which a cookie's value in a body isn't a coincidence. */
const MIN_VALUE_LENGTH = 8;
/** Cookies of clients who have written, of all that a site ignores, and of one write: each is enough to know the client. */
const MAX_WRITERS = 65_536;
const MAX_OF_WRITE = 8;

export class IgnoredCookies {
  readonly #isIgnored: (name: string) => boolean;
  readonly #written = createLru<true>(MAX_WRITERS);
  readonly #values = new WeakMap<ResponseHead, readonly string[]>();

  constructor(names: readonly string[]) {
    this.#isIgnored = createNameMatcher(names);
  }

  /** Remembers the cookies of a write and of its response: there is content behind them. */
  noteWrite(sent: readonly string[], received: readonly string[]): void {
    const pairs = [...parseCookies(fieldValue(sent, 'cookie', '; ') ?? ''), ...listSetCookies(received)];
    const ofClient = pairs.filter(({ name, value }) => this.#isIgnored(name) && looksRandom(value));
    for (const pair of ofClient.slice(0, MAX_OF_WRITE))
      this.#written.set(hashPair(pair.name, pair.value), true);
  }

  /** Many clients have a value such as `1`. */
  isOfWriter(name: string, value: string): boolean {
    return this.#isIgnored(name) && looksRandom(value) && this.#written.get(hashPair(name, value)) === true;
  }

  strip(head: ResponseHead): ResponseHead {
    const cookies = listSetCookies(head.headers).filter(({ name }) => this.#isIgnored(name));
    if (cookies.length === 0) return head;
    const stripped = withoutCookies(head, cookies);
    this.#values.set(
      stripped,
      cookies.flatMap(({ value }) => [value, urlDecode(value)]),
    );
    return stripped;
  }

  isInBody(head: ResponseHead, body: Uint8Array): boolean {
    const values = this.#values.get(head)?.filter(({ length }) => length >= MIN_VALUE_LENGTH) ?? [];
    if (values.length === 0) return false;
    const text = new TextDecoder().decode(body);
    return values.some((value) => text.includes(value));
  }
}

const hashPair = (name: string, value: string): string => hash('sha256', `${name}=${value}`, 'base64');

/** Removes cookies that repeat the request's, and so the key's: currency plugins set them each time. Their age isn't renewed. */
function withoutRepeatedCookies(head: ResponseHead, requestFields: readonly string[]): ResponseHead {
  const sent = new Set(fieldValue(requestFields, 'cookie')?.split('; '));
  const isRepeated = ({ at, name, value }: SetCookie): boolean =>
    // One that expires is deleted.
    sent.has(`${name}=${value}`) && !/;\s*max-age=(?:0|-)/i.test(head.headers[at + 1] ?? '');
  const repeated = sent.size === 0 ? [] : listSetCookies(head.headers).filter(isRepeated);
  return repeated.length === 0 ? head : withoutCookies(head, repeated);
}

function withoutCookies(head: ResponseHead, cookies: readonly SetCookie[]): ResponseHead {
  const taken = new Set(cookies.flatMap(({ at }) => [at, at + 1]));
  return { ...head, headers: head.headers.filter((_, at) => !taken.has(at)) };
}

interface SetCookie {
  readonly name: string;
  readonly value: string;
  readonly at: number;
}

/** RFC 6265 §4.1.1. */
function listSetCookies(headers: readonly string[]): readonly SetCookie[] {
  return headers.flatMap((field, at) => {
    if (at % 2 === 1 || field.toLowerCase() !== 'set-cookie') return [];
    const [pair = ''] = (headers[at + 1] ?? '').split(';', 1);
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2);
    return [{ name: name.trim(), value: value.trim(), at }];
  });
}
