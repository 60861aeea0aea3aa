import { type CharSet, complement, intersection, isWithin, MAX_BYTE, sameSet } from './charset.ts';
import { classesFor, DIGITS } from './classes.ts';

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
export function printSet(set: CharSet, max: number): string {
  const [first] = set;
  if (first === undefined) return '[]';
  if (set.length === 1 && first[0] === first[1]) return escapeCharacter(first[0]);
  const outside = complement(set, max);
  if (outside.length === 0) return '[\\s\\S]';
  const names = namedSets(set, max);
  for (const { set: named, text } of names) {
    if (!/^\\[dw]$/.test(text)) break;
    if (sameSet(named, set)) return text;
    if (sameSet(named, outside)) return text.toUpperCase();
  }
  const positive = `[${classContents(set, names)}]`;
  // A set that reaches the end of the alphabet was almost always written as a negation.
  if (set.at(-1)?.[1] !== max) return positive;
  const negative = `[^${classContents(outside, namedSets(outside, max))}]`;
  return negative.length <= positive.length ? negative : positive;
}

/** The named classes that the set contains, largest first. */
function namedSets(set: CharSet, max: number): readonly NamedSet[] {
  const ascii = classesFor(false).escapes;
  // In ECMAScript `\w` and `\d` are ASCII, regardless of their meaning in PCRE.
  const candidates: NamedSet[] = [
    { set: ascii.w, text: '\\w' },
    { set: DIGITS, text: '\\d' },
  ];
  if (max > MAX_BYTE && set.length > UNICODE_CLASS_RANGES) {
    const { escapes } = classesFor(true);
    // Word characters include the digits, and each class takes milliseconds to compute.
    if (isWithin(escapes.w, set)) return [{ set: escapes.w, text: '\\p{L}\\p{N}_' }];
    candidates.unshift({ set: escapes.d, text: '\\p{Nd}' });
  }
  return candidates.filter((candidate) => isWithin(candidate.set, set));
}

/** Sets with fewer ranges are not compared with Unicode classes, the smallest of which has 60. */
const UNICODE_CLASS_RANGES = 50;

function classContents(set: CharSet, names: readonly NamedSet[]): string {
  let rest = set;
  let text = '';
  for (const { set: named, text: name } of [...names, ...LETTERS]) {
    // `A-Za-z0-9` is more readable than `\dA-Za-z`.
    if (!isWithin(named, rest) || (name === '\\d' && intersection(rest, ANY_LETTER).length > 0)) continue;
    text += name;
    rest = without(rest, named);
  }
  // By convention the hyphen comes last.
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
  return intersection(set, complement(part, set.at(-1)?.[1] ?? 0));
}

const SHORT: Readonly<Record<number, string>> = { 9: '\\t', 10: '\\n', 11: '\\v', 12: '\\f', 13: '\\r' };

/** A character outside brackets. */
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

/** Inside brackets the `v` flag requires other escapes than `u` does, and than outside of them. */
function escapeInClass(character: number): string {
  const text = String.fromCodePoint(character);
  if (/[$.*+?]/.test(text)) return text;
  return text === '-' ? '\\-' : escapeCharacter(character);
}

function unicodeEscape(character: number): string {
  const hex = character.toString(16);
  return character > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
