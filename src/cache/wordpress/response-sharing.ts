import { decodeLatin1 } from '../../http/body.ts';
import { hasDirective, hasUnqualifiedDirective, parseCacheControl } from '../../http/cache-directives.ts';
import type { ResponseHead } from '../../http/exchange.ts';
import { fieldValue, hasField } from '../../http/fields.ts';
import { findPersonalField } from '../policy/storability.ts';

/**
 * Finds the reason why a WordPress response must not be served to other clients: it sets a cookie, contains a nonce or an
 * authentication challenge, or its `Cache-Control` is `private` or `no-store`. This also applies to a response with a
 * targeted field, which replaces `Cache-Control` under RFC 9213: that field is mostly written by a plugin that only
 * knows the URL. The core of WordPress, which knows whether a user is logged in, writes `Cache-Control`.
 *
 * @returns the reason as the `detail` of `Cache-Status`; `null` if the response may be served to others
 */
export function findUnshareableReason({ headers }: ResponseHead): string | null {
  const personal = findPersonalField(headers);
  if (personal !== undefined) return personal;
  // RFC 6265 made Set-Cookie2 historic: no client reads it, but what a plugin writes there is meant for one client.
  if (hasField(headers, 'set-cookie2')) return 'header set-cookie2';
  if (hasField(headers, 'www-authenticate')) return 'header www-authenticate';
  const directives = parseCacheControl(fieldValue(headers, 'cache-control') ?? '');
  if (hasDirective(directives, 'no-store')) return 'no-store';
  return hasUnqualifiedDirective(directives, 'private') ? 'private' : null;
}

/**
 * Appends `Vary: Origin` if `Vary` does not list `Origin`. WordPress sends the `Origin` of a request back in CORS fields,
 * with `Vary: Origin`. Plugins that send the CORS fields themselves often omit it.
 *
 * @param headers flat list, changed in place
 */
export function addVaryOrigin(headers: string[]): void {
  const vary = fieldValue(headers, 'vary');
  if (vary === undefined || !/(?:^|[\s,])(?:origin|\*)(?:$|[\s,])/i.test(vary)) {
    headers.push('Vary', 'Origin');
  }
}

/** Part of a JSON text around the word that is looked at: a name and the beginning of its value. */
const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 200;
/** Maximum occurrences of the word in one body that are looked at. A body with more counts as one with a nonce. */
const MAX_OCCURRENCES = 1_000;
/** The field of WordPress's forms and links, within a text such as rendered content. */
const FORM_FIELD = '_wpnonce';

/**
 * The rest of a name after the word, and the beginning of a value that is a number, or a text, list or object with content.
 * An object that begins with a keyword of JSON Schema describes an argument, as in an index.
 */
const REST_AND_VALUE =
  /^[\w.:-]*"\s{0,64}:\s{0,64}(?:"[^"]|\d|\[\s{0,64}[^\s\]]|\{\s{0,64}"(?!(?:type|description|required|default|format|pattern|enum|items|readonly|context|title|minLength|maxLength)"))/;
/** The beginning of a name before the word, with its quote, which is not escaped. */
const START = /(?:^|[^\\])"([\w.:-]*)$/;

/**
 * Finds the first member of a JSON text whose name says that its value is valid once, and whose value is not empty:
 * `"nonce":"3f2b…"`, `"nonces":{"save":…}`, `"restNonce"`. Also finds the field `_wpnonce` of a form or link within a text.
 * The text is searched, not parsed: the quotes within a JSON string are escaped, so a string cannot be mistaken for a name.
 *
 * @param body UTF-8
 * @returns the name; `undefined` if there is none
 */
export function findNonceMember(body: Uint8Array): string | undefined {
  const text = decodeLatin1(body);
  const word = /nonce/gi;
  for (let occurrences = 0; occurrences < MAX_OCCURRENCES; occurrences += 1) {
    if (!word.test(text)) return undefined;
    const end = word.lastIndex;
    const start = end - 5;
    if (text.slice(end - FORM_FIELD.length, end).toLowerCase() === FORM_FIELD) return FORM_FIELD;
    const before = START.exec(text.slice(Math.max(0, start - MAX_NAME_LENGTH), start))?.[1];
    if (before === undefined) continue;
    const after = REST_AND_VALUE.exec(text.slice(end, end + MAX_NAME_LENGTH + MAX_VALUE_LENGTH))?.[0];
    if (after !== undefined) return before + text.slice(start, end) + after.slice(0, after.indexOf('"'));
  }
  return 'nonce';
}
