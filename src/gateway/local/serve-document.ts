import type { RequestHead } from '../../http/request-head.ts';
import type { DocumentTarget } from '../../router/target.ts';
import { type Problem, problemResponse } from '../exchange/problem.ts';
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
  const { format, namespaces, version } = target;
  if (version === null) return problemResponse(NO_SUCH_VERSION, head.method);
  const known = representations.namespaces;
  if (!namespaces.every((name) => known.includes(name))) {
    return problemResponse(createNamespaceProblem(known), head.method);
  }
  return respondWithRendition(
    await representations.get({ format, namespaces, version }),
    head,
    DOCUMENT_HEADERS,
  );
}

const DOCUMENT_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'ETag',
};

const NO_SUCH_VERSION: Problem = {
  status: 400,
  code: 'gateway_no_such_version',
  message:
    'The document is served in the versions 3.1 and 3.0 of OpenAPI. Set `openapi` to one of them, or leave it out.',
};

/** Namespaces that a problem names. */
const MAX_NAMED = 20;

function createNamespaceProblem(known: readonly string[]): Problem {
  const named = known.slice(0, MAX_NAMED).join(', ');
  const more = known.length > MAX_NAMED ? ` and ${known.length - MAX_NAMED} more` : '';
  return {
    status: 404,
    code: 'gateway_no_such_namespace',
    message: `The document lacks a namespace that \`namespace\` names. It has: ${named}${more}.`,
  };
}

/** The response of a mount that has no document. */
export const NO_DOCUMENT: Problem = {
  status: 404,
  code: 'gateway_no_document',
  message: 'Discovery is off for this site, so it has no document.',
};
