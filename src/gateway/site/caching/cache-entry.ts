import {
  mapHead,
  type RequestHead,
  type ResponseHead,
  type ResponseSink,
} from '../../../base/http/exchange.ts';
import { fieldValue, hasField, withoutFields } from '../../../base/http/fields.ts';
import type { CacheRequest, EntryPolicy } from '../../cache/cache-request.ts';
import { normalizeAcceptEncoding } from '../../cache/compressor.ts';
import { type CacheRule, DEFAULT_STALE_IF_UNREACHABLE } from '../../cache/policy/freshness.ts';
import { NOT_STORED_DETAILS } from '../../cache/policy/status-details.ts';
import { createVariantKey } from '../../cache/policy/variants.ts';
import type { StoredResponse } from '../../cache/store.ts';
import { type ResolvedCacheRule, writeCacheKey } from '../../wordpress/cache-key.ts';
import {
  findPageToken,
  isBrokenResponse,
  isHtml,
  isServedFile,
  type PageCaching,
} from '../../wordpress/page-responses.ts';
import {
  addUnstatedVary,
  type CacheBypass,
  type CacheBypassRules,
  createBypass,
  findDeviceClass,
  findNonceMember,
  findUnshareableReason,
  normalizeSharedFields,
  withCookies,
} from '../../wordpress/shared-requests.ts';
import { CODE_FILES, EVERYTHING } from '../../wordpress/tags.ts';
import type { DocumentCacheTags } from './document-cache-tags.ts';
import { type IgnoredCookies, listSetCookies, withoutRepeatedCookies } from './ignored-cookies.ts';
import type { SiteTags } from './site-tags.ts';
import type { StoreExclusions } from './store-exclusions.ts';

export interface SiteCachePolicy {
  readonly bypassRules: CacheBypassRules;
  readonly addsSurrogateKeys: boolean;
  readonly separatesDevices: boolean;
  readonly exclusions: StoreExclusions;
  /** Whose address the site gets with a request for everyone. */
  readonly findForeignAddress: (target: string) => string;
  /** `null` without `cache.webhook` and `cache.purgers`. */
  readonly siteTags: SiteTags | null;
  /** `null` without `cache.ignoreCookies`. */
  readonly ignoredCookies: IgnoredCookies | null;
}

interface CacheEntry {
  /** A REST route, whose responses vary by `Origin`. */
  readonly isRoute: boolean;
  /** `false` for a plain origin. */
  readonly isWordPress: boolean;
  /** Target without ignored parameters. */
  readonly upstreamTarget: string;
  /** Identifies the resource within its site. */
  readonly resourceKey: string;
  /** Path of the request to a route that usually has another one; else empty. */
  readonly unusualPath: string;
  readonly rule: ResolvedCacheRule;
  readonly tags: readonly string[];
  /** Parameters of the client that the site does not get. */
  readonly ignoredQuery: string;
  /** Path template, route or `pages`. */
  readonly name: string;
  /** Why only the site or a rule can give it a lifetime. */
  readonly unlisted: CacheBypass | null;
  /** Whether no cookie changes the response. */
  readonly isCode: boolean;
  /** `undefined` for a route, and for a plain origin. */
  readonly page: PageCaching | undefined;
}

/** Seconds: half of the time for which WordPress accepts a nonce at least. */
const MAX_PAGE_LIFETIME = 6 * 3600;
const DEVICE_FIELDS: readonly string[] = ['user-agent', 'sec-ch-ua-mobile'];

/** Memoized with its target: none of it depends on the client. */
export class CacheEntryPolicy implements EntryPolicy {
  readonly kind = 'resource';
  readonly entry: CacheEntry;
  readonly site: SiteCachePolicy;
  readonly rule: CacheRule;
  /** Whether the body is requested without content coding, to be read before it is stored. */
  readonly readsBody: boolean;
  readonly separatesDevices: boolean;
  readonly storeScope: string;
  readonly #documentTags: DocumentCacheTags;

  constructor(site: SiteCachePolicy, documentTags: DocumentCacheTags, entry: CacheEntry) {
    const { isRoute, isWordPress, page, rule } = entry;
    this.entry = entry;
    this.site = site;
    this.rule =
      isWordPress || rule.statesTimes
        ? rule.rule
        : { ...RFC_9111_RULE, ignoresReload: rule.rule.ignoresReload === true };
    this.readsBody = isRoute || page?.readsBody === true;
    this.separatesDevices = isWordPress && site.separatesDevices;
    this.storeScope = documentTags.storeScope;
    this.#documentTags = documentTags;
  }

  get addsSurrogateKeys(): boolean {
    return this.site.addsSurrogateKeys;
  }

  /** A response that is read anyway is hashed too. */
  get addsEntityTag(): boolean {
    return this.readsBody;
  }

  get ignoredVaryFields(): readonly string[] | undefined {
    return this.separatesDevices ? DEVICE_FIELDS : undefined;
  }

  get hidesClient(): boolean {
    return this.entry.isWordPress;
  }

  countPassed(reason: string, isHitForPass: boolean): string {
    const { unlisted } = this.entry;
    const isUnlisted = unlisted !== null && reason === NOT_STORED_DETAILS.noFreshness;
    const { exclusions } = this.site;
    if (isUnlisted) exclusions.countBypass(unlisted);
    else if (isHitForPass) exclusions.countBypass(createBypass('hit-for-pass', reason));
    else exclusions.countUnshared(reason);
    return isUnlisted ? unlisted.detail : reason;
  }

  selectRule(head: ResponseHead): CacheRule {
    const rule = this.#selectRule(head);
    const hasNonces = this.entry.isWordPress && isHtml(head) && this.site.siteTags?.isTagged(head) !== true;
    return hasNonces ? { ...rule, maxStatedLifetime: MAX_PAGE_LIFETIME } : rule;
  }

  #selectRule(head: ResponseHead): CacheRule {
    const { page, rule, unlisted } = this.entry;
    if (rule.statesTimes) return this.rule;
    const tagged = this.site.siteTags?.selectRule(head, this.rule);
    return tagged ?? (unlisted === null ? page?.selectRule(head) : undefined) ?? this.rule;
  }

  /** @param requestFields without cookies that are no part of the key */
  prepareHead(received: ResponseHead, requestFields: readonly string[]): ResponseHead {
    const { isRoute, isWordPress, upstreamTarget } = this.entry;
    const head = addUnstatedVary(received, isRoute, upstreamTarget);
    if (!hasField(head.headers, 'set-cookie')) return head;
    const { exclusions, ignoredCookies } = this.site;
    const others = isWordPress ? withoutRepeatedCookies(head, requestFields) : head;
    const prepared = ignoredCookies?.strip(others) ?? others;
    const names = listSetCookies(prepared.headers).map(({ name }) => name);
    if (names.length > 0) exclusions.countCookies(names);
    return prepared;
  }

  findUnshareableReason(head: ResponseHead): string | null {
    if (!this.entry.isWordPress) return null;
    return findUnshareableReason(head) ?? this.site.siteTags?.findUnshareableReason(head) ?? null;
  }

  /** A page in place of a route's JSON is stored only if a rule of the operator says so. */
  isBroken(head: ResponseHead, body: Uint8Array): boolean {
    const { isRoute, isWordPress, rule } = this.entry;
    return isWordPress && isBrokenResponse(head, body, isRoute && !rule.statesTimes);
  }

  /** A page that is no HTML has no form, and scripts in it do not run. */
  findUnshareableBodyReason(head: ResponseHead, body: Uint8Array): string | null {
    const { isRoute, isWordPress, name } = this.entry;
    if (!isWordPress || !(isRoute || isHtml(head))) return null;
    const { exclusions, ignoredCookies } = this.site;
    if (ignoredCookies?.isInBody(head, body) === true) return 'set-cookie';
    const member = isRoute ? findNonceMember(body) : findPageToken(body);
    if (member === undefined) return null;
    exclusions.reportNonce(name, member);
    return 'nonce in body';
  }

  /** Whether a file was sent without PHP, so that it changes only with its validators. */
  isServedFile(head: Pick<ResponseHead, 'headers' | 'status'>): boolean {
    const path = this.entry.upstreamTarget.split('?', 1)[0] ?? '/';
    return isServedFile(path, head);
  }

  getTags(head: ResponseHead, body: Uint8Array): readonly string[] {
    if (this.entry.isCode && this.isServedFile(head)) {
      const [everything, codeFiles] = this.#documentTags.toStoredTags([EVERYTHING, CODE_FILES]);
      return this.entry.tags.map((tag) => (tag === everything && codeFiles ? codeFiles : tag));
    }
    const isTagged = this.site.siteTags?.isTagged(head) === true;
    const stated = this.#documentTags.listStated(head, isTagged);
    const { isRoute, tags } = this.entry;
    return [...tags, ...stated, ...this.#documentTags.listShown(isRoute, head, body)];
  }
}

/** RFC 9111 without configured freshness. */
const RFC_9111_RULE: CacheRule = {
  getTtl: () => undefined,
  staleWhileRevalidate: 0,
  staleIfError: 0,
  staleIfUnreachable: DEFAULT_STALE_IF_UNREACHABLE,
  defaultWindows: ['staleIfUnreachable'],
  overridesResponse: false,
};

/** Listed when needed: most hits do not need them. */
export interface UpstreamHeaders {
  /**
   * Whether the site gets these fields, if they are part of the key, exactly as the client sent them. @param
   * names in lower case
   */
  areForwardedUnchanged(names: readonly string[]): boolean;
  /**
   * Returns the fields that the site gets (or has got) if these are part of the key. @param names in lower
   * case
   */
  listForwarded(names: readonly string[]): readonly string[];
}

const NO_FIELDS: readonly string[] = [];

export class SiteCacheRequest<Received extends UpstreamHeaders = UpstreamHeaders> implements CacheRequest {
  readonly key: string;
  readonly method: 'GET' | 'HEAD';
  readonly headers: readonly string[];
  readonly identifyingFields: readonly string[];
  readonly policy: CacheEntryPolicy;
  readonly received: Received;

  constructor(policy: CacheEntryPolicy, head: RequestHead, publicBase: string, received: Received) {
    const { headers, method } = head;
    const { site, storeScope } = policy;
    const { isCode, isRoute, isWordPress, resourceKey, rule, unusualPath } = policy.entry;
    const { headers: keyHeaders } = rule.keyRule;
    let fields = '';
    if (keyHeaders.length > 0) {
      const sent = received.areForwardedUnchanged(keyHeaders) ? headers : received.listForwarded(NO_FIELDS);
      fields = JSON.stringify(keyHeaders.map((name) => fieldValue(sent, name) ?? null));
    }
    const keysCookies = isWordPress && !isCode;
    const cookies = keysCookies ? site.bypassRules.selectKeyedCookies(headers, rule.keyRule.isCookie) : '';
    this.key = writeCacheKey({
      site: storeScope,
      publicBase,
      resource: resourceKey,
      path: unusualPath,
      fields,
      device: policy.separatesDevices ? findDeviceClass(headers) : '',
      origin: isRoute ? undefined : fieldValue(headers, 'origin'),
      requestedWith: isWordPress ? undefined : fieldValue(headers, 'x-requested-with'),
      cookies,
    });
    this.method = method === 'HEAD' ? 'HEAD' : 'GET';
    this.headers = isWordPress ? withCookies(headers, cookies) : headers;
    this.identifyingFields = isWordPress ? NO_FIELDS : site.bypassRules.listIdentifyingFields(headers);
    this.policy = policy;
    this.received = received;
  }

  get spelling(): string {
    return this.policy.entry.upstreamTarget;
  }

  get forwardedHeaders(): readonly string[] {
    return this.received.listForwarded(NO_FIELDS);
  }

  getVariantKey(vary: readonly string[]): string {
    // Most requests have no `Origin`.
    if (vary.length === 1 && vary[0] === 'origin' && fieldValue(this.headers, 'origin') === undefined)
      return '';
    const isUnchanged = this.received.areForwardedUnchanged(vary);
    const headers = isUnchanged ? this.headers : this.received.listForwarded(vary);
    return createVariantKey(vary, headers, this.policy.entry.isWordPress);
  }

  withholds(names: readonly string[]): boolean {
    const forwarded = this.forwardedHeaders;
    return names.some((name) => {
      const own = fieldValue(this.headers, name);
      return own !== undefined && fieldValue(forwarded, name) !== own;
    });
  }

  /** A web server takes validators from its files. Those of a script can stay when the response changes. */
  trustsValidators(stored: StoredResponse): boolean {
    return !this.policy.entry.isWordPress || this.policy.isServedFile(stored);
  }

  getTags(head: ResponseHead, body: Uint8Array): readonly string[] {
    return this.policy.getTags(head, body);
  }
}

/**
 * Removes fields outside of the key, and harmless cookies for a plain origin. `Accept-Encoding` becomes one
 * of a few values.
 * @param headers of the request to the site
 * @param keyedFields in lower case
 * @param received the client's fields
 */
export function toSharedRequestHeaders(
  headers: string[],
  { entry: { isCode, isWordPress, rule }, readsBody, separatesDevices, site }: CacheEntryPolicy,
  keyedFields: ReadonlySet<string>,
  received: readonly string[],
): string[] {
  if (isWordPress) {
    const device = separatesDevices ? findDeviceClass(received) : 'desktop';
    const cookies = isCode ? '' : site.bypassRules.selectKeyedCookies(received, rule.keyRule.isCookie);
    const shared = normalizeSharedFields(withCookies(headers, cookies), keyedFields, device);
    return readsBody ? shared : normalizeAcceptEncoding(shared);
  }
  const hasClientCookies = site.bypassRules.listIdentifyingFields(headers).includes('cookie');
  return normalizeAcceptEncoding(hasClientCookies ? headers : withCookies(headers, ''));
}

/**
 * Adds parameters that the site did not get to its redirects to itself, as it would have
 * (`redirect_canonical()`).
 * @param query without question mark
 * @param isForEveryone whether the request had no such parameters
 */
export function keepParametersInRedirects(
  sink: ResponseSink,
  query: string,
  publicBase: string,
  isForEveryone: () => boolean,
): ResponseSink {
  const add = (head: ResponseHead): ResponseHead => {
    const location =
      head.status < 300 || head.status > 399 ? undefined : fieldValue(head.headers, 'location');
    const isOwn = location?.startsWith(`${publicBase}/`) === true || /^\/(?!\/)/.test(location ?? '');
    if (location === undefined || !isOwn || location.includes(query) || !isForEveryone()) return head;
    const [address = '', fragment] = location.split(/#(.*)/s, 2);
    const extended = `${address}${address.includes('?') ? '&' : '?'}${query}`;
    const headers = withoutFields(head.headers, LOCATION);
    headers.push('Location', fragment === undefined ? extended : `${extended}#${fragment}`);
    return { ...head, headers };
  };
  return mapHead(sink, add);
}

const LOCATION: ReadonlySet<string> = new Set(['location']);
