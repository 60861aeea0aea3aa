import { describe, expect, test } from 'vitest';
import { getErrorCodes } from '../../../src/base/document-extensions.ts';
import { type JsonObject, jsonMembers, toJsonObject } from '../../../src/base/json.ts';
import { createFlatDocument, readSeed } from '../../support/documents.ts';
import { wholeShopDocument } from '../../support/recorded-indexes.ts';
import { renderTestPage } from '../../support/rendered-docs.ts';

const renderGuide = async (document = readSeed('content')): Promise<string> =>
  (await renderTestPage(document, '/guide')).replace(/<\/?span[^>]*>/g, '');

describe('the guide of a site', () => {
  test.each([
    '/mount/core/v2/posts?per_page=100&amp;page=1',
    'paginate(client, &#39;/core/v2/posts&#39;)',
    'client.GET(&#39;/core/v2/posts&#39;, { query: { per_page: 0 } })',
    '--user &#39;username:application password&#39;',
    'aria-current="page">',
  ])('has examples with its own routes: %s', async (text) => {
    expect(await renderGuide()).toContain(text);
  });

  test('has examples of WordPress if the site has no list', async () => {
    const flat = createFlatDocument(['/a/v1/things'], ['a/v1']);
    expect(await renderGuide(flat)).toContain('client.GET(&#39;/wp/v2/posts&#39;)');
  });

  test('has examples that the list accepts', async () => {
    const toGet = (maximum: number, ...names: readonly string[]): JsonObject => ({
      parameters: names.map((name) => ({ name, in: 'query', schema: { type: 'integer', maximum } })),
      responses: {},
    });
    const lists = {
      '/a/v1/single': { get: toGet(100, 'per_page') },
      '/a/v1/short': { get: toGet(20, 'page', 'per_page') },
      '/a/v1/things': { get: toGet(100, 'page', 'per_page') },
    };
    const flat = { ...createFlatDocument([], ['a/v1']), paths: lists };
    expect(await renderGuide(flat)).toContain('paginate(client, &#39;/a/v1/things&#39;)');
  });
});

test('each error code of a shop is in the guide, and so are those that WordPress sends before any operation', async () => {
  const shop = wholeShopDocument();
  const operations = jsonMembers(shop['paths']).flatMap(([, item]) => jsonMembers(item));
  const codes = new Set(operations.flatMap(([, operation]) => getErrorCodes(toJsonObject(operation))));
  expect(codes.size).toBeGreaterThan(100);
  const general = ['rest_no_route', 'rest_cookie_invalid_nonce', 'incorrect_password', 'invalid_username'];
  const listed = (await renderGuide(shop)).matchAll(/<code id="[^"]*">([^<]*)<\/code>/g);
  const explained = new Set(Array.from(listed, ([, code]) => code));
  expect([...codes, ...general].filter((code) => !explained.has(code))).toEqual([]);
});
