import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { collectJsonFindings, summarize } from './validate-json.ts';

const INTEGER = { type: 'integer' };
const STRING = { type: 'string' };
const POST: JsonObject = {
  type: 'object',
  properties: {
    id: INTEGER,
    title: { type: 'object', properties: { rendered: STRING } },
    status: { type: 'string', enum: ['publish', 'draft'] },
    date: { type: ['string', 'null'], format: 'date-time' },
    meta: { type: 'object' },
    tags: { type: 'array', items: INTEGER },
  },
  required: ['id'],
};

/** [name, schema, value, expected findings] */
const ROWS: readonly (readonly [string, JsonObject, Json, readonly string[]])[] = [
  ['null for a type without null', POST, { id: 1, title: null }, ['null /title']],
  ['an empty list for an object', POST, { id: 1, meta: [] }, ['empty-array-for-object /meta']],
  ['a non-empty list for an object', POST, { id: 1, meta: [1] }, ['type /meta']],
  ['a number as a string', POST, { id: '12' }, ['string-for-number /id']],
  ['a fraction as a string for an integer', POST, { id: '1.5' }, ['type /id']],
  ['a word for a number', POST, { id: 'twelve' }, ['type /id']],
  ['a number for a string', STRING, 1, ['type']],
  ['a value outside the enum', POST, { id: 1, status: 'future' }, ['enum /status']],
  ['an invalid date', POST, { id: 1, date: 'yesterday' }, ['format /date']],
  ['a date without a time zone is valid', POST, { id: 1, date: '2024-05-01T10:00:00' }, []],
  ['a URI is not checked, as in WordPress', { type: 'string', format: 'uri' }, 'no address', []],
  ['an invalid e-mail address', { type: 'string', format: 'email' }, 'nobody', ['format']],
  ['a missing required property', POST, { tags: [] }, ['missing /id']],
  ['an undeclared property', POST, { id: 1, plugin: true }, ['extra /plugin']],
  ['_links and _embedded are expected', POST, { id: 1, _links: {}, _embedded: {} }, []],
  [
    'a property that additionalProperties forbids',
    { properties: { a: {} }, additionalProperties: false },
    { b: 1 },
    ['forbidden /b'],
  ],
  [
    'keys that match a pattern share a pointer',
    { properties: {}, patternProperties: { '^x-': INTEGER } },
    { 'x-1': null, 'x-2': null, y: null },
    ['null /*'],
  ],
  ['list items share a pointer', { items: INTEGER }, [1, null, 2, null], ['null /*']],
  [
    'a duplicate item',
    { uniqueItems: true },
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    ['range'],
  ],
  ['a number below the minimum', { minimum: 3 }, 2, ['range']],
  ['a text longer than maxLength', { maxLength: 1 }, 'ab', ['range']],
  ["the site's pattern, anywhere in the text", { pattern: 'b+' }, 'abc', []],
  ['a pattern that does not match', { pattern: '^b' }, 'abc', ['pattern']],
  [
    "the site's own, where ours is a translation",
    { pattern: '.', 'x-waygate-pcre': '^B$' },
    'c',
    ['pattern'],
  ],
  ['an unsupported pattern matches any value', { pattern: '(?<=a+)b(*SKIP)' }, 'c', []],
  ['a value that not forbids', { not: STRING }, 'a', ['other']],
  ['null for anyOf without null', { anyOf: [STRING, INTEGER] }, null, ['null']],
  ['another type than those of anyOf', { anyOf: [STRING, INTEGER] }, true, ['type']],
  [
    'the anyOf alternative with the fewest findings is reported',
    {
      anyOf: [
        STRING,
        { type: 'object', properties: { a: INTEGER, b: INTEGER } },
        { type: 'object', properties: { a: INTEGER, b: STRING } },
      ],
    },
    { a: null, b: 'x' },
    ['null /a'],
  ],
  [
    'properties of every anyOf alternative are expected',
    { anyOf: [{ properties: { a: INTEGER } }, { properties: { b: {} } }] },
    { a: 1, b: 2, c: 3 },
    ['extra /c'],
  ],
  ['a violated allOf member', { allOf: [STRING, { minLength: 2 }] }, 'a', ['range']],
  ['an unknown type is ignored', { type: 'post' }, 1, []],
  [
    'a required name of Object.prototype is missing',
    { properties: { constructor: STRING }, required: ['constructor'] },
    {},
    ['missing /constructor'],
  ],
  ['a name with a slash', { properties: { 'a/b': STRING } }, { 'a/b': 1 }, ['type /a~1b']],
  [
    'an undeclared name that may contain data is replaced',
    { properties: { a: {} } },
    { 'Mrs. Smith': 1 },
    ['extra /*'],
  ],
];

test.each(ROWS)('%s', (_, schema, value, expected) => {
  expect(summarize(collectJsonFindings(schema, value))).toEqual(expected);
});

test('a name of the prototype is not a property', () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"type":"integer"}}}');
  expect(summarize(collectJsonFindings(schema, JSON.parse('{"__proto__":null}')))).toEqual([
    'null /__proto__',
  ]);
});

describe('a finding names the schema to change', () => {
  const schemas = { Media: { type: 'object', properties: { id: INTEGER } } };
  const item = { $ref: '#/components/schemas/Media' };

  test('for a type mismatch, the reference to the schema', () => {
    const [finding] = collectJsonFindings({ type: 'array', items: item }, [null], { schemas });
    expect(finding).toEqual({
      kind: 'null',
      pointer: '/*',
      actual: 'null',
      keyword: 'type',
      schema: '/components/schemas/It/items',
    });
  });

  test('for alternatives, those of the referring schema', () => {
    const either = { Either: { anyOf: [STRING, { type: 'array' }] } };
    const schema = { properties: { a: { $ref: '#/components/schemas/Either' } } };
    expect(collectJsonFindings(schema, { a: 1 }, { schemas: either })).toMatchObject([
      { kind: 'type', keyword: 'anyOf', actual: 'integer', schema: '/components/schemas/It/properties/a' },
    ]);
  });
});

describe('references', () => {
  test('that are circular end', () => {
    const schemas = {
      A: { $ref: '#/components/schemas/B' },
      B: { $ref: '#/components/schemas/A' },
      Tree: {
        type: 'object',
        properties: { name: STRING, under: { items: { $ref: '#/components/schemas/Tree' } } },
      },
    };
    const tree = { name: 'a', under: [{ name: 'b', under: [{ name: 1 }] }] };
    const findings = collectJsonFindings({ $ref: '#/components/schemas/Tree' }, tree, { schemas });
    expect(summarize(findings)).toEqual(['type /under/*/under/*/name']);
  });
});
