import type { IncomingRequestHead } from '../../http/request-head.ts';
import type { DocumentTarget } from '../../router/target.ts';
import { problemResponse } from '../plan/problem.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { accepts, matchesEtag } from './negotiation.ts';

/**
 * Serves the document. It may change at any time and is cheap to compare, so a cache may keep it but has to ask
 * (`no-cache`, RFC 9111 §5.2.2.4); any page may read it, since it holds nothing that depends on the caller.
 */
export async function serveDocument(
  { renditions }: Snapshot,
  target: DocumentTarget,
  head: IncomingRequestHead,
): Promise<Response> {
  if (renditions === null) return problemResponse(UNDISCOVERED);
  const { contentType, body, gzip, etag } = await renditions.get(target);
  const coded = accepts(head.headers, 'gzip');
  // One tag for each coding (RFC 9110 §8.8.3.3): they are different bytes.
  const tag = coded ? `${etag.slice(0, -1)}-gzip"` : etag;
  const headers: Record<string, string> = {
    etag: tag,
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'ETag',
  };
  if (matchesEtag(head.headers, tag)) return new Response(null, { status: 304, headers });
  headers['content-type'] = contentType;
  headers['content-length'] = String(coded ? gzip.byteLength : body.byteLength);
  if (coded) headers['content-encoding'] = 'gzip';
  return new Response(head.method === 'HEAD' ? null : coded ? gzip : body, { headers });
}

const UNDISCOVERED = {
  status: 404,
  code: 'gateway_no_document',
  message: 'Discovery is off for this site, so there is no document of it.',
};
