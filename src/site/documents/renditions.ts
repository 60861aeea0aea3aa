import { listPreferredCodings } from '../../cache/compressor.ts';
import { isWeakMatch, parseEntityTags } from '../../http/entity-tag.ts';
import type { RequestHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import { getOrCreate } from '../../memoize.ts';
import type { PackagedFile } from '../../ui/packaged-assets.ts';
import { createRendition, type Rendition } from '../snapshot/document-representations.ts';

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

const assets = new WeakMap<PackagedFile, Promise<Rendition>>();

const ASSET_HEADERS: Readonly<Record<string, string>> = {
  // RFC 8246
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
};

export async function respondWithAsset(asset: PackagedFile, head: RequestHead): Promise<Response> {
  const rendition = getOrCreate(assets, asset, () => createRendition(asset.text, asset.type));
  return respondWithRendition(await rendition, head, ASSET_HEADERS);
}

function acceptsGzip(headers: readonly string[]): boolean {
  return listPreferredCodings(fieldValue(headers, 'accept-encoding'), ['gzip']).length > 0;
}
