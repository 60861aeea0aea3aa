import { concatChunks } from './chunks.ts';

/**
 * Undoes a `Content-Encoding`.
 *
 * @param coding in lower case
 * @param most bytes that may come out
 * @returns null where the coding is not known here, the bytes are not in it, or more come out
 */
export type Decode = (coding: string, bytes: Uint8Array, most: number) => Promise<Uint8Array | null>;

/** RFC 9110 §8.4.1, as far as every platform reads them. */
const FORMATS: ReadonlyMap<string, CompressionFormat> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
]);

/** With what web platforms have: gzip and deflate. A small body that becomes a large one is given up on the way. */
export const decodeWithWebStreams: Decode = async (coding, bytes, most) => {
  const format = FORMATS.get(coding);
  if (format === undefined) return null;
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = new Blob([new Uint8Array(bytes)])
    .stream()
    .pipeThrough(new DecompressionStream(format))
    .getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return concatChunks(chunks, length);
      chunks.push(value);
      length += value.byteLength;
      if (length > most) return null;
    }
  } catch {
    return null;
  } finally {
    void reader.cancel().catch(() => {});
  }
};
