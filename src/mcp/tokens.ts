/** Pieces of text that tokenizers tell apart, with the least number of characters for a token. */
const PIECES: readonly (readonly [pattern: RegExp, charactersPerToken: number])[] = [
  [/_?[A-Z]?[a-z]+/, 6],
  [/_?[A-Z]+/, 2],
  [/\d{1,3}/, 3],
  [/[\u00c0-\u052f]+/, 2],
  [/[^\x00-\x7f]/, 1],
  [/[^\w\s]+/, 4],
  [/_+|\s{2,}/, 8],
];
const PATTERN = new RegExp(PIECES.map(([{ source }]) => `(${source})`).join('|'), 'g');

/**
 * Estimates the tokens of a text, rather too many than too few: 7 for `"title":"Hello"`. The table of a tokenizer has megabytes.
 *
 * @param most counting ends past this number
 */
export function estimateTokens(text: string, most: number = Number.POSITIVE_INFINITY): number {
  let count = 0;
  // A token has at most ten characters with the space beside it, so a longer text has more tokens in its beginning alone.
  for (const [piece, ...kinds] of text.slice(0, (most + 1) * 10).matchAll(PATTERN)) {
    const [, size = 1] = PIECES[kinds.indexOf(piece)] ?? [];
    count += Math.ceil(piece.length / size);
    if (count > most) break;
  }
  return count;
}
