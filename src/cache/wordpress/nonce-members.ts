import { decodeLatin1 } from '../../http/body.ts';

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
