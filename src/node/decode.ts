import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Decode } from '../gateway/decode.ts';

type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

/** RFC 9110 §8.4.1, and RFC 7932. In threads of their own. */
const DECOMPRESS: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ['gzip', promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.gunzip)],
  ['x-gzip', promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.gunzip)],
  ['deflate', promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.inflate)],
  ['br', promisify<Uint8Array, zlib.BrotliOptions, Uint8Array>(zlib.brotliDecompress)],
]);

/** Undoes what sites' answers are coded in, Brotli included, which the platforms of the web do not read. */
export const nodeDecode: Decode = async (coding, bytes, most) => {
  try {
    return (await DECOMPRESS.get(coding)?.(bytes, { maxOutputLength: most })) ?? null;
  } catch {
    // Not in the coding, or more than may come out.
    return null;
  }
};
