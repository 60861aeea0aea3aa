/** Statuses of responses that have no content (WHATWG Fetch, "null body status"). */
export const NULL_BODY_STATUSES: ReadonlySet<number> = new Set([204, 205, 304]);

/** The part of Node's `Buffer` that {@link decodeLatin1} uses. Bun and Deno have it too; other platforms may not. */
interface BufferLike {
  from(memory: ArrayBufferLike, offset: number, length: number): { latin1Slice?(): string };
}

const { Buffer } = globalThis as { readonly Buffer?: BufferLike };
const decoder = new TextDecoder('latin1');

/**
 * Decodes bytes to a string with one character a byte, for searches for ASCII text.
 * The bytes 0x80 to 0x9f become the same code points or characters of Windows-1252, depending on the platform.
 * Node's `latin1Slice` is ten times as fast as `TextDecoder` and takes half the memory.
 */
export function decodeLatin1(bytes: Uint8Array): string {
  return (
    Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).latin1Slice?.() ?? decoder.decode(bytes)
  );
}
