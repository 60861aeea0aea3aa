import type { RequestHead } from '../../../base/http/exchange.ts';
import { respondWithRendition } from '../../../base/http/rendition.ts';
import { PROBLEMS, type Problem, problemResponse } from '../../exchange/problem.ts';
import type { AgentTarget, DocumentTarget } from '../../router/target.ts';
import type { SiteRuntime } from '../snapshot/site-runtime.ts';
import type { OwnTarget, Snapshot } from '../snapshot/snapshot.ts';

export type DocumentsTarget = Exclude<OwnTarget, AgentTarget>;

export function isReadOfDocument({ kind }: DocumentsTarget, { method }: RequestHead): boolean {
  return kind !== 'refused' && kind !== 'not-found' && (method === 'GET' || method === 'HEAD');
}

export const NOT_READY = 'gateway_not_ready';

export function createNotReadyProblem({ failureSummary }: Pick<SiteRuntime, 'failureSummary'>): Problem {
  return {
    status: 503,
    code: NOT_READY,
    message:
      failureSummary === null
        ? 'The site has not been read yet. Try again in a moment.'
        : `The site cannot be served yet. ${failureSummary} Try again later.`,
    headers: { 'retry-after': '5' },
  };
}

export async function serveDocument(
  { representations }: Snapshot,
  { isOtherVersion, namespaces }: DocumentTarget,
  head: RequestHead,
): Promise<Response> {
  if (representations === null) return problemResponse(PROBLEMS.noDocument);
  if (isOtherVersion) return problemResponse(PROBLEMS.noSuchVersion, head.method);
  const known = representations.namespaces;
  if (!namespaces.every((name) => known.includes(name)))
    return problemResponse(PROBLEMS.noSuchNamespace, head.method);
  const rendition = await representations.get(namespaces);
  if (rendition === null) return problemResponse(PROBLEMS.tooManyDocuments, head.method);
  return respondWithRendition(rendition, head, DOCUMENT_HEADERS);
}

const DOCUMENT_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag',
};
