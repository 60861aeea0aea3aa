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
const OTHER = 6;
const SIZES = Uint8Array.from(KINDS, ([, size]) => size);
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
  /** Characters that the current token can still take. */
  let left = 0;
  for (let at = 0; at < text.length && count <= most; at += 1) {
    const kind = KIND_OF[text.charCodeAt(at)] ?? OTHER;
    const size = SIZES[kind] ?? 1;
    // `_Hello` is one word, and one space belongs to the word after it.
    const isBeginning = kind <= LOWER && before > SPACE && before < kind && left + 1 === SIZES[before];
    if (isBeginning) left = size - 2;
    else if (kind === before && left > 0) left -= 1;
    else if (kind === SPACE && before !== SPACE) left = 0;
    else {
      count += 1;
      left = size - 1;
    }
    before = kind;
  }
  return count;
}
