import type { ResourceLocation, ResourceMap } from '../../cache/wordpress/resource-map.ts';
import { DYNAMIC_CONTENT_TAG, toTagPath } from '../../cache/wordpress/tag-names.ts';
import {
  computeInvalidation,
  type Invalidation,
  type SiteWrite,
} from '../../cache/wordpress/write-invalidation.ts';
import { normalizeRoute } from '../../php/route-spelling.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolved-request.ts';
import { subWritesOf, type WriteOutcome } from './write-observer.ts';

/** What a request to the interface changed: one thing, or as many as a batch has requests. */
export function routeInvalidation(
  { match, target }: RouteRequest,
  outcome: WriteOutcome,
  resources: ResourceMap,
): Invalidation | null {
  const { method, route } = target;
  if (toTagPath(route) === '/batch/v1' && method === 'POST') return batchInvalidation(outcome, resources);
  const found = match.kind === 'found' ? match : null;
  const namespace = found?.route.namespace ?? namespaceOf(route);
  const location = resources.locate(route, namespace, found?.operation.path ?? null);
  return computeInvalidation({ method, location, ...outcome }, resources);
}

function batchInvalidation(outcome: WriteOutcome, resources: ResourceMap): Invalidation | null {
  const { status } = outcome;
  if (status !== null && status >= 400 && status < 500) return null;
  const writes = subWritesOf(outcome);
  // What was run cannot be told.
  if (writes === null) return { tags: ['/'], mode: status === null || status >= 500 ? 'soft' : 'hard' };
  const found = writes.flatMap(({ method, outcome: its, route }) => {
    const location = locate(normalizeRoute(route), resources);
    return computeInvalidation({ method, location, ...its } satisfies SiteWrite, resources) ?? [];
  });
  if (found.length === 0) return null;
  return {
    tags: [...new Set(found.flatMap(({ tags }) => tags))],
    mode: found.some(({ mode }) => mode === 'hard') ? 'hard' : 'soft',
  };
}

/** A route that was written without the gateway: nothing is known of it but that. */
export function writtenAtSite(
  { method, route }: { readonly method: string; readonly route: string },
  resources: ResourceMap,
): Invalidation | null {
  const location = locate(normalizeRoute(route), resources);
  return computeInvalidation(
    { method, location, status: 200, sentFields: null, responseBody: undefined },
    resources,
  );
}

function locate(route: string, resources: ResourceMap): ResourceLocation {
  return resources.locateByPath(route) ?? resources.locate(route, namespaceOf(route), null);
}

/** Of a route that the document does not have: its first two segments, as plugins name theirs. */
export function namespaceOf(route: string): string {
  return toTagPath(route).split('/').slice(1, 3).join('/');
}

/** Pages of WordPress that write, and what. */
const WRITING_PAGES: readonly { readonly path: RegExp; tags(resources: ResourceMap): readonly string[] }[] = [
  {
    path: /\/wp-comments-post\.php$/,
    tags: (resources) => [...resources.collectionsOfKind('comments'), DYNAMIC_CONTENT_TAG],
  },
  { path: /\/xmlrpc\.php$/, tags: () => ['/'] },
  // Of `admin-ajax.php` nobody can tell: editors' browsers call it twice a minute for nothing.
  { path: /\/wp-admin\/(?!admin-ajax\.php$)/, tags: () => ['/'] },
];

/** What a request to anything else of a WordPress site changed. */
export function pageInvalidation(
  { target }: PageRequest,
  { status }: WriteOutcome,
  resources: ResourceMap,
): Invalidation | null {
  if (status !== null && status >= 400 && status < 500) return null;
  const path = toTagPath(target.path);
  const tags = WRITING_PAGES.flatMap((page) => (page.path.test(path) ? page.tags(resources) : []));
  return tags.length === 0 ? null : { tags, mode: status === null || status >= 500 ? 'soft' : 'hard' };
}
