import type { Json } from '../../json.ts';
import type { ResourceChange } from './resource-change.ts';
import { pathHierarchy, tagNames, toTagPath } from './tag-names.ts';

/** Embed cards (`/oembed/1.0/embed?url=…`) name their post by its address on the site alone. */
export const OEMBED_TAG = '/oembed/1.0';
const CARD = `${OEMBED_TAG}/embed`;

/** The tags of a card: every path above its post's address too, for `/post-2/2/` is a page of `/post-2/`. */
export function oembedResponseTags(path: string, values: ReadonlyMap<string, Json>): readonly string[] {
  if (path !== CARD) return [];
  const post = postPath(values.get('url'));
  if (post === null) return [tagNames.unfilteredList(CARD)];
  return pathHierarchy(post).map((each) => tagNames.listFilteredTo(CARD, 'url', each));
}

/** Fields on which the address of a post depends, or whether there is anything at it. */
const ADDRESS: ReadonlySet<string> = new Set(['slug', 'status', 'parent', 'date', 'date_gmt']);

/** The cards that show a post: by its address where that has not changed. */
export function oembedInvalidationTags(change: ResourceChange): readonly string[] {
  const post = postPath(change.fields?.['link']);
  const moved = change.event === 'update' && change.changesAnyField(ADDRESS);
  if (post === null || post === '/' || moved) return [OEMBED_TAG];
  return [tagNames.unfilteredList(CARD), tagNames.listFilteredTo(CARD, 'url', post)];
}

/** The path of an address, whichever scheme and host it is given with; null where a query says which post it is. */
function postPath(url: Json | undefined): string | null {
  if (typeof url !== 'string') return null;
  const [, path] = /^(?:https?:)?\/\/[^/?#]*([^?#]*)(?:#.*)?$/i.exec(url) ?? [];
  if (path === undefined) return null;
  return toTagPath(path).replace(/\/+$/, '') || '/';
}
