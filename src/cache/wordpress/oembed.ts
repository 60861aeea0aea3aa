import type { Json } from '../../json.ts';
import type { ResourceChange } from './resource-change.ts';
import { pathHierarchy, tagNames, toTagPath } from './tag-names.ts';

/** Tag of all oEmbed responses. `/oembed/1.0/embed?url=…` names its post by URL, not by id. */
export const OEMBED_TAG = '/oembed/1.0';
const EMBED_ROUTE = `${OEMBED_TAG}/embed`;

/** Returns the tags of an oEmbed response. They include all parent paths, because `/post-2/2/` is a page of `/post-2/`. */
export function oembedResponseTags(path: string, values: ReadonlyMap<string, Json>): readonly string[] {
  if (path !== EMBED_ROUTE) return [];
  const post = postPath(values.get('url'));
  if (post === null) return [tagNames.unfilteredList(EMBED_ROUTE)];
  return pathHierarchy(post).map((each) => tagNames.listFilteredTo(EMBED_ROUTE, 'url', each));
}

/** Fields on which the URL of a post depends, or its visibility. */
const URL_FIELDS: ReadonlySet<string> = new Set(['slug', 'status', 'parent', 'date', 'date_gmt']);

/** Returns the tags of the oEmbed responses that a change of a post invalidates: all of them if its URL has changed. */
export function oembedInvalidationTags(change: ResourceChange): readonly string[] {
  const post = postPath(change.fields?.['link']);
  const hasMoved = change.event === 'update' && change.changesAnyField(URL_FIELDS);
  if (post === null || post === '/' || hasMoved) return [OEMBED_TAG];
  return [tagNames.unfilteredList(EMBED_ROUTE), tagNames.listFilteredTo(EMBED_ROUTE, 'url', post)];
}

/** Returns the path of a post's URL; `null` if a query identifies the post. */
function postPath(url: Json | undefined): string | null {
  if (typeof url !== 'string') return null;
  const [, path] = /^(?:https?:)?\/\/[^/?#]*([^?#]*)(?:#.*)?$/i.exec(url) ?? [];
  if (path === undefined) return null;
  return toTagPath(path).replace(/\/+$/, '') || '/';
}

/** Fields of a post that its oEmbed response contains or depends on (`/oembed/1.0/embed`). */
export const OEMBED_POST_FIELDS: ReadonlySet<string> = new Set([
  'title',
  'author',
  'featured_media',
  'slug',
  'status',
  'password',
  'parent',
  'date',
  'date_gmt',
  'excerpt',
]);
