import type { RequestHead } from '../../http/request-head.ts';
import type { DocumentTarget } from '../../router/target.ts';
import { type Problem, problemResponse } from '../plan/problem.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { respondWithRendition } from './serve-docs.ts';

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
  return respondWithRendition(await representations.get(target), head, DOCUMENT_HEADERS);
}

const DOCUMENT_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag',
};

/** The response of a mount that has no document. */
export const NO_DOCUMENT: Problem = {
  status: 404,
  code: 'gateway_no_document',
  message: 'Discovery is off for this site, so it has no document.',
};
