import type { ResourceChange } from './resource-change.ts';
import type { ResourceMap } from './resource-map.ts';
import { DYNAMIC_CONTENT_TAG, OPAQUE_REFERENCES_TAG, tagNames } from './tag-names.ts';

/** A dependency of responses on resources of another kind, whose changes invalidate the responses. */
export interface CrossInvalidation {
  /** The dependency as a sentence. */
  readonly reason: string;
  /** Whether changes of items that anonymous clients do not see invalidate responses that they see. @default false */
  readonly concernsHiddenItems?: boolean;
  /** Returns the tags of the responses that a change invalidates. */
  getTags(change: ResourceChange, resources: ResourceMap): readonly string[];
}

export const NO_TAGS: readonly string[] = [];

/** Fields of posts and terms that `/wp/v2/search` reads or contains. */
const SEARCH_FIELDS: ReadonlySet<string> = new Set([
  'title',
  'content',
  'excerpt',
  'status',
  'password',
  'slug',
  'date',
  'date_gmt',
  'parent',
  'name',
  'description',
  'caption',
  'alt_text',
  // Permalinks may contain them.
  'author',
  'categories',
]);

/** Invalidates the results of searches. */
export const searchResultInvalidation: CrossInvalidation = {
  reason: 'searches read the texts and contain the titles of posts and terms',
  getTags: (change, resources) =>
    change.changesMembership || change.changesAnyField(SEARCH_FIELDS)
      ? resources
          .collectionsOfKind('search')
          .map((search) =>
            tagNames.listFilteredTo(search, 'type', change.location.kind === 'terms' ? 'term' : 'post'),
          )
      : NO_TAGS,
};

/** Invalidates responses that reference a deleted item. */
export const deletedReferenceInvalidation: CrossInvalidation = {
  reason: 'a response that references a deleted item no longer does so',
  getTags: ({ event, itemPath }) => (event === 'delete' ? referenceTags(itemPath) : NO_TAGS),
};

/** Invalidates responses with content that is rendered from other resources. */
export const renderedContentInvalidation: CrossInvalidation = {
  reason: 'blocks and shortcodes show posts, media, comments, terms, users, menus and the name of the site',
  getTags: () => [DYNAMIC_CONTENT_TAG],
};

/** Returns the tags of all content on a site whose plugins may render names into it, as text that nothing marks. */
export function pluginContentTags(resources: ResourceMap): readonly string[] {
  return resources.hasPlugins
    ? (['posts', 'blocks', 'layout'] as const).flatMap(resources.collectionsOfKind)
    : NO_TAGS;
}

/** Returns the tags of responses whose links contain the path of an item or of an item below it, at any depth. */
export function linkTags(item: string | null, collection: string): readonly string[] {
  return [collection, tagNames.reference(collection), ...referenceTags(item)];
}

/** Returns the tags of responses that reference an item; those of all references if the item is `null`. */
export function referenceTags(item: string | null): readonly string[] {
  return item === null ? [OPAQUE_REFERENCES_TAG] : [tagNames.reference(item), OPAQUE_REFERENCES_TAG];
}
