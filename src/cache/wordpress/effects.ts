import { SEEN_BY_SEARCH, SHOWN_BY_INDEX, SHOWN_BY_OEMBED } from './dependencies.ts';
import { cardsOf, OEMBED } from './embed-cards.ts';
import { scalarsOf } from './list-tags.ts';
import type { ResourceKind, Resources } from './resources.ts';
import { DYNAMIC, hierarchy, OPAQUE_REFERENCES, tagNames } from './tag-names.ts';
import type { Change } from './write.ts';

/** What a change of one kind of resource does to others: which answers, and why. */
export interface Effect {
  /** A sentence. */
  readonly because: string;
  tags(change: Change, resources: Resources): readonly string[];
}

const NONE: readonly string[] = [];

const searched: Effect = {
  because: 'searches show titles and look at texts, of posts and terms alike',
  tags: (change, resources) =>
    change.membership || change.touchesAny(SEEN_BY_SEARCH)
      ? resources
          .ofKind('search')
          .map((search) => tagNames.narrowedTo(search, 'type', change.at.kind === 'terms' ? 'term' : 'post'))
      : NONE,
};

const referred: Effect = {
  because: 'what names an item that is gone names it no longer',
  tags: ({ event, item }) => (event === 'delete' ? references(item) : NONE),
};

const dynamic: Effect = {
  because: 'blocks in a content list posts, comments and terms',
  tags: () => [DYNAMIC],
};

/** Fields on which the visibility of what hangs on a post depends. */
const VISIBILITY: ReadonlySet<string> = new Set(['status', 'password', 'date', 'date_gmt']);

/** Fields of a user of which the name that is shown is made. */
const NAMES_OF_USERS: ReadonlySet<string> = new Set(['name', 'first_name', 'last_name', 'nickname', 'slug']);

const posts: readonly Effect[] = [
  searched,
  dynamic,
  {
    because: 'an embed card shows the title, the author and the picture of a post',
    tags: (change) => (change.touchesAny(SHOWN_BY_OEMBED) ? cardsOf(change) : NONE),
  },
  {
    because: 'a term counts its published posts',
    tags: (change, resources) =>
      resources.taxonomies.flatMap((taxonomy) => termCounts(change, taxonomy, resources)),
  },
  {
    because: 'comments and attachments are as visible as their post, and comments are in the bin with it',
    tags: (change, resources) => {
      const { event, fields, id } = change;
      if (event === 'create' || !(event === 'delete' || change.touchesAny(VISIBILITY))) return NONE;
      const shows = event === 'update' && (fields?.['status'] ?? 'publish') === 'publish';
      return [
        ...references(change.item),
        ...(id === null ? [] : [tagNames.refers(`#${id}`)]),
        ...resources.ofKind('comments').flatMap((path) => listsOf(path, 'post', id)),
        ...(shows ? resources.ofKind('media').flatMap((path) => listsOf(path, 'parent', id)) : NONE),
      ];
    },
  },
  {
    because: 'the path of a page is part of the paths of those below it',
    tags: (change) =>
      change.event === 'update' && (change.touches('slug') || change.touches('parent'))
        ? references(change.item)
        : NONE,
  },
];

const authors: Effect = {
  because: 'authors are public while they have published posts',
  tags: (change, resources) => {
    if (!change.membership && !change.touches('author')) return NONE;
    const authors = scalarsOf(change.fields?.['author']);
    return resources
      .ofKind('users')
      .flatMap((users) =>
        authors === null || (change.event === 'update' && change.touches('author'))
          ? [users]
          : [tagNames.anyList(users), ...authors.map((id) => tagNames.own(`${users}/${id}`))],
      );
  },
};

/** By the kind of what was written, beside the item itself and the lists of its own collection. */
export const EFFECTS: Readonly<Record<ResourceKind, readonly Effect[]>> = {
  posts: [...posts, authors],
  media: [...posts, referred],
  blocks: [
    ...posts,
    {
      because: 'a reusable block is part of the content of posts that do not name it',
      tags: (_, resources) => resources.ofKind('posts'),
    },
  ],
  terms: [
    searched,
    referred,
    dynamic,
    {
      because: "a term's slug is in the addresses of its posts and of the terms below it",
      tags: (change) =>
        change.event === 'update' && (change.touches('slug') || change.touches('parent'))
          ? references(change.item)
          : NONE,
    },
    {
      because: 'the posts of a category that is gone count for the default category',
      tags: ({ event, at, fields }, resources) => {
        if (event !== 'delete' || fields?.['count'] === 0) return NONE;
        const taxonomy = at.collection.slice(at.collection.lastIndexOf('/') + 1);
        return [
          at.collection,
          ...resources
            .ofKind('posts')
            .flatMap((path) => [tagNames.narrowed(path, taxonomy), tagNames.dependsOn(path, taxonomy)]),
        ];
      },
    },
  ],
  users: [
    referred,
    {
      because: 'an embed card shows the name of an author',
      tags: (change) => (change.event === 'update' && change.touchesAny(NAMES_OF_USERS) ? [OEMBED] : NONE),
    },
    {
      because: "the slug of an author is part of an author's address, by which posts are listed",
      tags: (change) =>
        change.event === 'update' && change.touches('slug') ? references(change.item) : NONE,
    },
    {
      because: 'the posts of a user who is gone are gone too, or those of another',
      tags: ({ event, at }, resources) =>
        event === 'delete'
          ? [
              at.collection,
              ...[...resources.ofKind('posts'), ...resources.ofKind('media')].map(tagNames.anyList),
              ...resources.ofKind('terms'),
              ...resources.ofKind('search'),
              OEMBED,
            ]
          : NONE,
    },
  ],
  comments: [
    referred,
    dynamic,
    {
      because: 'a comment links to its answers once it has any',
      tags: ({ at, fields, membership }) => {
        if (!membership) return NONE;
        const parents = scalarsOf(fields?.['parent']);
        return parents === null ? [at.collection] : parents.map((id) => `${at.collection}/${id}`);
      },
    },
    {
      because: 'a comment that has moved is in the list of another post',
      tags: (change) =>
        change.event === 'update' && (change.touches('parent') || change.touches('post'))
          ? [change.at.collection]
          : NONE,
    },
  ],
  search: [],
  apart: [
    {
      because: 'menus, their items, templates and widgets are parts of one another',
      tags: (_, resources) => resources.ofKind('apart'),
    },
  ],
  settings: [
    {
      because: 'the root index and embed cards show the name of the site; other settings show anywhere',
      tags: (change) =>
        onlyTouches(change, SHOWN_BY_INDEX)
          ? [
              tagNames.exact('/'),
              ...indexes(change.at.collection),
              OEMBED,
              ...hierarchy(change.at.collection).slice(-1),
            ]
          : ['/'],
    },
  ],
  plugins: [{ because: 'a plugin or a theme may change anything', tags: () => ['/'] }],
  other: [],
};

function termCounts(change: Change, taxonomy: string, resources: Resources): readonly string[] {
  if (!change.membership && !change.touches(taxonomy)) return NONE;
  const collection = resources.ofKind('terms').find((path) => path.endsWith(`/${taxonomy}`));
  if (collection === undefined) return NONE;
  const value = change.fields?.[taxonomy];
  // A post type without this taxonomy does not count for it.
  if (change.fields !== undefined && value === undefined) return NONE;
  const terms = scalarsOf(value);
  if (change.event === 'update' && change.touches(taxonomy)) return [collection];
  if (terms === null) return Array.isArray(value) ? NONE : [collection];
  return [tagNames.dependsOn(collection, 'count'), ...terms.map((id) => tagNames.own(`${collection}/${id}`))];
}

/** Lists that nothing narrows, and those that one item narrows. */
function listsOf(collection: string, parameter: string, id: string | null): readonly string[] {
  return [
    tagNames.plainList(collection),
    id === null ? tagNames.narrowed(collection, parameter) : tagNames.narrowedTo(collection, parameter, id),
  ];
}

function references(item: string | null): readonly string[] {
  return item === null ? [OPAQUE_REFERENCES] : [tagNames.refers(item), OPAQUE_REFERENCES];
}

function onlyTouches(change: Change, fields: ReadonlySet<string>): boolean {
  return change.written?.every((name) => fields.has(name)) ?? false;
}

/** `/` and `/wp/v2` describe the site. */
function indexes(collection: string): readonly string[] {
  return hierarchy(collection).slice(0, -1).map(tagNames.exact);
}
