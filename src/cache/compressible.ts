import { parseCacheControl } from '../http/directives.ts';
import { fieldValue, hasField, withoutFields } from '../http/fields.ts';
import type { ContentCoding } from './accept-encoding.ts';
import type { StoredResponse } from './store.ts';

/** What is shorter gains nothing that a packet would notice. */
const MIN_BYTES = 1024;

/** Types whose bodies are not compressed already. */
const COMPRESSIBLE_TYPES: readonly RegExp[] = [
  /^text\//,
  /^[\w.-]+\/[\w.-]+\+(?:json|xml|text)$/,
  /^application\/(?:json|xml|javascript|ecmascript|x-javascript|x-ndjson|wasm|rtf|graphql|toml|yaml)$/,
  /^(?:font\/(?:otf|ttf|collection)|application\/vnd\.ms-fontobject)$/,
  /^image\/(?:bmp|x-icon|vnd\.microsoft\.icon)$/,
];

/** Fields whose value is of the bytes that were sent: `Content-MD5`, and RFC 9530. */
const CONTENT_BOUND_FIELDS = [
  'content-encoding',
  'content-range',
  'content-md5',
  'digest',
  'content-digest',
  'repr-digest',
];

const VARY: ReadonlySet<string> = new Set(['vary']);
/** Ranges are of the plain body. */
const IDENTITY_ONLY_FIELDS: ReadonlySet<string> = new Set(['content-length', 'accept-ranges']);

/** Whether an answer may be sent in a coding that it did not come in. */
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

/** The headers of the plain body, where it may be sent in a coding as well (RFC 9110 §12.5.5). */
export function identityHeaders(headers: readonly string[]): readonly string[] {
  const vary = fieldValue(headers, 'vary');
  if (vary === undefined) return [...headers, 'Vary', 'Accept-Encoding'];
  const names = vary
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
  if (names.includes('*') || names.includes('accept-encoding')) return headers;
  return [...withoutFields(headers, VARY), 'Vary', `${vary}, Accept-Encoding`];
}

/** The headers of the body in a coding. */
export function compressedHeaders(
  headers: readonly string[],
  coding: ContentCoding,
  length: number,
): readonly string[] {
  const coded = withoutFields(identityHeaders(headers), IDENTITY_ONLY_FIELDS);
  for (let at = 0; at + 1 < coded.length; at += 2) {
    const value = coded[at + 1] ?? '';
    // RFC 9110 §8.8.3: a strong tag is of one sequence of bytes. A weak one is of both, and a caller's If-None-Match
    // with it is answered by either, here and at the site (§13.1.2); its If-Range with it by neither (§13.1.5).
    if (coded[at]?.toLowerCase() === 'etag' && value.startsWith('"')) coded[at + 1] = `W/${value}`;
  }
  return [...coded, 'Content-Encoding', coding, 'Content-Length', String(length)];
}
