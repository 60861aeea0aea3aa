import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { createSite } from '../../../../src/sites/example/site/create-site.ts';
import { DEMO_USERS } from '../../../../src/sites/example/site/users.ts';
import type {
  ArgumentSchemas,
  EndpointDeclaration,
  RouteDeclaration,
} from '../../../../src/sites/rest-server/declarations.ts';
import { created, ok, requireRole } from '../../../../src/sites/rest-server/responses.ts';
import { basicAuth, useWordPress } from '../../../support/wordpress.ts';

/** WordPress with the routes of the library in a plugin, and with plain permalinks as on the example sites. */
const wordpress = useWordPress({
  permalinks: 'plain',
  muPlugins: fileURLToPath(new URL('mu-plugins', import.meta.url)),
});
const BASE = 'http://library.example.com';

const BOOK_ARGS: ArgumentSchemas = {
  title: { description: 'The title.', type: 'string', minLength: 1 },
  pages: { type: 'integer', minimum: 1, default: 100 },
  tags: { type: 'array', items: { type: 'string' }, default: [] },
  note: { type: ['string', 'null'] },
  meta: { type: 'object', properties: { shelf: { type: 'integer' } }, additionalProperties: false },
};

const ID: ArgumentSchemas = { id: { description: 'The number of the book.', type: 'integer' } };

type Handler = EndpointDeclaration<null>['handle'];
const valuesOf = (params: Parameters<Handler>[0]['params'], names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, params.get(name) ?? null]));

const showBook: Handler = ({ params }) => {
  const id = params.integer('id', 0);
  return ok({ id, title: `Book ${id}` });
};

const echo: Handler = ({ method, params }) => {
  const names = [...params.names()].filter((name) => name !== 'rest_route');
  const given = valuesOf(params, names);
  // PHP writes an array with the keys 0, 1, … as a list.
  const counts = names.every((name, index) => name === String(index));
  return ok({ method, params: counts ? Object.values(given) : given });
};

const DRAFT_4 = 'http://json-schema.org/draft-04/schema#';

/** The routes of `mu-plugins/library.php`. The responses of both must be equal. */
const routes: readonly RouteDeclaration<null>[] = [
  {
    route: '/books',
    schema: { $schema: DRAFT_4, title: 'book', type: 'object', properties: {} },
    endpoints: [
      {
        methods: ['GET'],
        allowBatch: true,
        args: {
          page: { type: 'integer', minimum: 1, default: 1 },
          per_page: { type: 'integer', minimum: 1, maximum: 100, default: 10 },
          tag: { type: 'array', items: { type: 'string' } },
        },
        handle: () => ok([{ id: 1, title: 'Book 1' }]),
      },
      {
        methods: ['POST'],
        allowBatch: true,
        args: { ...BOOK_ARGS, title: { ...BOOK_ARGS['title'], required: true } },
        permission: requireRole('editor', 'rest_cannot_create', 'Sorry, you may not add books.'),
        handle: ({ params }) => created(valuesOf(params, ['title', 'pages', 'tags'])),
      },
    ],
  },
  {
    route: '/books/(?P<id>[\\d]+)',
    endpoints: [
      { methods: ['GET'], args: ID, handle: showBook },
      {
        methods: ['POST', 'PUT', 'PATCH'],
        allowBatch: true,
        args: { ...ID, ...BOOK_ARGS },
        permission: requireRole('editor'),
        handle: showBook,
      },
      { methods: ['DELETE'], args: ID, permission: requireRole('administrator'), handle: showBook },
    ],
  },
  { route: '/echo', endpoints: [{ methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], handle: echo }] },
];

const namespace = 'library/v1';
const definition = { name: 'Mirror', description: '', users: DEMO_USERS, createState: () => null };
const declared = { namespaces: [namespace], declarations: [{ namespace, routes }] };
const site = createSite({ ...definition, ...declared }, { base: BASE });

interface ComparedRequest {
  /** The value of `rest_route`. */
  readonly path: string;
  readonly method?: string;
  readonly as?: 'administrator' | 'editor' | 'subscriber';
  readonly type?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const BOOKS = '/library/v1/books';
const ECHO = '/library/v1/echo';

const write = (body: unknown, more: Partial<ComparedRequest> = {}): ComparedRequest => ({
  path: BOOKS,
  method: 'POST',
  type: JSON_TYPE,
  body: JSON.stringify(body),
  ...more,
});
const batch = (body: unknown, more: Partial<ComparedRequest> = {}): ComparedRequest =>
  write(body, { path: '/batch/v1', as: 'editor', ...more });

/**
 * The compared requests. Wrong passwords are excluded: Debian's WordPress treats them as anonymous requests, whereas the
 * documentation of WordPress and the example sites have 401.
 */
const REQUESTS: readonly ComparedRequest[] = [
  { path: '/library/v1' },
  { path: '/library/v1/' },
  { path: `${BOOKS}/1` },
  { path: '/LIBRARY/v1/books/1' },
  { path: `${BOOKS}/x` },
  { path: '/nowhere' },
  { path: '/nowhere', method: 'HEAD' },
  { path: `${BOOKS}/1`, method: 'HEAD' },
  { path: `${BOOKS}/1`, as: 'administrator' },
  { path: `${BOOKS}/1`, method: 'OPTIONS' },
  { path: BOOKS, method: 'OPTIONS', as: 'editor' },
  { path: `${BOOKS}/1`, method: 'DELETE' },
  { path: `${BOOKS}/1`, method: 'DELETE', as: 'administrator' },
  { path: BOOKS, method: 'PUT', as: 'administrator' },
  { path: `${BOOKS}/1&id=7` },
  { path: `${BOOKS}/1&id=x` },
  { path: `${BOOKS}&per_page=x&page=0` },
  { path: `${BOOKS}&tag[a]=1` },
  { path: `${BOOKS}/1&_fields=id` },
  { path: `${BOOKS}/1&_fields=` },
  { path: `${BOOKS}/1&_fields=id.x,title` },
  { path: `${BOOKS}/1&_envelope` },
  { path: `${BOOKS}/1&_method=DELETE` },
  { path: `${BOOKS}/1&_method=GET`, method: 'POST' },
  { path: `${BOOKS}/1`, headers: { origin: 'https://app.example.com' } },
  { path: `${BOOKS}/1`, headers: { authorization: 'Bearer x' } },
  write({}),
  write({ pages: 'x' }),
  write({ title: '', pages: 0, tags: { a: 1 }, meta: { x: 1 }, note: 1 }),
  write({ title: null }),
  write({ title: 'x' }, { as: 'subscriber' }),
  write({ title: 'x', pages: ' 1e2 ', tags: 'a, b' }, { as: 'editor' }),
  write({ title: 'x', meta: { shelf: 'y' } }, { as: 'editor' }),
  write({ title: 'x', unknown: 1 }, { as: 'administrator' }),
  write({ title: 'x' }, { as: 'editor', path: `${BOOKS}&title=y&pages=7` }),
  write(5, { as: 'editor' }),
  write({ title: 'x' }, { as: 'editor', type: 'text/plain' }),
  { path: BOOKS, method: 'POST', as: 'editor', type: FORM_TYPE, body: 'title=x&tags[]=a&tags[]=b' },
  { path: BOOKS, method: 'POST', type: JSON_TYPE, body: '{' },
  { path: BOOKS, method: 'POST', type: JSON_TYPE, body: '\ufeff{}' },
  { path: BOOKS, method: 'POST', type: JSON_TYPE, body: `${'['.repeat(513)}${']'.repeat(513)}` },
  { path: BOOKS, method: 'POST', type: JSON_TYPE, body: `${'['.repeat(512)}${']'.repeat(512)}` },
  { path: BOOKS, method: 'POST', type: JSON_TYPE, body: '{"a":"\\ud800"}' },
  { path: `${ECHO}&a=1&a=2&b[]=1&c[x]=1&d.e=1&f` },
  { path: `${ECHO}&a=1`, method: 'POST', type: FORM_TYPE, body: 'a=2&b=%C3%A4+x' },
  { path: `${ECHO}&a=1`, method: 'PUT', type: FORM_TYPE, body: 'a=2&b[]=3' },
  { path: `${ECHO}&a=1`, method: 'PATCH', type: JSON_TYPE, body: '{"a":2,"b":{"c":null}}' },
  { path: `${ECHO}&a=1`, method: 'DELETE', type: FORM_TYPE, body: 'a=2' },
  { path: `${ECHO}&a=1`, method: 'POST', type: 'text/plain', body: 'a=2' },
  { path: ECHO, method: 'POST', type: JSON_TYPE, body: '' },
  batch({ requests: [] }),
  batch({ requests: 'x' }),
  batch({ requests: [{ path: BOOKS, body: { title: 'x' } }, { path: BOOKS }, { path: '/nowhere' }] }),
  batch({
    validation: 'require-all-validate',
    requests: [{ path: BOOKS, body: { title: 'x' } }, { path: BOOKS }],
  }),
  batch(
    { validation: 'require-all-validate', requests: [{ path: BOOKS, body: { title: 'x' } }] },
    { as: 'subscriber' },
  ),
  batch({ requests: [{ method: 'DELETE', path: `${BOOKS}/1` }] }),
  batch({ requests: [{ method: 'GET', path: BOOKS }] }),
  batch({ requests: [{ method: 'PUT', path: `${BOOKS}/1?title=` }] }),
  batch({ requests: [{ path: '/?a=1' }, { path: '' }, { path: 'library/v1/books' }] }),
  batch({ requests: [{ path: `http://example.com${BOOKS}`, body: { title: 'x' } }] }),
  batch({ requests: Array.from({ length: 26 }, () => ({ path: BOOKS })) }),
  batch({ requests: [{ path: BOOKS, body: 'x', headers: { a: { b: 1 } } }] }),
];

const HEADERS = [
  ...['content-type', 'allow', 'vary', 'link', 'x-robots-tag', 'x-content-type-options', 'expires'],
  ...['origin', 'credentials', 'methods', 'headers'].map((each) => `access-control-allow-${each}`),
  'access-control-expose-headers',
];

/** A response without the expected differences: the URL of the site and the encoding of XML. */
async function toComparable(response: Response, base: string): Promise<object> {
  const text = (await response.text()).replaceAll('\\/', '/').replaceAll(base, 'http://site');
  const fieldOf = (name: string) => response.headers.get(name)?.replaceAll(base, 'http://site');
  const isJson = /^[[{"\dtfn]/.test(text);
  return {
    status: response.status,
    headers: Object.fromEntries(HEADERS.map((name) => [name, fieldOf(name)])),
    body: isJson ? JSON.parse(text) : text.replace(/^<\?xml[^>]*\?>\s*/, '').trim(),
  };
}

const nameOf = ({ method = 'GET', path, as, body = '' }: ComparedRequest): string =>
  `${method} ${path} by ${as ?? 'anonymous'} ${body}`.slice(0, 100);

test.each(REQUESTS.map((request) => [nameOf(request), request] as const))('%s', async (_name, request) => {
  const { as, body, headers, method = 'GET', type } = request;
  const { url, users } = wordpress();
  const path = `index.php?rest_route=${request.path}`;
  const initFor = (user?: Parameters<typeof basicAuth>[0]): RequestInit => ({
    method,
    headers: {
      ...(type !== undefined && { 'content-type': type }),
      ...headers,
      ...(user !== undefined && { authorization: basicAuth(user) }),
    },
    ...(body !== undefined && { body }),
  });
  const demo = DEMO_USERS.find(({ role }) => role === as);
  const stated = await fetch(url + path, initFor(as && users[as]));
  const own = await site.request(`${BASE}/${path}`, initFor(demo && { ...demo, user: demo.login }));
  expect(await toComparable(own, BASE)).toEqual(await toComparable(stated, url.replace(/\/$/, '')));
});
