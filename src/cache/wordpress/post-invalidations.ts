import {
  type CrossInvalidation,
  dynamicBlockInvalidation,
  NO_TAGS,
  referenceTags,
  searchResultInvalidation,
} from './common-invalidations.ts';
import { toScalarList } from './list-tags.ts';
import { OEMBED_POST_FIELDS, oembedInvalidationTags } from './oembed.ts';
import type { ResourceChange } from './resource-change.ts';
import type { ResourceMap } from './resource-map.ts';
import { tagNames } from './tag-names.ts';

/** Fields on which the visibility of a post's comments and attachments depends. */
const VISIBILITY_FIELDS: ReadonlySet<string> = new Set(['status', 'password', 'date', 'date_gmt']);

/** Invalidations by changes of posts, media and reusable blocks. */
export const postInvalidations: readonly CrossInvalidation[] = [
  searchResultInvalidation,
  dynamicBlockInvalidation,
  {
    reason: 'an oEmbed response contains the title, the author and the image of a post',
    getTags: (change) =>
      change.changesAnyField(OEMBED_POST_FIELDS) ? oembedInvalidationTags(change) : NO_TAGS,
  },
  {
    reason: 'a term counts its published posts',
    getTags: (change, resources) =>
      resources.taxonomies.flatMap((taxonomy) => termCounts(change, taxonomy, resources)),
  },
  {
    reason: 'comments and attachments are as visible as their post, and comments are trashed with it',
    getTags: (change, resources) => {
      const { event, fields, itemId } = change;
      if (event === 'create' || !(event === 'delete' || change.changesAnyField(VISIBILITY_FIELDS)))
        return NO_TAGS;
      const isNowPublic = event === 'update' && (fields?.['status'] ?? 'publish') === 'publish';
      return [
        ...referenceTags(change.itemPath),
        ...(itemId === null ? [] : [tagNames.reference(`#${itemId}`)]),
        ...resources.collectionsOfKind('comments').flatMap((path) => listTagsFor(path, 'post', itemId)),
        ...(isNowPublic
          ? resources.collectionsOfKind('media').flatMap((path) => listTagsFor(path, 'parent', itemId))
          : NO_TAGS),
      ];
    },
  },
  {
    reason: 'the path of a page is part of the paths of its child pages',
    getTags: (change) =>
      change.event === 'update' && (change.changesField('slug') || change.changesField('parent'))
        ? referenceTags(change.itemPath)
        : NO_TAGS,
  },
];

/** Invalidates authors when their number of published posts may have changed. */
export const publicAuthorInvalidation: CrossInvalidation = {
  reason: 'authors are public while they have published posts',
  getTags: (change, resources) => {
    if (!change.changesMembership && !change.changesField('author')) return NO_TAGS;
    const authors = toScalarList(change.fields?.['author']);
    return resources
      .collectionsOfKind('users')
      .flatMap((users) =>
        authors === null || (change.event === 'update' && change.changesField('author'))
          ? [users]
          : [tagNames.anyList(users), ...authors.map((id) => tagNames.ownRoutes(`${users}/${id}`))],
      );
  },
};

/** Returns the tags of the terms whose post count a change alters. */
function termCounts(change: ResourceChange, taxonomy: string, resources: ResourceMap): readonly string[] {
  if (!change.changesMembership && !change.changesField(taxonomy)) return NO_TAGS;
  const collection = resources.collectionsOfKind('terms').find((path) => path.endsWith(`/${taxonomy}`));
  if (collection === undefined) return NO_TAGS;
  const value = change.fields?.[taxonomy];
  // A post type without this taxonomy does not count for it.
  if (change.fields !== undefined && value === undefined) return NO_TAGS;
  const terms = toScalarList(value);
  if (change.event === 'update' && change.changesField(taxonomy)) return [collection];
  if (terms === null) return Array.isArray(value) ? NO_TAGS : [collection];
  return [
    tagNames.fieldDependency(collection, 'count'),
    ...terms.map((id) => tagNames.ownRoutes(`${collection}/${id}`)),
  ];
}

/** Returns the tags of lists that are unfiltered, or filtered by one item. */
function listTagsFor(collection: string, parameter: string, id: string | null): readonly string[] {
  return [
    tagNames.unfilteredList(collection),
    id === null
      ? tagNames.listFilteredBy(collection, parameter)
      : tagNames.listFilteredTo(collection, parameter, id),
  ];
}
