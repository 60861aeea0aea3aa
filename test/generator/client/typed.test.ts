import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { toClient, toQueries } from '../../../src/generator/client/index.ts';
import { generateFor } from '../../support/site.ts';
import { documentWith, getting, recordedClient, recordedDocument } from '../types/documents.ts';
import { type Editor, listErrors, openEditor } from '../types/type-checker.ts';

const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const returning = (schema: JsonObject): JsonObject => ({ content: { 'application/json': { schema } } });

/** Two namespaces with equal orders, which have a large object and a large enum. */
function createTwinsDocument(): JsonObject {
  const text = { type: 'string' };
  const lines = { type: 'array', items: text };
  const address = { type: 'object', properties: { city: text, zip: text, lines } };
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
  const reading = (name: string, more = {}) => getting({ responses: { 200: returning(ref(name)) }, ...more });
  const contexts = { 'x-waygate-contexts': { view: ref('Order'), edit: ref('OrderEdit') } };
  const paths = { '/orders/last': reading('Order', contexts), '/v1/orders/last': reading('V1Order') };
  return documentWith(schemas, paths);
}

function createUploadDocument(): JsonObject {
  const file = { type: 'string', format: 'binary' };
  const parts = { type: 'array', items: file };
  const schema = { type: 'object', properties: { upload: file, parts, title: { type: 'string' } } };
  const content = { 'application/json': { schema }, 'multipart/form-data': { schema: { allOf: [schema] } } };
  return documentWith({}, { '/x/v1/import': { post: { requestBody: { content }, responses: {} } } });
}

function createEmptyableDocument(): JsonObject {
  const responses = { 200: returning(ref('Post')), 204: { description: '' } };
  const schemas = { Post: { type: 'object', properties: {} } };
  return documentWith(schemas, { '/maybe-none': { get: { responses } } });
}

const NAMED_TYPES = `import { createClient, type RequestData } from './client.ts';
declare module './client.ts' {
  interface RouteExtensions {
    'POST /wp/v2/tags': { body: { lang: 'de' } };
  }
}
// @ts-expect-error: no such path
export type Unknown = RequestData<'GET', '/wp/v2/postz'>;
type Embedding = RequestData<'GET', '/wp/v2/posts', { query: { _embed: true } }>;
export const authorOf = (posts: Embedding): unknown => posts[0]?._embedded?.author;
export const nameOf = ([post]: Embedding): string | undefined => {
  const author = post?._embedded?.author?.[0];
  if (author && 'message' in author) return author.message;
  return author?.name ?? post?._embedded?.['wp:term']?.flat()[0]?.name;
};
const client = createClient({ baseUrl: 'https://example.com/wp-json' });
const { data, error } = await client.GET('/wp/v2/posts', { query: { _embed: true, search: null, page: undefined } });
export const embedded: unknown = data?.[0]?._embedded?.author;
if (error?.code === 'term_exists') export_(error.data.term_id);
declare function export_(id: number | undefined): void;
await client.POST('/wp/v2/tags', { body: { name: 'A', lang: 'de' } });
// @ts-expect-error: the program requires a language
await client.POST('/wp/v2/tags', { body: { name: 'A' } });
`;

/** The part of TanStack Query 5.88 that the module beside a client imports. */
const OUTDATED_LIBRARY = `declare module '@tanstack/vue-query' {
  export type { DataTag, InfiniteData, QueryClient } from '@tanstack/query-core';
}`;

const PROGRAMS: Readonly<Record<string, string>> = {
  'wordpress/program.ts': NAMED_TYPES,
  'wordpress/embedded.ts': `import type { RequestData } from './client.ts';
type Terms = RequestData<'GET', '/wp/v2/categories', { query: { _embed: true } }>;
// @ts-expect-error
export const parentOf = ([term]: Terms): unknown => term?._embedded.up;
`,
  'wordpress/null.ts': `import { createClient } from './client.ts';
const client = createClient({ baseUrl: 'https://example.com/wp-json' });
client.POST('/wp/v2/posts/{id}', { path: { id: 1 }, body: { title: null } });
`,
  'twins/program.ts': `import { createClient, type OrderBilling, type OrderCurrency } from './client.ts';
const client = createClient({ baseUrl: '/wp-json', throw: true });
const { data } = await client.GET('/v1/orders/last', { query: { _fields: ['billing.city', 'currency'] } });
export const part: { billing?: Pick<OrderBilling, 'city'>; currency?: OrderCurrency } = data;
await client.GET('/orders/last', { query: { _fields: 'id,note' } });
// @ts-expect-error
await client.GET('/orders/last', { query: { _fields: ['billing.street'] } });
`,
  'upload/program.ts': `import { createClient } from './client.ts';
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
`,
  'emptyable/program.ts': `import { createClient, type Post } from './client.ts';
const { data } = await createClient({ baseUrl: '/wp-json', throw: true }).GET('/maybe-none');
export const may: Post | null = data;
// @ts-expect-error
export const is: Post = data;
`,
};

/** By the folder of their programs. */
let clients: Readonly<Record<string, string>>;
let errors: readonly string[];
beforeAll(async () => {
  clients = {
    wordpress: await recordedClient(),
    twins: await toClient(createTwinsDocument()),
    upload: await toClient(createUploadDocument()),
    emptyable: await toClient(createEmptyableDocument()),
  };
  // A client has its own errors, as a project with the strictest options would see them without `@ts-nocheck`.
  const check = (client: string) => client.replace('// @ts-nocheck', '//');
  const checked = Object.entries(clients).map(([name, client]) => [`${name}/client.ts`, check(client)]);
  // Together, because parsing TypeScript's own libraries takes most of the time.
  errors = listErrors(
    {
      ...Object.fromEntries(checked),
      ...PROGRAMS,
      'outdated/queries.ts': await toQueries(createTwinsDocument(), 'site', 'vue'),
      'outdated/site.client.ts': clients['twins'] ?? '',
      'outdated/library.d.ts': OUTDATED_LIBRARY,
    },
    { erasableSyntaxOnly: true, isolatedModules: true, isolatedDeclarations: false },
  );
}, 60_000);

test.each([
  ['the client of WordPress 7.1 compiles with the library of ES2022 and the DOM', 'wordpress/client.ts'],
  ['types have names', 'wordpress/program.ts'],
  ['a category without a parent embeds nothing', 'wordpress/embedded.ts'],
  ['types that occur twice have one name, in which nested names of `_fields` are known', 'twins'],
  ['a body may name any file argument', 'upload'],
  // openapi-ts/openapi-typescript#1933
  ['the data of an operation that may return nothing can be null', 'emptyable'],
])('%s', (_, place) => {
  expect(errors.filter((error) => error.startsWith(place))).toEqual([]);
});

test('the error of null in a body is at its member', () => {
  expect(errors.filter((error) => error.startsWith('wordpress/null.ts'))).toEqual([
    expect.stringMatching(/\(3\): TS2322 Type 'null' is not assignable to type (?!.*_links)/),
  ]);
});

test('types need no strict compiler', () => {
  const files = { 'client.ts': clients['wordpress'] ?? '', 'program.ts': NAMED_TYPES };
  const loose = { strict: false, exactOptionalPropertyTypes: false, isolatedDeclarations: false };
  expect(listErrors(files, loose)).toEqual([]);
}, 60_000);

test('a platform without streams checks the body of an upload', () => {
  const names = ['AbortSignal', 'Blob', 'FormData', 'Headers', 'Request', 'Response'];
  const program = `import { createClient } from './client.ts';
const client = createClient({ baseUrl: '/wp-json' });
// @ts-expect-error: no such field
client.POST('/wp/v2/media', { body: { alt_txt: 'A' } });
`;
  const files = {
    'client.ts': clients['wordpress'] ?? '',
    'globals.d.ts': names.map((name) => `interface ${name} { is${name}: true }`).join('\n'),
    'program.ts': program,
  };
  expect(listErrors(files, { lib: ['es2022'] })).toEqual([]);
}, 60_000);

test('a version of TanStack Query that passes mutations no QueryClient does not compile', () => {
  expect(errors.filter((error) => error.startsWith('outdated'))).toContainEqual(
    expect.stringContaining("no exported member 'MutationFunctionContext'"),
  );
});

// orval-labs/orval#1120
test('the response of an operation with two successes is one of their types', async () => {
  const of = (name: string) => returning({ type: 'object', properties: { [name]: { type: 'string' } } });
  const responses = { 200: of('of200'), 201: of('of201'), 202: { description: '' } };
  const client = await toClient(documentWith({}, { '/jobs': { post: { responses } } }));
  expect(client).toContain('item: { of200?: string } | { of201?: string };');
});

test('types that occur twice are written once', () => {
  const client = clients['twins'];
  expect(client).toContain('export type V1Order = Order;');
  expect(client?.match(/city\?: string;|"C29"/g)).toEqual(['city?: string;', '"C29"']);
});

test('a route that shares a path and names a part of it differently has a path and values of its own', async () => {
  const id = { name: 'id', in: 'path', required: true, 'x-waygate-slashes': true };
  const slug = { ...id, schema: { enum: ['a/b'] }, 'x-waygate-name': 'slug' };
  const routes = [[id], [slug]].map((parameters) => ({ parameters }));
  const alternative = getting({ parameters: [id], 'x-waygate-alternatives': routes });
  const marked = getting({ parameters: [id] });
  const unmarked = getting({ parameters: [{ ...id, 'x-waygate-slashes': false }] });
  const paths = { '/x/{id}': alternative, '/c/{id}': marked, '/c/{id}/d': unmarked };
  const client = await toClient(documentWith({}, paths));
  expect(client).toMatch(/`GET \/x\/\{id\}` \*\/\n.*\n {2}input: [^}]*\bid: unknown/);
  expect(client).toMatch(/`GET \/x\/\{slug\}` \*\/\n.*\n {2}input: [^}]*\bslug: "a\/b"/);
  expect(client).toContain('  slashes: [\n    "/x/",\n    "/c/{id} id",\n  ],\n');
});

test('a path has the words that its route names', async () => {
  const client = await toClient(generateFor({ '/x/v1/(?P<lang>en|de)/pages': 'GET' }).document);
  expect(client).toMatch(/path: \{ lang: "en" \| "de" \}/);
});

/** `|` is where the error is, and the comment is a part of it. */
const MISTAKES = readFileSync(new URL('fixtures/mistakes.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n');
const MISTAKEN = `import { batch, createClient, paginate, url } from './client.ts';
import { mutationOptions, pageOptions, queryOptions } from './queries.ts';
const client = createClient({ baseUrl: 'https://example.com/wp-json' });
declare const anyText: string, never: never;
${MISTAKES.map((mistake) => mistake.replace('|', '')).join('\n')}`;
const CALLS = `import { createClient, paginate, type RequestPath } from './client.ts';
const client = createClient({ baseUrl: '/wp-json' });
client.GET('/wp/v2/posts');
client.DELETE('/wp/v2/posts/{id}', { path: { id: 1 } });
paginate(client, '/wp/v2/tags');
client.GET('/wp/v2/pages', { query: { per_page: 5 } });
export const read = <Path extends RequestPath>(path: Path) => client.GET(path);
`;

let editor: Editor;
beforeAll(async () => {
  editor = openEditor({
    'client.ts': await recordedClient(),
    'queries.ts': (await toQueries(recordedDocument(), 'site')).replace('./site.client.js', './client.js'),
    'mistakes.ts': MISTAKEN,
    'calls.ts': CALLS,
  });
}, 60_000);

test('the error of a first mistake is short, at the right token, and says what to write', () => {
  const textAt = (line: number, column: number) => MISTAKES[line - 4]?.replace('|', '').slice(column);
  const errors = editor.errorsOf('mistakes.ts');
  const found = errors.map(({ line, column, message }) => ({ at: textAt(line, column), message }));
  const expected = MISTAKES.map((mistake) => {
    const [, at = '', said = ''] = /\|(.* \/\/ (.*))/.exec(mistake) ?? [];
    return { at, message: expect.stringContaining(said) };
  });
  expect(found).toEqual(expected);
  expect(found.filter(({ message }) => message.length > 300)).toEqual([]);
}, 60_000);

test('the error of a wrapper whose path is a type parameter names the call that takes one', () => {
  const messages = editor.errorsOf('calls.ts').map(({ message }) => message);
  expect(messages.join()).toContain('call client.request with a path that is a type parameter');
});

test('one jump from the query of a call leads to the operation, whose comment has its summary', () => {
  const { comment, target } = editor.jumpFrom('calls.ts', '{ query');
  expect(comment).toBe('List pages: `GET /wp/v2/pages`');
  expect(target).toBe('query: ListPagesQuery;');
});

test.each([
  ['client.GET', '"/wp/v2/posts", ListPosts,'],
  ['client.DELETE', '"/wp/v2/posts/{id}", DeletePost,'],
  ['\npaginate', '"/wp/v2/tags", ListTags,'],
])('an editor shows at %s the route and the name of the call, and nothing else', (call, names) => {
  const hover = editor.hoverAt('calls.ts', call);
  expect(hover).toContain(names);
  expect(hover).not.toMatch(/\b(?:selects|shape|codes|contexts|input|batch)\b/);
});
