import { createSite, type InspectableSite } from '../../../src/example/site/create-site.ts';
import type { ExampleSiteOptions, SiteDefinition } from '../../../src/example/site/definition.ts';
import { DEMO_USERS } from '../../../src/example/site/users.ts';
import type { JsonObject } from '../../../src/json.ts';
import type {
  ArgumentSchemas,
  NamespaceDeclaration,
  SiteRequest,
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

const library: NamespaceDeclaration<Library> = {
  namespace: 'library/v1',
  routes: [
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
          handle(request) {
            const { state, params } = request;
            const tags = params.strings('tag');
            const books = [...state.books.values()].filter(
              (book) => tags.length === 0 || book.tags.some((tag) => tags.includes(tag)),
            );
            return pageResponse(request, books, (book) => show(book, request));
          },
        },
        {
          methods: ['POST'],
          allowBatch: true,
          args: { ...BOOK_ARGS, title: { ...BOOK_ARGS['title'], required: true } },
          permission: requireRole('editor', 'rest_cannot_create', 'Sorry, you may not add books.'),
          handle(request) {
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
        },
      ],
    },
    {
      route: '/books/(?P<id>[\\d]+)',
      endpoints: [
        {
          methods: ['GET'],
          args: ID,
          handle(request) {
            const book = request.state.books.get(request.params.integer('id', 0));
            return ok(show(book ?? refuse(404, 'rest_no_book', 'No such book.'), request));
          },
        },
        {
          methods: ['POST', 'PUT', 'PATCH'],
          allowBatch: true,
          args: { ...ID, ...BOOK_ARGS },
          permission: requireRole('editor'),
          handle(request) {
            const { state, params, suppliedNames } = request;
            const book = state.books.get(params.integer('id', 0));
            if (book === undefined) return refuse(404, 'rest_no_book', 'No such book.');
            const changed = {
              ...book,
              ...(suppliedNames.has('title') ? { title: params.string('title', '') } : {}),
            };
            state.books.set(book.id, changed);
            return ok(show(changed, request));
          },
        },
        {
          methods: ['DELETE'],
          args: ID,
          permission: requireRole('administrator'),
          handle: ({ state, params }) => ok({ deleted: state.books.delete(params.integer('id', 0)) }),
        },
      ],
    },
    {
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
    },
    {
      route: '/echo',
      endpoints: [
        {
          methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
          handle: ({ method, params, suppliedNames, files, body, user }) =>
            ok({
              method,
              user: user?.login ?? null,
              params: Object.fromEntries([...params.names()].map((name) => [name, params.get(name) ?? null])),
              given: [...suppliedNames],
              files: files.map(({ field, name, type, bytes }) => ({ field, name, type, size: bytes.length })),
              body: body?.length ?? null,
            }),
        },
      ],
    },
    {
      route: '/fault',
      endpoints: [
        {
          methods: ['GET'],
          handle() {
            throw new Error('a fault of the site');
          },
        },
      ],
    },
  ],
};

const LIBRARY: SiteDefinition<Library> = {
  name: 'The Library',
  description: 'A few books',
  users: DEMO_USERS,
  namespaces: ['oembed/1.0', 'library/v1', 'nothing/v1'],
  declarations: [library],
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

/** `Authorization` of a demo user. */
export function as(login: 'admin' | 'editor' | 'subscriber'): { readonly authorization: string } {
  const password = DEMO_USERS.find((user) => user.login === login)?.password;
  return { authorization: `Basic ${btoa(`${login}:${password}`)}` };
}
