import type { RequestHead } from '../../http/request-head.ts';
import { problemResponse } from '../exchange/problem.ts';
import { createRendition, type Rendition } from '../snapshot/rendition.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { respondWithRendition } from './serve-docs.ts';
import { NO_DOCUMENT } from './serve-document.ts';

const typesBySnapshot = new WeakMap<Snapshot, Promise<Rendition>>();

/**
 * Serves the TypeScript module of a site's document. It is generated once for each snapshot, on the first request: the
 * generator is a large library that most gateways never load.
 */
export async function serveTypes(snapshot: Snapshot, head: RequestHead): Promise<Response> {
  const { documented } = snapshot;
  if (documented === null) return problemResponse(NO_DOCUMENT, head.method);
  let types = typesBySnapshot.get(snapshot);
  if (types === undefined) {
    types = generateTypes(documented);
    typesBySnapshot.set(snapshot, types);
    // The next request retries a failed generation.
    types.catch(() => typesBySnapshot.delete(snapshot));
  }
  return respondWithRendition(await types, head, TYPES_HEADERS);
}

async function generateTypes({
  document,
  localize,
}: NonNullable<Snapshot['documented']>): Promise<Rendition> {
  const { toTypes } = await import('../../types/index.ts');
  return createRendition(localize(await toTypes(document)), 'text/plain; charset=utf-8');
}

const TYPES_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-cache',
  'x-content-type-options': 'nosniff',
  'content-disposition': 'inline; filename="site.ts"',
};
