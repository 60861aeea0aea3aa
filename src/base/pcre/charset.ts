import { RE2JS } from 're2js';
import { memoizeByString } from '../memoize.ts';

/** What stands between the brackets of a class, e.g. `a-z`. */
export interface ClassItem {
  /** For RE2 and JavaScript, as PCRE matches it. */
  readonly exact: string;
  /** For a document: `\s` as the site wrote it, where PCRE's has other characters of Unicode than ECMA-262's. */
  readonly text: string;
}

/** One character of the subject: `a`, `.`, `[^a-z]`. */
export interface CharSet extends ClassItem {
  /** Its characters below U+0100; for a literal, its characters. */
  readonly members: ReadonlySet<number>;
}

const listMembers: (exact: string) => ReadonlySet<number> = memoizeByString((exact) => {
  const pattern = new RegExp(exact, 'u');
  const points = Array.from({ length: 0x100 }, (_, point) => point);
  return new Set(points.filter((point) => pattern.test(String.fromCharCode(point))));
});

export const DOT: CharSet = { exact: '[^\\n]', text: '.', members: listMembers('[^\\n]') };
export const ANY: CharSet = { exact: '[\\s\\S]', text: '[\\s\\S]', members: listMembers('[\\s\\S]') };

export function createClass(items: readonly ClassItem[], isNegated: boolean): CharSet {
  const print = (notation: 'exact' | 'text'): string => {
    // `[&&]` has another meaning under the flag `v`.
    const contents = [...new Set(items.map((item) => item[notation]))].join('');
    return !isNegated && LONE_ESCAPE.test(contents) ? contents : `[${isNegated ? '^' : ''}${contents}]`;
  };
  const exact = print('exact');
  return { exact, text: print('text'), members: listMembers(exact) };
}

const LONE_ESCAPE = /^\\(?:[dDwWsS]|p\{\w+\})$/i;

/** @param isFolded under `i`, PCRE adds the other case of ASCII's letters to bytes */
export function createRange(low: number, high: number, isFolded: boolean): readonly ClassItem[] {
  const ranges = [[low, high]];
  if (isFolded)
    for (const [first = 0, last = 0, distance = 0] of OTHER_CASES) {
      const [from, to] = [Math.max(low, first), Math.min(high, last)];
      if (from <= to) ranges.push([from + distance, to + distance]);
    }
  return ranges.map(([from = 0, to = 0]) => {
    const print = (write: (character: number) => string): string =>
      from === to ? write(from) : `${write(from)}-${write(to)}`;
    return { exact: print(escapeExactly), text: print(escapeInClass) };
  });
}

const OTHER_CASES: readonly (readonly number[])[] = [
  [0x41, 0x5a, 0x20],
  [0x61, 0x7a, -0x20],
];

const createPlainLiteral: (text: string) => CharSet = memoizeByString((text) => {
  const character = text.codePointAt(0) ?? 0;
  return {
    exact: escapeExactly(character),
    text: character === 0x2f ? '/' : escapeCharacter(character),
    members: new Set([character]),
  };
});

const createFoldedLiteral: (letter: string) => CharSet = memoizeByString((letter) => {
  const upper = letter.toUpperCase().charCodeAt(0);
  return createClass(createRange(upper, upper, true), false);
});

export function createLiteral(character: number, isFolded: boolean): CharSet {
  const text = String.fromCodePoint(character);
  return isFolded && /^[A-Za-z]$/.test(text) ? createFoldedLiteral(text) : createPlainLiteral(text);
}

const SPACES = '\t-\r ';
const NO_SPACES = '\0-\b\x0e-\x1f!-\u{10ffff}';
const UNICODE_SPACES = '\t-\r \x85\xa0\u1680\u180e\u2000-\u200a\u2028\u2029\u202f\u205f\u3000';
const NO_UNICODE_SPACES =
  '\0-\b\x0e-\x1f!-\x84\x86-\x9f\xa1-\u167f\u1681-\u180d\u180f-\u1fff\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\u{10ffff}';

/** Meaning of escapes for bytes (PHP runs in the C locale), and for code points under PCRE2_UCP, where a class can't contain `\W`. */
const ESCAPES = new Map<string, readonly [bytes: string, unicode?: string]>([
  ['d', ['\\d', '\\p{Nd}']],
  ['D', ['\\D', '\\P{Nd}']],
  ['w', ['\\w', '\\p{L}\\p{N}_']],
  ['W', ['\\W']],
  ['s', [SPACES, UNICODE_SPACES]],
  ['S', [NO_SPACES, NO_UNICODE_SPACES]],
]);

export function getEscapeItem(letter: string, isUnicode: boolean): ClassItem | undefined {
  const exact = ESCAPES.get(letter)?.[isUnicode ? 1 : 0];
  return exact === undefined ? undefined : { exact, text: /^s$/i.test(letter) ? `\\${letter}` : exact };
}

/** `null` unless both JavaScript and RE2 know the property. */
export function getPropertyItem(property: string, isNegated: boolean): ClassItem | null {
  if (!/^(?:Script=)?[A-Za-z_]{1,40}$/.test(property)) return null;
  for (const name of [property, `Script=${property}`]) {
    const exact = `\\${isNegated ? 'P' : 'p'}{${name}}`;
    if (isKnown(exact)) return { exact, text: exact };
  }
  return null;
}

const isKnown: (property: string) => boolean = memoizeByString((property) => {
  try {
    new RegExp(property, 'u');
    RE2JS.compile(toRe2(property));
    return true;
  } catch {
    return false;
  }
});

export function toRe2(exact: string): string {
  return exact.replaceAll('Script=', '');
}

function escapeExactly(character: number): string {
  const text = String.fromCodePoint(character);
  if (character > 0xff || /^\w$/.test(text)) return text;
  return `\\x${character.toString(16).padStart(2, '0')}`;
}

const SHORT: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 11: '\\v', 12: '\\f', 13: '\\r' };

/** The same meaning under `u`, `v` and no flag. */
function escapeCharacter(character: number): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const text = String.fromCodePoint(character);
  if (character > 0x7e && /^[\p{L}\p{N}]$/u.test(text)) return text;
  if (character < 0x20 || (character >= 0x7f && character <= 0xff)) {
    return `\\x${character.toString(16).padStart(2, '0')}`;
  }
  if (/[\^$\\.*+?()[\]{}|/]/.test(text)) return `\\${text}`;
  if (character <= 0x7e) return text;
  const hex = character.toString(16);
  return character > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}

function escapeInClass(character: number): string {
  const text = String.fromCodePoint(character);
  if (/[$.*+?]/.test(text)) return text;
  return text === '-' ? '\\-' : escapeCharacter(character);
}
