import type { ResourceLocation, ResourceMap } from '../../cache/wordpress/resource-map.ts';
import { DYNAMIC_CONTENT_TAG, toTagPath } from '../../cache/wordpress/tag-names.ts';
import {
  computeWriteInvalidation,
  type WriteInvalidation,
} from '../../cache/wordpress/write-invalidation.ts';
import { normalizeRoute } from '../../php/route-spelling.ts';
import type { PageRequest, RouteRequest } from '../snapshot/resolved-request.ts';
import { parseBatchWrites } from './batch-writes.ts';
import type { WriteOutcome } from './write-observer.ts';

/** A route, and the method of the write that changed it. */
export interface ChangedRoute {
  readonly route: string;
  readonly method: string;
}

/** Computes what a write to a REST route invalidates; `null` for nothing. */
export function computeRouteInvalidation(
  { match, target }: RouteRequest,
  outcome: WriteOutcome,
  resources: ResourceMap,
): WriteInvalidation | null {
  const { method, route } = target;
  if (toTagPath(route) === '/batch/v1' && method === 'POST') {
    return computeBatchInvalidation(outcome, resources);
  }
  const found = match.kind === 'found' ? match : null;
  const namespace = found?.route.namespace ?? inferNamespace(route);
  const location = resources.locate(route, namespace, found?.operation.path ?? null);
  return computeWriteInvalidation({ method, location, ...outcome }, resources);
}

function computeBatchInvalidation(outcome: WriteOutcome, resources: ResourceMap): WriteInvalidation | null {
  const { status } = outcome;
  if (isClientError(status)) return null;
  const writes = parseBatchWrites(outcome);
  // Any route may have changed.
  if (writes === null) return { tags: ['/'], mode: toPurgeMode(status) };
  const invalidations = writes.flatMap(({ method, outcome: ofWrite, route }) => {
    const location = locate(normalizeRoute(route), resources);
    return computeWriteInvalidation({ method, location, ...ofWrite }, resources) ?? [];
  });
  if (invalidations.length === 0) return null;
  return {
    tags: [...new Set(invalidations.flatMap(({ tags }) => tags))],
    mode: invalidations.some(({ mode }) => mode === 'hard') ? 'hard' : 'soft',
  };
}

/** Computes what a write at the site itself invalidates. Its fields and its response are unknown. */
export function computeExternalInvalidation(
  { method, route }: ChangedRoute,
  resources: ResourceMap,
): WriteInvalidation | null {
  const location = locate(normalizeRoute(route), resources);
  return computeWriteInvalidation(
    { method, location, status: 200, sentParameters: null, responseBody: undefined },
    resources,
  );
}

function locate(route: string, resources: ResourceMap): ResourceLocation {
  return resources.locateKnown(route) ?? resources.locate(route, inferNamespace(route), null);
}

/** Infers the namespace of a route outside the document: its first two segments, as is the convention of plugins. */
export function inferNamespace(route: string): string {
  return toTagPath(route).split('/').slice(1, 3).join('/');
}

/** Pages of WordPress that write, and the tags that they invalidate. */
const WRITING_PAGES: readonly { readonly path: RegExp; tags(resources: ResourceMap): readonly string[] }[] = [
  {
    path: /\/wp-comments-post\.php$/,
    tags: (resources) => [...resources.collectionsOfKind('comments'), DYNAMIC_CONTENT_TAG],
  },
  { path: /\/xmlrpc\.php$/, tags: () => ['/'] },
  // `admin-ajax.php` is excluded: editors' browsers call it twice a minute, mostly without changing anything.
  { path: /\/wp-admin\/(?!admin-ajax\.php$)/, tags: () => ['/'] },
];

/** Computes what a request to another page of a WordPress site invalidates; `null` for nothing. */
export function computePageInvalidation(
  { target }: PageRequest,
  { status }: WriteOutcome,
  resources: ResourceMap,
): WriteInvalidation | null {
  if (isClientError(status)) return null;
  const path = toTagPath(target.path);
  const tags = WRITING_PAGES.flatMap((page) => (page.path.test(path) ? page.tags(resources) : []));
  return tags.length === 0 ? null : { tags, mode: toPurgeMode(status) };
}

/** The site refused the write. */
function isClientError(status: number | null): boolean {
  return status !== null && status >= 400 && status < 500;
}

/** Without a successful response, whether the write happened is unknown, so stored responses only become stale. */
function toPurgeMode(status: number | null): WriteInvalidation['mode'] {
  return status === null || status >= 500 ? 'soft' : 'hard';
}
