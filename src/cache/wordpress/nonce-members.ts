/** Part of a JSON text around the word that is looked at: a name and the beginning of its value. */
const MAX_NAME_LENGTH = 64;
const MAX_VALUE_LENGTH = 40;
/** Maximum occurrences of the word in one body that are looked at. */
const MAX_OCCURRENCES = 1_000;

const latin1 = new TextDecoder('latin1');
/** The rest of a name after the word, and the first character of a value that is a non-empty text or a number. */
const REST_AND_VALUE = /^[\w.-]*"\s{0,8}:\s{0,8}(?:"[^"]|\d)/;
/** The beginning of a name before the word, with its quote, which is not escaped. */
const START = /(?:^|[^\\])"([\w.-]*)$/;

/**
 * Finds the first member of a JSON text whose name says that its value is valid once, and whose value is a non-empty text
 * or a number: `"nonce":"3f2b…"`, `"_wpnonce"`, `"restNonce"`. The text is searched, not parsed: the quotes within a JSON
 * string are escaped, so a string cannot be mistaken for a name.
 *
 * @param body UTF-8
 * @returns the name; `undefined` if there is none
 */
export function findNonceMember(body: Uint8Array): string | undefined {
  const text = latin1.decode(body);
  const word = /nonce/gi;
  for (let occurrences = 0; occurrences < MAX_OCCURRENCES; occurrences += 1) {
    if (!word.test(text)) return undefined;
    const end = word.lastIndex;
    const start = end - 5;
    const before = START.exec(text.slice(Math.max(0, start - MAX_NAME_LENGTH), start))?.[1];
    if (before === undefined) continue;
    const after = REST_AND_VALUE.exec(text.slice(end, end + MAX_NAME_LENGTH + MAX_VALUE_LENGTH))?.[0];
    if (after !== undefined) return before + text.slice(start, end) + after.slice(0, after.indexOf('"'));
  }
  return undefined;
}
