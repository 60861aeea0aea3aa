import { hasDirective, parseCacheControl } from '../../base/http/cache-directives.ts';
import { fieldValue, hasField, lowerName, withoutFields } from '../../base/http/fields.ts';
import { findRequestField } from '../../base/http/request-fields.ts';
import { memoizeByString } from '../../base/memoize.ts';

/**
 * Selects the client's fields to forward with a request for everyone. A plain origin gets all except those that
 * describe the client and are not in `Vary`.
 * @param keyedFields in lower case
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

/** An id in hexadecimal digits, or a digit (`b3: 0`). A page could repeat any other text to other clients. */
const TRACE_ID =
  /^(?=(?:.{0,254}[=:;,|/])?[\da-f-]{2})(?:root=|self=|parent=|lineage=|sampled=|o=|[\da-f:;,|/-]){1,256}$/i;

const classifyField = memoizeByString((name): 'shared' | 'trace' | 'description' | 'other' => {
  const { cacheClass, sharing } = findRequestField(name.toLowerCase()) ?? {};
  if (sharing === 'trace') return sharing;
  if (sharing === 'site' || sharing === 'origin') return 'shared';
  return cacheClass === 'description' && sharing === undefined ? 'description' : 'other';
});

type DeviceClass = 'mobile' | 'desktop';

const MOBILE_WORDS = /Mobile|Android|Silk\/|Kindle|BlackBerry|Opera Mini|Opera Mobi/;

/** Decides as `wp_is_mobile()`: since WordPress 6.4 `Sec-CH-UA-Mobile` has precedence. */
export function findDeviceClass(headers: readonly string[]): DeviceClass {
  const declared = fieldValue(headers, 'sec-ch-ua-mobile');
  const isMobile =
    declared === undefined ? MOBILE_WORDS.test(fieldValue(headers, 'user-agent') ?? '') : declared === '?1';
  return isMobile ? 'mobile' : 'desktop';
}

/** A foreign visitor's: sites refuse what is not a browser, and do not count robots. */
const USER_AGENTS: Readonly<Record<DeviceClass, string>> = {
  desktop:
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  mobile:
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
};

/**
 * Replaces values by those that the cache understands, and adds constants in place of the client's.
 * @param headers of {@link createSharedFieldFilter}
 * @param keyedFields in lower case
 */
export function normalizeSharedFields(
  headers: string[],
  keyedFields: ReadonlySet<string>,
  device: DeviceClass = 'desktop',
): string[] {
  const range = fieldValue(headers, 'range');
  const cacheControl = toSharedCacheControl(fieldValue(headers, 'cache-control') ?? '');
  const normalized = withoutFields(headers, NORMALIZED_FIELDS);
  // Without its condition a range would combine parts of two representations (RFC 9110 §13.1.5).
  const isUnconditional = !hasField(headers, 'if-range');
  if (range !== undefined && isUnconditional && RANGES.test(range)) normalized.push('Range', range);
  if (cacheControl !== '') normalized.push('Cache-Control', cacheControl);
  const constants = { 'User-Agent': USER_AGENTS[device], Accept: '*/*' };
  for (const [name, value] of Object.entries(constants)) {
    const lower = lowerName(name);
    if (!keyedFields.has(lower) && !hasField(normalized, lower)) normalized.push(name, value);
  }
  return normalized;
}

const NORMALIZED_FIELDS: ReadonlySet<string> = new Set(['cache-control', 'pragma', 'range', 'if-range']);
const RANGES = /^bytes=[\d, -]{1,100}$/;

function toSharedCacheControl(cacheControl: string): string {
  const directives = parseCacheControl(cacheControl);
  const isReload = hasDirective(directives, 'no-cache') || /\bmax-age=0\b/i.test(cacheControl);
  const kept = [isReload ? 'no-cache' : '', hasDirective(directives, 'no-store') ? 'no-store' : ''];
  return kept.filter((directive) => directive !== '').join(', ');
}

export function withCookies<Headers extends readonly string[]>(
  headers: Headers,
  cookies: string,
): Headers | string[] {
  const without = hasField(headers, 'cookie') ? withoutFields(headers, COOKIE) : headers;
  return cookies === '' ? without : [...without, 'Cookie', cookies];
}

const COOKIE: ReadonlySet<string> = new Set(['cookie']);
