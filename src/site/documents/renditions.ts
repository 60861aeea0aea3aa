import { listPreferredCodings } from '../../cache/compressor.ts';
import { ENCODED } from '../../exchange/web-request.ts';
import { isWeakMatch, parseEntityTags } from '../../http/entity-tag.ts';
import type { RequestHead } from '../../http/exchange.ts';
import { fieldValue } from '../../http/fields.ts';
import { ASSET_CACHE_CONTROL, DOCS_CODINGS, type DocsAsset, type DocsCoding } from '../../ui/assets.ts';
import type { Rendition } from '../snapshot/document-representations.ts';

/** Responds with a text that was rendered before: not at all if the client has it, compressed if the client accepts it. */
export function respondWithRendition(
  { body, contentType, etag, gzip }: Rendition,
  { headers: requestHeaders, method }: RequestHead,
  headers: Readonly<Record<string, string>>,
): Response {
  const isGzip = acceptsCoding(requestHeaders, 'gzip');
  // Each coding has its own tag (RFC 9110 §8.8.3.3), as the bytes differ.
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
  return new Response(method === 'HEAD' ? null : isGzip ? gzip : body, { headers: sent, ...ENCODED });
}

/** Responds with a file of the pages, in the smallest coding that the client accepts. */
export async function respondWithAsset(asset: DocsAsset, head: RequestHead): Promise<Response> {
  const { headers: requestHeaders, method } = head;
  let coding: DocsCoding = 'identity';
  let bytes: Uint8Array<ArrayBuffer> | null = null;
  for (coding of DOCS_CODINGS) {
    if (coding === 'identity' || acceptsCoding(requestHeaders, coding)) bytes = await asset.read(coding);
    if (bytes !== null) break;
  }
  const headers: Record<string, string> = {
    'content-type': asset.contentType,
    'content-length': String(bytes?.byteLength ?? 0),
    'cache-control': ASSET_CACHE_CONTROL,
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
  };
  if (coding !== 'identity') headers['content-encoding'] = coding;
  return new Response(method === 'HEAD' ? null : bytes, { headers, ...ENCODED });
}

/** Whether a client prefers a coding to the identity body. */
function acceptsCoding(headers: readonly string[], coding: 'br' | 'gzip'): boolean {
  return listPreferredCodings(fieldValue(headers, 'accept-encoding'), [coding]).length > 0;
}
