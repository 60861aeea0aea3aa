import { hasDirective, parseCacheControl } from '../../http/cache-directives.ts';
import { fieldValue, hasField, withoutFields } from '../../http/fields.ts';
import { memoizeByString } from '../../memoize.ts';
import { HARMLESS_HEADERS } from './harmless-headers.ts';
import { createNameMatcher } from './ignorable-names.ts';

/**
 * Fields that are forwarded with every request that may use the store of a WordPress site. The values of `Origin` are
 * part of the key (`Vary: Origin`, or the primary key). Those of the others are replaced by {@link normalizeSharedFields}.
 */
const SHARED_FIELDS: ReadonlySet<string> = new Set([
  ...['origin', 'accept-encoding', 'cache-control', 'pragma', 'range', 'if-range'],
]);

/**
 * Creates a function that selects the client's fields that are forwarded with a request that may use the store.
 *
 * @param keyedFields names in lower case of further fields that are part of the cache key
 */
export function createSharedFieldFilter(keyedFields: ReadonlySet<string>): (name: string) => boolean {
  return (name) => {
    const lower = lowerName(name);
    return SHARED_FIELDS.has(lower) || keyedFields.has(lower);
  };
}

/** Fields that are part of the key of a plain origin's resource: applications respond to scripts in other forms. */
export const PLAIN_KEYED_FIELDS: readonly string[] = ['origin', 'x-requested-with'];

const describesClient = createNameMatcher(
  HARMLESS_HEADERS.flatMap(({ isNegotiated, names }) => (isNegotiated === true ? [] : names)),
);
const classifyPlainField = memoizeByString((name): 'described' | 'forwarded' =>
  describesClient(name) && !PLAIN_KEYED_FIELDS.includes(name) ? 'described' : 'forwarded',
);

/**
 * Creates a function that selects the client's fields that are forwarded to a plain origin with a request that may use the
 * store: all but those that describe the client, and are neither part of the key nor in `Vary`.
 *
 * @param keyedFields names in lower case of fields that are part of the cache key
 */
export function createPlainFieldFilter(keyedFields: ReadonlySet<string>): (name: string) => boolean {
  return (name) => {
    const lower = lowerName(name);
    return classifyPlainField(lower) === 'forwarded' || keyedFields.has(lower);
  };
}

const lowerName = memoizeByString((name) => name.toLowerCase());

/** Values for fields that firewalls in front of sites require; the client's are not forwarded. */
const CONSTANT_FIELDS = [
  ['User-Agent', 'Mozilla/5.0 (compatible; waygate)'],
  ['Accept', '*/*'],
] as const;

/**
 * Replaces the values of shared fields by those that the cache understands, and adds constants for fields that are not
 * forwarded. No other part of a value reaches the site.
 *
 * @param headers of the request to the site: a flat list name, value, as {@link createSharedFieldFilter} selected them
 * @param keyedFields names in lower case of fields that are part of the cache key
 */
export function normalizeSharedFields(headers: string[], keyedFields: ReadonlySet<string>): string[] {
  const range = fieldValue(headers, 'range');
  const cacheControl = toSharedCacheControl(
    fieldValue(headers, 'cache-control'),
    fieldValue(headers, 'pragma') ?? '',
  );
  const normalized = withoutFields(headers, NORMALIZED_FIELDS);
  // Without its condition a range would combine parts of two representations (RFC 9110 §13.1.5).
  const isUnconditional = !hasField(headers, 'if-range');
  if (range !== undefined && isUnconditional && RANGES.test(range)) normalized.push('Range', range);
  if (cacheControl !== '') normalized.push('Cache-Control', cacheControl);
  for (const [name, value] of CONSTANT_FIELDS) {
    const lower = lowerName(name);
    if (!keyedFields.has(lower) && !hasField(normalized, lower)) normalized.push(name, value);
  }
  return normalized;
}

const NORMALIZED_FIELDS: ReadonlySet<string> = new Set(['cache-control', 'pragma', 'range', 'if-range']);
const RANGES = /^bytes=[\d, -]{1,100}$/;

/** Keeps the directives that concern the origin: a reload, and that nothing is to be stored. */
function toSharedCacheControl(cacheControl: string | undefined, pragma: string): string {
  // RFC 9111 §5.4: `Pragma: no-cache` applies without `Cache-Control`.
  if (cacheControl === undefined) return /\bno-cache\b/i.test(pragma) ? 'no-cache' : '';
  const directives = parseCacheControl(cacheControl);
  const isReload = hasDirective(directives, 'no-cache') || /\bmax-age=0\b/i.test(cacheControl);
  const kept = [isReload ? 'no-cache' : '', hasDirective(directives, 'no-store') ? 'no-store' : ''];
  return kept.filter((directive) => directive !== '').join(', ');
}
