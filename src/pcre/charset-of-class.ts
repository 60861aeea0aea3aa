import { type CharSet, createCharSet } from './charset.ts';

/** Ranges in which neighbouring characters may have different properties. */
const MIXED_RANGES: CharSet = [
  [0x0000, 0xd7ff],
  [0xe000, 0xffff],
  [0x10000, 0x1ffff],
  [0x20000, 0x2ffff],
  [0x30000, 0x3ffff],
  [0xe0000, 0xeffff],
];

/**
 * Ranges whose characters share all properties: surrogates, empty planes and private use. The last two characters of each
 * plane are noncharacters (Unicode 16.0, §2.8 and §23.7). These ranges are three quarters of Unicode.
 */
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
 * Computes the set of an ECMAScript class from its contents, such as `\p{L}_`. JavaScript can test membership but not list
 * ranges, so the class is searched for in a text of all characters. This takes about 10 ms.
 *
 * @throws {SyntaxError} when JavaScript does not know a property
 */
export function computeClassCharSet(contents: string): CharSet {
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

/** All characters of a range without surrogates. Building UTF-16 units is faster than joining characters. */
function allCharacters(low: number, high: number): string {
  const units = new Uint16Array((high - low + 1) * (low > 0xffff ? 2 : 1));
  let at = 0;
  for (let point = low; point <= high; point += 1) {
    if (point > 0xffff) units[at++] = 0xd7c0 + (point >> 10);
    units[at++] = point > 0xffff ? 0xdc00 + (point & 0x3ff) : point;
  }
  return new TextDecoder(NATIVE_UTF_16, { ignoreBOM: true }).decode(units);
}

/** UTF-16 in the byte order of this machine. */
const NATIVE_UTF_16 = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 'utf-16le' : 'utf-16be';
