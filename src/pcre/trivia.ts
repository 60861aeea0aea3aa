import type { PatternCursor } from './cursor.ts';
import type { PcreFlags } from './parse-flags.ts';

/** First character of a quantifier, a comment or an empty quotation. */
export const STARTS_TRIVIA_OR_QUANTIFIER: RegExp = /^[*+?{(\\]/;

/** Skips the white space, comments and empty quotations that PCRE allows between an item and its quantifier. */
export function skipTrivia(cursor: PatternCursor, flags: PcreFlags): void {
  for (let start = -1; start !== cursor.position; ) {
    start = cursor.position;
    skipExtended(cursor, flags);
    cursor.takeIf('\\E');
    cursor.takeIf('\\Q\\E');
    if (cursor.takeIf('(?#')) cursor.takeUntil(')');
  }
}

/** Skips white space and `#` comments under `x`. */
export function skipExtended(cursor: PatternCursor, flags: PcreFlags): void {
  while (flags.x) {
    if (/^[\t-\r ]$/.test(cursor.peek())) cursor.position += 1;
    else if (cursor.takeIf('#')) while (!cursor.isAtEnd && cursor.takeCharacter() !== 10);
    else return;
  }
}

const CLOSING_PARENTHESIS = 0x29;

/**
 * Whether a character is a literal that the next character cannot quantify.
 *
 * @param next the character that follows; `undefined` at the end of the pattern
 */
export function isPlainCharacter(character: number, next: number | undefined): boolean {
  return isLiteral(character) && (next === undefined || isLiteral(next) || next === CLOSING_PARENTHESIS);
}

/** Whether a character is `-`, `/`, `_`, a digit or an ASCII letter. */
function isLiteral(character: number): boolean {
  return (
    (character >= 0x61 && character <= 0x7a) ||
    (character >= 0x41 && character <= 0x5a) ||
    (character >= 0x2d && character <= 0x39 && character !== 0x2e) ||
    character === 0x5f
  );
}
