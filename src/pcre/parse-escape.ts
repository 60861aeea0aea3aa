import type { PcreNode } from './ast.ts';
import { type CharSet, complementCharSet } from './charset.ts';
import type { CharClasses } from './classes.ts';
import type { PatternCursor } from './cursor.ts';

/** The meaning of an escape sequence other than `\Q`. */
export type PcreEscape =
  | { readonly kind: 'literal'; readonly character: number }
  | { readonly kind: 'class'; readonly set: CharSet }
  | { readonly kind: 'node'; readonly node: PcreNode }
  /** A lone `\E`, which has no effect. */
  | { readonly kind: 'nothing' };

const CONTROL_CHARACTERS: Readonly<Record<string, number>> = { a: 7, e: 27, f: 12, n: 10, r: 13, t: 9 };

const ASSERTIONS: Readonly<Record<string, PcreNode>> = {
  A: { kind: 'assert', at: 'start' },
  // preg_match starts at offset 0, so the first attempt is the start of the subject.
  G: { kind: 'assert', at: 'start' },
  Z: { kind: 'assert', at: 'last-line-end' },
  z: { kind: 'assert', at: 'end' },
  b: { kind: 'assert', at: 'boundary' },
  B: { kind: 'assert', at: 'no-boundary' },
  // `\K` moves the start of the reported match, which is not used here.
  K: { kind: 'sequence', items: [] },
};

/** Parses an escape, from after the backslash. See pcre2pattern(3), "Backslash". */
export function parseEscape(
  cursor: PatternCursor,
  classes: CharClasses,
  where: { readonly inClass: boolean; readonly groups: number },
): PcreEscape {
  if (cursor.isAtEnd) throw cursor.createError('\\ at the end of the pattern');
  const letter = cursor.peek();
  if (/[0-9]/.test(letter)) return parseNumber(cursor, classes, where);
  cursor.position += 1;
  if (letter === 'E') return { kind: 'nothing' };
  if (!/[A-Za-z]/.test(letter)) return { kind: 'literal', character: letter.codePointAt(0) ?? 0 };
  if (Object.hasOwn(CONTROL_CHARACTERS, letter))
    return { kind: 'literal', character: CONTROL_CHARACTERS[letter] ?? 0 };
  if (where.inClass && letter === 'b') return { kind: 'literal', character: 8 };
  if (!where.inClass && Object.hasOwn(ASSERTIONS, letter)) {
    return { kind: 'node', node: ASSERTIONS[letter] ?? { kind: 'opaque', what: `\\${letter}` } };
  }
  switch (letter) {
    case 'd':
    case 'w':
    case 's':
    case 'h':
    case 'v':
      return { kind: 'class', set: classes.setsByEscape[letter] };
    case 'D':
    case 'W':
    case 'S':
    case 'H':
    case 'V':
      return {
        kind: 'class',
        set: complementCharSet(classes.setsByEscape[NEGATED_CLASS_LETTERS[letter]], classes.maxCharacter),
      };
    case 'p':
    case 'P':
      return parseProperty(cursor, classes, letter === 'P');
    case 'x':
      return literal(cursor, classes, parseHex(cursor));
    case 'o':
      if (!cursor.takeIf('{')) throw cursor.createError('\\o without {');
      return literal(cursor, classes, Number.parseInt(cursor.takeUntil('}'), 8));
    case 'c':
      return literal(
        cursor,
        classes,
        String.fromCodePoint(cursor.takeCharacter()).toUpperCase().charCodeAt(0) ^ 64,
      );
  }
  if (!where.inClass) {
    if (letter === 'N') return parseN(cursor, classes);
    if (letter === 'R') return { kind: 'node', node: lineBreak(classes) };
    if (letter === 'g' || letter === 'k')
      return { kind: 'node', node: parseReference(cursor, letter, where.groups) };
    if (letter === 'X' || letter === 'C')
      return { kind: 'node', node: { kind: 'opaque', what: `\\${letter}` } };
  }
  throw cursor.createError(`\\${letter} has no meaning${where.inClass ? ' in a class' : ''}`);
}

const NEGATED_CLASS_LETTERS = { D: 'd', W: 'w', S: 's', H: 'h', V: 'v' } as const;

function literal(cursor: PatternCursor, classes: CharClasses, character: number): PcreEscape {
  if (!(character >= 0 && character <= classes.maxCharacter))
    throw cursor.createError('a character code is out of range');
  return { kind: 'literal', character };
}

function parseHex(cursor: PatternCursor): number {
  if (!cursor.takeIf('{')) return Number.parseInt(cursor.takeWhile(/^[0-9A-Fa-f]$/, 2) || '0', 16);
  const digits = cursor.takeUntil('}');
  return /^[0-9A-Fa-f]{1,8}$/.test(digits) ? Number.parseInt(digits, 16) : Number.NaN;
}

/**
 * Parses the digits of an escape. Outside of classes they are a backreference if the number is below 10 or if that many
 * groups exist. Otherwise they are up to three octal digits.
 */
function parseNumber(
  cursor: PatternCursor,
  classes: CharClasses,
  where: { readonly inClass: boolean; readonly groups: number },
): PcreEscape {
  const start = cursor.position;
  const digits = cursor.takeWhile(/^[0-9]$/);
  const number = Number.parseInt(digits, 10);
  if (
    !where.inClass &&
    digits[0] !== '0' &&
    (number < 10 || /^[89]/.test(digits) || number <= where.groups)
  ) {
    return { kind: 'node', node: { kind: 'backreference', to: number } };
  }
  cursor.position = start;
  const octal = cursor.takeWhile(/^[0-7]$/, 3);
  if (octal === '') throw cursor.createError('a digit that is neither octal nor a group');
  return literal(cursor, classes, Number.parseInt(octal, 8));
}

function parseProperty(cursor: PatternCursor, classes: CharClasses, negated: boolean): PcreEscape {
  const name = cursor.takeIf('{') ? cursor.takeUntil('}') : String.fromCodePoint(cursor.takeCharacter());
  const inverted = name.startsWith('^');
  const set = classes.getPropertySet(name.slice(inverted ? 1 : 0).trim());
  if (set === null) throw cursor.createError(`unknown property ${name}`, 'unsupported');
  return { kind: 'class', set: inverted === negated ? set : complementCharSet(set, classes.maxCharacter) };
}

function parseN(cursor: PatternCursor, classes: CharClasses): PcreEscape {
  if (cursor.takeIf('{U+')) {
    if (classes.maxCharacter === 0xff) throw cursor.createError('\\N{U+…} needs the u flag');
    return literal(cursor, classes, Number.parseInt(cursor.takeUntil('}'), 16));
  }
  return { kind: 'class', set: complementCharSet([[10, 10]], classes.maxCharacter) };
}

/** Creates the node of `\R`, any line break. `\r\n` is tried before its parts, and the match is atomic. */
function lineBreak(classes: CharClasses): PcreNode {
  const crlf: PcreNode = {
    kind: 'sequence',
    items: [
      { kind: 'set', set: [[13, 13]], literal: 13 },
      { kind: 'set', set: [[10, 10]], literal: 10 },
    ],
  };
  return {
    kind: 'atomic',
    body: { kind: 'alternation', options: [crlf, { kind: 'set', set: classes.setsByEscape.v }] },
  };
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '<': '>', "'": "'" };

/** Parses `\g{n} \g-n \k<name> \k'name' \k{name}`, and the recursions `\g<n>` and `\g'n'`. */
function parseReference(cursor: PatternCursor, letter: 'g' | 'k', groups: number): PcreNode {
  const open = cursor.peek();
  const close = CLOSING[open];
  if (close === undefined) {
    if (letter === 'k') throw cursor.createError('\\k without a name');
    return numberedReference(cursor, cursor.takeWhile(/^[-+0-9]$/), groups);
  }
  cursor.position += 1;
  const name = cursor.takeUntil(close);
  if (letter === 'g' && open !== '{') return { kind: 'opaque', what: 'recursion' };
  return /^[-+]?\d+$/.test(name) && letter === 'g'
    ? numberedReference(cursor, name, groups)
    : { kind: 'backreference', to: name };
}

function numberedReference(cursor: PatternCursor, text: string, groups: number): PcreNode {
  if (!/^[-+]?\d{1,5}$/.test(text)) throw cursor.createError('a reference without a number');
  const number = Number.parseInt(text, 10);
  if (text.startsWith('-')) return { kind: 'backreference', to: groups + 1 + number };
  return { kind: 'backreference', to: text.startsWith('+') ? groups + number : number };
}
