/** The text of an urlencoded form or query, decoded, and where its characters are in the encoded bytes. */
export interface DecodedFormBytes {
  readonly text: Uint8Array;
  /** Returns the offset of a character in the encoded bytes; for the length of `text`, the end of the last character. */
  readonly offsetOf: (at: number) => number;
}

const PERCENT = 0x25;
const PLUS = 0x2b;
const SPACE = 0x20;

/**
 * Decodes percent-encoded bytes and `+`, as PHP does. Delimiters become characters like all others, so the result is for
 * searches only.
 *
 * @param last `false` if more bytes follow: an incomplete `%2` at the end is then left out
 */
export function decodeFormBytes(bytes: Uint8Array, last: boolean): DecodedFormBytes {
  const text = new Uint8Array(bytes.length);
  const offsets = new Uint32Array(bytes.length + 1);
  let length = 0;
  let at = 0;
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    if (byte === PERCENT && at + 2 >= bytes.length && !last) break;
    offsets[length] = at;
    const high = byte === PERCENT ? hexValue(bytes[at + 1]) : -1;
    const low = high < 0 ? -1 : hexValue(bytes[at + 2]);
    const isEscape = low >= 0;
    text[length] = isEscape ? high * 16 + low : byte === PLUS ? SPACE : byte;
    at += isEscape ? 3 : 1;
    length++;
  }
  offsets[length] = at;
  return { text: text.subarray(0, length), offsetOf: (position) => offsets[position] ?? at };
}

function hexValue(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
