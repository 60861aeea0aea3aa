import { encodeQueryValue, rawUrlDecode } from '../../php/encoding.ts';
import type { ResourceKind } from '../wordpress/resource-map.ts';

/**
 * The tags of the items that a response shows, by which a write of an item finds it:
 *
 * | tag | responses that have it |
 * |---|---|
 * | `L/2024/05/hello` | it links to this path of the site, or is at it ({@link normalizeLinkPath}) |
 * | `@post:12`, `@term:5`, `@user:1`, `@comment:77` | it shows the item with this id: by a class or an id of HTML, a query (`?p=12`), a link of the REST API |
 * | `#comments` | it links to a comment of any item (`#comment-77`) |
 * | `#comments:/2024/05/hello` | it links to a comment of the item at this path, to its comment form or its feed, or is that page |
 * | `#search` | a search, which any text of an item may enter |
 * | `#any-item` | it has too many of these tags, or its content cannot be read: it may show any item |
 */
export const itemTags = {
  link: (path: string): string => `L${normalizeLinkPath(path)}`,
  post: (id: string): string => `@post:${id}`,
  term: (id: string): string => `@term:${id}`,
  user: (id: string): string => `@user:${id}`,
  comment: (id: string): string => `@comment:${id}`,
  comments: (path: string): string => `#comments:${normalizeLinkPath(path)}`,
  anyComments: '#comments',
  search: '#search',
  anyItem: '#any-item',
} as const;

/**
 * Tags of an item by its id, by the kind of its collection in the REST API. The items of plugins are posts in most plugins: products,
 * events, courses.
 */
export const ITEM_TAG_BY_KIND: Readonly<Partial<Record<ResourceKind, (id: string) => string>>> = {
  posts: itemTags.post,
  media: itemTags.post,
  blocks: itemTags.post,
  other: itemTags.post,
  terms: itemTags.term,
  users: itemTags.user,
  comments: itemTags.comment,
};

/** What WordPress appends to the address of an item: its feeds, its embed, and the pages of it and of its comments (`WP_Rewrite`). */
const SUFFIX = /\/(?:feed(?:\/(?:rss2?|atom|rdf))?|embed|trackback|page\/\d{1,9}|comment-page-\d{1,9})$/;

/** What WordPress adds to the name of an uploaded image for one of its sizes. */
const IMAGE_SIZE = /-(?:\d{1,5}x\d{1,5}|scaled)(?=\.\w{1,5}$)/;

/**
 * Normalizes the path of a link, so that all links to an item have one tag, and all sizes of an uploaded image. Query and fragment are
 * not part of the path.
 */
export function normalizeLinkPath(path: string): string {
  const trimmed = trimSlashes(path);
  const withoutSuffix = trimmed.replace(SUFFIX, '');
  const original = withoutSuffix.includes('/uploads/')
    ? withoutSuffix.replace(IMAGE_SIZE, '')
    : withoutSuffix;
  return original === '' ? '/' : encodeQueryValue(rawUrlDecode(original)).toLowerCase();
}

function trimSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}
