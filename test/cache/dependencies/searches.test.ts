import { expect, test } from 'vitest';
import { readItemState } from '../../../src/cache/dependencies/item-states.ts';
import { mayChangeSearch, searchTags } from '../../../src/cache/dependencies/searches.ts';
import { selectWritten } from '../../../src/cache/dependencies/write-rules.ts';
import type { JsonObject } from '../../../src/json.ts';
import { locate } from './resource-fixture.ts';

const POST = {
  id: 12,
  title: { raw: 'The red cup', rendered: 'The red cup' },
  excerpt: { raw: '', rendered: '<p class="more">Tea &amp; caf&eacute;s</p>' },
  content: { raw: '<!-- wp:shop/plate --> Old text', rendered: 'Old text' },
};
/** The same as visitors see it. */
const SHOWN = {
  id: 12,
  title: { rendered: POST.title.rendered },
  excerpt: { rendered: POST.excerpt.rendered },
  content: { rendered: 'Old text' },
};

/** Whether an edit of a field selects a search; `null` if it selects all. */
function selects(field: string, value: string, search: unknown, before: JsonObject = SHOWN): boolean | null {
  const { clauses, tags } = selectWritten(
    {
      ...{ method: 'POST', location: locate('/wp/v2/posts/12'), status: 200 },
      sentParameters: new Map([[field, value]]),
      responseBody: { ...POST, [field]: { raw: value, rendered: value } },
    },
    () => readItemState(before),
  );
  if (tags.includes('#search')) return null;
  const edit = clauses.find((clause) => clause.tags.includes('#search'))?.searched;
  const stored = searchTags(search).map((tag) => `example.com ${tag}`);
  return edit === undefined ? null : mayChangeSearch(stored, edit);
}

test.each<[string, ...Parameters<typeof selects>, boolean | null]>([
  ['neither has the term', 'excerpt', 'Milk', 'plates', SHOWN, false],
  ['nor any of several', 'excerpt', 'Milk', 'big plates', SHOWN, false],
  ['the value after has it', 'excerpt', 'Old plates', 'plate', SHOWN, true],
  ['the value before has it', 'excerpt', 'Milk', 'TEA', SHOWN, true],
  ['in its markup', 'excerpt', 'Milk', 'class', SHOWN, true],
  ['one of several', 'excerpt', 'Milk', 'tea plate', SHOWN, true],
  ['with an accent', 'excerpt', 'Caf\u00e9', 'cafe', SHOWN, true],
  ['the title has it anyway', 'excerpt', 'A cup', 'cup', SHOWN, false],
  ['but not the order of several terms', 'excerpt', 'A cup', 'cup tea', SHOWN, true],
  ['the title loses it', 'title', 'The tea', 'cup', SHOWN, true],
  ['the title keeps it', 'title', 'My cup', 'cup', SHOWN, true],
  ['the title has neither', 'title', 'My cup', 'plate', SHOWN, false],
  ['the search is not of plain terms', 'excerpt', 'Milk', '-plates', SHOWN, true],
  ['the search is unknown', 'excerpt', 'Milk', undefined, SHOWN, true],
  ['the content of before is known as it is rendered only', 'content', 'New', 'plates', SHOWN, null],
  ['a comment in the content of before has it', 'content', 'New', 'plate', POST, true],
  ['the content has neither', 'content', 'New', 'cup', POST, false],
  ['letters that a collation may compare otherwise', 'excerpt', 'Stra\u00dfe', 'plates', SHOWN, null],
  ['a long value', 'excerpt', 'x'.repeat(5_000), 'plates', SHOWN, null],
  ['a field that only plugins search', 'meta', 'Milk', 'plates', SHOWN, null],
])('an edit changes a search or not: %s', (_, field, value, search, before, isSelected) => {
  expect(selects(field, value, search, before)).toBe(isSelected);
});
