import { findPreferredLanguage, parseAcceptLanguage } from '../../http/accept-language.ts';
import { hasDirective } from '../../http/cache-directives.ts';
import { fieldValue, hasField } from '../../http/fields.ts';
import { memoizeByString } from '../../memoize.ts';
import type { StoredResponse } from '../store.ts';
import { type EffectiveCacheControl, isFresh, parseEffectiveCacheControl } from './freshness.ts';

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
    const isRanked = ranksLanguagesByOrder && name === ACCEPT_LANGUAGE;
    variant += `${name}:${isRanked ? rankLanguages(value) : normalizeFieldValue(name, value)}\n`;
  }
  return variant;
}

const ACCEPT_LANGUAGE = 'accept-language';

function rankLanguages(value: string): string {
  return parseAcceptLanguage(value)
    .map(({ quality, tag }) => `${tag};q=${quality}`)
    .join(',');
}

/** Fields whose members may be reordered and lower-cased, because only `q` expresses preference (RFC 9110 §12.5). */
const NEGOTIATION_FIELDS = new Set(['accept', 'accept-charset', 'accept-encoding', ACCEPT_LANGUAGE]);

/**
 * Normalizes a field value. RFC 9111 §4.1: requests match if their fields can be transformed into each other by "adding or
 * removing whitespace, where allowed in the header field's syntax", "combining multiple header field lines with the same field name", and
 * "normalizing both header field values in a way that is known to have identical semantics".
 */
function normalizeFieldValue(name: string, value: string): string {
  // Commas and white space inside quotes belong to the value.
  if (value.includes('"')) return value.trim();
  const isNegotiated = NEGOTIATION_FIELDS.has(name);
  if (!isNegotiated && !value.includes(',')) return value.trim();
  const members = value.split(',').map((member) => member.trim());
  if (!isNegotiated) return members.join(',');
  return members
    .filter((member) => member !== '')
    .map((member) => member.toLowerCase().replace(/[ \t]*([;=])[ \t]*/g, '$1'))
    .sort()
    .join(',');
}

/** The parts of a request that decide which stored response is selected. */
interface VariantRequest {
  getVariantKey(vary: readonly string[]): string;
  /** See `CacheRequest.identifyingFields`. */
  readonly identifyingFields: readonly string[];
}

/** Whether there is a stored response that the site allows to share with a request like this one. */
export function hasPermittedResponse(
  responses: readonly StoredResponse[],
  { identifyingFields }: Pick<VariantRequest, 'identifyingFields'>,
): boolean {
  return responses.some((response) => isPermitted(response, identifyingFields));
}

/** RFC 9111 §3.5 for stored responses: without explicit permission the site may personalize the response by the field. */
function isPermitted({ headers, vary }: StoredResponse, identifyingFields: readonly string[]): boolean {
  return permitsSharing(parseEffectiveCacheControl(headers), vary, identifyingFields);
}

/**
 * Selects the stored response for a request. Returns undefined if none matches.
 *
 * §4.1: "When one or more stored responses for a target URI omits the Vary header field, the cache SHOULD choose the
 * most recent […] stored response with a valid Vary field value." A response without `Vary` is selected only if no fresh
 * response matches, and if no newer response has `Vary`.
 *
 * @param all newest first
 */
export function selectStoredResponse(
  all: readonly StoredResponse[],
  request: VariantRequest,
  now: number,
): StoredResponse | undefined {
  const { identifyingFields } = request;
  const responses =
    identifyingFields.length === 0 ? all : all.filter((each) => isPermitted(each, identifyingFields));
  const [only] = responses;
  if (responses.length === 1 && only?.vary.length === 0) return only;
  let unvaried: StoredResponse | undefined;
  let varied = false;
  // Responses of one key mostly have the same Vary, so the request's variant is computed once.
  let names: readonly string[] = NO_FIELD_NAMES;
  let variant = '';
  for (const response of responses) {
    if (response.vary.length === 0) {
      if (!varied) unvaried ??= response;
      continue;
    }
    varied = true;
    if (!isSameList(names, response.vary)) {
      names = response.vary;
      variant = request.getVariantKey(names);
    }
    const usable = unvaried === undefined || isFresh(response, now);
    if (usable && variant === response.variantKey) return response;
  }
  return unvaried ?? selectByLanguage(responses, request, now);
}

/**
 * Selects a fresh response in the language that the client prefers to all others. RFC 9111 §4.1 allows a cache to know how
 * the site selects; RFC 9110 §12.5.4 says how: by quality. The site has that language, as the stored response shows, so
 * it would select it too.
 */
function selectByLanguage(
  responses: readonly StoredResponse[],
  request: VariantRequest,
  now: number,
): StoredResponse | undefined {
  const candidates = responses.filter(
    (response) =>
      response.vary.includes(ACCEPT_LANGUAGE) &&
      isFresh(response, now) &&
      hasField(response.headers, 'content-language'),
  );
  if (candidates.length === 0) return undefined;
  const accepted = request.getVariantKey([ACCEPT_LANGUAGE]).slice(ACCEPT_LANGUAGE.length + 1, -1);
  const preferred = findPreferredLanguage(accepted);
  return candidates.find(({ headers, variantKey, vary }) => {
    if (fieldValue(headers, 'content-language')?.trim().toLowerCase() !== preferred) return false;
    const otherNames = vary.filter((name) => name !== ACCEPT_LANGUAGE);
    return request.getVariantKey(otherNames) === variantKey.replace(LANGUAGE_OF_VARIANT, '');
  });
}

/** The part of a variant key that `Accept-Language` determines. */
const LANGUAGE_OF_VARIANT = /^accept-language:.*\n/m;

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one === other || (one.length === other.length && one.every((name, index) => name === other[index]));
}

/** RFC 9111 §3.5: "must-revalidate, public, and s-maxage". */
const EXPLICIT_PERMISSIONS = ['must-revalidate', 'public', 's-maxage'];

/**
 * Whether a response may be shared although fields of its request may identify a client. RFC 9111 §3.5 lists the
 * directives that allow it for `Authorization`. For any other field it is also enough that the response has a targeted
 * field (RFC 9213), which is written for shared caches, or that `Vary` names the field: its value is then part of the
 * key.
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
