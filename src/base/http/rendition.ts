import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import { isWeakMatch, parseEntityTags } from './cache-fields.ts';
import { listPreferredCodings } from './content-coding.ts';
import type { RequestHead, ResponseHead } from './exchange.ts';
import { fieldValue, toFieldPairs } from './fields.ts';

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

/** A response as the bytes that go out: a `Response` would copy them. */
export interface RenditionReply extends ResponseHead {
  readonly body: Uint8Array<ArrayBuffer> | null;
}

export function toRenditionReply(
  { body, contentType, etag, gzip }: Rendition,
  { headers: requestHeaders }: Pick<RequestHead, 'headers'>,
  headers: Readonly<Record<string, string>>,
): RenditionReply {
  const isGzip = acceptsGzip(requestHeaders);
  // RFC 9110 §8.8.3.3: the bytes differ.
  const tag = isGzip ? `${etag.slice(0, -1)}-gzip"` : etag;
  const sent: Record<string, string> = { vary: 'Accept-Encoding', ...headers, etag: tag };
  const known = fieldValue(requestHeaders, 'if-none-match') ?? '';
  if (known.trim() === '*' || parseEntityTags(known).some((each) => isWeakMatch(each, tag))) {
    const { 'content-type': _, ...validators } = sent;
    return { status: 304, reason: '', headers: Object.entries(validators).flat(), body: null };
  }
  const bytes = isGzip ? gzip : body;
  Object.assign(sent, { 'content-type': contentType, 'content-length': String(bytes.byteLength) });
  if (isGzip) sent['content-encoding'] = 'gzip';
  return { status: 200, reason: '', headers: Object.entries(sent).flat(), body: bytes };
}

export function toResponse({ body, headers, status }: RenditionReply, method: string): Response {
  return new Response(method === 'HEAD' ? null : body, { status, headers: toFieldPairs(headers) });
}

function acceptsGzip(headers: readonly string[]): boolean {
  return listPreferredCodings(fieldValue(headers, 'accept-encoding'), ['gzip']).length > 0;
}
