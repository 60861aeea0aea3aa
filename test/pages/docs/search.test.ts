import MiniSearch from 'minisearch';
import { beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import {
  SEARCH_OPTIONS,
  type SearchEntry,
  searchIndex,
  toSearchedWords,
} from '../../../src/generator/reference/search.ts';
import { recordedDocument } from '../../generator/types/documents.ts';
import { readSeed } from '../../support/documents.ts';
import { wholeShopDocument } from '../../support/recorded-indexes.ts';
import { renderTestPage } from '../../support/rendered-docs.ts';

const ENTRY: SearchEntry = {
  ...{ id: 1, title: 'List', method: 'GET', path: '', place: '', names: '', description: '' },
  ...{ body: '', parameters: '', members: '', url: '', isOlder: false },
};

const createIndex = (...entries: readonly Partial<SearchEntry>[]): MiniSearch<SearchEntry> => {
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  index.addAll(entries.map((entry, at) => ({ ...ENTRY, id: at + 1, ...entry })));
  return index;
};

let boards: MiniSearch<SearchEntry>;
let wordpress: MiniSearch<SearchEntry>;
let shop: MiniSearch<SearchEntry>;
beforeAll(async () => {
  shop = await load(wholeShopDocument());
  boards = await load(readSeed('boards'));
  wordpress = await load(recordedDocument());
});

async function load(seed: JsonObject): Promise<MiniSearch<SearchEntry>> {
  return MiniSearch.loadJSON(await renderTestPage(seed, '/search.json'), SEARCH_OPTIONS);
}

/** The words of readers, what they find, and among how many results: a phone shows eight. */
test.each([
  ['boards', 'create task', 'Create a project task', 1],
  ['boards', 'craete task', 'Create a project task', 1],
  ['boards', 'projects/{board_id}/tasks/table', 'List project task tables', 1],
  ['boards', 'how do I list the tasks of a board', 'List project tasks', 5],
  ['boards', 'tasks that are due this week', 'List project tasks filtered', 5],
  ['wordpress', 'basic auth', 'Logins, lists and errors', 1],
  ['wordpress', 'filter posts by category', 'List posts', 1],
  ['wordpress', 'rest_cannot_create', 'rest_cannot_create', 1],
  ['wordpress', 'delete a picture', 'Delete media', 8],
  ['wordpress', 'create article', 'Create a post', 8],
  ['wordpress', 'file', 'Create media', 8],
  ['wordpress', 'POST /wp/v2/posts', 'Create a post', 1],
  ['wordpress', 'https://example.com/blog/wp-json/wp/v2/posts/7', 'Get a post', 1],
  ['wordpress', 'https://example.com/?rest_route=/wp/v2/users/me', 'Get the current user', 1],
  ['wordpress', '12:00:01 200 GET /content/wp/v2/pages/7?context=view miss 12 ms', 'Get a page', 1],
  [
    'wordpress',
    '::1 - - [28/Nov/2026:12:00:01 +0000] "DELETE /wp-json/wp/v2/posts/7 HTTP/1.1" 401',
    'Delete a post',
    1,
  ],
  ['wordpress', '{"requestId":"a","method":"POST","path":"/wp/v2/comments"}', 'Create a comment', 1],
  ['wordpress', 'updatePost', 'Update a post', 1],
  ['wordpress', 'next page of results', 'Logins, lists and errors', 8],
] as const)('at %s, %s finds %s among the first %i', (site, words, title, most) => {
  const titles = searchIndex(site === 'boards' ? boards : wordpress, words).map((result) => result['title']);
  expect(titles.slice(0, most)).toContain(title);
});

test.each([
  ['stock_quantity', 'Create a product', 2],
  ['line_items[][product_id]', 'Create an order', 2],
  ['order.billing.email', 'Create an order', 2],
  ['featured_media', 'Create a post', 4],
  ['orders?status=completed', 'List orders', 1],
  ['average_rating', 'Product', 3],
  ['woocommerce_rest_cannot_view', 'woocommerce_rest_cannot_view', 1],
] as const)('in a shop, %s finds %s among the first %i', (words, title, most) => {
  const titles = searchIndex(shop, words).map((result) => result['title']);
  expect(titles.slice(0, most)).toContain(title);
});

test('a query is searched by ten different words, since each takes time', () => {
  const query = Array.from({ length: 1_000 }, (_, at) => `a thing a thing${at}`).join(' ');
  expect(toSearchedWords(query)).toEqual(['thing', ...Array.from({ length: 9 }, (_, at) => `thing${at}`)]);
});

test('a result names the pages that lead to it', () => {
  expect(searchIndex(boards, 'create task')[0]?.['place']).toBe('boards/v2 › Projects › Tasks');
});

test.each(['文章', '記事の一覧', 'รายการ'])(
  'words without spaces are found: %s (cmfcmf/docusaurus-search-local#46)',
  (words) => {
    const description = '返回所有文章。すべての記事の一覧を返します。ส่งคืนรายการบทความ';
    expect(searchIndex(createIndex({ description }), words)).toHaveLength(1);
  },
);

test('an operation that a query names stands above one that has a word of it as its name', () => {
  const products = createIndex(
    { title: 'Create', method: 'POST', path: '/catalog/create', names: 'product products' },
    { title: 'Create a product', method: 'POST', path: '/products' },
  );
  expect(searchIndex(products, 'create product')[0]?.['id']).toBe(2);
});

test('an operation of an older version stands below the same one of the current version', () => {
  const orders = createIndex({ title: 'List orders', isOlder: true }, { title: 'List orders' });
  expect(searchIndex(orders, 'list orders').map(({ id }) => id)).toEqual([2, 1]);
});
