/** What Node, Bun and Deno have, and others may have not. */
interface BufferLike {
  from(memory: ArrayBufferLike, offset: number, length: number): { latin1Slice?(): string };
}

const { Buffer } = globalThis as { readonly Buffer?: BufferLike };
const decoder = new TextDecoder('latin1');

/**
 * Bytes as a text of as many characters, for those who look for something of ASCII in it. (The bytes 0x80 to 0x9f are
 * themselves, or what Windows-1252 has there.) Node's own way is ten times as fast as the standard one, and takes half
 * the memory.
 */
export function latin1(bytes: Uint8Array): string {
  return (
    Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).latin1Slice?.() ?? decoder.decode(bytes)
  );
}
