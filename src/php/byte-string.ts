const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes a byte string as UTF-8; invalid sequences become U+FFFD. */
export function decodeByteString(bytes: string): string {
  return isAscii(bytes) ? bytes : UTF8.decode(fromByteString(bytes));
}

/** Encodes a text as UTF-8 and returns the bytes as a byte string. */
export function encodeByteString(result: string): string {
  return isAscii(result) ? result : toByteString(new TextEncoder().encode(result));
}

/** Converts bytes to a byte string, which has one code unit (0–255) for each byte. */
export function toByteString(bytes: Uint8Array): string {
  const { buffer, byteLength, byteOffset } = bytes;
  return Buffer?.from(buffer, byteOffset, byteLength).latin1Slice?.() ?? toByteStringInPieces(bytes);
}

/** The part of Node's `Buffer` that {@link toByteString} uses. Bun and Deno have it too; other platforms may not. */
interface LatinBuffer {
  from(memory: ArrayBufferLike, offset: number, length: number): { latin1Slice?(): string };
  from(text: string, encoding: 'latin1'): Uint8Array;
}

const { Buffer } = globalThis as { readonly Buffer?: LatinBuffer };

function toByteStringInPieces(bytes: Uint8Array): string {
  let result = '';
  // In pieces, because the arguments of a call are limited by the stack.
  for (let at = 0; at < bytes.length; at += 0x2000) {
    result += String.fromCharCode(...bytes.subarray(at, at + 0x2000));
  }
  return result;
}

/** Converts a byte string to bytes. */
export function fromByteString(text: string): Uint8Array {
  if (Buffer !== undefined) return Buffer.from(text, 'latin1');
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

function isAscii(result: string): boolean {
  return !/[^\0-\x7f]/.test(result);
}
