import {
  type CrossInvalidation,
  deletedReferenceInvalidation,
  linkTags,
  NO_TAGS,
  pluginContentTags,
  referenceTags,
  renderedContentInvalidation,
  searchResultInvalidation,
} from './common-invalidations.ts';
import { toScalarList } from './list-tags.ts';
import { OEMBED_TAG } from './oembed.ts';
import { postInvalidations, publicAuthorInvalidation } from './post-invalidations.ts';
import type { ResourceChange } from './resource-change.ts';
import type { ResourceKind, ResourceMap } from './resource-map.ts';
import { DYNAMIC_CONTENT_TAG, pathHierarchy, tagNames } from './tag-names.ts';

/** Settings that only the root index and oEmbed responses contain. Any other setting may influence any response. */
const INDEX_SETTINGS: ReadonlySet<string> = new Set([
  'title',
  'description',
  'timezone',
  'site_logo',
  'site_icon',
  'email',
  'start_of_week',
  'posts_per_page',
  'default_ping_status',
  'default_comment_status',
  'default_category',
  'default_post_format',
]);

/** Fields of a user that determine the displayed name. */
const USER_NAME_FIELDS: ReadonlySet<string> = new Set([
  'name',
  'first_name',
  'last_name',
  'nickname',
  'slug',
]);

/**
 * Invalidations by the kind of resource that was written, in addition to those of the item itself and of the lists of its
 * own collection.
 */
export const CROSS_INVALIDATIONS: Readonly<Record<ResourceKind, readonly CrossInvalidation[]>> = {
  posts: [...postInvalidations, publicAuthorInvalidation],
  media: [
    ...postInvalidations,
    deletedReferenceInvalidation,
    {
      reason: 'the root index names the logo and the icon of the site',
      getTags: ({ event, location }) => (event === 'delete' ? indexTags(location.collectionPath) : NO_TAGS),
    },
  ],
  blocks: [
    ...postInvalidations,
    {
      reason: 'a reusable block is part of the content of posts that do not reference it',
      getTags: (_, resources) => [
        ...resources.collectionsOfKind('posts'),
        ...resources.collectionsOfKind('layout'),
      ],
    },
  ],
  terms: [
    searchResultInvalidation,
    deletedReferenceInvalidation,
    renderedContentInvalidation,
    {
      reason:
        'the slug of a term is part of the URLs of its posts and of all terms below it, which a deletion moves up',
      getTags: (change, resources) =>
        change.event === 'delete' ||
        (change.event === 'update' && (change.changesField('slug') || change.changesField('parent')))
          ? termLinkTags(change, resources)
          : NO_TAGS,
    },
    {
      reason: 'the posts of a deleted category move to the default category',
      getTags: ({ event, location }, resources) => {
        if (event !== 'delete') return NO_TAGS;
        const taxonomy = location.collectionPath.slice(location.collectionPath.lastIndexOf('/') + 1);
        return resources
          .collectionsOfKind('posts')
          .flatMap((path) => [
            tagNames.listFilteredBy(path, taxonomy),
            tagNames.fieldDependency(path, taxonomy),
          ]);
      },
    },
  ],
  users: [
    deletedReferenceInvalidation,
    renderedContentInvalidation,
    {
      reason: 'shortcodes of plugins show the names of users',
      getTags: (change, resources) =>
        change.event !== 'create' && change.changesAnyField(USER_NAME_FIELDS)
          ? pluginContentTags(resources)
          : NO_TAGS,
    },
    {
      reason: 'comments contain the avatars of their authors, which depend on the e-mail address',
      getTags: (change) =>
        change.event === 'update' && change.changesField('email') ? referenceTags(change.itemPath) : NO_TAGS,
    },
    {
      reason: 'an oEmbed response contains the name of the author',
      getTags: (change) =>
        change.event === 'update' && change.changesAnyField(USER_NAME_FIELDS) ? [OEMBED_TAG] : NO_TAGS,
    },
    {
      reason: "the slug of an author is part of the URL of the author's posts",
      getTags: (change) =>
        change.event === 'update' && change.changesField('slug') ? referenceTags(change.itemPath) : NO_TAGS,
    },
    {
      reason: 'the posts of a deleted user are deleted too, or reassigned to another',
      getTags: (change, resources) =>
        change.event === 'delete' ? deletedUserTags(change, resources) : NO_TAGS,
    },
  ],
  comments: [
    deletedReferenceInvalidation,
    renderedContentInvalidation,
    {
      reason: 'a comment links to its replies once it has any',
      getTags: ({ location, fields, changesMembership }) => {
        if (!changesMembership) return NO_TAGS;
        const parents = toScalarList(fields?.['parent']);
        return parents === null
          ? [location.collectionPath]
          : parents.map((id) => `${location.collectionPath}/${id}`);
      },
    },
    {
      reason: 'a moved comment is in the list of another post',
      getTags: (change) =>
        change.event === 'update' && (change.changesField('parent') || change.changesField('post'))
          ? [change.location.collectionPath]
          : NO_TAGS,
    },
  ],
  search: [],
  layout: [
    renderedContentInvalidation,
    {
      reason: 'menus, their items, templates and widgets are parts of one another',
      getTags: (_, resources) => resources.collectionsOfKind('layout'),
    },
  ],
  settings: [
    {
      reason:
        'the root index and oEmbed responses contain the name of the site; other settings may influence any response',
      getTags: (change, resources) =>
        onlyChanges(change, INDEX_SETTINGS)
          ? [
              tagNames.exactRoute('/'),
              ...indexTags(change.location.collectionPath),
              OEMBED_TAG,
              DYNAMIC_CONTENT_TAG,
              ...pluginContentTags(resources),
              ...pathHierarchy(change.location.collectionPath).slice(-1),
            ]
          : ['/'],
    },
  ],
  plugins: [{ reason: 'a plugin or a theme may change anything', getTags: () => ['/'] }],
  other: [],
};

/** Returns the tags of responses with the link of a term, or with a link that contains its slug. */
function termLinkTags({ itemPath, location }: ResourceChange, resources: ResourceMap): readonly string[] {
  const { collectionPath } = location;
  // Without terms below it, only responses that reference it contain its slug.
  if (!resources.hasListParameter(collectionPath, 'parent')) {
    return [collectionPath, ...referenceTags(itemPath), OEMBED_TAG];
  }
  return [...linkTags(itemPath, collectionPath), ...resources.collectionsOfKind('search'), OEMBED_TAG];
}

/** Returns the tags of responses that depend on a deleted user, except those that reference the user. */
function deletedUserTags(
  { location, sentParameters }: ResourceChange,
  resources: ResourceMap,
): readonly string[] {
  const posts = [...resources.collectionsOfKind('posts'), ...resources.collectionsOfKind('media')];
  const isReassigned = /^[1-9]\d*$/.test(String(sentParameters?.get('reassign') ?? ''));
  const tags = isReassigned
    ? posts.flatMap((path) => [
        tagNames.listFilteredBy(path, 'author'),
        tagNames.fieldDependency(path, 'author'),
        tagNames.anyFieldDependency(path),
      ])
    : [
        ...posts.map(tagNames.anyList),
        ...resources.collectionsOfKind('terms'),
        ...resources.collectionsOfKind('search'),
      ];
  return [location.collectionPath, ...tags, OEMBED_TAG];
}

function onlyChanges(change: ResourceChange, fields: ReadonlySet<string>): boolean {
  return change.writtenFields?.every((name) => fields.has(name)) ?? false;
}

/** The index routes above a collection, `/` and `/wp/v2`, which describe the site. */
function indexTags(collection: string): readonly string[] {
  return pathHierarchy(collection).slice(0, -1).map(tagNames.exactRoute);
}
