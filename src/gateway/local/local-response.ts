import type { IncomingRequestHead } from '../../http/request-head.ts';
import { type Problem, problemResponse } from '../plan/problem.ts';
import type { LocalRequest } from '../snapshot/resolved-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { type DocsSource, serveDocs } from './docs.ts';
import { serveDocument } from './document.ts';

const NOT_FOUND: Problem = {
  status: 404,
  code: 'gateway_not_found',
  message: 'Nothing stands at this address. See /docs below the mount of the site for what does.',
};

const READ_ONLY: Problem = {
  status: 405,
  code: 'gateway_read_only',
  message: 'This address answers GET and HEAD only.',
  headers: { allow: 'GET, HEAD' },
};

/** What the gateway answers below a mount without asking the site: the document, its documentation, or a refusal. */
export function createLocalResponse(
  head: IncomingRequestHead,
  snapshot: Snapshot,
  target: LocalRequest['target'],
  { docs, path }: { readonly docs: DocsSource; readonly path: string },
): Response | Promise<Response> {
  if (target.kind === 'refused') return problemResponse(target);
  if (target.kind !== 'document' && target.kind !== 'docs') return problemResponse(NOT_FOUND);
  if (head.method !== 'GET' && head.method !== 'HEAD') return problemResponse(READ_ONLY);
  return target.kind === 'document'
    ? serveDocument(snapshot, target, head)
    : serveDocs(target, head, { path, title: snapshot.title, source: docs });
}
