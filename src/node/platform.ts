/** Node's implementations of the gateway's platform options: transport, compression and decompression. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import type { ContentEncoder } from '../cache/compressor.ts';
import type { TransportFactory } from '../gateway/index.ts';
import type { ContentDecoder } from '../http/content-decoding.ts';
import { readChunks } from '../http/web-streams.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { DispatchTransport } from '../upstream/dispatch-transport.ts';
import type { TransportTarget } from '../upstream/site-connections.ts';

/**
 * undici's `dispatch` for the portable app: `createGateway({ transport: nodeTransport, … })`. Node's own `fetch` keeps all of a streamed
 * upload in memory until the response arrives (it tees the body for redirects, even if it must not follow them), decodes content
 * codings, and normalizes URLs.
 */
export const nodeTransport: TransportFactory = (origin, timeouts, tls) => {
  const { send } = createNodeTransport({ origin, timeouts, tls });
  return ({ body, ...request }, sink) =>
    send({ ...request, body: body instanceof ReadableStream ? Readable.from(readChunks(body)) : body }, sink);
};

export function createNodeTransport({ origin, timeouts, tls }: TransportTarget): DispatchTransport {
  const { ca, insecure = false } = tls ?? {};
  const connect = tls && { ...omitUndefined({ ca }), rejectUnauthorized: !insecure };
  return new DispatchTransport({ origin, timeouts, ...omitUndefined({ tls: connect }) });
}

/**
 * SHA-256, for the option `hashCredential` of `createGateway`.
 *
 * @example
 * import { createGateway } from 'waygate';
 * import { nodeHash } from 'waygate/node';
 *
 * const gateway = createGateway({
 *   sites: [{ url: 'https://example.com' }],
 *   limits: { client: '100/m', credential: '600/m' },
 *   hashCredential: nodeHash,
 * });
 * await gateway.stop();
 */
export function nodeHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

const brotli = promisify<Uint8Array, zlib.BrotliOptions, Uint8Array>(zlib.brotliCompress);
const gzip = promisify<Uint8Array, Uint8Array>(zlib.gzip);

/** Higher qualities pay off only for bodies that are served very often before they change. */
const BROTLI_QUALITY = 5;

/**
 * Lists the content codings that this Node version can compress to, on libuv's threads. zstd needs Node 22.15.
 *
 * @returns encoders for the option `encoders` of `createGateway`
 *
 * @example
 * import { createGateway } from 'waygate';
 * import { nodeEncoders, nodeDecode } from 'waygate/node';
 *
 * const gateway = createGateway({
 *   sites: [{ url: 'https://example.com' }],
 *   cache: 'memory',
 *   encoders: nodeEncoders(),
 *   decode: nodeDecode,
 * });
 * await gateway.stop();
 */
export function nodeEncoders(): readonly ContentEncoder[] {
  const zstd: unknown = Reflect.get(zlib, 'zstdCompress');
  return [
    { coding: 'br', encode: (body) => brotli(body, toBrotliOptions(body)) },
    ...(isFunction<ZstdCompress>(zstd) ? [{ coding: 'zstd', encode: promisify(zstd) } as const] : []),
    { coding: 'gzip', encode: gzip },
  ];
}

function toBrotliOptions({ byteLength }: Uint8Array): zlib.BrotliOptions {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants;
  return { params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: byteLength } };
}

type ZstdCompress = (body: Uint8Array, done: (error: Error | null, coded: Uint8Array) => void) => void;

/** For `zlib.zstdCompress`, which is missing from the types of Node 20, the oldest supported version, and its counterpart. */
function isFunction<Callback>(value: unknown): value is Callback {
  return typeof value === 'function';
}

type ZstdDecompress = (bytes: Uint8Array, options: object, done: Parameters<ZstdCompress>[1]) => void;
type Decompress = (bytes: Uint8Array, options: { readonly maxOutputLength: number }) => Promise<Uint8Array>;

const zstdDecompress: unknown = Reflect.get(zlib, 'zstdDecompress');

/** The content codings of RFC 9110 §8.4.1, Brotli (RFC 7932), and zstd from Node 22.15 on, decoded on libuv's threads. */
const DECOMPRESS: ReadonlyMap<string, Decompress> = new Map<string, Decompress>([
  ['gzip', promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.gunzip)],
  ['x-gzip', promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.gunzip)],
  ['deflate', promisify<Uint8Array, zlib.ZlibOptions, Uint8Array>(zlib.inflate)],
  ['br', promisify<Uint8Array, zlib.BrotliOptions, Uint8Array>(zlib.brotliDecompress)],
  ...(isFunction<ZstdDecompress>(zstdDecompress) ? ([['zstd', promisify(zstdDecompress)]] as const) : []),
]);

/** Decodes response bodies. Unlike the web's `DecompressionStream`, it knows Brotli. */
export const nodeDecode: ContentDecoder = async (coding, bytes, maxLength) => {
  try {
    return (await DECOMPRESS.get(coding)?.(bytes, { maxOutputLength: maxLength })) ?? null;
  } catch {
    // The bytes are not in this coding, or decode to more than `maxLength`.
    return null;
  }
};
