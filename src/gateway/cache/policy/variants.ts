import { hasDirective } from '../../../base/http/cache-directives.ts';
import { fieldValue } from '../../../base/http/fields.ts';
import { memoizeByString } from '../../../base/memoize.ts';
import type { EffectiveCacheControl } from './freshness.ts';

/** Names in `Vary`, sorted; `null` for `*` (RFC 9111 §4.1). @param ignored fields with the same value in all requests to the origin */
export function parseVary(
  headers: readonly string[],
  ignored: readonly string[] = NO_FIELD_NAMES,
): readonly string[] | null {
  const field = fieldValue(headers, 'vary');
  if (field === undefined) return NO_FIELD_NAMES;
  const names = parseSortedNames(field);
  if (names.includes('*')) return null;
  return ignored.some((name) => names.includes(name))
    ? names.filter((name) => !ignored.includes(name))
    : names;
}

const parseSortedNames = memoizeByString((field): readonly string[] => {
  const names = new Set(field.split(',').map((name) => name.trim().toLowerCase()));
  names.delete('');
  // Bodies are stored without content coding (`BufferedResponse`).
  names.delete('accept-encoding');
  return [...names].sort();
});

const NO_FIELD_NAMES: readonly string[] = [];

/**
 * An absent field differs from an empty one (RFC 9111 §4.1).
 * @param ranksLanguagesByOrder as some recipients do for equal quality (RFC 9110 §12.5.4), and some plugins
 */
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

/** RFC 9111 §3.5. */
const EXPLICIT_PERMISSIONS = ['must-revalidate', 'public', 's-maxage'];

/**
 * Whether a response can be shared although fields of its request can identify a client (RFC 9111 §3.5). For all but
 * `Authorization`, a targeted field or a `Vary` that names them is enough. @param vary in lower case
 */
export function permitsSharing(
  { directives, isTargeted }: EffectiveCacheControl,
  vary: readonly string[],
  identifyingFields: readonly string[],
): boolean {
  if (identifyingFields.length === 0) return true;
  if (EXPLICIT_PERMISSIONS.some((name) => hasDirective(directives, name))) return true;
  if (identifyingFields.includes('authorization')) return false;
  return isTargeted || identifyingFields.every((name) => vary.includes(name));
}
