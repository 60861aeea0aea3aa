/**
 * A set of characters: ascending ranges of code points (or bytes) with gaps between them, both ends included. The parser
 * expresses case-insensitivity, negation and classes as such sets, so later steps need not know them.
 */
export type CharSet = readonly (readonly [low: number, high: number])[];

export const MAX_BYTE = 0xff;
export const MAX_CODE_POINT = 0x10ffff;

/** Creates a set from ranges in any order, which may overlap or touch. */
export function createCharSet(ranges: readonly (readonly [number, number])[]): CharSet {
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
  return createCharSet(sets.flat());
}

/** All characters up to `max` that are not in the set. */
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

/** Whether every character of `part` is in `whole`. */
export function isSubset(part: CharSet, whole: CharSet): boolean {
  let at = 0;
  for (const [low, high] of part) {
    let range = whole[at];
    while (range !== undefined && range[1] < high) {
      at += 1;
      range = whole[at];
    }
    if (range === undefined || range[0] > low) return false;
  }
  return true;
}

export function isSameCharSet(a: CharSet, b: CharSet): boolean {
  return a.length === b.length && a.every(([low, high], i) => low === b[i]?.[0] && high === b[i]?.[1]);
}

export function countCharacters(set: CharSet): number {
  return set.reduce((sum, [low, high]) => sum + high - low + 1, 0);
}

const UPPER: CharSet = [[0x41, 0x5a]];
const LOWER: CharSet = [[0x61, 0x7a]];
/** Larger sets are folded for ASCII only. Classes of this size contain both cases already. */
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

/** {@link foldCase} for a single character, with a fast path for ASCII. */
export function foldCharacter(character: number, unicode: boolean): CharSet {
  const own = [character, character] as const;
  if (unicode || character > MAX_BYTE) return foldCase([own], unicode);
  const lower = character | 0x20;
  if (lower < 0x61 || lower > 0x7a) return [own];
  return [
    [lower - 0x20, lower - 0x20],
    [lower, lower],
  ];
}

function otherCases(set: CharSet): [number, number][] {
  const found: [number, number][] = [];
  // The two letters outside ASCII that fold to ASCII: U+017F to s and U+212A to k.
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
