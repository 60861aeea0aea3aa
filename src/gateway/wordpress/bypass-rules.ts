import { createNameMatcher, listRemoved, splitNames } from '../../base/glob.ts';
import { type CacheReason, keepName } from '../../base/http/cache-status.ts';
import { fieldValue, lowerName } from '../../base/http/fields.ts';
import { type FieldCacheClass, findRequestField } from '../../base/http/request-fields.ts';
import { detachString, memoizeByString } from '../../base/memoize.ts';
import type { SiteCacheOptions } from '../../base/option-types.ts';
import { parseQueryPairs, rawUrlDecode, urlDecode } from '../../base/php/request.ts';
import type { Log } from '../../base/ports.ts';
import CONVENTIONS from './conventions.json' with { type: 'json' };

/**
 * Decides which requests are asked for everyone, and which are passed as their clients sent them.
 * 1. A request that can identify its client is passed: `CacheBypassRules`.
 * 2. The first request for an address is passed. Its response decides whether later ones are asked for everyone:
 * `cache/engine/shareability.ts`, `site-cache-request.ts`.
 * 3. A response that is not everyone's passes its address: `response-rules.ts`.
 * 4. An unknown address has no default lifetime: `findUnlistedPage`, `findUnlistedNamespace`.
 */

export interface CacheBypass {
  readonly kind: 'bypass';
  readonly reason: CacheReason;
}

export function createBypass(reason: CacheReason): CacheBypass {
  return { kind: 'bypass', reason: 'name' in reason ? { ...reason, name: keepName(reason.name) } : reason };
}

const PERSONAL_SEGMENTS: ReadonlySet<string> = new Set(
  Object.values(CONVENTIONS.personalSegments).flatMap(splitNames),
);
const LATER_SEGMENTS: ReadonlySet<string> = new Set(splitNames(CONVENTIONS.personalLaterSegments));

export function findPersonalSegment(path: string): string | undefined {
  const segments = rawUrlDecode(path).toLowerCase().split('/');
  const isMe = (at: number): boolean => at > 1 && LATER_SEGMENTS.has(segments[at] ?? '');
  return segments.find((segment, at) => PERSONAL_SEGMENTS.has(segment) || isMe(at));
}

/** `file`: below a folder of files. `script`: wp-admin, or e.g. `wp-login.php`. @param path raw */
export function classifyAddress(path: string): 'page' | 'file' | 'script' {
  if (isCodeFile(path)) return 'file';
  const decoded = rawUrlDecode(path).toLowerCase();
  const isScript = decoded.replace(/\/index\.php(?=\/|$)/, '').includes('.php');
  if (isScript || /\/wp-admin(?:\/|$)/.test(decoded)) return 'script';
  const folder = decoded.slice(0, decoded.lastIndexOf('.'));
  return /\.\w+$/.test(decoded) && /\/wp-(?:content|includes)\//.test(folder) ? 'file' : 'page';
}

export const FILE_EXTENSIONS: string = splitNames(CONVENTIONS.fileExtensions).join('|');
const CODE_FILE = new RegExp(
  `^(?!.*(?:\\.php|%|//|\\.\\.)).*/(?:wp-includes|wp-admin/(?:css|js|images)|wp-content/(?:themes|plugins))/.*\\.(?:${FILE_EXTENSIONS})$`,
);

/** Whether a file belongs to WordPress, a theme or a plugin, so no cookie changes it. @param path raw */
export function isCodeFile(path: string): boolean {
  return CODE_FILE.test(path);
}

const SHARED_QUERIES: readonly string[] = Object.values(CONVENTIONS.sharedQueries).flatMap(splitNames);
const isSharedNamespace = createNameMatcher(Object.values(CONVENTIONS.sharedNamespaces).flatMap(splitNames));

type NamedByOperator =
  | `harmless${'Cookies' | 'Headers'}`
  | 'credentialParameters'
  | 'keyCookies'
  | 'queries'
  | 'rules';

export class CacheBypassRules {
  readonly #isHarmlessCookie: (name: string) => boolean;
  readonly #isOfWriter: (name: string, value: string) => boolean;
  readonly #isKeyedCookie: (name: string) => boolean;
  readonly #isOfRule: (name: string) => boolean;
  #unkeyedField = '';
  readonly #isSharedQuery: (name: string) => boolean;
  readonly #classifyHeader: (name: string) => HeaderFieldKind;
  readonly #isCredential: (name: string) => boolean;

  /**
   * @param options names; one that ends in `*` is a prefix. What a rule has in its key is harmless elsewhere
   * @param isOfWriter whether a harmless cookie belongs to a client who has written
   */
  constructor(
    options: Pick<SiteCacheOptions, NamedByOperator> = {},
    isOfWriter = (_name: string, _value: string): boolean => false,
  ) {
    this.#isOfWriter = isOfWriter;
    const { credentialParameters = [], harmlessCookies = [], harmlessHeaders = [] } = options;
    const { keyCookies = [], rules = [] } = options;
    const keyHeaders = rules.flatMap((rule) => rule.keyHeaders ?? []);
    const isHarmless = createNameMatcher([...HARMLESS_COOKIES, ...harmlessCookies]);
    this.#isHarmlessCookie = memoizeByString(isHarmless);
    this.#isKeyedCookie = createNameMatcher(keyCookies, (name) =>
      KEYED_COOKIES.some(({ isName }) => isName(name)),
    );
    this.#isOfRule = createNameMatcher(rules.flatMap((rule) => rule.keyCookies ?? []));
    this.#isSharedQuery = createNameMatcher([...SHARED_QUERIES, ...(options.queries ?? [])]);
    const isRemoved = createNameMatcher(listRemoved(harmlessHeaders).map(normalizeName));
    this.#classifyHeader = createHeaderClassifier(harmlessHeaders, keyHeaders, isRemoved);
    const listed = credentialParameters.map((name) => name.toLowerCase());
    const removed = listRemoved(credentialParameters).map((name) => `!${name.toLowerCase()}`);
    const isSecret = (name: string): boolean =>
      createNameMatcher(listed, () => isCredentialName(name))(name.toLowerCase());
    const isForm = createNameMatcher(removed, isBypassParameter);
    this.#isCredential = memoizeByString((name) => isSecret(name) || isForm(name.toLowerCase()));
  }

  /** @param effectiveMethod after `_method` or `X-HTTP-Method-Override` @param path of a page or file, raw; `null` for a route */
  checkRequest(
    method: string,
    effectiveMethod: string,
    headers: readonly string[],
    path: string | null = null,
  ): CacheBypass | null {
    if (method !== 'GET' && method !== 'HEAD') return createBypass({ kind: 'method' });
    if (effectiveMethod !== 'GET' && effectiveMethod !== 'HEAD')
      return createBypass({ kind: 'method override' });
    let length = 0;
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const name = headers[at] ?? '';
      switch (this.#classifyHeader(name)) {
        case 'harmless':
          break;
        case 'form':
        case 'negotiation': {
          const value = headers[at + 1] ?? '';
          length += value.length;
          const isForm = path !== null && FORM_FIELDS.get(lowerName(name))?.test(value) === true;
          if (isForm || length > MAX_NEGOTIATION_LENGTH) return createBypass({ kind: 'header', name });
          break;
        }
        case 'origin':
          if (ORIGIN.test(fieldValue(headers, 'origin') ?? '')) break;
          return createBypass({ kind: 'header', name });
        case 'cookie': {
          const cookie = this.#findCookie(headers[at + 1] ?? '');
          if (cookie !== undefined && (path === null || !isCodeFile(path)))
            return createBypass({ kind: 'cookie', name: cookie });
          break;
        }
        case 'body':
          if (/^\s*0*\s*$/.test(headers[at + 1] ?? '')) break;
          return createBypass({ kind: 'body' });
        case 'override':
          return createBypass({ kind: 'method override' });
        case 'credentials':
          return createBypass({ kind: 'credentials' });
        default:
          return createBypass({ kind: 'header', name });
      }
    }
    return null;
  }

  /** PHP can separate parameters at `;` too (`arg_separator.input`), so both readings count. @param query raw */
  checkQuery(query: string): CacheBypass | null {
    if (query === '') return null;
    const readings = query.includes(';') ? [query, query.replaceAll(';', '&')] : [query];
    for (const reading of readings) {
      for (const { name, raw } of parseQueryPairs(reading)) {
        if (name === '_method') return createBypass({ kind: 'method override' });
        if (this.#isCredential(name)) return createBypass({ kind: 'parameter', name });
        const subscript = findSubscript(raw, this.#isCredential);
        if (subscript !== undefined) return createBypass({ kind: 'parameter', name: subscript });
      }
    }
    return null;
  }

  findUnlistedPage(path: string, query: string): CacheBypass | null {
    if (isCodeFile(path)) return null;
    if (classifyAddress(path) === 'script') return createBypass({ kind: 'script' });
    const unlisted = parseQueryPairs(query).find(({ name }) => !this.#isSharedQuery(name));
    return unlisted === undefined ? null : createBypass({ kind: 'query', name: unlisted.name });
  }

  findUnlistedNamespace(namespace: string): CacheBypass | null {
    return namespace === '' || isSharedNamespace(namespace)
      ? null
      : createBypass({ kind: 'namespace', name: namespace });
  }

  selectKeyedCookies(headers: readonly string[], isOfRule: (name: string) => boolean): string {
    const field = fieldValue(headers, 'cookie', '; ');
    if (field === undefined || field === this.#unkeyedField) return '';
    const selected = new Map<string, string>();
    for (const { name, value } of parseCookies(field)) {
      const kept = isOfRule(name) || this.#isKeyedCookie(name) ? this.#selectValue(name, value) : undefined;
      if (kept !== undefined && !selected.has(name)) selected.set(name, kept);
    }
    return Array.from(selected, ([name, value]) => `${name}=${value}`)
      .sort()
      .join('; ');
  }

  #findCookie(field: string): string | undefined {
    let hasOthers = false;
    for (const { isPair, name, value } of parseCookies(field)) {
      if (name === '' && !isPair && value === '') continue;
      if (!isPair) return '';
      if (this.#isHarmlessCookie(name)) {
        if (this.#isOfWriter(name, value)) return name;
        continue;
      }
      hasOthers = true;
      if (this.#selectValue(name, value) === undefined) return name;
    }
    if (!hasOthers) this.#unkeyedField = field;
    return undefined;
  }

  isKeyCookie(name: string): boolean {
    return !this.#isHarmlessCookie(name) && (this.#isKeyedCookie(name) || this.#isOfRule(name));
  }

  /** Returns the part of a cookie's value in the key; `undefined` if it can have too many values. */
  #selectValue(name: string, value: string): string | undefined {
    if (!this.isKeyCookie(name)) return undefined;
    const values = KEYED_COOKIES.find(({ isName }) => isName(name))?.values ?? KEYED_VALUE;
    const found = values.exec(value);
    return found === null ? undefined : found.slice(1).join('') || value;
  }

  checkPathParameters(template: string): CacheBypass | null {
    const name = template.match(/(?<=\{)[^{}]+(?=\})/g)?.find(this.#isCredential);
    return name === undefined ? null : createBypass({ kind: 'path parameter', name });
  }

  listIdentifyingFields(headers: readonly string[]): readonly string[] {
    let names: string[] | undefined;
    let length = 0;
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const name = headers[at] ?? '';
      const found = this.#classifyHeader(name);
      if (found === 'harmless' || found === 'body') continue;
      if (found === 'negotiation' || found === 'form' || found === 'origin') {
        length += headers[at + 1]?.length ?? 0;
        if (length <= MAX_NEGOTIATION_LENGTH) continue;
      }
      const isCookie = found === 'cookie';
      if (isCookie && this.#findCookie(headers[at + 1] ?? '') === undefined) continue;
      names ??= [];
      names.push(name.toLowerCase());
    }
    return names ?? NO_FIELDS;
  }
}

const NO_FIELDS: readonly string[] = [];

/**
 * Other forms of a page: JSON for ActivityPub (wp-media/wp-rocket#7394), Markdown, or a part (Automattic/jetpack#15837). Android
 * apps send their name in `X-Requested-With`.
 */
const FORM_FIELDS: ReadonlyMap<string, RegExp> = new Map([
  [
    'accept',
    /^(?!$|[* ]|text\/(?:\*|html|css|plain|xml|javascript)|(?:image|audio|video|font)\/|application\/(?:[\w.+-]*xml|(?:x-)?javascript))/i,
  ],
  ['x-requested-with', /^xmlhttprequest$/i],
]);

const HARMLESS_COOKIES: readonly string[] = Object.values(CONVENTIONS.harmlessCookies).flatMap(splitNames);

/** Cookies by which plugins choose content, and their values. A pattern's groups are the part in the key. */
const KEYED_COOKIES = Object.values(CONVENTIONS.keyedCookies).map(({ names, values }) => ({
  isName: createNameMatcher(splitNames(names)),
  values: new RegExp(`^(?:${values})$`),
}));
/** Value of a cookie that an operator names: a word such as `de_AT` or `12.50`. */
const KEYED_VALUE = /^[\w.:,%|-]{0,64}$/;

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly isPair: boolean;
}

export function parseCookies(field: string): readonly Cookie[] {
  return field.split(';').map((pair) => {
    const equals = pair.indexOf('=');
    const isPair = equals >= 0;
    return { name: isPair ? pair.slice(0, equals).trim() : '', value: pair.slice(equals + 1).trim(), isPair };
  });
}

function findSubscript(raw: string, isCredential: (name: string) => boolean): string | undefined {
  const equals = raw.indexOf('=');
  const name = equals < 0 ? raw : raw.slice(0, equals);
  if (!/[[%]/.test(name)) return undefined;
  return urlDecode(name).split(/[[\]]/).slice(1).find(isCredential);
}

/** Servers refuse fields over 8,000 characters, and one client's request must not fail for others. */
const MAX_NEGOTIATION_LENGTH = 2_048;
/** RFC 6454 §7.1: `null`, or one origin, whose host has at most 253 characters. */
const ORIGIN = /^(?:null|[a-z][a-z\d+.-]{0,31}:\/\/[\w.:[\]~%-]{0,261})$/i;

/** `harmless` identifies nobody. Requests for everyone forward no field but those of the key. */
type HeaderFieldKind = 'harmless' | 'form' | 'origin' | Exclude<FieldCacheClass, 'description'> | 'unknown';

function createHeaderClassifier(
  harmlessHeaders: readonly string[],
  keyHeaders: readonly string[],
  isRemoved: (name: string) => boolean,
): (name: string) => HeaderFieldKind {
  const named = new Set(harmlessHeaders.map(normalizeName));
  const isHarmless = createNameMatcher([...harmlessHeaders, ...keyHeaders].map(normalizeName));
  return memoizeByString((name): HeaderFieldKind => {
    const normalized = normalizeName(name);
    const { cacheClass: known, sharing } = findRequestField(normalized) ?? {};
    if (known === 'cookie' || known === 'body' || known === 'override') return known;
    if (known === 'credentials' && !named.has(normalized)) return 'credentials';
    if (sharing === 'origin') return 'origin';
    if (isHarmless(normalized)) return 'harmless';
    if (isRemoved(normalized)) return 'unknown';
    if (FORM_FIELDS.has(normalized)) return 'form';
    if (known === 'negotiation') return known;
    return known === undefined || known === 'credentials' ? 'unknown' : 'harmless';
  });
}

function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** Parameters of credentials, or of another form of the response, as in PHP, in lower case. */
const isBypassParameter = createNameMatcher(Object.values(CONVENTIONS.bypassParameters).flatMap(splitNames));

/** Words of a credential anywhere in a name: `api_token`, `restNonce`, `accesstoken`. */
const CREDENTIAL_PART =
  /nonce|token|secret|passw|passphrase|session|csrf|xsrf|jwt|signature|credential|api[-_.]?key|authori[sz]ation|bearer|hmac|oauth|autologin/;

export function isTokenName(name: string): boolean {
  return CREDENTIAL_PART.test(name.toLowerCase());
}

/** Words of a credential if they are a whole word: `user_pass`, `authCode`, but not `author`. */
const CREDENTIAL_WORDS: ReadonlySet<string> = new Set(splitNames(CONVENTIONS.credentialWords));

/** Words of a credential if they are the last word, unless another word says what it identifies. */
const LAST_CREDENTIAL_WORDS: ReadonlySet<string> = new Set(['code', 'hash', 'reset']);
const PLAIN_QUALIFIERS: ReadonlySet<string> = new Set(splitNames(CONVENTIONS.plainQualifiers));

const PLAIN_NAMES: ReadonlySet<string> = new Set(['meta_key']);

/** E.g. `cart_key`, but not `keyword`, `key_figures` or `country_code`. @param name in its own case: `camelCase` is two words */
export function isCredentialName(name: string): boolean {
  const lower = name.toLowerCase();
  if (PLAIN_NAMES.has(lower)) return false;
  if (CREDENTIAL_PART.test(lower)) return true;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const last = words.at(-1) ?? '';
  return (
    words.some((word) => CREDENTIAL_WORDS.has(word)) ||
    /^(?:key|[a-z]*key)\d*$/.test(last) ||
    (LAST_CREDENTIAL_WORDS.has(last) && !words.some((word) => PLAIN_QUALIFIERS.has(word)))
  );
}

const MAX_ROUTES = 1_000;
const MAX_ROUTE_LENGTH = 200;
/** Enough to find it, too little to use it. */
const MAX_VALUE_LENGTH = 6;

/** `response`: any other reason that the response gave. */
type ExclusionReason = CacheReason['kind'] | 'response';

export class StoreExclusions {
  readonly counts: Map<ExclusionReason, number> = new Map();
  /** Keys with the beginnings of their values, by path template or route. */
  readonly nonces: Map<string, string> = new Map();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  count(reason: ExclusionReason): void {
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
  }

  /** Logs each route once. @param address path template or route, e.g. `/acme/v1/things` */
  reportNonce(address: string, { key, value }: { readonly key: string; readonly value: string }): void {
    this.count('nonce in body');
    // Clients choose the addresses of unknown routes.
    const route = detachString(address.slice(0, MAX_ROUTE_LENGTH));
    if (this.nonces.size >= MAX_ROUTES || this.nonces.has(route)) return;
    const text = `${key.slice(0, MAX_ROUTE_LENGTH)}: ${value.slice(0, MAX_VALUE_LENGTH)}…`;
    this.nonces.set(route, detachString(text));
    this.#log.warn(
      { route, token: text },
      'the body of a response seems to have a token of one client, so responses of this route are not stored: if it is the same for everyone, add a cache rule with a `ttl`; if not, one with `store: false`, or let the plugin send it to logged-in users only',
    );
  }
}
