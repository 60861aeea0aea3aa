import { createNameMatcher, parseAddressGlob, splitNames } from '../../base/glob.ts';
import {
  hasDirective,
  hasUnqualifiedDirective,
  parseCacheControl,
  parseHttpDate,
} from '../../base/http/cache-fields.ts';
import type { CacheReason } from '../../base/http/cache-status.ts';
import type { ResponseHead } from '../../base/http/exchange.ts';
import { fieldValue, firstFieldValue, hasField, parseMediaType } from '../../base/http/fields.ts';
import { memoizeByString } from '../../base/memoize.ts';
import type { RouteCacheRule } from '../../base/option-types.ts';
import { isJsonContentType, parseQueryPairs, toByteString } from '../../base/php/request.ts';
import { type CacheRule, DEFAULT_STALE_IF_UNREACHABLE, TARGETED_FIELDS } from '../cache/policy/freshness.ts';
import { classifyAddress, FILE_EXTENSIONS, isCodeFile, isTokenName } from './bypass-rules.ts';
import { toTagPath } from './cache-names.ts';
import CONVENTIONS from './conventions.json' with { type: 'json' };
import PROHIBITIONS from './prohibitions.json' with { type: 'json' };

export interface ResolvedCacheRule {
  /** Whether the rule states a lifetime; if not, the matched resource's applies. */
  readonly statesLifetime: boolean;
  readonly usesStore: boolean;
  /** Adds the rule's other settings to a response whose lifetime comes from elsewhere. */
  readonly refine: (chosen: CacheRule) => CacheRule;
  readonly rule: CacheRule;
  readonly tags: readonly string[];
  readonly keyRule: {
    /** In lower case. */
    readonly headers: readonly string[];
    readonly headerSet: ReadonlySet<string>;
    readonly isCookie: (name: string) => boolean;
  };
}

interface RuleSeconds {
  readonly ttl: number;
  readonly swr: number;
  readonly sie: number;
}

/** Defaults for operations in the document, in seconds. */
const DEFAULT_SECONDS: RuleSeconds = { ttl: 30, swr: 600, sie: 86_400 };
const NO_SECONDS: RuleSeconds = { ttl: 0, swr: 0, sie: 0 };

const SUCCESS = 200;
const NOT_FOUND_SECONDS = 5;
/** Statuses of missing resources, and permanent redirects. For any other status the lifetime is 0. */
const NOT_FOUND: ReadonlySet<number> = new Set([404, 410, 301, 308]);

interface RuleMatchInput {
  readonly names: readonly string[];
  readonly namespace: string;
  readonly isInDocument: boolean;
}

export function createCacheRuleResolver(
  rules: readonly RouteCacheRule[],
): (target: RuleMatchInput) => ResolvedCacheRule {
  const compiled = rules.map((rule) => ({
    matches: createRuleMatcher(rule),
    forDocument: resolveRule(DEFAULT_SECONDS, rule),
    forOthers: resolveRule(rule.ttl === undefined ? NO_SECONDS : DEFAULT_SECONDS, rule),
  }));
  const forDocument = resolveRule(DEFAULT_SECONDS, undefined);
  const forOthers = resolveRule(NO_SECONDS, undefined);
  return (target) => {
    const found = compiled.find(({ matches }) => matches(target));
    const { forDocument: documented, forOthers: other } = found ?? { forDocument, forOthers };
    return target.isInDocument ? documented : other;
  };
}

export function createDefaultRule(ttl: number): CacheRule {
  return resolveRule({ ...DEFAULT_SECONDS, ttl }, undefined).rule;
}

function resolveRule(defaults: RuleSeconds, rule: RouteCacheRule | undefined): ResolvedCacheRule {
  const { override, reload, sie, swr, ttl = defaults.ttl } = rule ?? {};
  const headers = (rule?.keyHeaders ?? []).map((name) => name.toLowerCase());
  // A missing resource must not be cached for longer than an existing one.
  const notFound = Math.min(NOT_FOUND_SECONDS, ttl);
  const refine = (chosen: CacheRule): CacheRule => ({
    ...chosen,
    ...(swr === undefined ? {} : { staleWhileRevalidate: swr }),
    ...(sie === undefined ? {} : { staleIfError: sie, staleIfUnreachable: sie }),
    defaultWindows: (chosen.defaultWindows ?? []).filter(
      (window) => (window === 'staleWhileRevalidate' ? swr : sie) === undefined,
    ),
    overridesResponse: override ?? false,
    ignoresReload: reload === false,
  });
  return {
    statesLifetime: rule?.ttl !== undefined,
    usesStore: rule?.store ?? true,
    refine: rule === undefined ? (chosen) => chosen : refine,
    rule: refine({
      // 0: a lifetime must not be guessed from a page's `Last-Modified`.
      getTtl: (status) => (status === SUCCESS ? ttl : NOT_FOUND.has(status) ? notFound : 0),
      staleWhileRevalidate: defaults.swr,
      staleIfError: defaults.sie,
      staleIfUnreachable: DEFAULT_STALE_IF_UNREACHABLE,
      defaultWindows: ['staleWhileRevalidate', 'staleIfError', 'staleIfUnreachable'],
      overridesResponse: false,
      // WP Rocket and HTML5 Boilerplate write it for browsers (`.htaccess`).
      replacesZeroMaxAge: true,
    }),
    tags: rule?.tags ?? [],
    keyRule: { headers, headerSet: new Set(headers), isCookie: createNameMatcher(rule?.keyCookies ?? []) },
  };
}

function createRuleMatcher({ match }: RouteCacheRule): (target: RuleMatchInput) => boolean {
  const globs = (typeof match === 'string' ? [match] : match).map(parseAddressGlob);
  return ({ names, namespace }) =>
    globs.some(({ isForRoutes, matches }) => (isForRoutes ? names.some(matches) : matches(namespace)));
}

export interface PageCaching {
  /** Whether the body is requested without content coding, to be searched before storing. */
  readonly readsBody: boolean;
  selectRule(head: ResponseHead): CacheRule | undefined;
}

/**
 * @param pageSeconds lifetime of HTML, feeds and sitemaps; `undefined` if only their own fields count
 * @param hasTags whether the site can tag them, so that they are stored without
 * @returns a function of the raw path and query of a request
 */
export function createPageRules(
  pageSeconds: number | undefined,
  hasTags = false,
): (path: string, query: string) => PageCaching {
  const pageRule = pageSeconds === undefined ? undefined : createDefaultRule(pageSeconds);
  const page: PageCaching = {
    readsBody: pageRule !== undefined || hasTags,
    selectRule: (head) => (isHtml(head) || isFeed(head) ? pageRule : undefined),
  };
  /** `robots.txt` (do_robots()), `ads.txt`, `llms.txt` and the like. */
  const text: PageCaching = {
    readsBody: page.readsBody,
    selectRule: (head) => (isOfType(head, 'text/plain') ? pageRule : page.selectRule(head)),
  };
  const file = (rule: CacheRule): PageCaching => ({
    readsBody: false,
    selectRule: (head) =>
      hasField(head.headers, 'last-modified') && !isHtml(head) ? rule : page.selectRule(head),
  });
  const plainFile = file(createFileRule(UNVERSIONED_SECONDS));
  const versionedFile = file(createFileRule(VERSIONED_SECONDS));
  return (path, query) => {
    switch (classifyAddress(path)) {
      case 'script':
        return SCRIPT;
      case 'page':
        return /\.txt$/i.test(path) ? text : page;
      case 'file':
        return isCodeFile(path) && parseQueryPairs(query).some(({ name }) => name === 'ver')
          ? versionedFile
          : plainFile;
    }
  };
}

const SCRIPT: PageCaching = { readsBody: false, selectRule: () => undefined };

/** Maximum heuristic lifetimes of files in seconds (RFC 9111 §4.2.2). A new version has other URLs (`?ver=`). */
const VERSIONED_SECONDS = 24 * 3600;
const UNVERSIONED_SECONDS = 60;

function createFileRule(maxHeuristicLifetime: number): CacheRule {
  return {
    ...createDefaultRule(0),
    getTtl: (status) => (status === 200 ? undefined : 0),
    maxHeuristicLifetime,
    staleWhileRevalidate: 0,
  };
}

const FILE_PATH = new RegExp(`\\.(?:${FILE_EXTENSIONS})$`);
const SCRIPT_FIELD = /^(?:x-powered-by|link|set-cookie|x-robots-tag|x-wp-|x-pingback|x-redirect-by)/i;
/** RFC 9110 §8.8.2.2: a date as recent as the response says little. Milliseconds. */
const MIN_UNCHANGED = 60_000;

/** Whether a web server sent a file without PHP: no script fields, a date before this response's, etc. */
export function isServedFile(
  path: string,
  { headers, status }: Pick<ResponseHead, 'headers' | 'status'>,
): boolean {
  if (status !== 200 || !FILE_PATH.test(toTagPath(path)) || /\.php/i.test(path)) return false;
  if (headers.some((name, at) => at % 2 === 0 && SCRIPT_FIELD.test(name))) return false;
  const [modified, sent] = ['last-modified', 'date'].map((name) => {
    const text = firstFieldValue(headers, name);
    return text === undefined ? null : parseHttpDate(text, 0);
  });
  // Plugins switch `ETag` off (WP Rocket's rules for Apache).
  const isByServer = hasField(headers, 'etag') || hasField(headers, 'accept-ranges');
  if (modified == null || sent == null || !isByServer) return false;
  return modified + MIN_UNCHANGED <= sent;
}

export function isHtml(head: ResponseHead): boolean {
  return isOfType(head, 'text/html', 'application/xhtml+xml');
}

export function isJson({ headers }: ResponseHead): boolean {
  return isJsonType(fieldValue(headers, 'content-type') ?? '');
}

const isJsonType = memoizeByString(isJsonContentType);

/** `feed_content_type()`, `WP_Sitemaps_Renderer`, sitemaps of plugins, and manifests of web apps. */
const FEED_TYPES = splitNames(
  'application/rss+xml application/atom+xml application/rdf+xml application/xml text/xml application/manifest+json',
);

function isFeed(head: ResponseHead): boolean {
  return isOfType(head, ...FEED_TYPES);
}

function isOfType({ headers }: ResponseHead, ...types: readonly string[]): boolean {
  return types.includes(parseMediaType(fieldValue(headers, 'content-type') ?? null).essence);
}

/** Value of `wp_create_nonce()`: the same for all visitors without a session, valid for 12 hours at least. */
const WORDPRESS_NONCE = /^[0-9a-f]{10}$/;
const FIELD = /<(?:input|meta)\b((?:[^>"']|"[^"]{0,4000}"|'[^']{0,4000}'){0,4000})/gi;
const NAME = attribute('name');
const VALUE = attribute('(?:value|content)');
/** Fields whose names do not say token. */
const ONE_TIME_FIELD = new RegExp(Object.values(CONVENTIONS.oneTimeFields).join('|'), 'i');
/** A page with more fields counts as having a token. */
const MAX_FIELDS = 2_000;

/** A value that stands in the way of storing a response. */
export interface BodyToken {
  readonly key: string;
  readonly value: string;
}

/** Letters and digits in a row, as in tokens and UUIDs. Words with separators are names and sentences: `wp-give_session_1f4c…`. */
export function looksRandom(value: string): boolean {
  const parts = value.replace(/=+$/, '').split(/[^a-z\d]+/i);
  const long = parts.filter((part) => part.length >= 10);
  if (parts.length === 1) return long.length === 1;
  return long.some((part) => /\d/.test(part)) && !parts.some((part) => /^[A-Z]?[a-z]{5,}$/.test(part));
}

function attribute(name: string): RegExp {
  return new RegExp(`(?:^|[\\s"'/])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i');
}

function readAttribute(attributes: string, pattern: RegExp): string {
  const [, double, single, bare] = pattern.exec(attributes) ?? [];
  return (double ?? single ?? bare ?? '').trim();
}

/** In fields of forms: a script's token of one visitor belongs to a session, whose cookie tells. */
export function findPageToken(body: Uint8Array): BodyToken | undefined {
  let fields = 0;
  for (const [, attributes = ''] of toByteString(body).matchAll(FIELD)) {
    if (++fields > MAX_FIELDS) return { key: `more than ${MAX_FIELDS} fields`, value: '' };
    const key = readAttribute(attributes, NAME);
    const isOneTime = ONE_TIME_FIELD.test(key);
    if (!(isOneTime || isTokenName(key))) continue;
    const value = readAttribute(attributes, VALUE);
    const isOfEveryone = /nonce/i.test(key) && WORDPRESS_NONCE.test(value);
    if (isOneTime ? value !== '' : looksRandom(value) && !isOfEveryone) return { key, value };
  }
  return undefined;
}

/** Bytes at either end of a body that are searched for an error. */
const SEARCHED_BYTES = 4096;
/** Bytes of JSON. Only this much of either end of longer texts is read: a text cut off ends differently. */
const MAX_PARSED_BYTES = 1024;
const CHALLENGE_FIELDS = /^(?:cf-mitigated|sg-captcha|x-amzn-waf-action)$/i;
const ERROR_PAGE = new RegExp(Object.values(CONVENTIONS.errorPages).join('|'));

/** Whether a 200 is empty, cut off, an error or a challenge, or no JSON where that is promised. */
export function isBrokenResponse(head: ResponseHead, body: Uint8Array, promisesJson: boolean): boolean {
  if (head.status !== 200) return false;
  const isPage = isHtml(head);
  if (isPage && promisesJson) return true;
  if (!isPage && isJson(head)) return isBrokenJson(body);
  if (!isPage && !isFeed(head)) return false;
  if (!body.some((byte) => byte > SPACE)) return true;
  return (
    isPage &&
    (head.headers.some((name, at) => at % 2 === 0 && CHALLENGE_FIELDS.test(name)) || isErrorPage(body))
  );
}

function isErrorPage(body: Uint8Array): boolean {
  const start = toByteString(body.subarray(0, SEARCHED_BYTES));
  const end = body.length <= SEARCHED_BYTES ? '' : toByteString(body.subarray(-SEARCHED_BYTES));
  if (ERROR_PAGE.test(start) || (end !== '' && ERROR_PAGE.test(end))) return true;
  if (end === '' && start.replace(/<!--.*?-->/gs, '').trim() === '') return true;
  // Minifiers that leave `</html>` out leave out `<head>` as well (kangax/html-minifier#1020).
  const isDocument = /<head[\s>]/i.test(start);
  return isDocument && !/<\/html/i.test(end === '' ? start : end) && !/<\/html/i.test(toByteString(body));
}

const BRACKETS = ['{}', '[]', '""'];

function isBrokenJson(body: Uint8Array): boolean {
  if (body.length > MAX_PARSED_BYTES) {
    const isShown = (byte: number): boolean => byte > SPACE && !BYTE_ORDER_MARK_BYTES.includes(byte);
    const first = body.subarray(0, MAX_PARSED_BYTES).find(isShown);
    const last = body.subarray(-MAX_PARSED_BYTES).findLast(isShown);
    return !BRACKETS.includes(String.fromCharCode(first ?? 0, last ?? 0));
  }
  try {
    JSON.parse(toByteString(body).replace(BYTE_ORDER_MARK, ''));
    return false;
  } catch {
    return true;
  }
}

/** Plugins whose files begin with one send it first. */
const BYTE_ORDER_MARK = /^(?:\u00ef\u00bb\u00bf)+/;
const BYTE_ORDER_MARK_BYTES = [0xef, 0xbb, 0xbf];
const SPACE = 0x20;

const PERSONAL_FIELDS: ReadonlySet<string> = new Set(
  splitNames('set-cookie clear-site-data authorization authentication-info x-api-key'),
);

/** Words in the names of fields for one client, e.g. `X-WP-Nonce`, `Cart-Hash`. */
const PERSONAL_WORDS = new RegExp(
  [
    'nonce|token|csrf|xsrf|session|jwt|secret|passw|credential',
    '(?:^|-)(?:auth|bearer|cart|basket|otp|one-time|pin|login|sid|phpsessid|remember|signature|identity)(?:-|$)',
    '(?:^|-)(?:user|account|customer|member|guest|visitor|license|licence|ticket|invite|invitation)(?:-|$)',
    '(?<!(?:^|-)(?:cache|surrogate|public|content|tag|xcache))(?:^|-)key$',
  ].join('|'),
);

interface FieldRefusal {
  readonly reason: CacheReason;
  /** Directives that forbid another cache to store the response; without any, the field is made for one client. */
  readonly words: readonly string[];
}

/** Finds a field made for one client, or a prohibition. A site that forbids one cache to store would forbid this one. */
export function findRefusingField(headers: readonly string[]): CacheReason | undefined {
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const refusal = findFieldRefusal(headers[at] ?? '');
    if (refusal === false) continue;
    const { reason, words } = refusal;
    const directives = words.length === 0 ? [] : parseCacheControl(headers[at + 1] ?? '');
    const forbids = (word: string): boolean =>
      word.endsWith('=0')
        ? directives.some((each) => `${each.name}=0` === word && NO_LIFETIME.test(each.argument ?? ''))
        : hasUnqualifiedDirective(directives, word);
    if (words.length === 0 || words.some(forbids)) return reason;
  }
  return undefined;
}

/** `0`, `0s`, `0+60` (fresh for no time, then stale for a minute), `-1`, or what cannot be read. */
const NO_LIFETIME = /^[^\d]*-|^[^1-9]*(?:[+;]|$)/;

const findFieldRefusal = memoizeByString((field): FieldRefusal | false => {
  const name = field.toLowerCase();
  if (name === 'access-control-allow-credentials') return false;
  if (PERSONAL_FIELDS.has(name) || PERSONAL_WORDS.test(name.replaceAll('_', '-')))
    return { reason: name === 'set-cookie' ? { kind: name, name: '' } : { kind: 'header', name }, words: [] };
  const matches = (pattern: string): boolean =>
    pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : name === pattern;
  const prohibition = PROHIBITIONS.find(({ fields }) => splitNames(fields).some(matches));
  return prohibition === undefined || TARGETED_FIELDS.includes(name)
    ? false
    : { reason: { kind: 'forbidden by', name }, words: splitNames(prohibition.words) };
});

export function findUnshareableReason({ headers }: ResponseHead): CacheReason | undefined {
  for (const name of ['set-cookie2', 'www-authenticate'])
    if (hasField(headers, name)) return { kind: 'header', name };
  // CSP 3 §2.3.1: the value is "unique for each response".
  const policy = fieldValue(headers, 'content-security-policy');
  if (policy?.includes("'nonce-") === true) return { kind: 'nonce in policy' };
  const directives = parseCacheControl(fieldValue(headers, 'cache-control') ?? '');
  if (hasDirective(directives, 'no-store')) return { kind: 'no-store' };
  return hasUnqualifiedDirective(directives, 'private') ? { kind: 'private' } : undefined;
}

/** Appends fields by which sites negotiate silently. @param target path and query of the request to the site */
export function addUnstatedVary(head: ResponseHead, isRoute: boolean, target: string): ResponseHead {
  const headers = [...head.headers];
  if (isRoute) addVary(headers, 'Origin');
  if (hasField(headers, 'content-encoding')) addVary(headers, 'Accept-Encoding');
  if (hasField(headers, 'content-language')) addVary(headers, 'Accept-Language');
  const [, format = ''] = NEGOTIATED_IMAGE.exec(fieldValue(headers, 'content-type') ?? '') ?? [];
  const path = target.split('?', 1)[0] ?? '';
  if (format !== '' && !path.toLowerCase().endsWith(`.${format.toLowerCase()}`)) addVary(headers, 'Accept');
  return headers.length === head.headers.length ? head : { ...head, headers };
}

const NEGOTIATED_IMAGE = /^image\/(webp|avif|jxl)\b/i;

export function addVary(headers: string[], name: string): void {
  const listed = (fieldValue(headers, 'vary') ?? '').toLowerCase().split(',');
  if (!listed.some((each) => ['*', name.toLowerCase()].includes(each.trim()))) headers.push('Vary', name);
}

const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 200;
const MAX_OCCURRENCES = 1_000;
const FORM_FIELD = '_wpnonce';

/** Value that isn't empty. An object that begins with a keyword of JSON Schema describes an argument. */
const REST_AND_VALUE =
  /^[\w.:-]*"\s{0,64}:\s{0,64}(?:"[^"]|\d|\[\s{0,64}[^\s\]]|\{\s{0,64}"(?!(?:type|description|required|default|format|pattern|enum|items|readonly|context|title|minLength|maxLength)"))/;
const START = /(?:^|[^\\])"([\w.:-]*)$/;

export function findNonceMember(body: Uint8Array): BodyToken | undefined {
  const text = toByteString(body);
  const word = /nonce/gi;
  for (let occurrences = 0; occurrences < MAX_OCCURRENCES; occurrences += 1) {
    if (!word.test(text)) return undefined;
    const end = word.lastIndex;
    const start = end - 5;
    if (text.slice(end - FORM_FIELD.length, end).toLowerCase() === FORM_FIELD)
      return { key: FORM_FIELD, value: '' };
    const before = START.exec(text.slice(Math.max(0, start - MAX_NAME_LENGTH), start))?.[1];
    if (before === undefined) continue;
    const rest = text.slice(end, end + MAX_NAME_LENGTH + MAX_VALUE_LENGTH);
    if (!REST_AND_VALUE.test(rest)) continue;
    const [, name = '', value = ''] = /^([^"]*)"\s*:\s*(.*)/s.exec(rest) ?? [];
    return { key: before + text.slice(start, end) + name, value };
  }
  return { key: 'nonce', value: '' };
}
