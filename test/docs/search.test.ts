import MiniSearch from 'minisearch';
import { beforeAll, expect, test } from 'vitest';
import { GuidedSite, listGuides } from '../../src/docs/guides.ts';
import { createSearchIndex } from '../../src/docs/index.ts';
import { createReference } from '../../src/docs/reference.ts';
import { SEARCH_OPTIONS, type SearchEntry, searchIndex } from '../../src/docs/search.ts';
import type { JsonObject } from '../../src/json.ts';
import { readSeed } from '../support/documents.ts';
import { recordedDocument } from '../types/documents.ts';

let index: MiniSearch<SearchEntry>;
let wordpress: MiniSearch<SearchEntry>;
beforeAll(async () => {
  index = await load(readSeed('boards'));
  wordpress = await load(recordedDocument());
});

async function load(seed: JsonObject): Promise<MiniSearch<SearchEntry>> {
  const source = { document: seed, localize: (text: string) => text };
  const reference = createReference(seed, 'Boards');
  const guides = listGuides(new GuidedSite({ reference, source, requestUrl: '' }));
  return MiniSearch.loadJSON(await createSearchIndex({ guides, reference, source }), SEARCH_OPTIONS);
}

test.each([
  ['create task', 'Create a project task'],
  ['craete task', 'Create a project task'],
  ['add members', 'Add project members'],
  ['projects/{board_id}/tasks/table', 'List project task tables'],
])('%s finds %s first', (words, title) => {
  expect(index.search(words)[0]?.['title']).toBe(title);
});

test.each([
  ['page through all', 'Pages of a list', 2],
  ['basic auth', 'Credentials', 1],
  ['trash a post', 'Delete a post', 5],
  ['update page', 'Update a page', 2],
  ['filter posts by category', 'List posts', 1],
  ['rest_cannot_create', 'rest_cannot_create', 1],
])('%s finds %s among the first %i', (words, title, most) => {
  const titles = searchIndex(wordpress, words).map((result) => result['title']);
  expect(titles.slice(0, most)).toContain(title);
});

test('a result names the pages that lead to it', () => {
  expect(index.search('create task')[0]?.['place']).toBe('boards/v2 › Projects › Tasks');
});

test.each([
  ['how do I list the tasks of a board', 'List project tasks'],
  ['tasks that are due this week', 'List project tasks filtered'],
])('a question finds an operation among the first five: %s', (question, title) => {
  const titles = searchIndex(index, question)
    .slice(0, 5)
    .map((result) => result['title']);
  expect(titles).toContain(title);
});

test('a word that no text has does not hide what has the others', () => {
  expect(index.search('create task quickly')).toEqual([]);
  expect(searchIndex(index, 'create task quickly')[0]?.['title']).toBe('Create a project task');
});

test.each([
  ['delete a picture', 'Delete media'],
  ['upload photo', 'Create media'],
  ['who am i', 'Get the current user'],
  ['publish a draft', 'Update a post'],
  ['approve a comment', 'Update a comment'],
  ['create article', 'Create a post'],
  ['filter by category', 'List posts'],
  ['file', 'Uploads'],
  ['401', 'Credentials'],
  ['rest_post_invalid_id', 'rest_post_invalid_id'],
  ['incorrect_password', 'incorrect_password'],
  ['api key', 'Credentials'],
  ['what changed', 'Changes'],
  ['next page of results', 'Pages of a list'],
])('the words of a reader, %s, find %s among the results that a phone shows', (words, title) => {
  const titles = searchIndex(wordpress, words).map((result) => result['title']);
  expect(titles.slice(0, 8)).toContain(title);
});

test('an operation of an older version stands below the same one of the current version', () => {
  const orders = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  const entry = { title: 'List orders', method: 'GET', path: '', place: '', names: '', description: '' };
  orders.add({ ...entry, id: 1, url: 'v1', isOlder: true });
  orders.add({ ...entry, id: 2, url: 'v3', isOlder: false });
  expect(searchIndex(orders, 'list orders').map(({ id }) => id)).toEqual([2, 1]);
});
