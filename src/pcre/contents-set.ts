import { type CharSet, charSet } from './charset.ts';

/** Where Unicode tells one character from the next: all of it but surrogates and the planes that are of one kind. */
const VARIED: CharSet = [
  [0x0000, 0xd7ff],
  [0xe000, 0xffff],
  [0x10000, 0x1ffff],
  [0x20000, 0x2ffff],
  [0x30000, 0x3ffff],
  [0xe0000, 0xeffff],
];

/**
 * Stretches whose characters share every property: surrogates, planes without a character, and private use; of each
 * plane the last two are noncharacters (Unicode 16.0, §2.8 and §23.7). They are three quarters of all.
 */
const UNIFORM: CharSet = [
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
 * The set of an ECMA class's contents, such as `\p{L}_`. JavaScript tells membership, not ranges, so it is let loose on
 * a text of all characters, some 10 ms a class.
 *
 * @throws SyntaxError where this engine does not know a property
 */
export function contentsSet(contents: string): CharSet {
  const runs = new RegExp(`[${contents}]+`, 'gu');
  const found: [number, number][] = [];
  for (const [low, high] of UNIFORM) {
    if (String.fromCodePoint(low).search(runs) === 0) found.push([low, high]);
  }
  for (const [low, high] of VARIED) {
    const units = low > 0xffff ? 2 : 1;
    for (const { 0: run, index } of textOf(low, high).matchAll(runs)) {
      const from = low + index / units;
      found.push([from, from + run.length / units - 1]);
    }
  }
  return charSet(found);
}

/** All characters of a stretch that has no surrogates; through UTF-16, since a character at a time takes longer. */
function textOf(low: number, high: number): string {
  const units = new Uint16Array((high - low + 1) * (low > 0xffff ? 2 : 1));
  let at = 0;
  for (let point = low; point <= high; point += 1) {
    if (point > 0xffff) units[at++] = 0xd7c0 + (point >> 10);
    units[at++] = point > 0xffff ? 0xdc00 + (point & 0x3ff) : point;
  }
  return new TextDecoder(UTF_16, { ignoreBOM: true }).decode(units);
}

/** As this machine stores it. */
const UTF_16 = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1 ? 'utf-16le' : 'utf-16be';
