import MiniSearch from 'minisearch';
import { beforeAll, expect, test } from 'vitest';
import { createReference } from '../../src/docs/reference/reference.ts';
import { createSearchIndex } from '../../src/docs/search/search-index.ts';
import { SEARCH_OPTIONS, type SearchEntry } from '../../src/docs/search/search-options.ts';
import { readSeed } from '../support/documents.ts';

let index: MiniSearch<SearchEntry>;
beforeAll(() => {
  const seed = readSeed('boards');
  index = MiniSearch.loadJSON(createSearchIndex(createReference(seed, 'Boards'), seed), SEARCH_OPTIONS);
});

test.each([
  ['create task', 'Create a project task'],
  ['craete task', 'Create a project task'],
  ['delete label', 'Delete a project label'],
  ['archive stage', 'Archive a project stage'],
  ['add members', 'Add members to a project'],
  ['projects/{board_id}/tasks/table', 'List project tasks as a table'],
  ['estimated time', 'Set the estimated time of a project task time track'],
])('%s finds %s first', (words, title) => {
  expect(index.search(words)[0]?.['title']).toBe(title);
});

test('a result names the pages that lead to it', () => {
  expect(index.search('create task')[0]?.['place']).toBe('boards/v2 › Projects › Tasks');
});
