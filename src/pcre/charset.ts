import { getOrCreate } from '../memoize.ts';
/** Ascending ranges of code points (or bytes) with gaps between them, both ends included. */
export type CharSet = readonly (readonly [low: number, high: number])[];

export const MAX_BYTE = 0xff;
export const MAX_CODE_POINT = 0x10ffff;

export const NON_ASCII_BYTES: CharSet = [[0x80, MAX_BYTE]];

/** Ranges can overlap, in any order. */
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
  return only !== undefined && sets.length === 1 ? only : withClassesOf(sets, createCharSet(sets.flat()));
}

/** ECMAScript classes such as `\p{L}` of which a set was made. */
const classesOfSets = new WeakMap<CharSet, ReadonlySet<string>>();

export function listClasses(set: CharSet): readonly string[] {
  return [...(classesOfSets.get(set) ?? [])];
}

function withClassesOf(sources: readonly CharSet[], set: CharSet): CharSet {
  const classes = new Set(sources.flatMap(listClasses));
  if (classes.size > 0) classesOfSets.set(set, classes);
  return set;
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
  return withClassesOf([set], gaps);
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
/** Larger sets contain both cases of letters already. */
const FOLD_LIMIT = 4096;

/** Adds the other case of each letter, as PCRE does under `i`: ASCII for bytes, Unicode for code points. */
export function foldCase(set: CharSet, unicode: boolean): CharSet {
  const shifted: [number, number][] = [
    ...intersectCharSets(set, UPPER).map(([low, high]): [number, number] => [low + 32, high + 32]),
    ...intersectCharSets(set, LOWER).map(([low, high]): [number, number] => [low - 32, high - 32]),
  ];
  if (unicode) shifted.push(...otherCases(set));
  return shifted.length === 0 ? set : withClassesOf([set], createCharSet([...set, ...shifted]));
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

const MIXED_RANGES: CharSet = [
  [0x0000, 0xd7ff],
  [0xe000, 0xffff],
  [0x10000, 0x1ffff],
  [0x20000, 0x2ffff],
  [0x30000, 0x3ffff],
  [0xe0000, 0xeffff],
];

/** Surrogates, empty planes and private use, but the noncharacters (Unicode 16.0 §2.8, §23.7). */
const UNIFORM_RANGES: CharSet = [
  [0xd800, 0xdfff],
  ...[0x4, 0x5, 0x6, 0x7, 0x8, 0x9, 0xa, 0xb, 0xc, 0xd, 0xf, 0x10].flatMap((plane): CharSet => {
    const start = plane * 0x10000;
    return [
      [start, start + 0xfffd],
      [start + 0xfffe, start + 0xffff],
    ];
  }),
];

/**
 * JavaScript can test membership of `\p{L}_` but not list its ranges.
 * @throws {SyntaxError} if JavaScript does not know a property
 */
function computeClassCharSet(contents: string): CharSet {
  const runs = new RegExp(`[${contents}]+`, 'gu');
  const found: [number, number][] = [];
  for (const [low, high] of UNIFORM_RANGES) {
    if (String.fromCodePoint(low).search(runs) === 0) found.push([low, high]);
  }
  for (const [low, high] of MIXED_RANGES) {
    const units = low > 0xffff ? 2 : 1;
    for (const { 0: run, index } of allCharacters(low, high).matchAll(runs)) {
      const from = low + index / units;
      found.push([from, from + run.length / units - 1]);
    }
  }
  return createCharSet(found);
}

/** All characters of a range without surrogates. */
function allCharacters(low: number, high: number): string {
  const units = new Uint16Array((high - low + 1) * (low > 0xffff ? 2 : 1));
  let at = 0;
  for (let point = low; point <= high; point += 1) {
    if (point > 0xffff) units[at++] = 0xd7c0 + (point >> 10);
    units[at++] = point > 0xffff ? 0xdc00 + (point & 0x3ff) : point;
  }
  return new TextDecoder(NATIVE_UTF_16, { ignoreBOM: true }).decode(units);
}

/** UTF-16 in this machine's byte order. */
const NATIVE_UTF_16 = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 'utf-16le' : 'utf-16be';

/** Reads the first and last character of each range, e.g. `09AZ__az`. */
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
const WORDS: readonly [CharSet, string] = [rangesOf('09AZ__az'), '\\p{L}\\p{N}_'];

/** For bytes (PHP runs in the C locale) and code points (PCRE2_UCP). `null`: unsupported. */
type NamedClass = readonly [bytes: CharSet, unicode: CharSet | string | null];

const BYTES: CharSet = [[0, MAX_BYTE]];

const ESCAPES = new Map<string, NamedClass>([
  ['d', [DIGITS, '\\p{Nd}']],
  ['w', WORDS],
  ['s', SPACES],
  ['h', [intersectCharSets(HORIZONTAL, BYTES), HORIZONTAL]],
  ['v', [intersectCharSets(VERTICAL, BYTES), VERTICAL]],
]);

const POSIX = new Map<string, NamedClass>([
  ['alnum', [rangesOf('09AZaz'), '\\p{L}\\p{N}']],
  ['alpha', [rangesOf('AZaz'), '\\p{L}']],
  ['ascii', [rangesOf('\0\x7f'), rangesOf('\0\x7f')]],
  ['blank', [rangesOf('\t\t  '), HORIZONTAL]],
  ['cntrl', [rangesOf('\0\x1f\x7f\x7f'), '\\p{Cc}']],
  ['digit', [DIGITS, '\\p{Nd}']],
  ['graph', [rangesOf('!~'), null]],
  ['lower', [rangesOf('az'), '\\p{Ll}']],
  ['print', [rangesOf(' ~'), null]],
  ['punct', [rangesOf('!/:@[`{~'), '\\p{P}$+<=>\\^`\\|~']],
  ['space', SPACES],
  ['upper', [rangesOf('AZ'), '\\p{Lu}']],
  ['word', WORDS],
  ['xdigit', [rangesOf('09AFaf'), rangesOf('09AFaf')]],
]);

function toSet([bytes, unicode]: NamedClass, isUnicode: boolean): CharSet | null {
  if (!isUnicode) return bytes;
  return typeof unicode === 'string' ? classSet(unicode) : unicode;
}

/** The set of `\d`, `\w`, `\s`, `\h` or `\v`. */
export function getEscapeSet(letter: string, isUnicode: boolean): CharSet | null {
  const named = ESCAPES.get(letter);
  return named === undefined ? null : toSet(named, isUnicode);
}

/** `undefined`: PCRE has no such class; `null`: it isn't supported. */
export function getPosixSet(name: string, isUnicode: boolean): CharSet | null | undefined {
  const named = POSIX.get(name);
  return named && toSet(named, isUnicode);
}

/** The set of a Unicode property or script in `\p{…}`, without `^`. */
export function getPropertySet(name: string, isUnicode: boolean): CharSet | null {
  if (!/^(?:Script=)?[A-Za-z_]{1,40}$/.test(name)) return null;
  for (const contents of [`\\p{${name}}`, `\\p{Script=${name}}`]) {
    try {
      // Without UTF, PCRE reads bytes as the code points U+0000–U+00FF.
      return isUnicode ? classSet(contents) : intersectCharSets(classSet(contents), BYTES);
    } catch {}
  }
  return null;
}

const classSets = new Map<string, CharSet>();

export function classSet(contents: string): CharSet {
  return getOrCreate(classSets, contents, () => {
    const set = computeClassCharSet(contents);
    classesOfSets.set(set, new Set([contents]));
    return set;
  });
}
