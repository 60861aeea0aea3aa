import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import { isWeakMatch, parseEntityTags } from './cache-fields.ts';
import { listPreferredCodings } from './content-coding.ts';
import type { RequestHead } from './exchange.ts';
import { fieldValue } from './fields.ts';

const compress = promisify<Uint8Array, Buffer<ArrayBuffer>>(gzipCallback);

const HASHED_BYTES = 1024 * 1024;

export interface Rendition {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly gzip: Uint8Array<ArrayBuffer>;
  readonly etag: string;
}

export async function createRendition(
  text: string | Uint8Array<ArrayBuffer>,
  contentType: string,
): Promise<Rendition> {
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  const hash = createHash('sha256');
  for (let at = 0; at < body.byteLength; at += HASHED_BYTES) {
    hash.update(body.subarray(at, at + HASHED_BYTES));
    if (at > 0) await setImmediate();
  }
  const gzip = await compress(body);
  return { contentType, body, gzip, etag: `"${hash.digest('hex').slice(0, 24)}"` };
}

export function respondWithRendition(
  { body, contentType, etag, gzip }: Rendition,
  { headers: requestHeaders, method }: RequestHead,
  headers: Readonly<Record<string, string>>,
): Response {
  const isGzip = acceptsGzip(requestHeaders);
  // RFC 9110 §8.8.3.3: the bytes differ.
  const tag = isGzip ? `${etag.slice(0, -1)}-gzip"` : etag;
  const sent: Record<string, string> = { vary: 'Accept-Encoding', ...headers, etag: tag };
  const known = fieldValue(requestHeaders, 'if-none-match') ?? '';
  if (known.trim() === '*' || parseEntityTags(known).some((each) => isWeakMatch(each, tag))) {
    const { 'content-type': _, ...validators } = sent;
    return new Response(null, { status: 304, headers: validators });
  }
  sent['content-type'] = contentType;
  sent['content-length'] = String(isGzip ? gzip.byteLength : body.byteLength);
  if (isGzip) sent['content-encoding'] = 'gzip';
  return new Response(method === 'HEAD' ? null : isGzip ? gzip : body, { headers: sent });
}

function acceptsGzip(headers: readonly string[]): boolean {
  return listPreferredCodings(fieldValue(headers, 'accept-encoding'), ['gzip']).length > 0;
}
