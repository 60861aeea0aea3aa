import { createSite, type InspectableSite } from '../../../src/example/site/create-site.ts';
import type { ExampleSiteOptions, SiteDefinition } from '../../../src/example/site/definition.ts';
import { DEMO_USERS } from '../../../src/example/site/users.ts';
import type { JsonObject } from '../../../src/json.ts';
import type {
  ArgumentSchemas,
  EndpointDeclaration,
  RouteDeclaration,
  SiteRequest,
  SiteResponse,
} from '../../../src/rest-server/declarations.ts';
import {
  created,
  ok,
  pageResponse,
  refuse,
  requireRole,
  toItemLinks,
} from '../../../src/rest-server/responses.ts';

/** A small site that uses every feature of the framework: books to list, read, write and delete. */
interface Library {
  readonly books: Map<number, Book>;
}

interface Book {
  readonly id: number;
  readonly title: string;
  readonly pages: number;
  readonly tags: readonly string[];
  readonly author: number;
}

const BOOK_ARGS: ArgumentSchemas = {
  title: { description: 'The title.', type: 'string', minLength: 1 },
  pages: { type: 'integer', minimum: 1, default: 100 },
  tags: { type: 'array', items: { type: 'string' }, default: [] },
  note: { type: ['string', 'null'] },
  meta: { type: 'object', properties: { shelf: { type: 'integer' } }, additionalProperties: false },
};

const ID: ArgumentSchemas = { id: { description: 'The number of the book.', type: 'integer' } };

function show(book: Book, { link }: SiteRequest<Library>): JsonObject {
  return {
    ...book,
    tags: book.tags,
    _links: toItemLinks({
      self: link(`/library/v1/books/${book.id}`),
      author: { href: link(`/library/v1/people/${book.author}`), embeddable: true },
    }),
  };
}

type Handle<State> = EndpointDeclaration<State>['handle'];

/** Declares the routes of `mu-plugins/library.php` with handlers. */
function declareBooks<State>(
  handle: Readonly<Record<'list' | 'create' | 'read' | 'change' | 'remove' | 'echo', Handle<State>>>,
): readonly [books: RouteDeclaration<State>, book: RouteDeclaration<State>, echo: RouteDeclaration<State>] {
  return [
    {
      route: '/books',
      schema: {
        $schema: 'http://json-schema.org/draft-04/schema#',
        title: 'book',
        type: 'object',
        properties: {},
      },
      endpoints: [
        {
          methods: ['GET'],
          allowBatch: true,
          args: {
            page: { type: 'integer', minimum: 1, default: 1 },
            per_page: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
            tag: { type: 'array', items: { type: 'string' } },
          },
          handle: handle.list,
        },
        {
          methods: ['POST'],
          allowBatch: true,
          args: { ...BOOK_ARGS, title: { ...BOOK_ARGS['title'], required: true } },
          permission: requireRole('editor', 'rest_cannot_create', 'Sorry, you may not add books.'),
          handle: handle.create,
        },
      ],
    },
    {
      route: '/books/(?P<id>[\\d]+)',
      endpoints: [
        { methods: ['GET'], args: ID, handle: handle.read },
        {
          methods: ['POST', 'PUT', 'PATCH'],
          allowBatch: true,
          args: { ...ID, ...BOOK_ARGS },
          permission: requireRole('editor'),
          handle: handle.change,
        },
        { methods: ['DELETE'], args: ID, permission: requireRole('administrator'), handle: handle.remove },
      ],
    },
    {
      route: '/echo',
      endpoints: [{ methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], handle: handle.echo }],
    },
  ];
}

const findBook = ({ params, state }: SiteRequest<Library>): Book =>
  state.books.get(params.integer('id', 0)) ?? refuse(404, 'rest_no_book', 'No such book.');

const [BOOKS, BOOK, ECHO] = declareBooks<Library>({
  list(request) {
    const { state, params } = request;
    const tags = params.strings('tag');
    const books = [...state.books.values()].filter(
      (book) => tags.length === 0 || book.tags.some((tag) => tags.includes(tag)),
    );
    return pageResponse(request, books, (book) => show(book, request));
  },
  create(request) {
    const { state, params, user, link } = request;
    const book: Book = {
      id: Math.max(0, ...state.books.keys()) + 1,
      title: params.string('title', ''),
      pages: params.integer('pages', 1),
      tags: params.strings('tags'),
      author: user?.id ?? 0,
    };
    state.books.set(book.id, book);
    return created(show(book, request), link(`/library/v1/books/${book.id}`));
  },
  read: (request) => ok(show(findBook(request), request)),
  change(request) {
    const { state, params, suppliedNames } = request;
    const title = suppliedNames.has('title') ? { title: params.string('title', '') } : {};
    const changed = { ...findBook(request), ...title };
    state.books.set(changed.id, changed);
    return ok(show(changed, request));
  },
  remove: ({ state, params }) => ok({ deleted: state.books.delete(params.integer('id', 0)) }),
  echo: ({ method, params, suppliedNames, files, body, user }) =>
    ok({
      method,
      user: user?.login ?? null,
      params: Object.fromEntries([...params.names()].map((name) => [name, params.get(name) ?? null])),
      given: [...suppliedNames],
      files: files.map(({ field, name, type, bytes }) => ({ field, name, type, size: bytes.length })),
      body: body?.length ?? null,
    }),
});

const PEOPLE: RouteDeclaration<Library> = {
  route: '/people/(?P<id>[\\d]+)',
  endpoints: [
    {
      methods: ['GET'],
      args: { ...ID, context: { type: 'string', enum: ['view', 'embed'], default: 'view' } },
      handle({ params }) {
        const person = DEMO_USERS.find(({ id }) => id === params.integer('id'));
        const { id, name } = person ?? refuse(404, 'rest_no_person', 'No such person.');
        return ok({ id, name, context: params.string('context', '') });
      },
    },
  ],
};

const FAULT: RouteDeclaration<Library> = {
  route: '/fault',
  endpoints: [
    {
      methods: ['GET'],
      handle() {
        throw new Error('a fault of the site');
      },
    },
  ],
};

const LIBRARY: SiteDefinition<Library> = {
  name: 'The Library',
  description: 'A few books',
  users: DEMO_USERS,
  namespaces: ['oembed/1.0', 'library/v1', 'nothing/v1'],
  declarations: [{ namespace: 'library/v1', routes: [BOOKS, BOOK, PEOPLE, ECHO, FAULT] }],
  createState: ({ random }) => ({
    books: new Map(
      Array.from({ length: 25 }, (_, index) => {
        const id = index + 1;
        const tags = [random.pick(['sea', 'sky', 'land'])];
        return [id, { id, title: `Book ${id}`, pages: random.integer(50, 500), tags, author: 1 }];
      }),
    ),
  }),
  findOembedPage({ books }, url) {
    const book = books.get(Number(/^\/books\/(\d+)\/$/.exec(url.pathname)?.[1]));
    return book === undefined
      ? null
      : { id: book.id, title: book.title, authorName: 'Ada', authorUrl: `${url.origin}/authors/ada/` };
  },
};

export function createLibrary(options?: ExampleSiteOptions): InspectableSite<Library> {
  return createSite(LIBRARY, options);
}

/** A site with the handlers of `mu-plugins/library.php`. The responses of both must be equal. */
export function createMirror(options: ExampleSiteOptions): InspectableSite<null> {
  const book = ({ params }: SiteRequest<null>): SiteResponse => {
    const id = params.integer('id', 0);
    return ok({ id, title: `Book ${id}` });
  };
  const routes = declareBooks<null>({
    list: () => ok([{ id: 1, title: 'Book 1' }]),
    create: ({ params }) =>
      created(Object.fromEntries(['title', 'pages', 'tags'].map((name) => [name, params.get(name) ?? null]))),
    read: book,
    change: book,
    remove: book,
    echo({ method, params }) {
      const names = [...params.names()].filter((name) => name !== 'rest_route');
      const given = names.map((name) => [name, params.get(name) ?? null] as const);
      // PHP writes an array with the keys 0, 1, … as a list.
      const counts = names.every((name, index) => name === String(index));
      return ok({ method, params: counts ? given.map(([, value]) => value) : Object.fromEntries(given) });
    },
  });
  const mirror: SiteDefinition<null> = {
    name: 'Mirror',
    description: '',
    users: DEMO_USERS,
    namespaces: ['oembed/1.0', 'library/v1'],
    createState: () => null,
    findOembedPage: () => null,
    declarations: [{ namespace: 'library/v1', routes }],
  };
  return createSite(mirror, options);
}

/** `Authorization` of a demo user. */
export function as(login: 'admin' | 'editor' | 'subscriber'): { readonly authorization: string } {
  const password = DEMO_USERS.find((user) => user.login === login)?.password;
  return { authorization: `Basic ${btoa(`${login}:${password}`)}` };
}
