import { describe, expect, test } from 'vitest';
import { getErrorCodes } from '../../../src/base/document-extensions.ts';
import { jsonMembers, toJsonObject } from '../../../src/base/json.ts';
import { createFlatDocument, readSeed } from '../../support/documents.ts';
import { wholeShopDocument } from '../../support/recorded-indexes.ts';
import { createTestDocs } from '../../support/rendered-docs.ts';

describe('the guide of a site', () => {
  const render = createTestDocs(readSeed('content'));

  test('has the same content in HTML and in Markdown', async () => {
    const html = (await render('/guide'))?.text ?? '';
    const markdown = (await render('/guide.md'))?.text ?? '';
    const headings = Array.from(markdown.matchAll(/^## (.*)$/gm), ([, heading = '']) => heading);
    for (const heading of headings) expect(html).toContain(`<h2>${heading}</h2>`);
    expect(html.match(/<pre/g)?.length).toBe(markdown.match(/^```\w/gm)?.length);
    expect(html).toContain(`aria-current="page">`);
  });

  test.each([
    '/mount/core/v2/posts?per_page=100&page=1',
    "paginate(client, '/core/v2/posts')",
    "client.GET('/core/v2/posts', { query: { per_page: 0 } })",
    '- `rest_post_invalid_id` (404) There is no such item.',
    "--user 'username:application password'",
  ])('has examples with its own routes: %s', async (text) => {
    expect((await render('/guide.md'))?.text).toContain(text);
  });

  test('says nothing of lists and shops that the site has not', async () => {
    const flat = createTestDocs(createFlatDocument(['/a/v1/things'], ['a/v1']));
    expect((await flat('/guide.md'))?.text).not.toMatch(/X-WP-Total|WooCommerce/);
  });
});

test('each error code of a shop is in the guide, and so are those that WordPress sends before any operation', async () => {
  const shop = wholeShopDocument();
  const operations = jsonMembers(shop['paths']).flatMap(([, item]) => jsonMembers(item));
  const codes = new Set(operations.flatMap(([, operation]) => getErrorCodes(toJsonObject(operation))));
  expect(codes.size).toBeGreaterThan(100);
  const general = ['rest_no_route', 'rest_cookie_invalid_nonce', 'incorrect_password', 'invalid_username'];
  const markdown = (await createTestDocs(shop)('/guide.md'))?.text ?? '';
  const lines = Array.from(markdown.matchAll(/^- ((?:`\S+`, )*`\S+`) \S/gm), ([, listed = '']) => listed);
  const explained = new Set(lines.flatMap((listed) => listed.slice(1, -1).split('`, `')));
  expect([...codes, ...general].filter((code) => !explained.has(code))).toEqual([]);
});
