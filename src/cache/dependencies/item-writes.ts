import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { PurgeClause } from '../store.ts';
import type { ResourceLocation } from '../wordpress/resource-map.ts';
import { type ItemState, listTextsBefore, readItemState } from './item-states.ts';
import { ITEM_TAG_BY_KIND, itemTags } from './item-tags.ts';

/** Selects the responses that show what a write has changed of an item. */
export interface ItemSelection {
  readonly tags: readonly string[];
  readonly clauses: readonly PurgeClause[];
}

const NOTHING: ItemSelection = { tags: [], clauses: [] };

/** Members of an item with its address. `permalink`: WooCommerce. */
const ADDRESS_MEMBERS = ['link', 'permalink'] as const;

/**
 * Selects the responses that show an item and contain what its changed fields were before a write. If that is unknown, all that show
 * the item are selected.
 *
 * @param responseBody of the write: the item as it is now
 * @param before `null` if it is unknown
 */
export function selectItemResponses(
  { isBelowItem, itemPath, kind }: ResourceLocation,
  responseBody: Json | undefined,
  before: ItemState | null,
): ItemSelection {
  if (!isJsonObject(responseBody)) return NOTHING;
  if (kind === 'comments') return { tags: commentTags(responseBody['link']), clauses: [] };
  const toTag = ITEM_TAG_BY_KIND[kind];
  if (itemPath === null || isBelowItem || toTag === undefined) return NOTHING;
  const tags = [
    itemTags.anyItem,
    toTag(itemPath.slice(itemPath.lastIndexOf('/') + 1)),
    ...listAddresses(responseBody).map(itemTags.link),
  ];
  const texts = before === null ? null : listTextsBefore(before, readItemState(responseBody));
  return texts === null
    ? { tags: [...tags, itemTags.search], clauses: [] }
    : { tags: [itemTags.search], clauses: [{ tags, texts }] };
}

/**
 * Returns the tags of the responses that show the comments of a post.
 *
 * @param link address of the comment (`…/hello/#comment-77`); anything else stands for an unknown post
 */
export function commentTags(link: Json | undefined): readonly string[] {
  const path = pathOf(link);
  const ofPost = path === null ? [] : [itemTags.comments(path)];
  return [itemTags.anyItem, itemTags.anyComments, ...ofPost];
}

function listAddresses(item: JsonObject): readonly string[] {
  return ADDRESS_MEMBERS.flatMap((name) => pathOf(item[name]) ?? []);
}

/** The front page is no address of an item: with plain permalinks all items have it. */
function pathOf(url: Json | undefined): string | null {
  if (typeof url !== 'string' || !URL.canParse(url)) return null;
  const { pathname } = new URL(url);
  return pathname === '/' ? null : pathname;
}
