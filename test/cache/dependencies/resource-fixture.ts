import { type ResourceLocation, ResourceMap } from '../../../src/cache/dependencies/resource-map.ts';
import type { SiteAddress } from '../../../src/discovery/site.ts';

export const prettySite: SiteAddress = {
  base: 'https://example.com/blog/',
  root: 'https://example.com/blog/wp-json/',
  spelling: 'pretty',
  prefix: 'wp-json',
};

const CORE = ['posts', 'pages', 'media', 'categories', 'tags', 'users', 'comments', 'blocks', 'navigation'];
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
  // The post type of a plugin.
  ...['/wp/v2/books', '/wp/v2/books/{id}'].map((path) => ['wp/v2', path] as const),
  ...PLUGIN.map((path) => ['boards/v1', path] as const),
];

const LIST_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  '/wp/v2/posts': ['categories', 'tags'],
  '/wp/v2/pages': ['parent'],
  '/wp/v2/categories': ['parent'],
  '/wp/v2/books': ['slug', 'after', 'before', 'orderby'],
};

export const resources: ResourceMap = new ResourceMap(
  ROUTES.map(([namespace, template]) => ({
    namespace,
    template,
    method: 'GET',
    queryParameters: LIST_PARAMETERS[template] ?? [],
  })),
);

export function locate(route: string): ResourceLocation {
  const namespace = route.toLowerCase().split('/').slice(1, 3).join('/');
  return resources.locate(route, namespace, null);
}
