import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { toQueries } from '../../src/client/companions.ts';
import { toClient } from '../../src/client/index.ts';
import { toOpenApi } from '../../src/openapi/index.ts';
import { createDiscoveredSite } from '../support/site.ts';
import { documentWith, getting, recordedDocument } from '../types/documents.ts';
import { listErrors, openEditor } from '../types/type-checker.ts';

/** The client with its own errors, as a project with the strictest options would see them without `@ts-nocheck`. */
async function checkedClient(document: Parameters<typeof toClient>[0]): Promise<string> {
  return (await toClient(document)).replace('// @ts-nocheck', '//');
}

test('the client of WordPress 7.1 compiles alone with the library of ES2022 and the DOM', async () => {
  const errors = listErrors(
    { 'client.ts': await checkedClient(recordedDocument()) },
    { erasableSyntaxOnly: true, isolatedModules: true, isolatedDeclarations: false },
  );
  expect(errors).toEqual([]);
}, 60_000);

test('names of a hostile site neither replace types of the runtime nor leave their text', async () => {
  const hostile = ['Client', 'Promise', 'Response', '__proto__', '*/ alert(1) /*', 'constructor', 'Error'];
  const schema = { type: 'object', properties: { [`'];alert(1)//`]: { type: 'string' } } };
  const paths = Object.fromEntries(
    hostile.map((name, at) => [
      `/${name}${at}`,
      {
        get: {
          operationId: name,
          summary: '*/ alert(1) /*',
          'x-waygate-error-codes': [`"; alert(1); "`],
          responses: {
            200: {
              content: {
                'application/json': {
                  schema: {
                    $ref: `#/components/schemas/${encodeURIComponent(name).replaceAll('%2F', '~1')}`,
                  },
                },
              },
            },
          },
        },
      },
    ]),
  );
  const document = documentWith(
    JSON.parse(`{${hostile.map((name) => `${JSON.stringify(name)}:${JSON.stringify(schema)}`).join()}}`),
    paths,
  );
  const errors = listErrors({ 'client.ts': await checkedClient(document) }, { isolatedDeclarations: false });
  expect(errors).toEqual([]);
}, 60_000);

// C18
test('an editor shows route and name of a call, and nothing that only the types need', async () => {
  const program = `import { createClient, paginate } from './client.ts';
const client = createClient({ baseUrl: '/wp-json' });
client.GET('/wp/v2/posts');
client.DELETE('/wp/v2/posts/{id}', { path: { id: 1 } });
client.HEAD('/wp/v2/posts');
paginate(client, '/wp/v2/tags');
`;
  const { hoverAt } = openEditor({ 'client.ts': await toClient(recordedDocument()), 'program.ts': program });
  for (const [call, names] of [
    ['client.GET', '"/wp/v2/posts", ListPosts,'],
    ['client.DELETE', '"/wp/v2/posts/{id}", DeletePost,'],
    ['client.HEAD', '"/wp/v2/posts", ListPosts,'],
    ['\npaginate', '"/wp/v2/tags", ListTags,'],
  ] as const) {
    const hover = hoverAt('program.ts', call);
    expect(hover).toContain(names);
    expect(hover).not.toMatch(/\b(?:selects|shape|codes|contexts|input|batch)\b/);
  }
}, 60_000);

test('a route that shares a path and names a part of it differently has a path and values of its own', async () => {
  const id = { name: 'id', in: 'path', required: true, 'x-waygate-slashes': true };
  const slug = { ...id, schema: { enum: ['a/b'] }, 'x-waygate-name': 'slug' };
  const routes = [[id], [slug]].map((parameters) => ({ parameters }));
  const document = documentWith(
    {},
    { '/x/{id}': getting({ parameters: [id], 'x-waygate-alternatives': routes }) },
  );
  const client = await toClient(document);
  expect(client).toMatch(/`GET \/x\/\{id\}` \*\/\ninterface \w+ \{\n {2}input: [^}]*\bid: unknown/);
  expect(client).toMatch(/`GET \/x\/\{slug\}` \*\/\ninterface \w+ \{\n {2}input: [^}]*\bslug: "a\/b"/);
  expect(client).toContain('  slashes: [\n    "/x/",\n  ],\n');
});

test('a path has the words that its route names', async () => {
  const site = createDiscoveredSite({ '/x/v1/(?P<lang>en|de)/pages': 'GET' });
  const client = await toClient(toOpenApi(site).document);
  expect(client).toMatch(/path: \{ lang: "en" \| "de" \}/);
});

test('types that occur twice have one name, in which nested names of `_fields` are known', async () => {
  const text = { type: 'string' };
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const address = {
    type: 'object',
    properties: { city: text, zip: text, lines: { type: 'array', items: text } },
  };
  const order = {
    id: { type: 'integer' },
    billing: { ...address, description: 'Invoice address.' },
    currency: { enum: Array.from({ length: 30 }, (_, at) => `C${at}`) },
  };
  const schemas = {
    Order: { type: 'object', properties: order },
    OrderEdit: { type: 'object', properties: { ...order, note: text } },
    V1Order: { type: 'object', properties: order },
  };
  const reading = (name: string, more = {}) =>
    getting({ responses: { 200: { content: { 'application/json': { schema: ref(name) } } } }, ...more });
  const contexts = {
    'x-waygate-contexts': { view: ref('Order'), edit: ref('OrderEdit') },
  };
  const paths = { '/orders/last': reading('Order', contexts), '/v1/orders/last': reading('V1Order') };
  const client = await checkedClient(documentWith(schemas, paths));
  expect(client).toContain('export type V1Order = Order;');
  expect(client).toContain('interface OrderEdit extends Order {\n  note?: string;\n}');
  expect(client.match(/city\?: string;|"C29"/g)).toEqual(['city?: string;', '"C29"']);
  const program = `import { createClient, type OrderBilling, type OrderCurrency } from './client.ts';
const client = createClient({ baseUrl: '/wp-json', throw: true });
const { data } = await client.GET('/v1/orders/last', { query: { _fields: ['billing.city', 'currency'] } });
export const part: { billing?: Pick<OrderBilling, 'city'>; currency?: OrderCurrency } = data;
await client.GET('/orders/last', { query: { _fields: 'id,note' } });
// @ts-expect-error
await client.GET('/orders/last', { query: { _fields: ['billing.street'] } });
`;
  expect(listErrors({ 'client.ts': client, 'program.ts': program }, { isolatedDeclarations: false })).toEqual(
    [],
  );
});

// C13: `|` is where the error is, and the comment is a part of it.
test('the error of a first mistake is short, at the right token, and says what to write', async () => {
  const mistakes = readFileSync(new URL('fixtures/mistakes.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n');
  const head = `import { batch, createClient, paginate, url } from './client.ts';
import { mutationOptions, pageOptions, queryOptions } from './queries.ts';
const client = createClient({ baseUrl: 'https://example.com/wp-json' });
declare const anyText: string;
`;
  const document = recordedDocument();
  const { errorsOf } = openEditor({
    'client.ts': await toClient(document),
    'queries.ts': await toQueries(document, { client: './client.ts', name: 'site' }),
    'program.ts': head + mistakes.map((mistake) => mistake.replace('|', '')).join('\n'),
  });
  const errors = errorsOf('program.ts').map(({ line, column, message }) => ({
    at: mistakes[line - 4]?.replace('|', '').slice(column),
    message,
  }));
  expect(errors).toEqual(
    mistakes.map((mistake) => {
      const [, at = '', said = ''] = /\|(.* \/\/ (.*))/.exec(mistake) ?? [];
      return { at, message: expect.stringContaining(said) };
    }),
  );
  expect(errors.filter(({ message }) => message.length > 300)).toEqual([]);
}, 60_000);

// C12, C24, C26, C30, C32
test.each([{}, { strict: false }])(
  'types have names, and need no strict compiler: %j',
  async (options) => {
    const program = `import { createClient, type RequestData } from './client.ts';
declare module './client.ts' {
  interface RouteExtensions {
    'POST /wp/v2/tags': { body: { lang: 'de' } };
  }
}
type Embedding = RequestData<'GET', '/wp/v2/posts', { query: { _embed: true } }>;
export const authorOf = (posts: Embedding): unknown => posts[0]?._embedded.author;
export const nameOf = ([post]: Embedding): string | undefined => {
  const author = post?._embedded.author?.[0];
  if (author && 'message' in author) return author.message;
  return author?.name ?? post?._embedded['wp:term']?.flat()[0]?.name;
};
const client = createClient({ baseUrl: 'https://example.com/wp-json' });
const { data, error } = await client.GET('/wp/v2/posts', { query: { _embed: true, search: null, page: undefined } });
export const embedded: unknown = data?.[0]?._embedded.author;
if (error?.code === 'term_exists') export_(error.data.term_id);
declare function export_(id: number | undefined): void;
await client.POST('/wp/v2/tags', { body: { name: 'A', lang: 'de' } });
// @ts-expect-error: the program requires a language
await client.POST('/wp/v2/tags', { body: { name: 'A' } });
`;
    const files = { 'client.ts': await toClient(recordedDocument()), 'program.ts': program };
    const overrides = {
      ...options,
      ...(options.strict === false ? { exactOptionalPropertyTypes: false } : {}),
    };
    expect(listErrors(files, { isolatedDeclarations: false, ...overrides })).toEqual([]);
  },
  60_000,
);

test('C33: the error of null in a body is at its member', async () => {
  const program = `import { createClient } from './client.ts';
const client = createClient({ baseUrl: 'https://example.com/wp-json' });
client.POST('/wp/v2/posts/{id}', { path: { id: 1 }, body: { title: null } });
`;
  const errors = listErrors({ 'client.ts': await toClient(recordedDocument()), 'program.ts': program });
  expect(errors.join()).toMatch(
    /^program\.ts\(3\): TS2322 Type 'null' is not assignable to type (?!.*_links)/,
  );
}, 60_000);

test('K2: a body may name any file argument', async () => {
  const file = { type: 'string', format: 'binary' };
  const schema = {
    type: 'object',
    properties: { upload: file, parts: { type: 'array', items: file }, title: { type: 'string' } },
  };
  const content = { 'application/json': { schema }, 'multipart/form-data': { schema: { allOf: [schema] } } };
  const paths = { '/x/v1/import': { post: { requestBody: { content }, responses: {} } } };
  const program = `import { createClient } from './client.ts';
const client = createClient({ baseUrl: '/wp-json' });
export async function run(blob: Blob, file: File, bytes: Uint8Array, form: FormData, maybe?: File) {
  await client.POST('/x/v1/import', { body: { upload: blob } });
  await client.POST('/x/v1/import', { body: { upload: file, title: 'A' } });
  await client.POST('/x/v1/import', { body: { upload: bytes, parts: [file, blob] }, bodyType: 'form' });
  await client.POST('/x/v1/import', { body: { upload: maybe } });
  await client.POST('/x/v1/import', { body: form });
  await client.POST('/x/v1/import', { file });
  // @ts-expect-error: a text is no file
  await client.POST('/x/v1/import', { body: { upload: 'a.csv' } });
  // @ts-expect-error: no such argument
  await client.POST('/x/v1/import', { body: { uplaod: file } });
}
`;
  const client = await checkedClient(documentWith({}, paths));
  const errors = listErrors({ 'client.ts': client, 'program.ts': program }, { isolatedDeclarations: false });
  expect(errors).toEqual([]);
}, 60_000);

// openapi-ts/openapi-typescript#1933
test('the data of an operation that may return nothing can be null', async () => {
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Post' } } };
  const paths = { '/maybe-none': { get: { responses: { 200: { content }, 204: { description: '' } } } } };
  const client = await toClient(documentWith({ Post: { type: 'object', properties: {} } }, paths));
  const program = `import { createClient, type Post } from './client.ts';
const { data } = await createClient({ baseUrl: '/wp-json', throw: true }).GET('/maybe-none');
export const may: Post | null = data;
// @ts-expect-error
export const is: Post = data;
`;
  const files = { 'client.ts': client.replace('// @ts-nocheck', '//'), 'program.ts': program };
  expect(listErrors(files, { isolatedDeclarations: false })).toEqual([]);
});
