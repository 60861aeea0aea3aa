import type { Json, JsonObject } from '../../json.ts';
import type { EndpointDeclaration, RouteDeclaration, SiteResponse } from '../../rest-server/declarations.ts';
import { listResponse, ok, refuse, refuseUser, slicePage, toItemLinks } from '../../rest-server/responses.ts';
import type { Author, ContentHandler, ContentRequest, ContentState, EntryComment, Term } from './model.ts';
import { canEdit, canRead, formatDateTime } from './rules.ts';
import { COLLECTION_ROUTES, getPermalink, renderContent } from './serialize.ts';

/** A resource to which the links of entries lead. */
interface LinkedResource<Item extends { readonly id: number }> {
  /** The items that the client may read and that match the arguments. */
  readonly list: (request: ContentRequest) => readonly Item[];
  readonly show: (item: Item, request: ContentRequest) => JsonObject;
  /** The error code for an unknown id. */
  readonly unknown: string;
}

const CONTEXT = { type: 'string', enum: ['view', 'embed', 'edit'], default: 'view' };

const LIST_ARGS = {
  context: CONTEXT,
  page: { type: 'integer', default: 1, minimum: 1 },
  per_page: { type: 'integer', default: 10, minimum: 1, maximum: 100 },
  include: { type: 'array', items: { type: 'integer' }, default: [] },
  post: { type: 'integer' },
};

/** Declares a list and its items. */
function declareResource<Item extends { readonly id: number }>(
  route: string,
  { list, show, unknown }: LinkedResource<Item>,
): readonly RouteDeclaration<ContentState>[] {
  const readList = (request: ContentRequest): SiteResponse => {
    const { params } = request;
    const include = params.integers('include');
    const items = list(request).filter(({ id }) => include.length === 0 || include.includes(id));
    const [page, perPage] = [params.integer('page', 1), params.integer('per_page', 10)];
    const shown = slicePage(items, { page, perPage }).map((item) => show(item, request));
    return listResponse(shown, { total: items.length, page, perPage });
  };
  const readItem = (request: ContentRequest): SiteResponse => {
    const item = list(request).find(({ id }) => id === request.params.integer('id'));
    return item === undefined ? refuse(404, unknown, 'Invalid ID.') : ok(show(item, request));
  };
  return [
    { route, isHidden: true, endpoints: [endpoint(LIST_ARGS, readList)] },
    {
      route: `${route}/(?P<id>[\\d]+)`,
      isHidden: true,
      endpoints: [endpoint({ id: { type: 'integer' }, context: CONTEXT }, readItem)],
    },
  ];
}

function endpoint(
  args: NonNullable<EndpointDeclaration<ContentState>['args']>,
  handle: ContentHandler,
): EndpointDeclaration<ContentState> {
  return {
    methods: ['GET'],
    args,
    permission({ params, user }) {
      if (params.string('context') !== 'edit' || canEdit(user)) return;
      refuseUser(user, 'rest_forbidden_context', 'Sorry, you are not allowed to edit this.');
    },
    handle,
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

const TAXONOMIES = {
  category: { route: '/categories', path: 'category', entries: 'categories' },
  post_tag: { route: '/tags', path: 'tag', entries: 'tags' },
} as const;

/** The terms of a taxonomy, or those of the post of the argument `post`. */
function terms(taxonomy: Term['taxonomy']): LinkedResource<Term> {
  const { route, path, entries } = TAXONOMIES[taxonomy];
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
          self: link(`/core/v2${route}/${id}`),
          collection: link(`/core/v2${route}`),
          'wp:post_type': { href: link(COLLECTION_ROUTES.post, { [entries]: id }) },
          curies: { name: 'wp', href: 'https://api.w.org/{rel}', templated: true },
        }),
      };
    },
    unknown: 'rest_term_invalid',
  };
}

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
        ...(entry === undefined
          ? {}
          : {
              up: {
                embeddable: true,
                post_type: entry.kind,
                href: link(`${COLLECTION_ROUTES[entry.kind]}/${post}`),
              },
            }),
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
      curies: { name: 'wp', href: 'https://api.w.org/{rel}', templated: true },
    }),
  };
}

/**
 * The routes of WordPress to which the links of entries lead: users, terms, comments and types, for reading alone. The seed
 * does not show them, so the index hides them.
 */
export const linkedRoutes: readonly RouteDeclaration<ContentState>[] = [
  ...declareResource('/users', AUTHORS),
  ...declareResource('/categories', terms('category')),
  ...declareResource('/tags', terms('post_tag')),
  ...declareResource('/comments', COMMENTS),
  {
    route: '/types',
    isHidden: true,
    endpoints: [
      endpoint({ context: CONTEXT }, (request) => {
        const types = TYPES.map((type): [string, Json] => [type[0], showType(type, request)]);
        return ok(Object.fromEntries(types));
      }),
    ],
  },
  {
    route: '/types/(?P<type>[\\w-]+)',
    isHidden: true,
    endpoints: [
      endpoint({ context: CONTEXT }, (request) => {
        const type = TYPES.find(([slug]) => slug === request.params.string('type'));
        return type === undefined
          ? refuse(404, 'rest_type_invalid', 'Invalid post type.')
          : ok(showType(type, request));
      }),
    ],
  },
];
