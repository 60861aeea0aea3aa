import { type Invalidation, invalidationOf, type Write } from '../../cache/wordpress/invalidation.ts';
import type { Located, Resources } from '../../cache/wordpress/resources.ts';
import { DYNAMIC, tagPath } from '../../cache/wordpress/tag-names.ts';
import { trimRoute } from '../../php/spelling.ts';
import type { PageReading, RouteReading } from '../reading.ts';
import { subWritesOf, type WriteOutcome } from './writing.ts';

/** What a request to the interface changed: one thing, or as many as a batch has requests. */
export function routeInvalidation(
  { match, target }: RouteReading,
  outcome: WriteOutcome,
  resources: Resources,
): Invalidation | null {
  const { method, route } = target;
  if (tagPath(route) === '/batch/v1' && method === 'POST') return batchInvalidation(outcome, resources);
  const found = match.kind === 'found' ? match : null;
  const namespace = found?.route.namespace ?? namespaceOf(route);
  const at = resources.locate(route, namespace, found?.operation.path ?? null);
  return invalidationOf({ method, at, ...outcome }, resources);
}

function batchInvalidation(outcome: WriteOutcome, resources: Resources): Invalidation | null {
  const { status } = outcome;
  if (status !== null && status >= 400 && status < 500) return null;
  const writes = subWritesOf(outcome);
  // What was run cannot be told.
  if (writes === null) return { tags: ['/'], mode: status === null || status >= 500 ? 'soft' : 'hard' };
  const found = writes.flatMap(({ method, outcome: its, route }) => {
    const at = locate(trimRoute(route), resources);
    return invalidationOf({ method, at, ...its } satisfies Write, resources) ?? [];
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
  resources: Resources,
): Invalidation | null {
  const at = locate(trimRoute(route), resources);
  return invalidationOf({ method, at, status: 200, sent: null, answer: undefined }, resources);
}

function locate(route: string, resources: Resources): Located {
  return resources.recognise(route) ?? resources.locate(route, namespaceOf(route), null);
}

/** Of a route that the document does not have: its first two segments, as plugins name theirs. */
export function namespaceOf(route: string): string {
  return tagPath(route).split('/').slice(1, 3).join('/');
}

/** Pages of WordPress that write, and what. */
const WRITING_PAGES: readonly { readonly path: RegExp; tags(resources: Resources): readonly string[] }[] = [
  { path: /\/wp-comments-post\.php$/, tags: (resources) => [...resources.ofKind('comments'), DYNAMIC] },
  { path: /\/xmlrpc\.php$/, tags: () => ['/'] },
  // Of `admin-ajax.php` nobody can tell: editors' browsers call it twice a minute for nothing.
  { path: /\/wp-admin\/(?!admin-ajax\.php$)/, tags: () => ['/'] },
];

/** What a request to anything else of a WordPress site changed. */
export function pageInvalidation(
  { target }: PageReading,
  { status }: WriteOutcome,
  resources: Resources,
): Invalidation | null {
  if (status !== null && status >= 400 && status < 500) return null;
  const path = tagPath(target.path);
  const tags = WRITING_PAGES.flatMap((page) => (page.path.test(path) ? page.tags(resources) : []));
  return tags.length === 0 ? null : { tags, mode: status === null || status >= 500 ? 'soft' : 'hard' };
}
