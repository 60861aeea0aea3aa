import type { ResourceKind } from './resource-map.ts';

/**
 * What WordPress's lists depend on, as its controllers build them (wp-includes/rest-api/endpoints). A list is purged by a
 * write only where the write touches what the list's members or their order depend on.
 */
export interface ListDependencies {
  /** Fields whose change brings an item into any list or takes it out. */
  readonly membershipFields: readonly string[];
  /** Parameters that narrow a list to items that have one of the values in a field. The first one given counts. */
  readonly filters: readonly (readonly [parameter: string, field: string])[];
  /** The fields that each parameter looks at. A parameter that is not here may look at any. */
  readonly fieldsByParameter: Readonly<Record<string, readonly string[]>>;
  /** The fields that each `orderby` looks at. */
  readonly fieldsByOrder: Readonly<Record<string, readonly string[]>>;
  /** The `orderby` of a list that is not asked for one. */
  readonly defaultOrder: string;
}

/** Stands for whatever of an item: its date of modification, or what a parameter that is not known here looks at. */
export const ANY_FIELD = 'any';

const EVERYWHERE: Readonly<Record<string, readonly string[]>> = {
  context: [],
  page: [],
  per_page: [],
  offset: [],
  order: [],
  include: [],
  exclude: [],
  _embed: [],
  _fields: [],
  _envelope: [],
  _locale: [],
};

const POSTS: ListDependencies = {
  membershipFields: ['status', 'date', 'date_gmt'],
  filters: [
    ['include', 'id'],
    ['slug', 'slug'],
    ['parent', 'parent'],
    ['author', 'author'],
    ['sticky', 'sticky'],
  ],
  fieldsByParameter: {
    ...EVERYWHERE,
    // Searches leave protected posts out.
    search: ['title', 'content', 'excerpt', 'password'],
    search_columns: ['title', 'content', 'excerpt'],
    after: ['date'],
    before: ['date'],
    modified_after: [ANY_FIELD],
    modified_before: [ANY_FIELD],
    author: ['author'],
    author_exclude: ['author'],
    slug: ['slug'],
    status: ['status'],
    parent: ['parent'],
    parent_exclude: ['parent'],
    sticky: ['sticky'],
    ignore_sticky: ['sticky'],
    menu_order: ['menu_order'],
    format: ['format'],
    tax_relation: [],
  },
  fieldsByOrder: {
    author: ['author'],
    date: ['date'],
    id: [],
    include: [],
    modified: [ANY_FIELD],
    parent: ['parent'],
    relevance: ['title', 'content', 'excerpt'],
    slug: ['slug'],
    include_slugs: ['slug'],
    title: ['title'],
    menu_order: ['menu_order'],
  },
  defaultOrder: 'date',
};

export const LIST_DEPENDENCIES: Readonly<Partial<Record<ResourceKind, ListDependencies>>> = {
  posts: POSTS,
  blocks: POSTS,
  media: {
    membershipFields: ['status', 'date', 'date_gmt'],
    filters: [
      ['include', 'id'],
      ['slug', 'slug'],
      ['parent', 'post'],
      ['author', 'author'],
    ],
    fieldsByParameter: {
      ...POSTS.fieldsByParameter,
      search: ['title', 'content', 'excerpt', 'caption', 'description', 'alt_text'],
      parent: ['post'],
      parent_exclude: ['post'],
      // Of the file, which no write changes.
      media_type: [],
      mime_type: [],
    },
    fieldsByOrder: POSTS.fieldsByOrder,
    defaultOrder: 'date',
  },
  terms: {
    membershipFields: [],
    filters: [
      ['post', ''],
      ['include', 'id'],
      ['slug', 'slug'],
      ['parent', 'parent'],
    ],
    fieldsByParameter: {
      ...EVERYWHERE,
      search: ['name', 'slug', 'description'],
      hide_empty: ['count'],
      parent: ['parent'],
      post: ['post'],
      slug: ['slug'],
    },
    fieldsByOrder: {
      id: [],
      include: [],
      name: ['name'],
      slug: ['slug'],
      include_slugs: ['slug'],
      term_group: ['slug'],
      description: ['description'],
      count: ['count'],
    },
    defaultOrder: 'name',
  },
  users: {
    membershipFields: ['roles', 'has_published_posts'],
    filters: [
      ['include', 'id'],
      ['slug', 'slug'],
    ],
    fieldsByParameter: {
      ...EVERYWHERE,
      search: ['name', 'slug', 'email', 'url', 'username'],
      slug: ['slug'],
      roles: ['roles'],
      capabilities: ['roles'],
      who: ['roles'],
      has_published_posts: [],
    },
    fieldsByOrder: {
      id: [],
      include: [],
      name: ['name'],
      registered_date: [],
      slug: ['slug'],
      include_slugs: ['slug'],
      email: ['email'],
      url: ['url'],
    },
    defaultOrder: 'name',
  },
  comments: {
    membershipFields: ['status', 'date', 'date_gmt'],
    filters: [
      ['include', 'id'],
      ['post', 'post'],
      ['parent', 'parent'],
    ],
    fieldsByParameter: {
      ...EVERYWHERE,
      search: ['content', 'author_name', 'author_email', 'author_url'],
      after: ['date'],
      before: ['date'],
      author: ['author'],
      author_exclude: ['author'],
      author_email: ['author_email'],
      parent: ['parent'],
      parent_exclude: ['parent'],
      post: ['post'],
      status: ['status'],
      type: [],
      password: [],
    },
    fieldsByOrder: {
      date: ['date'],
      date_gmt: ['date'],
      id: [],
      include: [],
      post: ['post'],
      parent: ['parent'],
      type: [],
    },
    defaultOrder: 'date_gmt',
  },
};

/** Fields of a post that its embed card shows (`/oembed/1.0/embed`). */
export const OEMBED_FIELDS: ReadonlySet<string> = new Set([
  ...[
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
  ],
]);

/** Fields of posts and terms that `/wp/v2/search` looks at or shows. */
export const SEARCH_FIELDS: ReadonlySet<string> = new Set([
  ...['title', 'content', 'excerpt', 'status', 'password', 'slug', 'date', 'date_gmt', 'parent'],
  ...['name', 'description', 'caption', 'alt_text'],
]);

/** Settings that only the root index and embed cards show. Any other may show anywhere. */
export const INDEX_SETTINGS: ReadonlySet<string> = new Set([
  ...[
    'title',
    'description',
    'timezone',
    'site_logo',
    'site_icon',
    'email',
    'start_of_week',
    'posts_per_page',
  ],
  ...['default_ping_status', 'default_comment_status', 'default_category', 'default_post_format'],
]);

/** Blocks whose rendered content is made of other posts, comments or terms, by the class that WordPress gives them. */
export const DYNAMIC_BLOCKS: readonly string[] = [
  ...['latest-posts', 'latest-comments', 'query', 'post-template', 'archives', 'calendar', 'categories'],
  ...['tag-cloud', 'page-list', 'navigation', 'comments', 'post-comments', 'post-navigation-link', 'term-'],
];
