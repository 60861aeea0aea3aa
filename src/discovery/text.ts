import type { Tolerated } from './json-text.ts';

export interface DecodedText {
  readonly text: string;
  readonly tolerated: readonly Tolerated[];
}

const MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * The text of an answer. JSON is UTF-8 (RFC 8259 §8.1), and WordPress writes it so whatever charset its header names:
 * so what is valid UTF-8 is read as such, and only what is not goes by the header, and then by replacement.
 */
export function decodeText(bytes: Uint8Array, charset: string | undefined): DecodedText {
  const tolerated: Tolerated[] = [];
  const mark = MARKS.find(([, start]) => start.every((byte, at) => bytes[at] === byte));
  if (mark !== undefined) tolerated.push({ rule: 'byte-order-mark', detail: `It is that of ${mark[0]}.` });
  const wide = mark?.[0] === 'utf-8' ? undefined : (mark?.[0] ?? guessWide(bytes));
  if (wide !== undefined) {
    tolerated.push({ rule: 'foreign-charset', detail: `It is in ${wide}.` });
    return { text: decode(bytes, wide, false) ?? '', tolerated };
  }
  const text = decode(bytes, 'utf-8', true);
  if (text !== undefined) {
    const isForeign = charset !== undefined && !isUtf8Label(charset) && /[^\u0000-\u007f]/.test(text);
    if (isForeign) tolerated.push({ rule: 'charset-label', detail: `It says ${charset.slice(0, 40)}.` });
    return { text, tolerated };
  }
  const foreign = charset === undefined || isUtf8Label(charset) ? undefined : decode(bytes, charset, false);
  if (charset !== undefined && foreign !== undefined) {
    tolerated.push({ rule: 'foreign-charset', detail: `It is in ${charset.slice(0, 40)}.` });
    return { text: foreign, tolerated };
  }
  const replaced = decode(bytes, 'utf-8', false) ?? '';
  const count = replaced.split('\ufffd').length - 1;
  tolerated.push({ rule: 'invalid-utf8', detail: `${count} places.` });
  return { text: replaced, tolerated };
}

/** UTF-16 without a mark: the first characters of JSON are ASCII, so that every other byte is 0 (RFC 4627 §3). */
function guessWide(bytes: Uint8Array): string | undefined {
  const [first, second, third, fourth] = bytes;
  if (first !== 0 && second === 0 && fourth === 0) return 'utf-16le';
  return first === 0 && second !== 0 && third === 0 ? 'utf-16be' : undefined;
}

function isUtf8Label(charset: string): boolean {
  return /^(?:unicode-1-1-)?utf-?8$/i.test(charset);
}

/** Drops the mark. `undefined` where the charset is unknown, or the bytes do not fit it and have to. */
function decode(bytes: Uint8Array, charset: string, fatal: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes);
  } catch {
    return undefined;
  }
}
