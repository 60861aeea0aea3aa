import type { IncomingRequestHead } from '../../http/request-head.ts';
import { type Problem, problemResponse } from '../exchange/problem.ts';
import type { LocalTarget } from '../snapshot/resolve-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { DocsServer } from './serve-docs.ts';
import { serveDocument } from './serve-document.ts';
import { serveTypes } from './serve-types.ts';

const NOT_FOUND: Problem = {
  status: 404,
  code: 'gateway_not_found',
  message:
    "This path does not exist. The documentation at /docs, below the site's mount, lists those that do.",
};

const READ_ONLY: Problem = {
  status: 405,
  code: 'gateway_read_only',
  message: 'This path allows GET and HEAD only.',
  headers: { allow: 'GET, HEAD' },
};

/**
 * Responds without the site: with the document, its documentation, or a refusal.
 *
 * @param readBaseUrl returns the URL of the mount as the client sees it, without a slash at its end
 */
export function createLocalResponse(
  head: IncomingRequestHead,
  target: LocalTarget,
  snapshot: Snapshot,
  docsServer: DocsServer,
  readBaseUrl: (head: IncomingRequestHead) => string,
): Response | Promise<Response> {
  if (target.kind === 'refused') return problemResponse(target);
  if (target.kind === 'not-found') return problemResponse(NOT_FOUND);
  if (head.method !== 'GET' && head.method !== 'HEAD') return problemResponse(READ_ONLY);
  switch (target.kind) {
    case 'document':
      return serveDocument(snapshot, target, head);
    case 'types':
      return serveTypes(snapshot, head);
    case 'docs':
      return docsServer.respond(snapshot, target, head, readBaseUrl(head));
  }
}
