import { createResources, type Located, type Resources } from '../../../src/cache/wordpress/resources.ts';
import type { SiteAddress } from '../../../src/discovery/site.ts';

export const pretty: SiteAddress = {
  base: 'https://example.com/blog/',
  root: 'https://example.com/blog/wp-json/',
  spelling: 'pretty',
  prefix: 'wp-json',
};

const CORE = ['posts', 'pages', 'media', 'categories', 'tags', 'users', 'comments'];
const PLUGIN = [
  '/boards/v1/boards',
  '/boards/v1/boards/{id}',
  '/boards/v1/boards/{id}/tasks',
  '/boards/v1/members/{id}',
];

/** WordPress's usual collections and a plugin's. */
const ROUTES: readonly (readonly [namespace: string, template: string])[] = [
  ...CORE.flatMap((name) => [
    ['wp/v2', `/wp/v2/${name}`] as const,
    ['wp/v2', `/wp/v2/${name}/{id}`] as const,
  ]),
  ...['/wp/v2/search', '/wp/v2/settings', '/wp/v2/posts/{parent}/revisions'].map(
    (path) => ['wp/v2', path] as const,
  ),
  ...PLUGIN.map((path) => ['boards/v1', path] as const),
];

export const resources: Resources = createResources(
  ROUTES.map(([namespace, template]) => ({ namespace, template, method: 'GET', parameters: [] })),
);

export function routeOf(route: string): Located {
  const namespace = route.toLowerCase().split('/').slice(1, 3).join('/');
  return resources.locate(route, namespace, null);
}
