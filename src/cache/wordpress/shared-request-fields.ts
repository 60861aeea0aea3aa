import { hasDirective, parseCacheControl } from '../../http/cache-directives.ts';
import { fieldValue, hasField, withoutFields } from '../../http/fields.ts';
import { findRequestField } from '../../http/request-fields.ts';
import { memoizeByString } from '../../memoize.ts';

/**
 * Creates a function that selects the client's fields that are forwarded with a request that may use the store of a
 * WordPress site.
 *
 * @param keyedFields names in lower case of further fields that are part of the cache key
 */
export function createSharedFieldFilter(keyedFields: ReadonlySet<string>): (name: string) => boolean {
  return (name) => classifyField(name) === 'shared' || keyedFields.has(lowerName(name));
}

/**
 * Creates a function that selects the client's fields that are forwarded to a plain origin with a request that may use the
 * store: all but those that describe the client, and are neither part of the key nor in `Vary`.
 *
 * @param keyedFields names in lower case of fields that are part of the cache key
 */
export function createPlainFieldFilter(keyedFields: ReadonlySet<string>): (name: string) => boolean {
  return (name) => classifyField(name) !== 'description' || keyedFields.has(lowerName(name));
}

const classifyField = memoizeByString((name): 'shared' | 'description' | 'other' => {
  const { cacheClass, sharing } = findRequestField(name.toLowerCase()) ?? {};
  if (sharing === 'site' || sharing === 'key') return 'shared';
  return cacheClass === 'description' && sharing === undefined ? 'description' : 'other';
});

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
