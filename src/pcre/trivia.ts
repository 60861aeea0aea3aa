import type { Cursor } from './cursor.ts';
import type { Flags } from './parse-flags.ts';

/** First character of a quantifier, a comment or an empty quotation. */
export const STARTS_TRIVIA_OR_QUANTIFIER: RegExp = /^[*+?{(\\]/;

/** Skips what PCRE allows between an item and its quantifier. */
export function skipTrivia(cursor: Cursor, flags: Flags): void {
  for (let start = -1; start !== cursor.position; ) {
    start = cursor.position;
    skipExtended(cursor, flags);
    cursor.take('\\E');
    cursor.take('\\Q\\E');
    if (cursor.take('(?#')) cursor.takeUntil(')');
  }
}

/** Skips white space and `#` comments under `x`. */
export function skipExtended(cursor: Cursor, flags: Flags): void {
  while (flags.x) {
    if (/^[\t-\r ]$/.test(cursor.peek())) cursor.position += 1;
    else if (cursor.take('#')) while (!cursor.isAtEnd && cursor.next() !== 10);
    else return;
  }
}

const CLOSING_PARENTHESIS = 0x29;

/**
 * Whether a character is a literal that the next character cannot quantify.
 *
 * @param next the character behind it; `undefined` at the end of the pattern
 */
export function isPlainCharacter(character: number, next: number | undefined): boolean {
  return isLiteral(character) && (next === undefined || isLiteral(next) || next === CLOSING_PARENTHESIS);
}

/** `-`, `/`, `_`, digits and ASCII letters. */
function isLiteral(character: number): boolean {
  return (
    (character >= 0x61 && character <= 0x7a) ||
    (character >= 0x41 && character <= 0x5a) ||
    (character >= 0x2d && character <= 0x39 && character !== 0x2e) ||
    character === 0x5f
  );
}
