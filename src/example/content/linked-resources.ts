import type { JsonObject } from '../../json.ts';
import { ok, pageResponse, refuse, toItemLinks } from '../../rest-server/responses.ts';
import type { Author, ContentHandler, ContentRequest, EntryComment, Term } from './model.ts';
import { canEdit, canRead, formatDateTime, requireEditor } from './rules.ts';
import { COLLECTION_ROUTES, CURIES, getPermalink, renderContent } from './serialize.ts';

/** A resource to which the links of entries lead. */
interface LinkedResource<Item extends { readonly id: number }> {
  /** The items that the client may read and that match the arguments. */
  readonly list: (request: ContentRequest) => readonly Item[];
  readonly show: (item: Item, request: ContentRequest) => JsonObject;
  /** The error code for an unknown id. */
  readonly unknown: string;
}

function listItems<Item extends { readonly id: number }>({
  list,
  show,
}: LinkedResource<Item>): ContentHandler {
  return (request) => {
    const include = request.params.integers('include');
    const items = list(request).filter(({ id }) => include.length === 0 || include.includes(id));
    return pageResponse(request, items, (item) => show(item, request));
  };
}

function readItem<Item extends { readonly id: number }>(resource: LinkedResource<Item>): ContentHandler {
  return (request) => {
    const item = resource.list(request).find(({ id }) => id === request.params.integer('id'));
    return ok(resource.show(item ?? refuse(404, resource.unknown, 'Invalid ID.'), request));
  };
}

const AUTHORS: LinkedResource<Author> = {
  list: ({ state }) => [...state.authors.values()],
  show: ({ id, name, slug }, { address, link }) => ({
    id,
    name,
    url: '',
    description: '',
    link: address(`/author/${slug}/`),
    slug,
    meta: [],
    _links: toItemLinks({ self: link(`/core/v2/users/${id}`), collection: link('/core/v2/users') }),
  }),
  unknown: 'rest_user_invalid_id',
};

/** The terms of a taxonomy, or those of the post of the argument `post`. */
function terms(
  taxonomy: Term['taxonomy'],
  path: string,
  entries: 'categories' | 'tags',
): LinkedResource<Term> {
  return {
    list({ state, params }) {
      const post = state.entries.get(params.integer('post', 0));
      return [...state.terms.values()].filter(
        (term) => term.taxonomy === taxonomy && (!params.has('post') || post?.[entries].includes(term.id)),
      );
    },
    show({ id, name, slug, parent }, { state, address, link }) {
      const posts = [...state.entries.values()].filter(
        (entry) => entry.status === 'publish' && entry[entries].includes(id),
      );
      return {
        id,
        count: posts.length,
        description: '',
        link: address(`/${path}/${slug}/`),
        name,
        slug,
        taxonomy,
        ...(taxonomy === 'category' ? { parent } : {}),
        meta: [],
        _links: toItemLinks({
          self: link(`/core/v2/${entries}/${id}`),
          collection: link(`/core/v2/${entries}`),
          'wp:post_type': { href: link(COLLECTION_ROUTES.post, { [entries]: id }) },
          curies: CURIES,
        }),
      };
    },
    unknown: 'rest_term_invalid',
  };
}

const CATEGORIES = terms('category', 'category', 'categories');
const TAGS = terms('post_tag', 'tag', 'tags');

const COMMENTS: LinkedResource<EntryComment> = {
  /** The comments on entries that the client may read, newest first. */
  list({ state, params, user }) {
    return [...state.comments.values()]
      .filter(({ post }) => {
        const entry = state.entries.get(post);
        if (entry === undefined || (params.has('post') && params.integer('post') !== post)) return false;
        return canRead(state, user, entry) && (entry.password === '' || canEdit(user));
      })
      .sort((one, other) => other.date - one.date);
  },
  show({ id, post, author, authorName, date, content }, { state, address, link }) {
    const entry = state.entries.get(post);
    const url = entry === undefined ? address('/') : getPermalink(entry, { address, state });
    const route = entry === undefined ? '' : `${COLLECTION_ROUTES[entry.kind]}/${post}`;
    return {
      id,
      post,
      parent: 0,
      author,
      author_name: authorName,
      author_url: '',
      date: formatDateTime(date),
      date_gmt: formatDateTime(date),
      content: { rendered: renderContent(content) },
      link: `${url}#comment-${id}`,
      status: 'approved',
      type: 'comment',
      meta: [],
      _links: toItemLinks({
        self: link(`/core/v2/comments/${id}`),
        collection: link('/core/v2/comments'),
        ...(author === 0 ? {} : { author: { embeddable: true, href: link(`/core/v2/users/${author}`) } }),
        ...(entry && { up: { embeddable: true, post_type: entry.kind, href: link(route) } }),
      }),
    };
  },
  unknown: 'rest_comment_invalid_id',
};

/** The types of entries: name, whether they have parents, taxonomies. */
const TYPES: readonly (readonly [keyof typeof COLLECTION_ROUTES, string, boolean, readonly string[]])[] = [
  ['post', 'Posts', false, ['category', 'post_tag']],
  ['page', 'Pages', true, []],
  ['attachment', 'Media', false, []],
];

function showType(
  [slug, name, hierarchical, taxonomies]: (typeof TYPES)[number],
  { link }: ContentRequest,
): JsonObject {
  return {
    description: '',
    hierarchical,
    has_archive: false,
    name,
    slug,
    taxonomies,
    rest_base: COLLECTION_ROUTES[slug].split('/').at(-1) ?? '',
    rest_namespace: 'core/v2',
    _links: toItemLinks({
      collection: link('/core/v2/types'),
      'wp:items': { href: link(COLLECTION_ROUTES[slug]) },
      curies: CURIES,
    }),
  };
}

export function canReadLinked({ params, user }: ContentRequest): void {
  if (params.string('context') === 'edit') requireEditor(user, 'rest_forbidden_context', 'edit this');
}

/**
 * The routes of WordPress to which the links of entries lead: users, terms, comments and types, for reading alone. The seed
 * does not show them, so the index hides them.
 */
export const linkedOperations: Readonly<Record<string, ContentHandler>> = {
  listUsers: listItems(AUTHORS),
  readUser: readItem(AUTHORS),
  listCategories: listItems(CATEGORIES),
  readCategory: readItem(CATEGORIES),
  listTags: listItems(TAGS),
  readTag: readItem(TAGS),
  listComments: listItems(COMMENTS),
  readComment: readItem(COMMENTS),
  listTypes: (request) => ok(Object.fromEntries(TYPES.map((type) => [type[0], showType(type, request)]))),
  readType(request) {
    const type = TYPES.find(([slug]) => slug === request.params.string('type'));
    return ok(showType(type ?? refuse(404, 'rest_type_invalid', 'Invalid post type.'), request));
  },
};
