import { createNameMatcher } from '../../glob.ts';
import type { Json } from '../../json.ts';
import { urlDecode } from '../../php/encoding.ts';
import {
  MAX_INPUT_VARS,
  type PhpArray,
  type PhpValue,
  parsePhpQuery,
  parseQueryPairs,
  phpArrayToJsonMembers,
} from '../../php/query.ts';
import { IGNORED_PARAMETERS } from './ignorable-names.ts';

/** The parts of a cache key. Requests with equal parts have the same response. */
interface CacheKeyParts {
  /** Identifies the site: its base URL without the scheme. */
  readonly site: string;
  /** The gateway's base URL as the client used it. Part of the key because response bodies contain it in links. */
  readonly publicBase: string;
  /** Identifies the resource of the site: {@link createRouteKey} or {@link createAddressKey}. */
  readonly resource: string;
}

/** Joins the parts with line feeds, which no part contains. */
export function createCacheKey({ site, publicBase, resource }: CacheKeyParts): string {
  const key = `${site}\n${publicBase}\n${resource}`;
  // V8 represents a concatenation as a tree and would keep that tree in memory. Reading a character flattens it.
  return key.charCodeAt(0) >= 0 ? key : '';
}

/**
 * Identifies a REST resource by its route and canonical query. All spellings of its URL have the same key.
 *
 * @param route the path as the site sees it. Its case is significant, because responses echo ids as they were requested.
 * @param queryKey {@link CanonicalQuery.key}
 */
export function createRouteKey(route: string, queryKey: string): string {
  return `R${JSON.stringify(route)}${queryKey}`;
}

/** Identifies a resource outside of the REST API by its path and query at the site, byte for byte. */
export function createAddressKey(pathAndQuery: string): string {
  return `A${pathAndQuery}`;
}

/** The properties of a documented parameter on which the cache key depends. */
export interface DeclaredParameter {
  /** Converts a valid value to the declared type. Returns undefined for an invalid value, which is left unconverted. */
  convert(value: Json): Json | undefined;
  /** The value that the site uses when the parameter is missing. */
  readonly default?: Json | undefined;
  /**
   * Whether the site is known to convert values so. Only then have values that are converted to the same one the same key,
   * and the default has that of a missing parameter.
   */
  readonly isKeyed: boolean;
}

/** A query as the site interprets it, independent of the order and encoding of its parameters. */
export interface CanonicalQuery {
  /** Part of the cache key. Two queries have the same key only if the site reads the same values from both. */
  readonly key: string;
  /** The converted values of valid declared parameters, and the decoded values of all others. */
  readonly values: ReadonlyMap<string, Json>;
}

interface QueryCanonicalizerOptions {
  /** Parameters without influence on the response, in addition to {@link IGNORED_PARAMETERS}. */
  readonly ignoreParameters?: readonly string[];
}

export interface QueryCanonicalizer {
  /**
   * Interprets a query. Returns `null` for more variables than PHP reads by default (`max_input_vars`): a site may have
   * raised that limit, so it is unknown which of them it reads.
   *
   * @param declared the operation's parameters by name; none of them is ignored
   */
  canonicalize(query: string, declared: ReadonlyMap<string, DeclaredParameter>): CanonicalQuery | null;
  /**
   * Removes the ignored parameters and changes nothing else. The site receives this query, and repeats it in links.
   */
  stripIgnored(query: string, declared: ReadonlyMap<string, DeclaredParameter>): string;
}

const EMPTY_QUERY: CanonicalQuery = { key: '', values: new Map() };

/** `[name, 0, raw value]` or `[name, 1, converted value]`. The number keeps raw and converted values apart. */
type KeyEntry = readonly [name: string, typed: 0 | 1, value: Json];

export function createQueryCanonicalizer(options: QueryCanonicalizerOptions = {}): QueryCanonicalizer {
  const isIgnored = createNameMatcher([...IGNORED_PARAMETERS, ...(options.ignoreParameters ?? [])]);

  const stripIgnored: QueryCanonicalizer['stripIgnored'] = (query, declared) => {
    if (query === '') return query;
    const pairs = parseQueryPairs(query);
    const kept = pairs.filter(({ name }) => name !== '' && (declared.has(name) || !isIgnored(name)));
    return kept.length === pairs.length ? query : kept.map(({ raw }) => raw).join('&');
  };

  return {
    canonicalize(query, declared) {
      if (query === '') return EMPTY_QUERY;
      if (parseQueryPairs(query, MAX_INPUT_VARS).length >= MAX_INPUT_VARS) return null;
      const given = parsePhpQuery(query);
      if (given.size === 0) return EMPTY_QUERY;
      const decoded = phpArrayToJsonMembers(given);
      const entries: KeyEntry[] = [];
      const values = new Map<string, Json>();
      // Both maps have their names in the same order.
      const decodedNames = [...decoded.keys()];
      for (const [at, [name, raw]] of [...given].entries()) {
        const decodedName = decodedNames[at] ?? name;
        const parameter = declared.get(decodedName);
        const value = decoded.get(decodedName);
        if (parameter === undefined && isIgnored(name)) continue;
        const typed =
          parameter === undefined || value === undefined || !isValidUtf8(raw)
            ? undefined
            : parameter.convert(value);
        const isConverted = typed !== undefined && isSafeValue(typed);
        if (value !== undefined) values.set(decodedName, isConverted ? typed : value);
        if (!isConverted || parameter?.isKeyed !== true || hasNamedKeys(raw, typed)) {
          entries.push([name, 0, toRawJson(raw)]);
          continue;
        }
        if (parameter.default !== undefined && isEqual(typed, parameter.default)) continue;
        entries.push([name, 1, typed]);
      }
      entries.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
      const sent = stripIgnored(query, declared);
      const key = entries.length === 0 ? '' : JSON.stringify(entries);
      return { key: isReadWhole(sent) ? key : key + JSON.stringify(sent), values };
    },
    stripIgnored,
  };
}

/**
 * Whether PHP reads every part of a query. It drops repeated parameters and what follows a NUL or a bracket in a name. The
 * site gets these parts all the same, in `REQUEST_URI`, and may repeat them in links: so they belong to the key.
 */
function isReadWhole(query: string): boolean {
  if (query === '') return true;
  const pairs = parseQueryPairs(query);
  return countValues(parsePhpQuery(query)) === pairs.length && pairs.every(({ raw }) => hasPlainName(raw));
}

function countValues(array: PhpArray): number {
  let count = 0;
  for (const value of array.values()) count += typeof value === 'string' ? 1 : countValues(value);
  return count;
}

function hasPlainName(rawPair: string): boolean {
  const equals = rawPair.indexOf('=');
  return PLAIN_NAME.test(urlDecode(equals < 0 ? rawPair : rawPair.slice(0, equals)));
}

/** A name that PHP does not change: `page`, `include[]`, `filter[size][0]`. */
const PLAIN_NAME = /^[^\0 .[\]]+(?:\[(?:[^\s\0[\]][^\0[\]]*)?\])*$/;

/** An unconverted value. A PHP array becomes pairs, because its order is significant and the key `1` differs from `01`. */
function toRawJson(value: PhpValue): Json {
  return typeof value === 'string' ? value : toPairs(value);
}

function toPairs(array: PhpArray): Json {
  return [...array].map(([key, value]) => [key, toRawJson(value)]);
}

/** Whether an array has keys that a conversion to a list drops. The site repeats them in its `Link` field. */
function hasNamedKeys(raw: PhpValue, typed: Json): boolean {
  return typeof raw !== 'string' && Array.isArray(typed) && [...raw.keys()].some((key) => !/^\d+$/.test(key));
}

/** Whether a value is valid UTF-8. Invalid bytes all decode to U+FFFD, so different values would become equal. */
function isValidUtf8(value: PhpValue): boolean {
  if (typeof value !== 'string')
    return [...value].every(([key, each]) => isValidUtf8(key) && isValidUtf8(each));
  return !/[^\0-\x7f]/.test(value) || !decodesLossily(value);
}

function decodesLossily(bytes: string): boolean {
  const [text] = phpArrayToJsonMembers(new Map([['', bytes]])).values();
  return typeof text !== 'string' || text.includes('\ufffd');
}

/** Whether JavaScript represents all integers in a value exactly. PHP's have 64 bits, so larger ones would collide. */
function isSafeValue(value: Json): boolean {
  if (typeof value === 'number') return !Number.isInteger(value) || Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every(isSafeValue);
}

function isEqual(one: Json, other: Json): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
