import type { IncomingRequestHead, RequestHead } from '../base/http/exchange.ts';
import { toRenditionReply } from '../base/http/rendition.ts';
import { PROBLEMS, type Problem, toErrorPage, toProblemReply } from './exchange/problem.ts';
import type { Reply } from './reply.ts';
import type { ReceivedRequest, RequestContext } from './request-context.ts';
import type { AgentTarget, DocumentTarget } from './router/target.ts';
import type { MountedSite } from './site/mounted-site.ts';
import type { SiteRuntime } from './site/snapshot/site-runtime.ts';
import type { OwnTarget, Snapshot } from './site/snapshot/snapshot.ts';

type DocumentsTarget = Exclude<OwnTarget, AgentTarget>;

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

export function respondWithDocument(
  { surfaces }: RequestContext,
  { head, requestId }: ReceivedRequest,
  site: MountedSite,
  snapshot: Snapshot,
  target: DocumentsTarget,
): Reply | Promise<Reply | Response> {
  const refuse = (problem: Problem): Reply => toProblemReply(toErrorPage(problem, head, requestId));
  if (target.kind === 'refused') return refuse(target);
  if (target.kind === 'not-found') return refuse(PROBLEMS.noSuchPath);
  if (!isReadOfDocument(target, head)) return toProblemReply(PROBLEMS.readOnly);
  if (target.kind === 'document') return serveDocument(snapshot, target, head);
  return serveDocs(surfaces, site, snapshot, target.path, head).then(
    (response) => response ?? refuse(PROBLEMS[snapshot.documented === null ? 'noDocument' : 'noSuchPage']),
  );
}

function serveDocs(
  surfaces: RequestContext['surfaces'],
  site: MountedSite,
  { documented, matcher }: Snapshot,
  path: string,
  head: IncomingRequestHead,
): Promise<Response | null> {
  return surfaces.respondToDocs({
    ...{ head, path, documented },
    changes: site.runtime.known.changes,
    addresses: site.settings.addresses,
    baseUrl: site.place.readBaseUrl(head),
    findOperation(method, route) {
      const match = matcher.match(method, route);
      return match.kind === 'found' && match.isCertain ? match.operation : undefined;
    },
  });
}

async function serveDocument(
  { representations }: Snapshot,
  { isOtherVersion, namespaces }: DocumentTarget,
  head: RequestHead,
): Promise<Reply> {
  if (representations === null) return toProblemReply(PROBLEMS.noDocument);
  if (isOtherVersion) return toProblemReply(PROBLEMS.noSuchVersion);
  const known = representations.namespaces;
  if (!namespaces.every((name) => known.includes(name))) return toProblemReply(PROBLEMS.noSuchNamespace);
  const rendition = await representations.get(namespaces);
  if (rendition === null) return toProblemReply(PROBLEMS.tooManyDocuments);
  return toRenditionReply(rendition, head, DOCUMENT_HEADERS);
}

const DOCUMENT_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag',
};
