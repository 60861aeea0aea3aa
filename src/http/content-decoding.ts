import { readAll } from './web-streams.ts';

/**
 * @param coding lower case
 * @returns `null` if the coding is not supported, the bytes are malformed, or the result exceeds `maxBytes`
 */
export type ContentDecoder = (
  coding: string,
  bytes: Uint8Array,
  maxBytes: number,
) => Promise<Uint8Array | null>;

/** RFC 9110 §8.4.1. Every web platform decodes these. */
const COMPRESSION_FORMATS: ReadonlyMap<string, CompressionFormat> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
]);

/** Stops as soon as the output exceeds the limit. */
export const decodeWithWebStreams: ContentDecoder = async (coding, bytes, maxBytes) => {
  const format = COMPRESSION_FORMATS.get(coding);
  if (format === undefined) return null;
  const decoded = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream(format));
  return readAll(decoded, maxBytes).catch(() => null);
};
