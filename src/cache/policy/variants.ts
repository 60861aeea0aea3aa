import { hasDirective } from '../../http/cache-directives.ts';
import { fieldValue } from '../../http/fields.ts';
import { memoizeByString } from '../../memoize.ts';
import type { EffectiveCacheControl } from './freshness.ts';

/** Which requests a stored response is for: the variants that `Vary` tells apart (RFC 9111 §4.1), and what clients with credentials share (§3.5). */

/**
 * Parses the names in `Vary`: in lower case, sorted, without duplicates. Returns `null` for `*`. RFC 9111 §4.1: "A stored
 * response with a Vary header field value containing a member "*" always fails to match."
 *
 * @param ignored names to omit, because the field has the same value in every request to the origin
 */
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

/** Parses field names, memoized because a site sends few different `Vary` fields. */
const parseSortedNames = memoizeByString((field): readonly string[] => {
  const names = new Set(field.split(',').map((name) => name.trim().toLowerCase()));
  names.delete('');
  // Bodies are stored without content coding (`BufferedResponse`), so they are for clients of any.
  names.delete('accept-encoding');
  return [...names].sort();
});

const NO_FIELD_NAMES: readonly string[] = [];

/**
 * Creates the key of a variant: the request's normalized values of the fields in `Vary`. An absent field differs from an
 * empty one: "If (after any normalization that might take place) a header field is absent from a request, it can only match
 * another request if it is also absent there."
 *
 * @param ranksLanguagesByOrder whether the order of languages with equal quality is significant. RFC 9110 §12.5.4: "some
 * recipients treat the order in which language tags are listed as an indication of descending priority". Plugins do.
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

/** Fields whose members can be reordered and lower-cased, because only `q` expresses preference (RFC 9110 §12.5). */
const NEGOTIATION_FIELDS = new Set(['accept', 'accept-charset', 'accept-encoding', ACCEPT_LANGUAGE]);

/**
 * Normalizes a field value. RFC 9111 §4.1: requests match if their fields can be transformed into each other by "adding or
 * removing whitespace, where allowed in the header field's syntax", "combining multiple header field lines with the same field name", and
 * "normalizing both header field values in a way that is known to have identical semantics".
 */
function normalizeFieldValue(name: string, value: string, isSorted: boolean): string {
  // Commas and white space inside quotes belong to the value.
  if (value.includes('"')) return value;
  if (!NEGOTIATION_FIELDS.has(name)) return value.replace(SPACED_COMMA, ',');
  const members = value
    .toLowerCase()
    .replace(SPACED_DELIMITER, '$1')
    .split(',')
    .filter((member) => member !== '');
  return (isSorted ? members.sort() : members).join(',');
}

/**
 * Delimiters with the white space of RFC 9110 §5.6.3. A site does not take off other white space, and responds to `de\u00a0` as to an
 * unknown language. The lookbehind visits a run of spaces once.
 */
const SPACED_COMMA = /(?<![ \t])[ \t]*,[ \t]*/g;
const SPACED_DELIMITER = /(?<![ \t])[ \t]*([,;=])[ \t]*/g;

/** RFC 9111 §3.5: "must-revalidate, public, and s-maxage". */
const EXPLICIT_PERMISSIONS = ['must-revalidate', 'public', 's-maxage'];

/**
 * Whether a response can be shared although fields of its request can identify a client. RFC 9111 §3.5 lists the
 * directives that allow it for `Authorization`. For any other field, a targeted field (RFC 9213) is also enough, because it is
 * written for shared caches. So is a `Vary` that names the field: its value is then part of the key.
 *
 * @param vary names in `Vary`, in lower case
 * @param identifyingFields see `CacheRequest.identifyingFields`
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
