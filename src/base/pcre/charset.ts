import { RE2JS } from 're2js';
import { memoizeByString } from '../memoize.ts';

export type CharSet = readonly (readonly [low: number, high: number])[];

export const MAX_BYTE = 0xff;
export const MAX_CODE_POINT = 0x10ffff;

export const NON_ASCII_BYTES: CharSet = [[0x80, MAX_BYTE]];

function createCharSet(ranges: readonly (readonly [number, number])[]): CharSet {
  const sorted = [...ranges].sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [low, high] of sorted) {
    const last = merged.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else merged.push([low, high]);
  }
  return merged;
}

export function unionCharSets(...sets: readonly CharSet[]): CharSet {
  const [only] = sets;
  return only !== undefined && sets.length === 1 ? only : createCharSet(sets.flat());
}

export function complementCharSet(set: CharSet, max: number): CharSet {
  const gaps: [number, number][] = [];
  let next = 0;
  for (const [low, high] of set) {
    if (low > next) gaps.push([next, Math.min(low - 1, max)]);
    next = high + 1;
    if (next > max) break;
  }
  if (next <= max) gaps.push([next, max]);
  return gaps;
}

export function intersectCharSets(a: CharSet, b: CharSet): CharSet {
  const common: [number, number][] = [];
  for (let i = 0, j = 0; ; ) {
    const left = a[i];
    const right = b[j];
    if (left === undefined || right === undefined) return common;
    const low = Math.max(left[0], right[0]);
    const high = Math.min(left[1], right[1]);
    if (low <= high) common.push([low, high]);
    if (left[1] < right[1]) i += 1;
    else j += 1;
  }
}

export function containsCharacter(set: CharSet, character: number): boolean {
  return set.some(([low, high]) => low <= character && character <= high);
}

export function isSubset(part: CharSet, whole: CharSet): boolean {
  return isSameCharSet(intersectCharSets(part, whole), part);
}

export function isSameCharSet(a: CharSet, b: CharSet): boolean {
  return a.length === b.length && a.every(([low, high], i) => low === b[i]?.[0] && high === b[i]?.[1]);
}

export function countCharacters(set: CharSet): number {
  return set.reduce((sum, [low, high]) => sum + high - low + 1, 0);
}

const UPPER: CharSet = [[0x41, 0x5a]];
const LOWER: CharSet = [[0x61, 0x7a]];
const FOLD_LIMIT = 4096;

/** Adds the other case of each letter, as PCRE does under `i`: ASCII for bytes, Unicode for code points. */
export function foldCase(set: CharSet, unicode: boolean): CharSet {
  const shifted: [number, number][] = [
    ...intersectCharSets(set, UPPER).map(([low, high]): [number, number] => [low + 32, high + 32]),
    ...intersectCharSets(set, LOWER).map(([low, high]): [number, number] => [low - 32, high - 32]),
  ];
  if (unicode) shifted.push(...otherCases(set));
  return shifted.length === 0 ? set : createCharSet([...set, ...shifted]);
}

function otherCases(set: CharSet): [number, number][] {
  const found: [number, number][] = [];
  // Letters outside ASCII that fold to `s` and `k`.
  if (containsCharacter(set, 0x73) || containsCharacter(set, 0x53)) found.push([0x17f, 0x17f]);
  if (containsCharacter(set, 0x6b) || containsCharacter(set, 0x4b)) found.push([0x212a, 0x212a]);
  if (countCharacters(set) > FOLD_LIMIT) return found;
  for (const [low, high] of set) {
    for (let character = Math.max(low, 0x80); character <= high; character += 1) {
      if (character >= 0xd800 && character <= 0xdfff) continue;
      const text = String.fromCodePoint(character);
      for (const other of [text.toLowerCase(), text.toUpperCase()]) {
        const point = other.codePointAt(0) ?? character;
        if (String.fromCodePoint(point) === other && point !== character) found.push([point, point]);
      }
    }
  }
  return found;
}

/** A class that lists characters beyond ASCII by name only: `[^\p{L}\p{N}_]`. Its set is exact for ASCII. */
export interface UnicodeClass {
  readonly names: readonly string[];
  readonly listed: CharSet;
  readonly isNegated: boolean;
}

const ASCII_LIMIT = 0x80;

/** @throws {SyntaxError} if JavaScript does not know a property */
function listMembers(name: string, limit: number): CharSet {
  const member = new RegExp(name, 'u');
  const points = Array.from({ length: limit }, (_, point) => point);
  return createCharSet(
    points.flatMap((point) => (member.test(String.fromCodePoint(point)) ? [[point, point]] : [])),
  );
}

/** @throws {Error} also if RE2 does not know it, e.g. the alias `\p{Hira}` */
export const getAsciiMembers: (name: string) => CharSet = memoizeByString((name) => {
  RE2JS.compile(toRe2Name(name));
  return listMembers(name, ASCII_LIMIT);
});

export function toRe2Name(name: string): string {
  return name.replace('Script=', '');
}

function rangesOf(bounds: string): CharSet {
  const points = [...bounds].map((character) => character.codePointAt(0) ?? 0);
  return createCharSet(points.flatMap((low, at) => (at % 2 === 0 ? [[low, points[at + 1] ?? low]] : [])));
}

export const DIGITS: CharSet = rangesOf('09');
const HORIZONTAL = rangesOf(
  '\t\t  \xa0\xa0\u1680\u1680\u180e\u180e\u2000\u200a\u202f\u202f\u205f\u205f\u3000\u3000',
);
const VERTICAL = rangesOf('\n\r\x85\x85\u2028\u2029');
const SPACES: readonly [CharSet, CharSet] = [rangesOf('\t\r  '), unionCharSets(HORIZONTAL, VERTICAL)];
const BYTES: CharSet = [[0, MAX_BYTE]];

/** Characters of ASCII (PHP runs in the C locale), and those or their names under PCRE2_UCP. */
type NamedClass = readonly [ascii: CharSet, unicode?: CharSet | string];

const WORDS: NamedClass = [rangesOf('09AZ__az'), '\\p{L} \\p{N}'];

const ESCAPES = new Map<string, NamedClass>([
  ['d', [DIGITS, '\\p{Nd}']],
  ['w', WORDS],
  ['s', SPACES],
  ['h', [intersectCharSets(HORIZONTAL, BYTES), HORIZONTAL]],
  ['v', [intersectCharSets(VERTICAL, BYTES), VERTICAL]],
]);

export interface ClassItem {
  readonly set: CharSet;
  readonly names: readonly string[];
}

function toItem([ascii, unicode = ascii]: NamedClass, isUnicode: boolean): ClassItem {
  if (!isUnicode) return { set: ascii, names: [] };
  return typeof unicode === 'string'
    ? { set: ascii, names: unicode.split(' ') }
    : { set: unicode, names: [] };
}

export function getEscapeItem(letter: string, isUnicode: boolean): ClassItem | undefined {
  const named = ESCAPES.get(letter);
  return named && toItem(named, isUnicode);
}

export function getPropertyItem(property: string, isUnicode: boolean): ClassItem | null {
  if (!/^(?:Script=)?[A-Za-z_]{1,40}$/.test(property)) return null;
  for (const name of [`\\p{${property}}`, `\\p{Script=${property}}`]) {
    try {
      // Without UTF, PCRE reads bytes as the code points U+0000–U+00FF.
      return isUnicode
        ? { set: getAsciiMembers(name), names: [name] }
        : { set: listMembers(name, MAX_BYTE + 1), names: [] };
    } catch {}
  }
  return null;
}
