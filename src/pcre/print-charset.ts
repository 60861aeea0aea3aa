import {
  type CharSet,
  complementCharSet,
  intersectCharSets,
  isSameCharSet,
  isSubset,
  MAX_BYTE,
} from './charset.ts';
import { DIGITS, getCharClasses } from './classes.ts';

interface NamedSet {
  readonly set: CharSet;
  /** Class contents, without brackets. */
  readonly text: string;
}

/**
 * Prints a set as a short ECMAScript class with the same meaning under `u`, under `v` and without flags: `\d`, `[\w\-]`,
 * `[^\/]`.
 *
 * @param max the highest character of the subject's alphabet: 0xFF for byte strings
 */
export function printCharSet(set: CharSet, max: number): string {
  const [first] = set;
  if (first === undefined) return '[]';
  if (set.length === 1 && first[0] === first[1]) return escapeCharacter(first[0]);
  const outside = complementCharSet(set, max);
  if (outside.length === 0) return '[\\s\\S]';
  const names = namedSets(set, max);
  for (const { set: named, text } of names) {
    if (!/^\\[dw]$/.test(text)) break;
    if (isSameCharSet(named, set)) return text;
    if (isSameCharSet(named, outside)) return text.toUpperCase();
  }
  const positive = `[${classContents(set, names)}]`;
  // A set that contains the highest character was almost always written as a negation.
  if (set.at(-1)?.[1] !== max) return positive;
  const negative = `[^${classContents(outside, namedSets(outside, max))}]`;
  return negative.length <= positive.length ? negative : positive;
}

/** Returns the named classes that the set contains, the largest first. */
function namedSets(set: CharSet, max: number): readonly NamedSet[] {
  const ascii = getCharClasses(false).setsByEscape;
  // In ECMAScript `\w` and `\d` are ASCII, regardless of their meaning in PCRE.
  const candidates: NamedSet[] = [
    { set: ascii.w, text: '\\w' },
    { set: DIGITS, text: '\\d' },
  ];
  if (max > MAX_BYTE && set.length > UNICODE_CLASS_RANGES) {
    const { setsByEscape } = getCharClasses(true);
    // Word characters include the digits, and each class takes milliseconds to compute.
    if (isSubset(setsByEscape.w, set)) return [{ set: setsByEscape.w, text: '\\p{L}\\p{N}_' }];
    candidates.unshift({ set: setsByEscape.d, text: '\\p{Nd}' });
  }
  return candidates.filter((candidate) => isSubset(candidate.set, set));
}

/** Sets with fewer ranges are not compared with Unicode classes, the smallest of which has 60. */
const UNICODE_CLASS_RANGES = 50;

function classContents(set: CharSet, names: readonly NamedSet[]): string {
  let rest = set;
  let text = '';
  for (const { set: named, text: name } of [...names, ...LETTERS]) {
    // `A-Za-z0-9` is more readable than `\dA-Za-z`.
    if (!isSubset(named, rest) || (name === '\\d' && intersectCharSets(rest, ANY_LETTER).length > 0))
      continue;
    text += name;
    rest = without(rest, named);
  }
  // The hyphen is printed last, as is the convention.
  const hyphen = rest.some(([low, high]) => low <= 0x2d && high >= 0x2d && high - low <= 2);
  for (const [low, high] of rest) {
    if (high - low > 2) text += `${escapeInClass(low)}-${escapeInClass(high)}`;
    else
      for (let character = low; character <= high; character += 1) {
        if (character !== 0x2d) text += escapeInClass(character);
      }
  }
  return hyphen ? `${text}\\-` : text;
}

const ANY_LETTER: CharSet = [
  [0x41, 0x5a],
  [0x61, 0x7a],
];

/** Ranges printed first, in this order: `[A-Za-z0-9_]`, not `[0-9A-Z_a-z]`. */
const LETTERS: readonly NamedSet[] = [
  { set: [[0x41, 0x5a]], text: 'A-Z' },
  { set: [[0x61, 0x7a]], text: 'a-z' },
  { set: DIGITS, text: '0-9' },
];

function without(set: CharSet, part: CharSet): CharSet {
  return intersectCharSets(set, complementCharSet(part, set.at(-1)?.[1] ?? 0));
}

const SHORT: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 11: '\\v', 12: '\\f', 13: '\\r' };

/** Prints a character outside of brackets, escaped if necessary. */
export function escapeCharacter(character: number): string {
  const short = SHORT[character];
  if (short !== undefined) return short;
  const text = String.fromCodePoint(character);
  if (character > 0x7e && /^[\p{L}\p{N}]$/u.test(text)) return text;
  if (character < 0x20 || (character >= 0x7f && character <= 0xff)) {
    return `\\x${character.toString(16).padStart(2, '0')}`;
  }
  if (/[\^$\\.*+?()[\]{}|/]/.test(text)) return `\\${text}`;
  return character <= 0x7e ? text : unicodeEscape(character);
}

/** Prints a character inside of brackets, where the `u` and `v` flags require other escapes than outside. */
function escapeInClass(character: number): string {
  const text = String.fromCodePoint(character);
  if (/[$.*+?]/.test(text)) return text;
  return text === '-' ? '\\-' : escapeCharacter(character);
}

function unicodeEscape(character: number): string {
  const hex = character.toString(16);
  return character > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
