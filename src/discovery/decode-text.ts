import type { TextRepair } from './extract-json.ts';

/** The text of a response and the repairs that were needed to decode it. */
export interface DecodedText {
  readonly text: string;
  readonly repairs: readonly TextRepair[];
}

const BYTE_ORDER_MARKS: readonly (readonly [string, readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Decodes the body of a response. JSON is UTF-8 (RFC 8259 §8.1), and WordPress writes UTF-8 whatever charset its header
 * names. So valid UTF-8 is decoded as UTF-8; other bytes are decoded by the header's charset, or as UTF-8 with
 * replacement characters.
 *
 * @param charset The charset of the `Content-Type` field, if it has one.
 */
export function decodeText(bytes: Uint8Array, charset: string | undefined): DecodedText {
  const repairs: TextRepair[] = [];
  const mark = BYTE_ORDER_MARKS.find(([, start]) => start.every((byte, at) => bytes[at] === byte));
  if (mark !== undefined) repairs.push({ rule: 'byte-order-mark', detail: `Its encoding is ${mark[0]}.` });
  const utf16 = mark?.[0] === 'utf-8' ? undefined : (mark?.[0] ?? guessUtf16(bytes));
  if (utf16 !== undefined) {
    repairs.push({ rule: 'foreign-charset', detail: `Its encoding is ${utf16}.` });
    return { text: decode(bytes, utf16, false) ?? '', repairs };
  }
  const text = decode(bytes, 'utf-8', true);
  if (text !== undefined) {
    const isForeign = charset !== undefined && !isUtf8Label(charset) && /[^\u0000-\u007f]/.test(text);
    if (isForeign) {
      repairs.push({ rule: 'charset-label', detail: `The header names ${charset.slice(0, 40)}.` });
    }
    return { text, repairs };
  }
  const otherText = charset === undefined || isUtf8Label(charset) ? undefined : decode(bytes, charset, false);
  if (charset !== undefined && otherText !== undefined) {
    repairs.push({ rule: 'foreign-charset', detail: `Its encoding is ${charset.slice(0, 40)}.` });
    return { text: otherText, repairs };
  }
  const replaced = decode(bytes, 'utf-8', false) ?? '';
  const count = replaced.split('\ufffd').length - 1;
  repairs.push({ rule: 'invalid-utf8', detail: `${count} places.` });
  return { text: replaced, repairs };
}

/** Detects UTF-16 without a byte order mark. JSON starts with ASCII, so every second byte is 0 (RFC 4627 §3). */
function guessUtf16(bytes: Uint8Array): string | undefined {
  const [first, second, third, fourth] = bytes;
  if (first !== 0 && second === 0 && fourth === 0) return 'utf-16le';
  return first === 0 && second !== 0 && third === 0 ? 'utf-16be' : undefined;
}

function isUtf8Label(charset: string): boolean {
  return /^(?:unicode-1-1-)?utf-?8$/i.test(charset);
}

/** Decodes bytes. Returns `undefined` for an unknown charset and, if `fatal` is set, for invalid bytes. */
function decode(bytes: Uint8Array, charset: string, fatal: boolean): string | undefined {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes);
  } catch {
    return undefined;
  }
}
