import type { ResourceKind } from './resource-map.ts';

/**
 * The fields on which the members of a list and their order depend, according to the controllers of WordPress
 * (wp-includes/rest-api/endpoints). A write purges a list only if it changes such a field.
 */
export interface ListDependencies {
  /** Fields whose change can add an item to any list or remove it. */
  readonly membershipFields: readonly string[];
  /** Parameters that select items by the values of a field. The first one in the request determines the tags. */
  readonly filters: readonly (readonly [parameter: string, field: string])[];
  /** The fields that each parameter reads. A parameter that is missing here may read any field. */
  readonly fieldsByParameter: Readonly<Record<string, readonly string[]>>;
  /** The fields that each value of `orderby` reads. */
  readonly fieldsByOrder: Readonly<Record<string, readonly string[]>>;
  /** The default of `orderby`. */
  readonly defaultOrder: string;
}

/** Stands for any field of an item. The modification date and unknown parameters depend on it. */
export const ANY_FIELD = 'any';

/** Parameters of all lists that read no field. */
const COMMON_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
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
    ...COMMON_PARAMETERS,
    // Searches exclude protected posts.
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
      // Properties of the file, which no write changes.
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
      ...COMMON_PARAMETERS,
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
      ...COMMON_PARAMETERS,
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
      ...COMMON_PARAMETERS,
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
