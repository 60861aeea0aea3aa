import { describe, expect, test } from 'vitest';
import { nameRouteClass, nameWriteKind } from '../../../src/cache/wordpress/cache-key.ts';
import type { Json } from '../../../src/json.ts';

/** What is learned of one kind of write or read is believed of all of that kind, so each option makes a kind of its own. */

const writeKind = (name: string, value: Json): string | null =>
  nameWriteKind({
    method: 'POST',
    template: '/shop/v1/items/{id}',
    path: '/shop/v1/items/7',
    sentParameters: new Map([[name, value]]),
    isAnonymous: false,
    responseBody: undefined,
  });

describe('values that may be options', () => {
  test.each<[name: string, one: Json, other: Json]>([
    ['level', 1, 3],
    ['level', '1', '3'],
    ['kind', 'A1', 'B2'],
    ['currency', 'EUR', 'USD'],
    ['status', 'private', 'publish'],
    ['visible', true, false],
    ['version', 'v1.2', 'v1.3'],
    ['kinds', ['A1'], ['B2']],
    ['levels', [1, 2], [1, 3]],
    ['meta', { a: 1 }, { b: 1 }],
    ['level', 0, 1],
    ['level', -1, 1],
  ])('%s: %j and %j are of different kinds', (name, one, other) => {
    expect(writeKind(name, one)).not.toBe(writeKind(name, other));
  });

  test('an object has the options of its members', () => {
    expect(writeKind('data', { status: 'draft' })).not.toBe(writeKind('data', { status: 'publish' }));
    expect(writeKind('data', { text: 'One text' })).toBe(writeKind('data', { text: 'Another text' }));
  });

  test('many nested values have no kind', () => {
    const many = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`field${at}`, 1]));
    expect(writeKind('data', many)).toBeNull();
    expect(writeKind('items', Array(5).fill({ status: 'draft' }))).toBeNull();
    expect(writeKind('items', [{ status: 'draft' }])).not.toBe(writeKind('items', [{ status: 'publish' }]));
  });

  test('a word in the path may be an option, an id is none', () => {
    const kindOf = (path: string): string | null =>
      nameWriteKind({
        method: 'POST',
        template: '/shop/v1/items/{id}/{action}',
        path,
        sentParameters: new Map(),
        isAnonymous: false,
        responseBody: undefined,
      });
    expect(kindOf('/shop/v1/items/7/vote')).not.toBe(kindOf('/shop/v1/items/7/hide'));
    expect(kindOf('/shop/v1/items/7/vote')).toBe(kindOf('/shop/v1/items/8/vote'));
  });

  test('a number has one kind, in a form or in JSON', () => {
    expect(writeKind('level', 3)).toBe(writeKind('level', '3'));
  });
});

describe('values that select or describe', () => {
  test.each<[name: string, one: Json, other: Json]>([
    ['title', 'The first title', 'The second title'],
    ['amount', 1_250, 1_300],
    ['price', 9.5, 9.75],
    ['parent', 7, 8],
    ['include', [1, 2], [3]],
    ['date', '2026-01-31T12:00:00', '2026-02-01T12:00:00'],
  ])('%s: %j and %j are of one kind', (name, one, other) => {
    expect(writeKind(name, one)).toBe(writeKind(name, other));
  });
});

describe('what a response says about the visibility of what was written', () => {
  const comment = (responseBody: Json | undefined): string | null =>
    nameWriteKind({
      method: 'POST',
      template: '/wp/v2/comments',
      path: '/wp/v2/comments',
      sentParameters: new Map<string, Json>([['content', 'Some text.']]),
      isAnonymous: true,
      responseBody,
    });

  test.each<[one: Json, other: Json]>([
    [{ status: 'hold' }, { status: 'approved' }],
    [{ state: 'pending' }, { state: 'open' }],
    [{ approved: false }, { approved: true }],
    [{ published: 0 }, { published: 1 }],
    [{ visibility: 'private' }, {}],
  ])('%j and %j are of different kinds', (one, other) => {
    expect(comment(one)).not.toBe(comment(other));
  });

  test('anything else is not part of the kind', () => {
    expect(comment({ id: 7, status: 'hold', content: 'One text' })).toBe(comment({ id: 8, status: 'hold' }));
    expect(comment({ status: 'A sentence about it' })).toBe(comment(undefined));
  });
});

test('a read of another page is of the same kind, and one of an unknown parameter of none', () => {
  const read = (values: readonly [string, Json][]): string =>
    nameRouteClass('/shop/v1/items', new Map(values), (name) => name !== 'unknown');
  expect(read([['page', '2']])).toBe(read([['page', '3']]));
  expect(read([['level', '2']])).not.toBe(read([['level', '3']]));
  expect(read([['unknown', '2']])).toBe('');
});
