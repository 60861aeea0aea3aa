import { hash, randomBytes } from 'node:crypto';
import { hasDirective, parseCacheControl } from '../../../base/http/cache-fields.ts';
import {
  mapHead,
  type RequestHead,
  type ResponseHead,
  type ResponseSink,
} from '../../../base/http/exchange.ts';
import { fieldValue, hasField, lowerName, withoutFields } from '../../../base/http/fields.ts';
import { findRequestField } from '../../../base/http/request-fields.ts';
import { memoizeByString } from '../../../base/memoize.ts';
import { normalizeAcceptEncoding } from '../../cache/compressor.ts';
import type { CacheRequest } from '../../cache/engine/fetch-plan.ts';
import type { CacheEntryPolicy } from './cache-entry.ts';

interface KeyedRequest {
  /** Value of the `Cookie` field that the site gets: the key's cookies, which set it. */
  keyedCookies: string;
  /** Whether the site gets these fields exactly as the client sent them. @param names in lower case */
  areForwardedUnchanged(names: readonly string[]): boolean;
  /** The header section that the site gets, or has got. @param names in lower case, which can become part of the key */
  readonly forwarded: { preview(names: readonly string[]): readonly string[] };
}

/** All requests with equal parts share an entry, but for the fields that `Vary` names. */
export interface CacheKey {
  /** Base URL of the site, without the scheme: `example.com/shop/`. */
  readonly site: string;
  /** Base URL of the gateway as the client used it: bodies contain it. */
  readonly publicBase: string;
  readonly resource: string;
  /** Path of the request for a route that usually has another one, because plugins read it; else empty. */
  readonly path: string;
  readonly fields: string;
  /** `Origin`, for pages and plain origins: they might not say that they vary by it. */
  readonly origin: string | undefined;
  /** `X-Requested-With`, for plain origins. See `sharing` in `http/request-fields.ts`. */
  readonly requestedWith: string | undefined;
  readonly cookies: string;
}

/** No part contains a line feed. */
function writeCacheKey(key: CacheKey): string {
  const { cookies, fields, origin, path, publicBase, requestedWith, resource, site } = key;
  let text = `${site}\n${publicBase}\n${resource}`;
  if (path !== '') text += `\npath ${path}`;
  if (fields !== '') text += `\nfields ${fields}`;
  if (origin !== undefined) text += `\norigin ${origin}`;
  if (requestedWith !== undefined) text += `\nx-requested-with ${requestedWith}`;
  if (cookies !== '') text += `\ncookie ${cookies}`;
  // V8 would keep a concatenation as a tree. Reading a character flattens it.
  return text.charCodeAt(0) >= 0 ? text : '';
}

const NO_FIELDS: readonly string[] = [];

export class SiteCacheRequest<Received extends KeyedRequest = KeyedRequest> implements CacheRequest {
  readonly key: string;
  readonly method: 'GET' | 'HEAD';
  readonly headers: readonly string[];
  readonly identifyingFields: readonly string[];
  readonly policy: CacheEntryPolicy;
  readonly publicBase: string;
  readonly received: Received;
  #keyedHeaders: readonly string[] | undefined;

  constructor(policy: CacheEntryPolicy, head: RequestHead, publicBase: string, received: Received) {
    const { headers, method } = head;
    const { site, storeScope } = policy;
    const { isCode, isRoute, isWordPress, resourceKey, rule, unusualPath } = policy.entry;
    const { headers: keyHeaders } = rule.keyRule;
    let fields = '';
    if (keyHeaders.length > 0) {
      const sent = received.areForwardedUnchanged(keyHeaders)
        ? headers
        : received.forwarded.preview(NO_FIELDS);
      fields = JSON.stringify(keyHeaders.map((name) => fieldValue(sent, name) ?? null));
    }
    const cookies =
      isWordPress && !isCode ? site.bypassRules.selectKeyedCookies(headers, rule.keyRule.isCookie) : '';
    received.keyedCookies = cookies;
    this.key = writeCacheKey({
      site: storeScope,
      publicBase,
      resource: resourceKey,
      path: unusualPath,
      fields,
      origin: isRoute ? undefined : fieldValue(headers, 'origin'),
      requestedWith: isWordPress ? undefined : fieldValue(headers, 'x-requested-with'),
      cookies,
    });
    this.method = method === 'HEAD' ? 'HEAD' : 'GET';
    this.headers = headers;
    this.identifyingFields = isWordPress ? NO_FIELDS : site.bypassRules.listIdentifyingFields(headers);
    this.policy = policy;
    this.publicBase = publicBase;
    this.received = received;
  }

  get forwardedHeaders(): readonly string[] {
    return this.received.forwarded.preview(NO_FIELDS);
  }

  get #keyed(): readonly string[] {
    if (!this.policy.entry.isWordPress) return this.headers;
    this.#keyedHeaders ??= withCookies(this.headers, this.received.keyedCookies);
    return this.#keyedHeaders;
  }

  getVariantKey(vary: readonly string[]): string {
    // Most requests have no `Origin`.
    if (vary.length === 1 && vary[0] === 'origin' && fieldValue(this.headers, 'origin') === undefined)
      return '';
    const isUnchanged = this.received.areForwardedUnchanged(vary);
    const headers = isUnchanged ? this.#keyed : this.received.forwarded.preview(vary);
    return createVariantKey(vary, headers, this.policy.entry.isWordPress);
  }

  withholds(names: readonly string[]): boolean {
    const forwarded = this.forwardedHeaders;
    return names.some((name) => {
      const own = fieldValue(this.#keyed, name);
      return own !== undefined && fieldValue(forwarded, name) !== own;
    });
  }

  prepareHead(head: ResponseHead): ResponseHead {
    return this.policy.prepareHead(head, this.#keyed);
  }
}

/** @param headers of the request to the site @param cookies of the key */
export function toSharedRequestHeaders(
  headers: string[],
  { entry: { isWordPress }, readsBody, site }: CacheEntryPolicy,
  keyedFields: ReadonlySet<string>,
  cookies: string,
): string[] {
  if (isWordPress) {
    const shared = normalizeSharedFields(withCookies(headers, cookies), keyedFields);
    return readsBody ? shared : normalizeAcceptEncoding(shared);
  }
  const hasClientCookies = site.bypassRules.listIdentifyingFields(headers).includes('cookie');
  return normalizeAcceptEncoding(hasClientCookies ? headers : withCookies(headers, ''));
}

/**
 * Adds parameters that the site did not get to its redirects to itself, as `redirect_canonical()` would.
 * @param query without question mark @param isForEveryone whether the request had no such parameters
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

/**
 * Selects the client's fields to forward with a request for everyone. A plain origin gets all except those that describe the
 * client and are not in `Vary`. @param keyedFields in lower case
 */
export function createSharedFieldFilter(
  keyedFields: ReadonlySet<string>,
  isWordPress: boolean,
): (name: string, value?: string) => boolean {
  const traces = new Set<string>();
  return (name, value = '') => {
    const kind = classifyField(name);
    if (kind === 'trace' && TRACE_ID.test(value) && !traces.has(lowerName(name))) {
      traces.add(lowerName(name));
      return true;
    }
    if (kind === 'shared') return true;
    return (kind === 'other' && !isWordPress) || keyedFields.has(lowerName(name));
  };
}

/** An id in hexadecimal digits, or a digit (`b3: 0`). A page could repeat other text to other clients. */
const TRACE_ID =
  /^(?=(?:.{0,254}[=:;,|/])?[\da-f-]{2})(?:root=|self=|parent=|lineage=|sampled=|o=|[\da-f:;,|/-]){1,256}$/i;

const classifyField = memoizeByString((name): 'shared' | 'trace' | 'description' | 'other' => {
  const { cacheClass, sharing } = findRequestField(name.toLowerCase()) ?? {};
  if (sharing === 'trace') return sharing;
  if (sharing === 'site' || sharing === 'origin') return 'shared';
  return cacheClass === 'description' && sharing === undefined ? 'description' : 'other';
});

/** A foreign visitor's: sites refuse non-browsers, and don't count robots. */
const USER_AGENT =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const FOREIGN_NETWORKS = ['192.0.2', '203.0.113'];

/**
 * Addresses of foreign visitors, by target (RFC 5737). A single one would be refused for asking too often. Without a secret anybody
 * could choose targets that share one, to have it locked out.
 */
export function createForeignAddresses(): (target: string) => string {
  const secret = randomBytes(16).toString('base64');
  return (target) => {
    const number =
      hash('sha256', secret + target, 'buffer').readUInt32LE(0) % (FOREIGN_NETWORKS.length * 254);
    return `${FOREIGN_NETWORKS[Math.floor(number / 254)]}.${(number % 254) + 1}`;
  };
}

/** @param headers of {@link createSharedFieldFilter} @param keyedFields in lower case */
function normalizeSharedFields(headers: string[], keyedFields: ReadonlySet<string>): string[] {
  const stated = fieldValue(headers, 'cache-control');
  const normalized = withoutFields(headers, NORMALIZED_FIELDS);
  const cacheControl = stated === undefined ? '' : toSharedCacheControl(stated);
  if (cacheControl !== '') normalized.push('Cache-Control', cacheControl);
  const constants = { 'User-Agent': USER_AGENT, Accept: '*/*' };
  for (const [name, value] of Object.entries(constants)) {
    const lower = lowerName(name);
    if (!keyedFields.has(lower) && !hasField(normalized, lower)) normalized.push(name, value);
  }
  return normalized;
}

const NORMALIZED_FIELDS: ReadonlySet<string> = new Set(['cache-control', 'pragma', 'if-range']);

function toSharedCacheControl(cacheControl: string): string {
  const directives = parseCacheControl(cacheControl);
  const isReload = hasDirective(directives, 'no-cache') || /\bmax-age=0\b/i.test(cacheControl);
  const kept = [isReload ? 'no-cache' : '', hasDirective(directives, 'no-store') ? 'no-store' : ''];
  return kept.filter((directive) => directive !== '').join(', ');
}

function withCookies<Headers extends readonly string[]>(
  headers: Headers,
  cookies: string,
): Headers | string[] {
  const without = hasField(headers, 'cookie') ? withoutFields(headers, COOKIE) : headers;
  return cookies === '' ? without : [...without, 'Cookie', cookies];
}

const COOKIE: ReadonlySet<string> = new Set(['cookie']);

/** An absent field isn't an empty one (RFC 9111 §4.1). @param ranksLanguagesByOrder if weights are equal (RFC 9110 §12.5.4) @internal The cache's own tests use it. */
export function createVariantKey(
  vary: readonly string[],
  requestHeaders: readonly string[],
  ranksLanguagesByOrder = false,
): string {
  let variant = '';
  for (const name of vary) {
    const value = fieldValue(requestHeaders, name);
    if (value === undefined) continue;
    const isSorted = !(ranksLanguagesByOrder && name === ACCEPT_LANGUAGE);
    variant += `${name}:${normalizeFieldValue(name, value, isSorted)}\n`;
  }
  return variant;
}

const ACCEPT_LANGUAGE = 'accept-language';

const NEGOTIATION_FIELDS = new Set(['accept', 'accept-charset', 'accept-encoding', ACCEPT_LANGUAGE]);

/** RFC 9111 §4.1: only spellings of the same meaning become the same. */
function normalizeFieldValue(name: string, value: string, isSorted: boolean): string {
  if (value.includes('"')) return value;
  if (!NEGOTIATION_FIELDS.has(name)) return value.replace(SPACED_COMMA, ',');
  const members = value
    .toLowerCase()
    .replace(SPACED_DELIMITER, '$1')
    .split(',')
    .filter((member) => member !== '');
  return (isSorted ? members.sort() : members).join(',');
}

/** White space of RFC 9110 §5.6.3 only. The lookbehind visits a run of spaces once. */
const SPACED_COMMA = /(?<![ \t])[ \t]*,[ \t]*/g;
const SPACED_DELIMITER = /(?<![ \t])[ \t]*([,;=])[ \t]*/g;
