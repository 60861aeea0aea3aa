import type { RequestHead } from '../../http/request-head.ts';
import type { DocsAssetsLoader } from '../options/gateway-options.ts';
import { type Problem, problemResponse } from '../plan/problem.ts';
import type { LocalRequest } from '../snapshot/resolved-request.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { serveDocs } from './serve-docs.ts';
import { serveDocument } from './serve-document.ts';

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

/** Options of {@link createLocalResponse}. */
export interface LocalResponseOptions {
  readonly head: RequestHead;
  readonly target: LocalRequest['target'];
  readonly snapshot: Snapshot;
  readonly loadDocs: DocsAssetsLoader;
  /** Path of the mount as browsers see it. */
  readonly publicPath: string;
}

/** Responds without the site: with the document, its documentation, or a refusal. */
export function createLocalResponse({
  loadDocs,
  head,
  publicPath,
  snapshot,
  target,
}: LocalResponseOptions): Response | Promise<Response> {
  if (target.kind === 'refused') return problemResponse(target);
  if (target.kind !== 'document' && target.kind !== 'docs') return problemResponse(NOT_FOUND);
  if (head.method !== 'GET' && head.method !== 'HEAD') return problemResponse(READ_ONLY);
  return target.kind === 'document'
    ? serveDocument(snapshot, target, head)
    : serveDocs(target, head, { publicPath, title: snapshot.title, loadDocs });
}
