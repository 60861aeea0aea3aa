/**
 * The tags (surrogate keys) by which stored responses are purged. In the store each has a prefix that names its site, so
 * that several sites can share a store.
 *
 * | tag | responses that have it |
 * |---|---|
 * | `/wp/v2/posts/12` | those of this path and of paths below it, and those that contain this item |
 * | `=/wp/v2/posts` | those of exactly this route |
 * | `/wp/v2/posts?` | lists of the collection without a known filter |
 * | `/wp/v2/posts?categories=3`, `/wp/v2/posts?categories` | lists that are filtered by one value of a parameter; by any value |
 * | `/wp/v2/posts?*` | all lists of the collection |
 * | `/wp/v2/posts#title` | responses that depend on this field of any item; `#any`: on any field of any item |
 * | `/wp/v2/categories/3#own` | responses of the resource's own routes that contain this item; not those that embed it |
 * | `>/wp/v2/users/3`, `>#12` | responses that reference this item, or the post with this id, without containing it |
 * | `P/about` | pages and everything else outside of the REST API, at or below this path |
 * | `@120` | responses that mention an item by its id 120 (`mention-tags.ts`) |
 * | `!name` | a tag that the site (`Surrogate-Key`, `Cache-Tag`) or a cache rule states |
 */
export const tagNames = {
  exactRoute: (route: string): string => `=${route}`,
  unfilteredList: (collection: string): string => `${collection}?`,
  anyList: (collection: string): string => `${collection}?*`,
  listFilteredBy: (collection: string, parameter: string): string => `${collection}?${parameter}`,
  listFilteredTo: (collection: string, parameter: string, value: string): string =>
    `${collection}?${parameter}=${value}`,
  fieldDependency: (collection: string, field: string): string => `${collection}#${field}`,
  anyFieldDependency: (collection: string): string => `${collection}#any`,
  ownRoutes: (item: string): string => `${item}#own`,
  reference: (item: string): string => `>${item}`,
  mention: (id: string): string => `@${id}`,
  customName: (name: string): string => `!${name}`,
} as const;

/** Tag of responses whose content is unknown, so that they may contain any item. */
export const OPAQUE_TAG = '#any';

/** Tag of responses that may reference any item. */
export const OPAQUE_REFERENCES_TAG = '>#any';

/** Tag of responses with blocks that WordPress renders from other posts, comments or terms. */
export const DYNAMIC_CONTENT_TAG = '#dynamic';

/** Lists a path and its parents, as tags: `/`, `/a` and `/a/b` for `/a/b`. A purge of any of them purges the path. */
export function pathHierarchy(path: string): readonly string[] {
  const levels = ['/'];
  // Eight levels are more than the routes of any site have. An id that contains slashes is not split further.
  for (let at = path.indexOf('/', 1); at > 0 && levels.length < 8; at = path.indexOf('/', at + 1)) {
    levels.push(path.slice(0, at));
  }
  if (path !== '/') levels.push(path);
  return levels;
}

/** Converts the ASCII letters of a route to lower case. WordPress matches routes in any case, and PCRE folds only ASCII. */
export function toTagPath(route: string): string {
  return /[A-Z]/.test(route) ? route.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : route;
}

/** Returns the tags of a page: its path at the site, each path above it, and the tag of the whole site. */
export function pageTags(address: string): readonly string[] {
  const path = address.split('?', 1)[0] ?? '/';
  return ['/', ...pathHierarchy(path.replace(/(?<=.)\/$/, '')).map(pageTag)];
}

export function pageTag(path: string): string {
  return `P${path}`;
}
