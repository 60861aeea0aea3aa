import type { RequestHead } from '../../http/request-head.ts';
import type { DocumentTarget } from '../../router/target.ts';
import { problemResponse } from '../plan/problem.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { acceptsCoding, matchesIfNoneMatch } from './negotiation.ts';

/**
 * Serves the OpenAPI document. It can change at any time and revalidation is cheap, so caches must revalidate (`no-cache`,
 * RFC 9111 §5.2.2.4). Every origin may read it: it does not depend on the client.
 */
export async function serveDocument(
  { representations }: Snapshot,
  target: DocumentTarget,
  head: RequestHead,
): Promise<Response> {
  if (representations === null) return problemResponse(NO_DOCUMENT);
  const { contentType, body, gzip, etag } = await representations.get(target);
  const isGzip = acceptsCoding(head.headers, 'gzip');
  // Each coding has its own tag (RFC 9110 §8.8.3.3), as the bytes differ.
  const tag = isGzip ? `${etag.slice(0, -1)}-gzip"` : etag;
  const headers: Record<string, string> = {
    etag: tag,
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag',
  };
  if (matchesIfNoneMatch(head.headers, tag)) return new Response(null, { status: 304, headers });
  headers['content-type'] = contentType;
  headers['content-length'] = String(isGzip ? gzip.byteLength : body.byteLength);
  if (isGzip) headers['content-encoding'] = 'gzip';
  return new Response(head.method === 'HEAD' ? null : isGzip ? gzip : body, { headers });
}

const NO_DOCUMENT = {
  status: 404,
  code: 'gateway_no_document',
  message: 'Discovery is off for this site, so it has no document.',
};
