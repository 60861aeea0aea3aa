import { fieldValue } from '../../http/fields.ts';
import { memoizeByString } from '../../memoize.ts';
import type { StoredResponse } from '../store.ts';
import { currentAge } from './age.ts';

/**
 * The names that `Vary` lists: lower case, sorted, each once. `null` for `*`: RFC 9111 §4.1, "A stored response with a
 * Vary header field value containing a member "*" always fails to match."
 *
 * @param unvarying names that count for nothing, since the site sees the same in each request
 */
export function varyNames(
  headers: readonly string[],
  unvarying: readonly string[] = NONE,
): readonly string[] | null {
  const field = fieldValue(headers, 'vary');
  if (field === undefined) return NONE;
  const names = sortedNames(field);
  if (names.includes('*')) return null;
  return unvarying.some((name) => names.includes(name))
    ? names.filter((name) => !unvarying.includes(name))
    : names;
}

/** The names in a field: lower case, sorted, each once. */
const sortedNames = memoizeByString((field): readonly string[] => {
  const names = new Set(field.split(',').map((name) => name.trim().toLowerCase()));
  names.delete('');
  return [...names].sort();
});

const NONE: readonly string[] = [];

/**
 * What a request says in the fields that `Vary` names, as one string. A field that is absent is unlike an empty one:
 * "If (after any normalization that might take place) a header field is absent from a request, it can only match
 * another request if it is also absent there."
 */
export function variantOf(vary: readonly string[], requestHeaders: readonly string[]): string {
  let variant = '';
  for (const name of vary) {
    const value = fieldValue(requestHeaders, name);
    if (value !== undefined) variant += `${name}:${normalised(name, value)}\n`;
  }
  return variant;
}

/**
 * Lists whose members mean the same in any order and case (RFC 9110 §12.5): preference is said by `q` alone.
 */
const NEGOTIATION = new Set(['accept', 'accept-charset', 'accept-encoding', 'accept-language']);

/**
 * §4.1: requests match where their fields can be transformed into each other by "adding or removing whitespace, where
 * allowed in the header field's syntax", "combining multiple header field lines with the same field name", and
 * "normalizing both header field values in a way that is known to have identical semantics".
 */
function normalised(name: string, value: string): string {
  // A comma inside quotes is not one between members, and space in there is not nothing.
  if (value.includes('"')) return value.trim();
  const isNegotiated = NEGOTIATION.has(name);
  if (!isNegotiated && !value.includes(',')) return value.trim();
  const members = value.split(',').map((member) => member.trim());
  if (!isNegotiated) return members.join(',');
  return members
    .filter((member) => member !== '')
    .map((member) => member.toLowerCase().replace(/[ \t]*([;=])[ \t]*/g, '$1'))
    .sort()
    .join(',');
}

/**
 * The stored answer for a request; undefined where there is none.
 *
 * §4.1: "When one or more stored responses for a target URI omits the Vary header field, the cache SHOULD choose the
 * most recent […] stored response with a valid Vary field value." So one without `Vary` steps back behind one that
 * matches and is fresh, and behind any newer one that says the answers do vary.
 *
 * @param answers the newest first
 */
export function select(
  answers: readonly StoredResponse[],
  request: { variant(vary: readonly string[]): string },
  now: number,
): StoredResponse | undefined {
  const [only] = answers;
  if (answers.length === 1 && only?.vary.length === 0) return only;
  let unvaried: StoredResponse | undefined;
  let varied = false;
  // Mostly all vary by the same fields, of which the request says the same each time.
  let names: readonly string[] = NONE;
  let variant = '';
  for (const answer of answers) {
    if (answer.vary.length === 0) {
      if (!varied) unvaried ??= answer;
      continue;
    }
    varied = true;
    if (!isSame(names, answer.vary)) {
      names = answer.vary;
      variant = request.variant(names);
    }
    const usable = unvaried === undefined || currentAge(answer, now) < answer.lifetime;
    if (usable && variant === answer.variant) return answer;
  }
  return unvaried;
}

function isSame(one: readonly string[], other: readonly string[]): boolean {
  return one === other || (one.length === other.length && one.every((name, index) => name === other[index]));
}
