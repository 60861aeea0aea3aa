import fc from 'fast-check';
import MiniSearch from 'minisearch';
import { expect, test } from 'vitest';
import { markWords, SEARCH_OPTIONS, type SearchEntry, searchIndex } from '../../src/docs/search.ts';

/** Writes a text with brackets around what is marked. */
const showMarks = (text: string, terms: readonly string[]): string =>
  markWords(text, terms)
    .map((part) => (part.isMarked ? `[${part.text}]` : part.text))
    .join('');

test.each([
  ['Create a task', ['create', 'task'], '[Create] a [task]'],
  ['/tasks/{task_id}/rework', ['task', 'tasks'], '/[tasks]/{[task]_id}/rework'],
  ['Straße', ['straße'], '[Straße]'],
  ['multitask', ['task'], 'multitask'],
  ['', ['task'], ''],
])('%s with the words %j is %s', (text, terms, expected) => {
  expect(showMarks(text, terms)).toBe(expected);
});

test('the words that a query finds are marked, also those with a typing error and those that it begins', () => {
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  const title = 'Archive a project stage';
  index.add({
    id: 1,
    title,
    method: '',
    path: '',
    place: '',
    names: '',
    description: '',
    url: '',
    isOlder: false,
  });
  const [result] = searchIndex(index, 'acrhive proj');
  expect(showMarks(title, result?.terms ?? [])).toBe('[Archive] a [project] stage');
});

test('the parts are the text, whatever it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string()), (text, terms) => {
      const parts = markWords(text, terms);
      expect(parts.map((part) => part.text).join('')).toBe(text);
    }),
  );
});

test('an operation of an older version stands below the same one of the current version', () => {
  const index = new MiniSearch<SearchEntry>(SEARCH_OPTIONS);
  const entry = { title: 'List orders', method: 'GET', path: '', place: '', names: '', description: '' };
  index.add({ ...entry, id: 1, url: 'v1', isOlder: true });
  index.add({ ...entry, id: 2, url: 'v3', isOlder: false });
  expect(searchIndex(index, 'list orders').map(({ id }) => id)).toEqual([2, 1]);
});
