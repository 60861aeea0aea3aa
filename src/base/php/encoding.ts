/** PHP's escaping on byte strings (one code unit for each byte). Malformed escapes stay unchanged. */

/** `urldecode()`: `+` becomes a space, `%41` becomes `A`, `%zz` stays. */
export function urlDecode(text: string): string {
  return decode(text, text.includes('+'));
}

/** `rawurldecode()`: as {@link urlDecode}, but `+` stays. */
export function rawUrlDecode(text: string): string {
  return decode(text, false);
}

function decode(text: string, hasPlus: boolean): string {
  if (!hasPlus && !text.includes('%')) return text;
  const bytes = fromByteString(text);
  const { length } = bytes;
  let end = 0;
  for (let at = 0; at < length; at++) {
    const byte = bytes[at] ?? 0;
    const high = byte === PERCENT && at + 2 < length ? hexDigit(bytes[at + 1] ?? 0) : -1;
    const low = high < 0 ? -1 : hexDigit(bytes[at + 2] ?? 0);
    if (low < 0) bytes[end++] = hasPlus && byte === PLUS ? SPACE : byte;
    else {
      bytes[end++] = 16 * high + low;
      at += 2;
    }
  }
  return toByteString(bytes.subarray(0, end));
}

export const PERCENT = 0x25;
export const PLUS = 0x2b;
export const SPACE = 0x20;

export function hexDigit(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

/** Slashes stay, as in `rest_route=/a/b`; other reserved bytes (RFC 3986 §2.3) don't. */
export function encodeQueryValue(bytes: string): string {
  if (/^[\w.~/-]*$/.test(bytes)) return bytes;
  return bytes.replace(/[^\w.~/-]/g, escapeByte);
}

export function escapeByte(byte: string): string {
  return `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** `addslashes()`: `wp_magic_quotes()` applies it before routes match, so `/it's` is `/it\'s`. */
export function addSlashes(bytes: string): string {
  return bytes.replace(/[\0'"\\]/g, (byte) => (byte === '\0' ? '\\0' : `\\${byte}`));
}

/** `stripslashes()`: the text to send so that WordPress sees `bytes`. */
export function stripSlashes(bytes: string): string {
  if (!bytes.includes('\\')) return bytes;
  return bytes.replace(/\\([\s\S]?)/g, (_, byte: string) => (byte === '0' ? '\0' : byte));
}

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

export function decodeByteString(bytes: string): string {
  return isAscii(bytes) ? bytes : UTF8.decode(fromByteString(bytes));
}

export function encodeByteString(result: string): string {
  return isAscii(result) ? result : toByteString(new TextEncoder().encode(result));
}

export function toByteString({ buffer, byteLength, byteOffset }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

function fromByteString(text: string): Uint8Array {
  return Buffer.from(text, 'latin1');
}

function isAscii(result: string): boolean {
  return !/[^\0-\x7f]/.test(result);
}
