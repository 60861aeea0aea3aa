import { INDEX_SETTINGS, OEMBED_FIELDS, SEARCH_FIELDS } from './list-dependencies.ts';
import { toScalarList } from './list-tags.ts';
import { OEMBED_TAG, oembedInvalidationTags } from './oembed.ts';
import type { ResourceChange } from './resource-change.ts';
import type { ResourceKind, ResourceMap } from './resource-map.ts';
import { DYNAMIC_CONTENT_TAG, OPAQUE_REFERENCES_TAG, pathHierarchy, tagNames } from './tag-names.ts';

/** What a change of one kind of resource does to others: which answers, and why. */
export interface CrossInvalidation {
  /** A sentence. */
  readonly reason: string;
  tags(change: ResourceChange, resources: ResourceMap): readonly string[];
}

const NONE: readonly string[] = [];

const searched: CrossInvalidation = {
  reason: 'searches show titles and look at texts, of posts and terms alike',
  tags: (change, resources) =>
    change.changesMembership || change.changesAnyField(SEARCH_FIELDS)
      ? resources
          .collectionsOfKind('search')
          .map((search) =>
            tagNames.listFilteredTo(search, 'type', change.location.kind === 'terms' ? 'term' : 'post'),
          )
      : NONE,
};

const referred: CrossInvalidation = {
  reason: 'what names an item that is gone names it no longer',
  tags: ({ event, item }) => (event === 'delete' ? references(item) : NONE),
};

const dynamic: CrossInvalidation = {
  reason: 'blocks in a content list posts, comments and terms',
  tags: () => [DYNAMIC_CONTENT_TAG],
};

/** Fields on which the visibility of what hangs on a post depends. */
const VISIBILITY: ReadonlySet<string> = new Set(['status', 'password', 'date', 'date_gmt']);

/** Fields of a user of which the name that is shown is made. */
const NAMES_OF_USERS: ReadonlySet<string> = new Set(['name', 'first_name', 'last_name', 'nickname', 'slug']);

const posts: readonly CrossInvalidation[] = [
  searched,
  dynamic,
  {
    reason: 'an embed card shows the title, the author and the picture of a post',
    tags: (change) => (change.changesAnyField(OEMBED_FIELDS) ? oembedInvalidationTags(change) : NONE),
  },
  {
    reason: 'a term counts its published posts',
    tags: (change, resources) =>
      resources.taxonomies.flatMap((taxonomy) => termCounts(change, taxonomy, resources)),
  },
  {
    reason: 'comments and attachments are as visible as their post, and comments are in the bin with it',
    tags: (change, resources) => {
      const { event, fields, id } = change;
      if (event === 'create' || !(event === 'delete' || change.changesAnyField(VISIBILITY))) return NONE;
      const shows = event === 'update' && (fields?.['status'] ?? 'publish') === 'publish';
      return [
        ...references(change.item),
        ...(id === null ? [] : [tagNames.reference(`#${id}`)]),
        ...resources.collectionsOfKind('comments').flatMap((path) => listsOf(path, 'post', id)),
        ...(shows
          ? resources.collectionsOfKind('media').flatMap((path) => listsOf(path, 'parent', id))
          : NONE),
      ];
    },
  },
  {
    reason: 'the path of a page is part of the paths of those below it',
    tags: (change) =>
      change.event === 'update' && (change.changesField('slug') || change.changesField('parent'))
        ? references(change.item)
        : NONE,
  },
];

const authors: CrossInvalidation = {
  reason: 'authors are public while they have published posts',
  tags: (change, resources) => {
    if (!change.changesMembership && !change.changesField('author')) return NONE;
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

/** By the kind of what was written, beside the item itself and the lists of its own collection. */
export const CROSS_INVALIDATIONS: Readonly<Record<ResourceKind, readonly CrossInvalidation[]>> = {
  posts: [...posts, authors],
  media: [...posts, referred],
  blocks: [
    ...posts,
    {
      reason: 'a reusable block is part of the content of posts that do not name it',
      tags: (_, resources) => resources.collectionsOfKind('posts'),
    },
  ],
  terms: [
    searched,
    referred,
    dynamic,
    {
      reason: "a term's slug is in the addresses of its posts and of the terms below it",
      tags: (change) =>
        change.event === 'update' && (change.changesField('slug') || change.changesField('parent'))
          ? references(change.item)
          : NONE,
    },
    {
      reason: 'the posts of a category that is gone count for the default category',
      tags: ({ event, location, fields }, resources) => {
        if (event !== 'delete' || fields?.['count'] === 0) return NONE;
        const taxonomy = location.collection.slice(location.collection.lastIndexOf('/') + 1);
        return [
          location.collection,
          ...resources
            .collectionsOfKind('posts')
            .flatMap((path) => [
              tagNames.filteredList(path, taxonomy),
              tagNames.fieldDependency(path, taxonomy),
            ]),
        ];
      },
    },
  ],
  users: [
    referred,
    {
      reason: 'an embed card shows the name of an author',
      tags: (change) =>
        change.event === 'update' && change.changesAnyField(NAMES_OF_USERS) ? [OEMBED_TAG] : NONE,
    },
    {
      reason: "the slug of an author is part of an author's address, by which posts are listed",
      tags: (change) =>
        change.event === 'update' && change.changesField('slug') ? references(change.item) : NONE,
    },
    {
      reason: 'the posts of a user who is gone are gone too, or those of another',
      tags: ({ event, location }, resources) =>
        event === 'delete'
          ? [
              location.collection,
              ...[...resources.collectionsOfKind('posts'), ...resources.collectionsOfKind('media')].map(
                tagNames.anyList,
              ),
              ...resources.collectionsOfKind('terms'),
              ...resources.collectionsOfKind('search'),
              OEMBED_TAG,
            ]
          : NONE,
    },
  ],
  comments: [
    referred,
    dynamic,
    {
      reason: 'a comment links to its answers once it has any',
      tags: ({ location, fields, changesMembership }) => {
        if (!changesMembership) return NONE;
        const parents = toScalarList(fields?.['parent']);
        return parents === null ? [location.collection] : parents.map((id) => `${location.collection}/${id}`);
      },
    },
    {
      reason: 'a comment that has moved is in the list of another post',
      tags: (change) =>
        change.event === 'update' && (change.changesField('parent') || change.changesField('post'))
          ? [change.location.collection]
          : NONE,
    },
  ],
  search: [],
  layout: [
    {
      reason: 'menus, their items, templates and widgets are parts of one another',
      tags: (_, resources) => resources.collectionsOfKind('layout'),
    },
  ],
  settings: [
    {
      reason: 'the root index and embed cards show the name of the site; other settings show anywhere',
      tags: (change) =>
        onlyTouches(change, INDEX_SETTINGS)
          ? [
              tagNames.exactRoute('/'),
              ...indexes(change.location.collection),
              OEMBED_TAG,
              ...pathHierarchy(change.location.collection).slice(-1),
            ]
          : ['/'],
    },
  ],
  plugins: [{ reason: 'a plugin or a theme may change anything', tags: () => ['/'] }],
  other: [],
};

function termCounts(change: ResourceChange, taxonomy: string, resources: ResourceMap): readonly string[] {
  if (!change.changesMembership && !change.changesField(taxonomy)) return NONE;
  const collection = resources.collectionsOfKind('terms').find((path) => path.endsWith(`/${taxonomy}`));
  if (collection === undefined) return NONE;
  const value = change.fields?.[taxonomy];
  // A post type without this taxonomy does not count for it.
  if (change.fields !== undefined && value === undefined) return NONE;
  const terms = toScalarList(value);
  if (change.event === 'update' && change.changesField(taxonomy)) return [collection];
  if (terms === null) return Array.isArray(value) ? NONE : [collection];
  return [
    tagNames.fieldDependency(collection, 'count'),
    ...terms.map((id) => tagNames.ownRoutes(`${collection}/${id}`)),
  ];
}

/** Lists that nothing narrows, and those that one item narrows. */
function listsOf(collection: string, parameter: string, id: string | null): readonly string[] {
  return [
    tagNames.unfilteredList(collection),
    id === null
      ? tagNames.filteredList(collection, parameter)
      : tagNames.listFilteredTo(collection, parameter, id),
  ];
}

function references(item: string | null): readonly string[] {
  return item === null ? [OPAQUE_REFERENCES_TAG] : [tagNames.reference(item), OPAQUE_REFERENCES_TAG];
}

function onlyTouches(change: ResourceChange, fields: ReadonlySet<string>): boolean {
  return change.writtenFields?.every((name) => fields.has(name)) ?? false;
}

/** `/` and `/wp/v2` describe the site. */
function indexes(collection: string): readonly string[] {
  return pathHierarchy(collection).slice(0, -1).map(tagNames.exactRoute);
}
