import { describe, expect, test } from 'vitest';
import { namePageKind } from '../../../src/cache/wordpress/page-kinds.ts';
import { createRouteClassContents } from '../../../src/gateway/caching/route-class-contents.ts';

const operation = (method: string, path: string, ...names: readonly string[]) => ({
  method,
  path,
  parameters: names.map((name) => ({ name, in: 'query' as const, required: false, schema: {} })),
});

const SHOP = [
  operation('GET', '/shop/v1/items', 'page'),
  operation('POST', '/shop/v1/items', 'title'),
  operation('POST', '/shop/v1/items/{id}/{action}', 'note'),
];
const FORUM = [operation('GET', '/forum/v1/topics', 'page'), operation('POST', '/forum/v1/topics')];
const before = createRouteClassContents([...SHOP, ...FORUM]);

const WRITES = [
  'POST /shop/v1/items',
  'anonymous POST /shop/v1/items title=a -> status=publish',
  'POST /shop/v1/items/{id}/vote note',
];

describe('the update of another plugin', () => {
  const after = createRouteClassContents([...SHOP, operation('GET', '/forum/v1/topics', 'page', 'author')]);

  test('changes the version, and its own kinds', () => {
    expect(after.version).not.toBe(before.version);
    expect(after.ofRead('/forum/v1/topics?page')).not.toBe(before.ofRead('/forum/v1/topics?page'));
    expect(after.ofWrite('POST /forum/v1/topics')).not.toBe(before.ofWrite('POST /forum/v1/topics'));
  });

  test.each(WRITES)('leaves the write %s', (kind) => {
    expect(after.ofWrite(kind)).toBe(before.ofWrite(kind));
  });

  test.each(['/shop/v1/items', '/shop/v1/items?page'])('leaves the read %s', (kind) => {
    expect(after.ofRead(kind)).toBe(before.ofRead(kind));
  });
});

describe('the update of a plugin', () => {
  const after = createRouteClassContents([...SHOP.map((each) => ({ ...each, parameters: [] })), ...FORUM]);

  test.each(WRITES)('changes the write %s', (kind) => {
    expect(after.ofWrite(kind)).not.toBe(before.ofWrite(kind));
  });

  test('leaves writes that stand for no operation', () => {
    const kind = 'POST /wp-login.php log&pwd -> 2xx (plugins)';
    expect(after.ofWrite(kind)).toBe(before.ofWrite(kind));
  });

  test('changes the reads of pages, on which it may show anything', () => {
    const kind = namePageKind('/product/cup/?view=list');
    expect(after.ofRead(kind)).not.toBe(before.ofRead(kind));
  });
});

test('the order of operations and parameters does not matter', () => {
  const shuffled = createRouteClassContents([...FORUM, ...SHOP].reverse());
  expect(shuffled.version).toBe(before.version);
});
