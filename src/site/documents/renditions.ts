import { listPreferredCodings } from '../../cache/compressor.ts';
import { isWeakMatch, parseEntityTags } from '../../http/entity-tag.ts';
import type { RequestHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import { ASSET_CACHE_CONTROL, type DocsAsset } from '../../ui/assets.ts';
import type { Rendition } from '../snapshot/document-representations.ts';

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

export async function respondWithAsset(
  asset: DocsAsset,
  { headers: requestHeaders, method }: RequestHead,
): Promise<Response> {
  const isGzip = acceptsGzip(requestHeaders);
  const bytes = isGzip ? await asset.gzip() : asset.body;
  const headers: Record<string, string> = {
    'content-type': asset.contentType,
    'content-length': String(bytes.byteLength),
    'cache-control': ASSET_CACHE_CONTROL,
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  };
  if (isGzip) headers['content-encoding'] = 'gzip';
  return new Response(method === 'HEAD' ? null : bytes, { headers });
}

function acceptsGzip(headers: readonly string[]): boolean {
  return listPreferredCodings(fieldValue(headers, 'accept-encoding'), ['gzip']).length > 0;
}
