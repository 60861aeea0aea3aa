import { createNameMatcher, splitNames } from '../../glob.ts';
import { type FieldCacheClass, findRequestField } from '../../http/request-fields.ts';
import { memoizeByString } from '../../memoize.ts';
import { urlDecode } from '../../php/encoding.ts';
import { parseQueryPairs } from '../../php/query.ts';
import { HARMLESS_COOKIES } from './ignorable-names.ts';

/** Why a request bypasses the store. The table in `docs/caching.md` tells what an operator can do about each. */
export type BypassReason =
  /** The method is neither `GET` nor `HEAD`. */
  | 'method'
  /** `_method` or `X-HTTP-Method-Override` may change the method. */
  | 'method override'
  /** The request has content. */
  | 'body'
  /** A header field authenticates the client or its session. */
  | 'credentials'
  /** A header field is not known to be harmless. */
  | 'header'
  /** A cookie is not known to be harmless. */
  | 'cookie'
  /** A parameter of the query is a credential, valid once, or changes the form of the response. */
  | 'parameter'
  /** A parameter of the path is a credential or valid once. */
  | 'path parameter'
  /** PHP would not read all parameters of the query. */
  | 'too many parameters'
  /** The last response of the page could not be stored. */
  | 'hit-for-pass'
  /** A cache rule of the configuration excludes the route. */
  | 'rule';

/** A request that the store must not serve, and whose response must not be stored. */
export interface CacheBypass {
  readonly kind: 'bypass';
  readonly reason: BypassReason;
  /** Name of the field, cookie or parameter, as the client sent it; empty if the reason has none. */
  readonly name: string;
  /** The `detail` of `Cache-Status`: `credentials`, `header X-Foo`. */
  readonly detail: string;
}

/** Reasons whose name clients are told. The names of cookies and credentials are only counted. */
const NAMED_REASONS: ReadonlySet<BypassReason> = new Set(['header', 'parameter', 'path parameter']);

export function createBypass(reason: BypassReason, name = ''): CacheBypass {
  return { kind: 'bypass', reason, name, detail: NAMED_REASONS.has(reason) ? `${reason} ${name}` : reason };
}

interface EligibilityRequest {
  /** The method that the client sent. */
  readonly method: string;
  /** The method that the site runs, which `_method` and `X-HTTP-Method-Override` change. */
  readonly effectiveMethod: string;
  /** Flat list of names and values, as received. */
  readonly headers: readonly string[];
}

/** Decides whether a request may use the store: only if nothing in it may identify the client. */
export interface StoreEligibility {
  /** Checks the method and the header fields. Returns `null` if they allow the use of the store. */
  checkRequest(request: EligibilityRequest): CacheBypass | null;
  /** Checks the raw query, without question mark. Returns `null` if it allows the use of the store. */
  checkQuery(query: string): CacheBypass | null;
  /**
   * Checks the names of the parameters in a path.
   *
   * @param template such as `/shop/v1/access/{nonce}`
   */
  checkPathParameters(template: string): CacheBypass | null;
  /**
   * Lists the fields of a request to a plain origin that may identify the client, in lower case: all that are not harmless.
   */
  listIdentifyingFields(headers: readonly string[]): readonly string[];
}

/** Names that a site's operator knows. A name that ends in `*` is a prefix. A credential has precedence. */
interface StoreEligibilityOptions extends HeaderClassifierOptions {
  /** Cookies that do not influence responses, in addition to {@link HARMLESS_COOKIES}. */
  readonly harmlessCookies?: readonly string[] | undefined;
  /** Parameters of the query and the path that identify the client or are valid once. */
  readonly credentialParameters?: readonly string[] | undefined;
}

const NO_FIELDS: readonly string[] = [];

/** Creates a {@link StoreEligibility}. Header fields and cookies that are not known to be harmless identify the client. */
export function createStoreEligibility(options: StoreEligibilityOptions = {}): StoreEligibility {
  const isHarmlessCookie = createNameMatcher([...HARMLESS_COOKIES, ...(options.harmlessCookies ?? [])]);
  const classify = createHeaderClassifier(options);
  const isConfigured = createNameMatcher([
    ...BYPASS_PARAMETERS,
    ...(options.credentialParameters ?? []).map((name) => name.toLowerCase()),
  ]);
  const isCredential = (name: string): boolean =>
    classifyParameterName(name) === 'credential' || isConfigured(name.toLowerCase());

  const checkHeaders = (headers: readonly string[]): CacheBypass | null => {
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const name = headers[at] ?? '';
      switch (classify(name)) {
        case 'harmless':
          break;
        case 'cookie': {
          const cookie = findCookie(headers[at + 1] ?? '', isHarmlessCookie);
          if (cookie !== undefined) return createBypass('cookie', cookie);
          break;
        }
        case 'body':
          if (/^\s*0*\s*$/.test(headers[at + 1] ?? '')) break;
          return createBypass('body');
        case 'override':
          return createBypass('method override', name);
        case 'credentials':
          return createBypass('credentials', name);
        default:
          return createBypass('header', name);
      }
    }
    return null;
  };

  const listIdentifyingFields = (headers: readonly string[]): readonly string[] => {
    let names: string[] | undefined;
    for (let at = 0; at + 1 < headers.length; at += 2) {
      const name = headers[at] ?? '';
      const found = classify(name);
      if (found === 'harmless' || found === 'body') continue;
      if (found === 'cookie' && findCookie(headers[at + 1] ?? '', isHarmlessCookie) === undefined) continue;
      names ??= [];
      names.push(name.toLowerCase());
    }
    return names ?? NO_FIELDS;
  };

  return {
    checkRequest({ method, effectiveMethod, headers }) {
      if (method !== 'GET' && method !== 'HEAD') return createBypass('method');
      if (effectiveMethod !== 'GET' && effectiveMethod !== 'HEAD') return createBypass('method override');
      return checkHeaders(headers);
    },
    checkQuery: (query) => (query === '' ? null : checkQuery(query, isCredential)),
    checkPathParameters(template) {
      const name = template.match(/(?<=\{)[^{}]+(?=\})/g)?.find(isCredential);
      return name === undefined ? null : createBypass('path parameter', name);
    },
    listIdentifyingFields,
  };
}

/**
 * Finds the first cookie that is not harmless in a `Cookie` field (RFC 6265 §5.4). Some parsers read a pair without `=` as
 * a cookie without a name.
 *
 * @returns its name, which may be empty; `undefined` if all are harmless
 */
function findCookie(cookies: string, isHarmless: (name: string) => boolean): string | undefined {
  for (const pair of cookies.split(';')) {
    const equals = pair.indexOf('=');
    const name = (equals < 0 ? pair : pair.slice(0, equals)).trim();
    const isEmpty = name === '' && equals < 0;
    // A pair without `=` may be a value, which must not appear in a response or a metric.
    if (!isEmpty && !isHarmless(name)) return equals < 0 ? '' : name;
  }
  return undefined;
}

/** PHP may be configured to separate parameters at `;` too (`arg_separator.input`), so both readings are checked. */
function checkQuery(query: string, isCredential: (name: string) => boolean): CacheBypass | null {
  const readings = query.includes(';') ? [query, query.replaceAll(';', '&')] : [query];
  for (const reading of readings) {
    for (const { name, raw } of parseQueryPairs(reading)) {
      if (name.toLowerCase() === '_method') return createBypass('method override', name);
      if (isCredential(name)) return createBypass('parameter', name);
      const subscript = findSubscript(raw, isCredential);
      if (subscript !== undefined) return createBypass('parameter', subscript);
    }
  }
  return null;
}

/** Finds the first key of an array that names a credential: `filter[token]=a`. */
function findSubscript(raw: string, isCredential: (name: string) => boolean): string | undefined {
  const equals = raw.indexOf('=');
  const name = equals < 0 ? raw : raw.slice(0, equals);
  if (!/[[%]/.test(name)) return undefined;
  return urlDecode(name).split(/[[\]]/).slice(1).find(isCredential);
}

/**
 * Removes the `Cookie` fields from the headers of a request that may use the store. All of its cookies are harmless, and
 * without them the response cannot depend on anything that is not in the cache key.
 */
export function withoutCookies(headers: string[]): string[];
export function withoutCookies(headers: readonly string[]): readonly string[];
export function withoutCookies(headers: readonly string[]): readonly string[] {
  for (let at = 0; at < headers.length; at += 2) {
    if (headers[at]?.length === 6 && headers[at]?.toLowerCase() === 'cookie') {
      return headers.filter((_, index) => headers[index & ~1]?.toLowerCase() !== 'cookie');
    }
  }
  return headers;
}

/** Names of header fields that a site's operator knows. A name that ends in `*` is a prefix. A credential has precedence. */
interface HeaderClassifierOptions {
  /** Request header fields that do not influence responses, in addition to those of `http/request-fields.ts`. */
  readonly harmlessHeaders?: readonly string[] | undefined;
  /** Request header fields that identify the client. */
  readonly credentialHeaders?: readonly string[] | undefined;
}

/**
 * How a request header field decides about the store: `harmless` identifies nobody, and is not forwarded with a request that
 * uses the store; `unknown` may identify the client.
 */
type HeaderFieldKind = 'harmless' | Exclude<FieldCacheClass, 'negotiation' | 'description'> | 'unknown';

/** Creates the classification of header fields by name. Results are memoized. */
function createHeaderClassifier(options: HeaderClassifierOptions): (name: string) => HeaderFieldKind {
  const isCredential = createNameMatcher(normalizeNames(options.credentialHeaders));
  const isHarmless = createNameMatcher(normalizeNames(options.harmlessHeaders));
  return memoizeByString((name): HeaderFieldKind => {
    const normalized = normalizeName(name);
    const known = findRequestField(normalized)?.cacheClass;
    if (known === 'cookie' || known === 'body' || known === 'override') return known;
    if (known === 'credentials' || isCredential(normalized)) return 'credentials';
    return known !== undefined || isHarmless(normalized) ? 'harmless' : 'unknown';
  });
}

/** `X_WP_Nonce` and `X-WP-Nonce` are one variable in CGI. */
function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

function normalizeNames(names: readonly string[] | undefined): readonly string[] {
  return (names ?? []).map(normalizeName);
}

/**
 * Query parameters that carry credentials or change the form of the response, beside those whose name says so
 * (`classifyParameterName`). Compared in lower case with the names that PHP creates from a query, arrays included.
 */
const BYPASS_PARAMETERS: readonly string[] = [
  // WordPress: the method override, a JSONP callback, the password of a protected post.
  '_method',
  '_jsonp',
  'password',
  // The status of an envelope is always 200: an error would be stored as a success.
  '_envelope',
  'preview',
  'preview_*',
  'wp_customize',
  'customize_changeset_uuid',
  'doing_wp_cron',
  // OAuth and identity providers: codes that are valid once.
  'code_verifier',
  'samlresponse',
];

/** Words that name a credential wherever a name contains them: `api_token`, `restNonce`, `accesstoken`. */
const CREDENTIAL_PART =
  /nonce|token|secret|passw|passphrase|session|csrf|xsrf|jwt|signature|credential|api[-_.]?key|authori[sz]ation|bearer|hmac|oauth|autologin/;

/** Words that name a credential if they are a whole word of a name: `user_pass`, `authCode`, but not `author`. */
const CREDENTIAL_WORDS: ReadonlySet<string> = new Set(
  splitNames(`
  auth pass pwd passcode passkey pin otp totp sid sessid phpsessid sig magic cart basket invite invitation
  ticket verification activation recovery
`),
);

/** Words that name a credential if they are the last word of a name, unless another word says what they identify. */
const LAST_CREDENTIAL_WORDS: ReadonlySet<string> = new Set(['code', 'hash', 'reset']);
const PLAIN_QUALIFIERS: ReadonlySet<string> = new Set(
  splitNames(`
  country region state city area postal zip airport station currency lang language locale iso status error
  product item sku bar short color colour type source file content commit git image media block tax
  response http
`),
);

/** Names of WordPress core whose last word is `key` or that have another word of a credential, but that are none. */
const PLAIN_NAMES: ReadonlySet<string> = new Set(['meta_key']);

/**
 * Tells whether the name of a parameter says that its value is a credential or valid once: a nonce, a token, a key, a password,
 * a session, a cart. The last word decides about `key`, `code` and `hash`: `cart_key` is one, `keyword` and `key_figures` are
 * not, nor is `country_code`.
 *
 * @param name in its own case, as `camelCase` separates words
 */
const classifyParameterName: (name: string) => 'credential' | 'plain' = memoizeByString(
  (name): 'credential' | 'plain' => {
    const lower = name.toLowerCase();
    if (PLAIN_NAMES.has(lower)) return 'plain';
    if (CREDENTIAL_PART.test(lower)) return 'credential';
    const words = name
      .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
      .toLowerCase()
      .split(/[^a-z0-9]+/)
      .filter((word) => word !== '');
    const last = words.at(-1) ?? '';
    const isCredential =
      words.some((word) => CREDENTIAL_WORDS.has(word)) ||
      /^(?:key|[a-z]*key)\d*$/.test(last) ||
      (LAST_CREDENTIAL_WORDS.has(last) && !words.some((word) => PLAIN_QUALIFIERS.has(word)));
    return isCredential ? 'credential' : 'plain';
  },
);
