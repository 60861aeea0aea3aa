import type { Json } from '../../json.ts';
import { encodeQueryValue, rawUrlDecode } from '../../php/encoding.ts';
import { trimTrailingSlashes } from '../../php/request.ts';

/**
 * The tags (surrogate keys) by which stored responses are purged. In the store each has a prefix that names its site, so that several
 * sites can share a store.
 *
 * | tag | responses that have it |
 * |---|---|
 * | `/wp/v2/posts/12` | those of this route and of routes below it, and those of the REST API that contain this item |
 * | `^/wp/v2/posts/12` | the page that shows this item, as its `Link` says |
 * | `=/wp/v2/posts` | those of exactly this route |
 * | `/wp/v2/posts?any` | lists whose items or order may depend on any field of an item |
 * | `/wp/v2/comments?post`, `/wp/v2/comments?post=12` | comments of any post; of one post, also where they are embedded |
 * | `>/shop/v1/products/12` | those of the REST API that link to this item of a plugin |
 * | `P/about` | pages and everything else outside of the REST API, at or below this path |
 * | `@120` | responses of plugins that mention an item by its id 120 (`mentionTags`) |
 * | `!name` | a tag that the site (`Surrogate-Key`, `Cache-Tag`) or a cache rule states |
 * | `L/2024/05/hello` | it links to this path of the site, or is at it ({@link normalizeLinkPath}) |
 * | `@post:12`, `@term:5`, `@user:1`, `@comment:77` | it shows the item with this id: by a class or an id of HTML, a query (`?p=12`), a link of the REST API |
 * | `#comments` | it links to a comment of any item (`#comment-77`) |
 * | `#comments:/2024/05/hello` | it links to a comment of the item at this path, to its comment form or its feed, or is that page |
 * | `#search`, `#search:red cup` | a search, which any text of an item may enter; what it is for (`searches.ts`) |
 * | `#feed` | a feed, which names terms and authors without a link |
 * | `#any-item` | it has too many of these tags, or its content cannot be read: it may show any item |
 */
export const tagNames = {
  exactRoute: (route: string): string => `=${route}`,
  listByAnyField: (collection: string): string => `${collection}?any`,
  commentsOfAnyPost: (collection: string): string => `${collection}?post`,
  commentsOf: (collection: string, post: string): string => `${collection}?post=${post}`,
  ownPage: (item: string): string => `^${item}`,
  reference: (item: string): string => `>${item}`,
  mention: (id: string): string => `@${id}`,
  customName: (name: string): string => `!${name}`,
  link: (path: string): string => `L${normalizeLinkPath(path)}`,
  post: (id: string): string => `@post:${id}`,
  term: (id: string): string => `@term:${id}`,
  user: (id: string): string => `@user:${id}`,
  comment: (id: string): string => `@comment:${id}`,
  comments: (path: string): string => `#comments:${normalizeLinkPath(path)}`,
  anyComments: '#comments',
  search: '#search',
  searchFor: (terms: string): string => `#search:${terms}`,
  feed: '#feed',
  anyItem: '#any-item',
} as const;

/** Tag of all responses of a site. */
export const EVERYTHING = '/';

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

/** Whether a tag, in the form of the store, is {@link tagNames.ownPage}. */
export function isOwnPageTag(stored: string): boolean {
  return stored.startsWith('^', stored.indexOf(' ') + 1);
}

export function pageTag(path: string): string {
  return `P${normalizeEscapes(path)}`;
}

/**
 * Writes percent-encoded octets in upper case, as browsers do (RFC 3986 §6.2.2.1). WordPress writes those of slugs in lower case, also
 * in the addresses that plugins purge (Automattic/wp-super-cache#1081).
 */
export function normalizeEscapes(address: string): string {
  return address.replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase());
}

/** Infers the namespace of a route outside the document: its first two segments, as is the convention of plugins. */
export function inferNamespace(route: string): string {
  return toTagPath(route).split('/').slice(1, 3).join('/');
}

/** Converts a value to a list of ids or names. Returns `null` if it is no such list. */
export function toScalarList(value: Json | undefined): readonly string[] | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'object') {
    return String(value)
      .toLowerCase()
      .split(/[\s,]+/);
  }
  if (!Array.isArray(value) || value.length === 0) return null;
  const scalars = value.flatMap((each) =>
    typeof each === 'string' || typeof each === 'number' ? [String(each).toLowerCase()] : [],
  );
  return scalars.length === value.length ? scalars : null;
}

/** What WordPress appends to the address of an item: its feeds, its embed, and the pages of it and of its comments (`WP_Rewrite`). */
const SUFFIX = /\/(?:feed(?:\/(?:rss2?|atom|rdf))?|embed|trackback|page\/\d{1,9}|comment-page-\d{1,9})$/;

/** What WordPress adds to the name of an uploaded image for one of its sizes. */
const IMAGE_SIZE = /-(?:\d{1,5}x\d{1,5}|scaled)(?=\.\w{1,5}$)/;

/**
 * Normalizes the path of a link, so that all links to an item have one tag, and all sizes of an uploaded image. Query and fragment are
 * not part of the path.
 */
export function normalizeLinkPath(path: string): string {
  const trimmed = trimTrailingSlashes(path);
  const withoutSuffix = trimmed.replace(SUFFIX, '');
  const original = withoutSuffix.includes('/uploads/')
    ? withoutSuffix.replace(IMAGE_SIZE, '')
    : withoutSuffix;
  return original === '' ? '/' : encodeQueryValue(rawUrlDecode(original)).toLowerCase();
}
