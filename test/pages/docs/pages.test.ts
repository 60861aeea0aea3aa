import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { createReference } from '../../../src/generator/reference/reference.ts';
import { createFlatDocument, readSeed } from '../../support/documents.ts';
import { wholeShopDocument } from '../../support/recorded-indexes.ts';
import { createTestDocs, renderTestPage } from '../../support/rendered-docs.ts';

describe('the page of a resource', () => {
  test('links only to pages and anchors that exist, and has one heading of level 1 and unique ids', async () => {
    const render = createTestDocs(readSeed('content'));
    const { pages } = createReference(readSeed('content'), 'A site');
    const extra = ['guide', 'changes'];
    for (const address of [...pages.map((page) => page.address), ...extra]) {
      const page = (await render(`/${address}`))?.text ?? '';
      expect(page.match(/<h1[ >]/g), address).toHaveLength(1);
      const ids = Array.from(page.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
      expect(new Set(ids).size, address).toBe(ids.length);
      for (const [, path = '', anchor] of page.matchAll(/href="[./]+\/docs\/([^"#]*)(?:#([^"]*))?"/g)) {
        if (path.startsWith('assets/') || extra.includes(path)) continue;
        const target = pages.find((candidate) => candidate.address === path);
        const anchors = target?.operations.map((operation) => operation.anchor);
        expect(anchors, path).toEqual(
          anchor === undefined ? expect.anything() : expect.arrayContaining([anchor]),
        );
      }
      for (const [, anchor = ''] of page.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(anchor);
    }
  });

  test('has code and names of fields that no machine translates', async () => {
    const page = await renderTestPage(readSeed('content'), '/core/v2/posts');
    const tags = page.match(/<pre[^>]*>|<code class="name"[^>]*>/g) ?? [];
    expect(tags.length).toBeGreaterThan(100);
    expect(tags.filter((tag) => !tag.includes(' translate="no"'))).toEqual([]);
    // Each part that can have the focus has a name (swagger-api/swagger-ui#10709).
    const focusable = page.match(/<pre[^>]* tabindex="0"[^>]*>/g) ?? [];
    expect(focusable.length).toBeGreaterThan(10);
    expect(focusable.filter((tag) => !/ role="group" aria-label="[^"]+"/.test(tag))).toEqual([]);
  });
});

const STRING = { type: 'string' };
const PATH_OF_SLASH = { name: 'b', in: 'path', required: true, schema: { ...STRING, example: 'b/c' } };
const ID = { $ref: '#/components/schemas/Id' };
const nestedIds = (depth: number): JsonObject =>
  depth === 0 ? ID : { allOf: [ID, { type: 'object', properties: { next: nestedIds(depth - 1) } }] };
const jsonOf = (schema: JsonObject) => ({ content: { 'application/json': { schema } } });

const ofBody = (schema: JsonObject): JsonObject => ({ requestBody: jsonOf(schema) });
const ofResponse = (a: JsonObject): JsonObject => ({ responses: { 200: jsonOf({ properties: { a } }) } });
const ofQuery = (more: JsonObject, ...names: readonly string[]): JsonObject => ({
  parameters: ['a', ...names].map((name) => ({ name, in: 'query', ...more })),
});
const PROMOTED = { properties: { a: {} }, allOf: [{ oneOf: [{ enum: ['b'] }, { type: 'integer' }] }] };
const BRANCHES = { oneOf: ['a', 'b'].map((name) => ({ allOf: [ID, { properties: { [name]: ID } }] })) };
const LISTS = { type: 'array', items: { oneOf: [STRING, { type: 'object' }] } };

/** What other reference pages show wrong, by the names of public reports. */
test.each<[report: string, operation: JsonObject, shown: string]>([
  ['Redocly/redoc#1002', { description: 'قائمة.' }, '<p class="text" dir="auto">قائمة.</p>'],
  ['Redocly/redoc#1002', ofQuery({ description: 'رقم.' }), '<p dir="auto">رقم.</p>'],
  ['scalar/scalar#3314', ofQuery({ schema: { default: false } }), '>Default: <code>false</code>'],
  ['swagger-api/swagger-ui#9682', ofQuery({ schema: { enum: ['b', null] } }), '<code>null</code>'],
  [
    'stoplightio/elements#2642',
    ofBody(PROMOTED),
    'Choice 1:</span> <span class="type">any</span><span class=',
  ],
  [
    'rapi-doc/RapiDoc#1068',
    ofBody({ properties: { a: { examples: ["user's"] } } }),
    '&quot;user&#39;\\&#39;',
  ],
  ['rapi-doc/RapiDoc#330', ofResponse(LISTS), 'list of strings or objects'],
  ['rapi-doc/RapiDoc#952', ofResponse({ type: ['array', 'null'], items: STRING }), 'list of strings or null'],
  ['Redocly/redoc#1371', { responses: { 500: { description: 'One.<br/><br/>Two.' } } }, '500</span> One.'],
  ['PaloAltoNetworks/docusaurus-openapi-docs#299', { description: '/a?b=<c>' }, '/a?b=&lt;c&gt;'],
  ['…-docs#802', { description: 'Tom &amp; <a href="x&y">Jerry</a> {b}' }, 'Tom &amp; Jerry {b}'],
  [
    '…-docs#1052',
    ofBody({ required: ['a'], properties: { a: { type: ['string', 'null'] } } }),
    '&quot;a&quot;: &quot;Example a&quot;',
  ],
  ['swagger-api/swagger-ui#5047', { tags: ['Store Space'], operationId: 'a b?' }, ' id="post-a-v1-b"'],
  ['scalar/scalar#8373', { parameters: [PATH_OF_SLASH] }, '&#39;https://example.com/mount/a/v1/b/b%2Fc&#39;'],
  ['scalar/scalar#4210', { parameters: [PATH_OF_SLASH] }, '<span class="code-text">&#39;b/c&#39;</span> }'],
  [
    'swagger-api/swagger-ui#2839',
    ofQuery({ required: true, schema: { enum: ['1'] } }, 'd'),
    '?a=1&amp;d=1&#39;',
  ],
  ['swagger-api/swagger-ui#3587', { parameters: null }, 'data-samples'],
  [
    'stoplightio/elements#1857',
    ofQuery({ schema: { enum: ['A("1",0)'] } }),
    '&quot;A(\\&quot;1\\&quot;,0)&quot;',
  ],
  ['Redocly/redoc#1154', ofBody(nestedIds(4)), 'id="post-a-v1-b.body.next.next.next.id"'],
  ['Redocly/redoc#2066', ofBody(BRANCHES), 'id="post-a-v1-b.body.1.b.id"'],
  ['stoplightio/elements#2765', { summary: 'List Todos' }, '<a class="permalink" href="#list-todos">'],
])('%s: %j', async (_, operation, shown) => {
  const path = JSON.stringify(operation).includes('"path"') ? '/a/v1/b/{b}' : '/a/v1/b';
  const components = { schemas: { Id: { type: 'object', properties: { id: { type: 'integer' } } } } };
  const base = createFlatDocument([], ['a/v1']);
  const document = { ...base, paths: { [path]: { post: operation } }, components };
  expect(await renderTestPage(document, '/a/v1/b')).toContain(shown);
});

test('each field has an address of its own, also if names are alike', async () => {
  const named = (name: string, location: string) => ({ name, in: location, schema: STRING });
  const post = {
    parameters: [named('id', 'path'), named('id', 'query'), named('a[b]', 'query'), named('a-b-', 'query')],
    requestBody: jsonOf({ properties: { id: { properties: { Id: {}, id: {} } } } }),
  };
  const paths = { '/a/v1/b/{id}': { post } };
  const page = await renderTestPage({ ...createFlatDocument([], ['a/v1']), paths }, '/a/v1/b');
  const ids = Array.from(page.matchAll(/ id="(post-a-v1-b-id\.[^"]*)"/g), ([, id]) => id);
  expect([ids.length, new Set(ids).size]).toEqual([7, 7]);
});

test('the pages of a document with 1,400 operations are small', async () => {
  const content = wholeShopDocument();
  const render = createTestDocs(content);
  const { pages } = createReference(content, 'Large');
  expect(pages.length).toBeGreaterThan(200);
  const overview = (await render(''))?.text.length ?? 0;
  expect(overview).toBeLessThan(150_000);
  const longest = ['wc/v3/products', 'wc/v3/orders', 'wp/v2/posts'];
  for (const address of [...longest, ...pages.filter((_, at) => at % 40 === 0).map((page) => page.address)]) {
    expect(gzipSync((await render(`/${address}`))?.text ?? '').length, address).toBeLessThan(40_000);
  }
});

test('a page has two hundred actions, and each further one has its own', async () => {
  const paths = Array.from({ length: 1_000 }, (_, at) => `/a/v1/things/{id}/act${at}`);
  const large: JsonObject = {
    ...createFlatDocument([], ['a/v1']),
    paths: Object.fromEntries(paths.map((path) => [path, { post: OPERATION }])),
  };
  const render = createTestDocs(large);
  const page = (await render('/a/v1/things'))?.text ?? '';
  expect(page.match(/data-operation=/g)?.length).toBe(200);
  expect(page.length).toBeLessThan(1_000_000);
  const forms = JSON.parse((await render('/a/v1/things.json'))?.text ?? '');
  expect(Object.keys(forms).length).toBe(200);
  expect(createReference(large, 'Large').pages.flatMap(({ operations }) => operations).length).toBe(1_000);
});

const OPERATION = { responses: {} };

test('a namespace has its own letters, and its operations', async () => {
  const name = 'كتب/v1';
  const path = `/${encodeURIComponent('كتب')}/v1/books`;
  const page = await renderTestPage(createFlatDocument([path], [name]), '');
  expect(page).toContain(`>${name}</a>`);
  expect(page).not.toContain('>Site</a>');
});
