/**
 * The names by which stored answers are purged. Every one stands behind its site's own prefix, so that several sites can
 * share a store.
 *
 * | tag | on which answers |
 * |---|---|
 * | `/wp/v2/posts/12` | those of this path and of all below it, and those that show this item |
 * | `=/wp/v2/posts` | those of exactly this route |
 * | `/wp/v2/posts?` | lists of the collection that no known filter narrows |
 * | `/wp/v2/posts?categories=3`, `/wp/v2/posts?categories` | lists narrowed to one value of a field; to any |
 * | `/wp/v2/posts?*` | lists of the collection, all of them |
 * | `/wp/v2/posts#title` | answers that depend on this field of any item; `#any`: on whatever of any item |
 * | `/wp/v2/categories/3#own` | answers of the resource's own routes that show this item, unlike those that embed it |
 * | `>/wp/v2/users/3`, `>#12` | answers that name this item, or the post of this id, without showing it |
 * | `/boards/v1/boards/` | answers below an item of the collection |
 * | `~boards/v1` | answers of the namespace that are below no item |
 * | `P/about` | pages, and whatever else is no route, at or below this path |
 * | `!name` | what the site (`Surrogate-Key`, `Cache-Tag`) or a rule calls it |
 */
export const tagNames = {
  exactRoute: (route: string): string => `=${route}`,
  unfilteredList: (collection: string): string => `${collection}?`,
  anyList: (collection: string): string => `${collection}?*`,
  filteredList: (collection: string, parameter: string): string => `${collection}?${parameter}`,
  listFilteredTo: (collection: string, parameter: string, value: string): string =>
    `${collection}?${parameter}=${value}`,
  fieldDependency: (collection: string, field: string): string => `${collection}#${field}`,
  anyFieldDependency: (collection: string): string => `${collection}#any`,
  ownRoutes: (item: string): string => `${item}#own`,
  reference: (item: string): string => `>${item}`,
  belowItems: (collection: string): string => `${collection}/`,
  outsideItems: (namespace: string): string => `~${namespace}`,
  customName: (name: string): string => `!${name}`,
} as const;

/** On answers that may show anything, because what they hold cannot be seen. */
export const OPAQUE_TAG = '#any';

/** On answers that may name anything. */
export const OPAQUE_REFERENCES_TAG = '>#any';

/** On answers with content that WordPress makes of other posts, comments or terms. */
export const DYNAMIC_CONTENT_TAG = '#dynamic';

/** A path and all above it, from `/a/b/c` to `/a` and `/`, for what is purged by any of them. */
export function pathHierarchy(path: string): readonly string[] {
  const levels = ['/'];
  // Deeper than any site's routes; ids that span slashes are not taken apart further.
  for (let at = path.indexOf('/', 1); at > 0 && levels.length < 8; at = path.indexOf('/', at + 1)) {
    levels.push(path.slice(0, at));
  }
  if (path !== '/') levels.push(path);
  return levels;
}

/** Routes match in any case, so their tags are in one. ASCII only, as PCRE folds bytes. */
export function toTagPath(route: string): string {
  return /[A-Z]/.test(route) ? route.replace(/[A-Z]+/g, (letters) => letters.toLowerCase()) : route;
}

/** A page is purged by its path at the site and by any above it, with whatever else is the site's. */
export function pageTags(address: string): readonly string[] {
  const path = address.split('?', 1)[0] ?? '/';
  return ['/', ...pathHierarchy(path.replace(/(?<=.)\/$/, '')).map(pageTag)];
}

export function pageTag(path: string): string {
  return `P${path}`;
}
