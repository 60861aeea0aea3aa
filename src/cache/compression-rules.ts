import { parseCacheControl } from '../http/cache-directives.ts';
import { fieldValue, hasField, withoutFields } from '../http/fields.ts';
import type { ContentCoding } from './accept-encoding.ts';
import type { StoredResponse } from './store.ts';

/** Minimum length of a compressible body: shorter ones fit into one packet without compression. */
const MIN_BYTES = 1024;

/** Media types whose formats contain no compression. */
const COMPRESSIBLE_TYPES: readonly RegExp[] = [
  /^text\//,
  /^[\w.-]+\/[\w.-]+\+(?:json|xml|text)$/,
  /^application\/(?:json|xml|javascript|ecmascript|x-javascript|x-ndjson|wasm|rtf|graphql|toml|yaml)$/,
  /^(?:font\/(?:otf|ttf|collection)|application\/vnd\.ms-fontobject)$/,
  /^image\/(?:bmp|x-icon|vnd\.microsoft\.icon)$/,
];

/** Fields that bind a response to its exact bytes: coding, range, and digests (RFC 1864, RFC 3230, RFC 9530). */
const CONTENT_BOUND_FIELDS = [
  'content-encoding',
  'content-range',
  'content-md5',
  'digest',
  'content-digest',
  'repr-digest',
];

const VARY_FIELD: ReadonlySet<string> = new Set(['vary']);
/** Fields that apply only to the identity body, from which ranges are cut. */
const IDENTITY_ONLY_FIELDS: ReadonlySet<string> = new Set(['content-length', 'accept-ranges']);

/** Whether a response may be compressed. */
export function isCompressible({
  status,
  headers,
  body,
}: Pick<StoredResponse, 'status' | 'headers' | 'body'>): boolean {
  if (body.byteLength < MIN_BYTES || status < 200 || status === 206) return false;
  const [type = ''] = (fieldValue(headers, 'content-type') ?? '').split(';', 1);
  const essence = type.trim().toLowerCase();
  if (!COMPRESSIBLE_TYPES.some((pattern) => pattern.test(essence))) return false;
  // RFC 9111 §5.2.2.6: an intermediary must not transform the content, whether or not it implements a cache.
  const directives = parseCacheControl(fieldValue(headers, 'cache-control') ?? '');
  if (directives.some(({ name }) => name === 'no-transform')) return false;
  return !CONTENT_BOUND_FIELDS.some((name) => hasField(headers, name));
}

/** Creates the headers of the identity body of a compressible response: adds `Vary: Accept-Encoding` (RFC 9110 §12.5.5). */
export function createIdentityHeaders(headers: readonly string[]): readonly string[] {
  const vary = fieldValue(headers, 'vary');
  if (vary === undefined) return [...headers, 'Vary', 'Accept-Encoding'];
  const names = vary
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  if (names.includes('*') || names.includes('accept-encoding')) return headers;
  return [...withoutFields(headers, VARY_FIELD), 'Vary', `${vary}, Accept-Encoding`];
}

/** Creates the headers of a compressed body from those of the stored response. */
export function createCompressedHeaders(
  headers: readonly string[],
  coding: ContentCoding,
  length: number,
): readonly string[] {
  const fields = withoutFields(createIdentityHeaders(headers), IDENTITY_ONLY_FIELDS);
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const value = fields[at + 1] ?? '';
    // RFC 9110 §8.8.3: a strong tag identifies one sequence of bytes, so the compressed body gets a weak tag. It still
    // matches If-None-Match, here and at the origin (§13.1.2), but never If-Range (§13.1.5).
    if (fields[at]?.toLowerCase() === 'etag' && value.startsWith('"')) fields[at + 1] = `W/${value}`;
  }
  return [...fields, 'Content-Encoding', coding, 'Content-Length', String(length)];
}
