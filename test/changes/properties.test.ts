import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareDocuments, formatChange, formatChanges } from '../../src/changes/index.ts';
import type { Json, JsonObject } from '../../src/json.ts';
import { runSteps } from '../../src/steps.ts';
import { BASE, edited } from './documents.ts';

test('whatever the documents contain, nothing is thrown, and each change is one line', () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 6 }), fc.jsonValue(), (one, other) => {
      const hostile = { ...BASE, ...(one as JsonObject), paths: { 'a\n::error::x': { get: one as Json } } };
      const { changes } = runSteps(compareDocuments(BASE, hostile));
      runSteps(compareDocuments(hostile, edited(BASE, ['components', other as Json])));
      for (const line of changes.map(formatChange)) expect(line).not.toMatch(/[\n\r]/);
    }),
  );
});

test('components that contain one another are compared once', () => {
  const node = (type: string): Json => ({
    type: 'object',
    properties: {
      value: { type },
      left: { $ref: '#/components/schemas/Post' },
      right: { $ref: '#/components/schemas/PostEdit' },
    },
  });
  const [before, after] = ['string', 'integer'].map((type) =>
    edited(BASE, ['components schemas Post', node(type)], ['components schemas PostEdit', node(type)]),
  );
  const { changes } = runSteps(compareDocuments(before ?? {}, after ?? {}));
  expect(changes.map(({ operations, subject }) => [subject, operations.length])).toEqual([
    ['response schema Post, member "value"', 3],
    ['response schema PostEdit, member "value"', 3],
  ]);
});

const PART = '#/paths/~1posts/x-part';
const CHILD: JsonObject = { $ref: '#/components/schemas/Post' };

test.each<[string, Json, Json]>([
  ['that become alternatives', CHILD, { anyOf: [CHILD, { type: 'null' }] }],
  ['with texts beside them', { ...CHILD, description: 'a' }, { ...CHILD, description: 'b' }],
  ['to a part of an operation', { $ref: PART }, { $ref: PART }],
])('references %s are compared once, where each component contains itself many times', (_, old, current) => {
  const [before, after] = [old, current].map((child, at) => {
    const names = Array.from({ length: 8 }, (_, position) => `child${position}`);
    const properties = { name: { minLength: at }, ...Object.fromEntries(names.map((name) => [name, child])) };
    return edited(
      BASE,
      ['components schemas Post', { type: 'object', properties }],
      ['paths /posts x-part', { type: 'object', properties }],
    );
  });
  const { changes } = runSteps(compareDocuments(before ?? {}, after ?? {}));
  expect(changes.length).toBeGreaterThan(0);
  expect(changes.length).toBeLessThan(20);
});

test('the number of changes is bounded, and the rest are counted', () => {
  const members = (prefix: string): Json =>
    Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`${prefix}${index}`, {}]));
  const result = runSteps(
    compareDocuments(
      edited(BASE, ['components schemas Post properties', members('a')]),
      edited(BASE, ['components schemas Post properties', members('b')]),
    ),
  );
  expect(result).toMatchObject({ changes: { length: 5000 }, omitted: 7000 });
  expect(formatChanges(result, 10).slice(9)).toEqual([
    expect.stringContaining('it was removed (breaking)'),
    'and 11990 more',
  ]);
});
