import {
  type CrossInvalidation,
  linkTags,
  NO_TAGS,
  referenceTags,
  renderedContentInvalidation,
  searchResultInvalidation,
} from './common-invalidations.ts';
import { LIST_DEPENDENCIES } from './list-dependencies.ts';
import { toScalarList } from './list-tags.ts';
import { OEMBED_POST_FIELDS, OEMBED_TAG, oembedInvalidationTags } from './oembed.ts';
import type { ResourceChange } from './resource-change.ts';
import type { ResourceKind, ResourceMap } from './resource-map.ts';
import { tagNames } from './tag-names.ts';

/** Fields on which neither the URL of a post depends nor the visibility of its comments and attachments. */
const OWN_FIELDS: ReadonlySet<string> = new Set([
  'title',
  'tags',
  'comment_status',
  'ping_status',
  'menu_order',
  'content',
  'excerpt',
  'featured_media',
  'format',
  'meta',
  'sticky',
  'template',
  'alt_text',
  'caption',
  'description',
]);

/** Fields of a page on which the URLs of all pages below it depend. A draft gets its slug when its status changes. */
const PATH_FIELDS: ReadonlySet<string> = new Set(['slug', 'parent', 'status', 'date', 'date_gmt']);

/** Invalidations by changes of posts, media and reusable blocks. */
export const postInvalidations: readonly CrossInvalidation[] = [
  searchResultInvalidation,
  renderedContentInvalidation,
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
    reason: 'the root index names the front page, which a site without that page does not have',
    getTags: ({ changesField, event, location }) =>
      location.kind === 'posts' && event !== 'create' && changesField('status')
        ? [tagNames.exactRoute('/')]
        : NO_TAGS,
  },
  {
    reason: 'comments and attachments are as visible as their post, contain its URL, and are trashed with it',
    concernsHiddenItems: true,
    getTags: (change, resources) => {
      if (!changesOtherThan(change, OWN_FIELDS)) return NO_TAGS;
      const { itemId } = change;
      return [
        ...referenceTags(change.itemPath),
        ...(itemId === null ? [] : [tagNames.reference(`#${itemId}`)]),
        ...listsOfItem('comments', 'post', itemId, resources),
        ...listsOfItem('media', 'parent', itemId, resources),
      ];
    },
  },
  {
    reason:
      'the URL of a page contains those of the pages above it, and the children of a deleted page move up',
    concernsHiddenItems: true,
    getTags: (change, resources) => {
      const { event, itemPath, location } = change;
      const isHierarchical = resources.hasListParameter(location.collectionPath, 'parent');
      const isAffected = event === 'delete' || (event === 'update' && change.changesAnyField(PATH_FIELDS));
      return location.kind === 'posts' && isHierarchical && isAffected
        ? [
            ...linkTags(itemPath, location.collectionPath),
            ...resources.collectionsOfKind('media'),
            ...resources.collectionsOfKind('search'),
            OEMBED_TAG,
          ]
        : NO_TAGS;
    },
  },
];

/** Whether a change of an existing item may have changed a field that is not among those given. */
function changesOtherThan(change: ResourceChange, fields: ReadonlySet<string>): boolean {
  if (change.event !== 'update') return change.event === 'delete';
  return change.writtenFields?.some((name) => !fields.has(name)) ?? true;
}

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
  if (value === undefined && !resources.hasListParameter(change.location.collectionPath, taxonomy)) {
    return NO_TAGS;
  }
  const terms = toScalarList(value);
  if (change.event === 'update' && change.changesField(taxonomy)) return [collection];
  if (terms === null && !Array.isArray(value)) return [collection];
  return [
    tagNames.fieldDependency(collection, 'count'),
    tagNames.ownRoutes(collection),
    ...(terms ?? []).map((id) => tagNames.ownRoutes(`${collection}/${id}`)),
  ];
}

/** Returns the tags of the lists of a kind that may contain what belongs to one item, by the parameter that selects it. */
function listsOfItem(
  kind: ResourceKind,
  parameter: string,
  id: string | null,
  resources: ResourceMap,
): readonly string[] {
  const filters = LIST_DEPENDENCIES[kind]?.filters.map(([name]) => name) ?? [];
  return resources
    .collectionsOfKind(kind)
    .flatMap((path) => [
      tagNames.unfilteredList(path),
      ...filters.map((name) =>
        name === parameter && id !== null
          ? tagNames.listFilteredTo(path, name, id)
          : tagNames.listFilteredBy(path, name),
      ),
    ]);
}
