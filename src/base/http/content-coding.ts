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

/** Higher qualities pay off only for bodies served very often before they change. */
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

/** RFC 9110 §8.4.1.3: "x-gzip" is "equivalent to gzip". */
const CODING_ALIASES: ReadonlyMap<string, string> = new Map([['x-gzip', 'gzip']]);

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/** Codings that a client prefers to the identity body, best first (RFC 9110 §12.5.3); one that it does not list weighs as `*`. */
export function listPreferredCodings(
  field: string | undefined,
  offered: readonly ContentCoding[],
): readonly ContentCoding[] {
  if (field === undefined) return [];
  const weights = new Map<string, number>();
  for (const member of field.toLowerCase().split(',')) {
    const [name = '', ...parameters] = member.split(';').map((part) => part.trim());
    // Invalid members are ignored. Of repeated members, the first is used.
    const weight = parseWeight(parameters);
    const coding = CODING_ALIASES.get(name) ?? name;
    if (coding !== '' && weight !== undefined && !weights.has(coding)) weights.set(coding, weight);
  }
  const wildcard = weights.get('*') ?? 0;
  const identity = weights.get('identity') ?? 0;
  const weigh = (coding: ContentCoding) => weights.get(coding) ?? wildcard;
  return offered
    .filter((coding) => weigh(coding) > 0 && weigh(coding) >= identity)
    .sort(
      (left, right) =>
        weigh(right) - weigh(left) || CONTENT_CODINGS.indexOf(left) - CONTENT_CODINGS.indexOf(right),
    );
}

function parseWeight([parameter, ...others]: readonly string[]): number | undefined {
  if (parameter === undefined) return 1;
  const [, weight] = WEIGHT.exec(parameter) ?? [];
  return weight === undefined || others.length > 0 ? undefined : Number(weight);
}
