import { describe, expect, test } from 'vitest';
import { getErrorCodes } from '../../src/document-extensions.ts';
import { type JsonObject, jsonMembers, toJsonObject } from '../../src/json.ts';
import { createFlatDocument, readSeed } from '../support/documents.ts';
import { wholeShopDocument } from '../support/recorded-indexes.ts';
import { createTestDocs } from '../support/rendered-docs.ts';

const GUIDES = ['credentials', 'paging', 'responses', 'errors', 'batch', 'uploads', 'carts'];

/** The guides that the overview links to, by their names. */
async function listLinks(document: JsonObject): Promise<readonly string[]> {
  const overview = await createTestDocs(document)('.md');
  return Array.from(overview?.text.matchAll(/docs\/guides\/(\w+)\.md/g) ?? [], ([, name = '']) => name);
}

test('a site has the guides that its operations need, and no others', async () => {
  expect(await listLinks(readSeed('content'))).toEqual([
    'credentials',
    'paging',
    'responses',
    'errors',
    'batch',
    'uploads',
  ]);
  // A site may have the batch route, and no operation that it takes.
  expect(await listLinks(readSeed('boards'))).toEqual([
    'credentials',
    'paging',
    'responses',
    'errors',
    'uploads',
  ]);
  expect(await listLinks(createFlatDocument(['/a/v1/things'], ['a/v1']))).toEqual(['credentials', 'errors']);
  expect(await listLinks(createFlatDocument([], []))).toEqual([]);
});

describe('the guides of a site', () => {
  const render = createTestDocs(readSeed('content'));

  test.each(GUIDES.slice(0, 6))('%s has the same content in HTML and in Markdown', async (name) => {
    const html = (await render(`/guides/${name}`))?.text ?? '';
    const markdown = (await render(`/guides/${name}.md`))?.text ?? '';
    const headings = Array.from(markdown.matchAll(/^## (.*)$/gm), ([, heading = '']) => heading);
    for (const heading of headings) expect(html).toContain(`<h2>${heading}</h2>`);
    expect(html.match(/<pre/g)?.length).toBe(markdown.match(/^```\w/gm)?.length);
    expect(html).toContain('<a href="../../docs/guides/errors"');
    expect(html).toContain(`aria-current="page">`);
  });

  test.each([
    ['paging', '/mount/core/v2/posts?per_page=100&page=1'],
    ['paging', "paginate(client, '/core/v2/posts')"],
    ['uploads', "--form 'file=@photo.jpg'"],
    ['batch', '"path": "/core/v2/posts"'],
    ['responses', '/mount/core/v2/posts?context=edit'],
    ['errors', "client.GET('/core/v2/posts', { query: { per_page: 0 } })"],
    ['errors', '- `rest_post_invalid_id` (404) There is no such item.'],
    ['credentials', "--user 'username:application password'"],
  ])('%s are told with its own routes: %s', async (name, text) => {
    expect((await render(`/guides/${name}.md`))?.text).toContain(text);
  });
});

test('the cart of a shop is explained with the Store API of its current version', async () => {
  const paths: JsonObject = {
    '/wc/store/v1/cart': { get: { operationId: 'a', summary: 'Get the cart', responses: {} } },
    '/wc/store/v1/cart/add-item': { post: { operationId: 'b', summary: 'Add an item', responses: {} } },
    '/wc/store/cart': { get: { operationId: 'c', summary: 'Get the cart', responses: {} } },
  };
  const document = { ...createFlatDocument([], ['wc/store/v1', 'wc/store']), paths };
  const markdown = (await createTestDocs(document)('/guides/carts.md'))?.text ?? '';
  expect(markdown).toContain('`Cart-Token`');
  expect(markdown).toContain('/mount/wc/store/v1/cart/add-item');
  expect(markdown).not.toContain('/wc/store/cart');
});

test('each error code of a shop is in the guide, and those that WordPress sends before any operation', async () => {
  const shop = wholeShopDocument();
  const operations = jsonMembers(shop['paths']).flatMap(([, item]) => jsonMembers(item));
  const codes = new Set(operations.flatMap(([, operation]) => getErrorCodes(toJsonObject(operation))));
  expect(codes.size).toBeGreaterThan(100);
  const general = ['rest_no_route', 'rest_cookie_invalid_nonce', 'incorrect_password', 'invalid_username'];
  const markdown = (await createTestDocs(shop)('/guides/errors.md'))?.text ?? '';
  const explained = new Set(Array.from(markdown.matchAll(/^- `(\S+)` \S/gm), ([, code = '']) => code));
  expect([...codes, ...general].filter((code) => !explained.has(code))).toEqual([]);
});
