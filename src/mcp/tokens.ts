/** Kinds of characters that tokenizers tell apart, with the least number of characters for a token. */
const KINDS: readonly (readonly [pattern: RegExp, charactersPerToken: number])[] = [
  [/\s/, 8],
  [/_/, 8],
  [/[A-Z]/, 2],
  [/[a-z]/, 6],
  [/\d/, 3],
  [/[\u00c0-\u052f]/, 2],
  [/[^\x00-\x7f]/, 1],
  [/[^\w\s]/, 4],
];
const SPACE = 0;
const LOWER = 3;
/** Kinds of the first characters of Unicode, since a regular expression that finds words takes thirteen times as long. */
const KIND_OF = Uint8Array.from({ length: 0x530 }, (_, code) =>
  KINDS.findIndex(([pattern]) => pattern.test(String.fromCharCode(code))),
);

/**
 * Estimates the tokens of a text, rather too many than too few: 7 for `"title":"Hello"`. The table of a tokenizer has megabytes.
 *
 * @param most counting ends past this number
 */
export function estimateTokens(text: string, most: number = Number.POSITIVE_INFINITY): number {
  let count = 0;
  let before = SPACE;
  let size = 0;
  /** Characters that the current token can still take. */
  let left = 0;
  for (let at = 0; at < text.length && count <= most; at += 1) {
    const kind = KIND_OF[text.charCodeAt(at)] ?? 6;
    // `_Hello` is one word.
    const isInWord = left === size - 1 && before > SPACE && before < kind && kind <= LOWER;
    if (kind !== before) [, size = 1] = KINDS[kind] ?? [];
    if (isInWord) left = size - 2;
    else if (kind === before && left > 0) left -= 1;
    // One space belongs to the word after it.
    else if (kind === SPACE && before !== SPACE) left = 0;
    else {
      count += 1;
      left = size - 1;
    }
    before = kind;
  }
  return count;
}
