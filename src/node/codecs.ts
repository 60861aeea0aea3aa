import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { Codec } from '../cache/compress.ts';

const brotli = promisify<Uint8Array, zlib.BrotliOptions, Uint8Array>(zlib.brotliCompress);
const gzip = promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.gzip);

/** Above this a body is compressed for so many callers before it changes that the best would still pay. */
const BROTLI_QUALITY = 5;

/** What this Node can compress to, in threads of its own: zstd from 22.15 on. */
export function nodeCodecs(): readonly Codec[] {
  const zstd: unknown = Reflect.get(zlib, 'zstdCompress');
  return [
    {
      coding: 'br',
      encode: (body) =>
        brotli(body, {
          params: {
            [zlib.constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
            [zlib.constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
          },
        }),
    },
    ...(isCompress(zstd) ? [zstdCodec(zstd)] : []),
    { coding: 'gzip', encode: (body) => gzip(body, {}) },
  ];
}

type Compress = (body: Uint8Array, done: (error: Error | null, coded: Uint8Array) => void) => void;

/** The types of the oldest Node that we run on do not know it. */
function isCompress(value: unknown): value is Compress {
  return typeof value === 'function';
}

function zstdCodec(compress: Compress): Codec {
  return {
    coding: 'zstd',
    encode: (body) =>
      new Promise((resolve, reject) => {
        compress(body, (error, coded) => (error === null ? resolve(coded) : reject(error)));
      }),
  };
}
