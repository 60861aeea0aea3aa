import { promisify } from 'node:util';
import * as zlib from 'node:zlib';

/** Content codings of stored responses, smallest result first. Browsers that take zstd take Brotli too. */
export const CONTENT_CODINGS = ['br', 'gzip'] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

export interface ContentEncoder {
  readonly coding: ContentCoding;
  encode(body: Uint8Array): Promise<Uint8Array>;
}

const brotli = promisify<Uint8Array, zlib.BrotliOptions, Uint8Array>(zlib.brotliCompress);

/** Higher qualities pay off only for bodies that are served very often before they change. */
const BROTLI_QUALITY = 5;

function toBrotliOptions({ byteLength }: Uint8Array): zlib.BrotliOptions {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
  return { params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: byteLength } };
}

export const ENCODERS: readonly ContentEncoder[] = [
  { coding: 'br', encode: (body) => brotli(body, toBrotliOptions(body)) },
  { coding: 'gzip', encode: promisify<Uint8Array, Uint8Array>(zlib.gzip) },
];

type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

/** RFC 9110 §8.4.1 and Brotli (RFC 7932). */
const DECOMPRESS: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ['gzip', promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.gunzip)],
  ['x-gzip', promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.gunzip)],
  ['deflate', promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.inflate)],
  ['br', promisify<Uint8Array, zlib.BrotliOptions, Uint8Array>(zlib.brotliDecompress)],
]);

/** @returns `null` if the coding is unknown, the bytes are malformed, or more than `maxBytes` */
export async function decodeContent(
  coding: string,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array | null> {
  return (await DECOMPRESS.get(coding)?.(bytes, { maxOutputLength: maxBytes }).catch(() => null)) ?? null;
}
