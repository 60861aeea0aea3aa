import { urlDecode } from '../../php/encoding.ts';
import { parseQueryPairs } from '../../php/query.ts';
import { BYPASS_PARAMETERS } from './bypass-parameters.ts';
import { type CacheBypass, createBypass } from './cache-bypass.ts';
import { classifyParameterName } from './credential-names.ts';
import { createHeaderClassifier, type HeaderClassifierOptions } from './header-classifier.ts';
import { createNameMatcher, HARMLESS_COOKIES } from './ignorable-names.ts';

export interface EligibilityRequest {
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
export interface StoreEligibilityOptions extends HeaderClassifierOptions {
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
      if (!isRead(method)) return createBypass('method');
      return isRead(effectiveMethod) ? checkHeaders(headers) : createBypass('method override');
    },
    checkQuery: (query) => (query === '' ? null : checkQuery(query, isCredential)),
    checkPathParameters(template) {
      const name = template.match(/(?<=\{)[^{}]+(?=\})/g)?.find(isCredential);
      return name === undefined ? null : createBypass('path parameter', name);
    },
    listIdentifyingFields,
  };
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
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
