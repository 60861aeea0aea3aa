import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/json.ts';
import { collectJsonFindings, summarize } from './validate-json.ts';

const POST: JsonObject = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    title: { type: 'object', properties: { rendered: { type: 'string' } } },
    status: { type: 'string', enum: ['publish', 'draft'] },
    date: { type: ['string', 'null'], format: 'date-time' },
    meta: { type: 'object' },
    tags: { type: 'array', items: { type: 'integer' } },
  },
  required: ['id'],
};

/** [what, schema, value, what is found] */
const ROWS: readonly (readonly [string, JsonObject, Json, readonly string[]])[] = [
  ['what is right has no findings', POST, { id: 1, title: { rendered: '' }, date: null, tags: [] }, []],
  ['null where there is none', POST, { id: 1, title: null }, ['null /title']],
  ['an empty list for an object', POST, { id: 1, meta: [] }, ['empty-array-for-object /meta']],
  ['a list that is not empty is no object', POST, { id: 1, meta: [1] }, ['type /meta']],
  ['a number as a string', POST, { id: '12' }, ['string-for-number /id']],
  ['with a fraction it is no integer', POST, { id: '1.5' }, ['type /id']],
  ['a numeric string with an exponent', { type: 'number' }, '1e3', ['string-for-number']],
  ['a word is no number', POST, { id: 'twelve' }, ['type /id']],
  ['white space is no number', { type: 'number' }, ' ', ['type']],
  ['a whole number with a point is an integer', { type: 'integer' }, 10.0, []],
  ['a number for a string', { type: 'string' }, 1, ['type']],
  ['no value of the enum', POST, { id: 1, status: 'future' }, ['enum /status']],
  ['an enum of numbers, by value', { enum: [1, 2] }, 3, ['enum']],
  ['an enum of objects, whatever their order', { enum: [{ a: 1, b: [2] }] }, { b: [2], a: 1 }, []],
  ['0 and -0 are one number', { enum: [[0]] }, [-0], []],
  ['a constant', { const: 'on' }, 'off', ['enum']],
  ['a date that is none', POST, { id: 1, date: 'yesterday' }, ['format /date']],
  ['a date without a zone, as the site writes it', POST, { id: 1, date: '2024-05-01T10:00:00' }, []],
  ['an address is not checked, as at the site', { type: 'string', format: 'uri' }, 'no address', []],
  ['an e-mail address', { type: 'string', format: 'email' }, 'nobody', ['format']],
  ['a required property', POST, { tags: [] }, ['missing /id']],
  ['a property that nobody mentioned', POST, { id: 1, plugin: true }, ['extra /plugin']],
  ['links and what is embedded stand beside', POST, { id: 1, _links: {}, _embedded: {} }, []],
  ['a schema without properties expects none', { type: 'object' }, { a: 1 }, []],
  [
    'what is refused is more than unexpected',
    { properties: { a: {} }, additionalProperties: false },
    { b: 1 },
    ['forbidden /b'],
  ],
  [
    'a map has no unexpected names',
    { properties: { a: {} }, additionalProperties: { type: 'integer' } },
    { x: 1, y: 'z', a: 'z' },
    ['type /*'],
  ],
  [
    'keys by pattern are one place',
    { properties: {}, patternProperties: { '^x-': { type: 'integer' } } },
    { 'x-1': null, 'x-2': null, y: null },
    ['null /*'],
  ],
  ['indexes are one place', { items: { type: 'integer' } }, [1, null, 2, null], ['null /*']],
  [
    'two kinds in one place are two findings',
    { items: { type: 'integer' } },
    [null, 'a'],
    ['null /*', 'type /*'],
  ],
  [
    'items behind the prefix',
    { prefixItems: [{ type: 'string' }], items: { type: 'integer' } },
    ['a', 'b'],
    ['type /*'],
  ],
  ['as many as it should contain', { contains: { type: 'string' } }, [1], ['other']],
  ['and no more', { contains: { type: 'string' }, maxContains: 1 }, ['a', 'b'], ['other']],
  [
    'the same twice',
    { uniqueItems: true },
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
    ['range'],
  ],
  ['too small', { minimum: 3 }, 2, ['range']],
  ['not above', { exclusiveMinimum: 3 }, 3, ['range']],
  ['not below', { exclusiveMaximum: 3 }, 3, ['range']],
  ['no multiple', { multipleOf: 2 }, 3, ['range']],
  ['lengths count code points', { maxLength: 1 }, '😀', []],
  ['too long', { maxLength: 1 }, 'ab', ['range']],
  ['too many', { maxItems: 0 }, [1], ['range']],
  ['too many members', { maxProperties: 1 }, { a: 1, b: 2 }, ['range']],
  ["the site's pattern, anywhere in the text", { pattern: 'b+' }, 'abc', []],
  ['a pattern that does not match', { pattern: '^b' }, 'abc', ['pattern']],
  [
    "the site's own, where ours is a translation",
    { pattern: '.', 'x-waygate-pcre': '(?i)^B$' },
    'c',
    ['pattern'],
  ],
  ['a pattern that cannot be run refuses nothing', { pattern: '(?<=a+)b(*SKIP)' }, 'c', []],
  [
    'names that need others',
    { properties: { a: {}, b: {} }, dependentRequired: { a: ['b'] } },
    { a: 1 },
    ['missing /b'],
  ],
  ['names as they should be', { propertyNames: { pattern: '^a' } }, { b: 1 }, ['other']],
  [
    'a schema for who has the name',
    { dependentSchemas: { a: { required: ['b'] } } },
    { a: 1 },
    ['missing /b'],
  ],
  ['not', { not: { type: 'string' } }, 'a', ['other']],
  ['if, then', JSON.parse('{"if":{"type":"string"},"then":{"minLength":2}}'), 'a', ['range']],
  ['else', { if: { type: 'string' }, else: { minimum: 2 } }, 1, ['range']],
  ['any of several', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, 1, []],
  ['none of several takes null', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, null, ['null']],
  ['none takes the type', { anyOf: [{ type: 'string' }, { type: 'integer' }] }, true, ['type']],
  [
    'an empty list where an alternative is an object',
    { anyOf: [{ type: 'object' }, { type: 'string' }] },
    [],
    ['empty-array-for-object'],
  ],
  [
    'of alternatives of the type, the one that lacks least',
    {
      anyOf: [
        { type: 'string' },
        { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } } },
        { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'string' } } },
      ],
    },
    { a: null, b: 'x' },
    ['null /a'],
  ],
  [
    'names of any alternative are expected',
    { anyOf: [{ properties: { a: { type: 'integer' } } }, { properties: { b: {} } }] },
    { a: 1, b: 2, c: 3 },
    ['extra /c'],
  ],
  ['one of several', { oneOf: [{ type: 'number' }, { type: 'string' }] }, 'a', []],
  ['two of several', { oneOf: [{ type: 'number' }, { minimum: 1 }] }, 2, ['alternatives']],
  ['all of several', { allOf: [{ type: 'string' }, { minLength: 2 }] }, 'a', ['range']],
  [
    'names of all together',
    { allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
    { a: 1, b: 1 },
    [],
  ],
  ['nothing at all', { properties: { a: false } }, { a: 1 }, ['type /a']],
  ['a word that is no type', { type: 'post' }, 1, []],
  ['names of JavaScript are names', { properties: { toString: { type: 'string' } } }, {}, []],
  [
    'and are looked for as such',
    { properties: { constructor: { type: 'string' } }, required: ['constructor'] },
    {},
    ['missing /constructor'],
  ],
  ['a name with a slash', { properties: { 'a/b': { type: 'string' } } }, { 'a/b': 1 }, ['type /a~1b']],
  ['a name that could be a value', { properties: { a: {} } }, { 'Mrs. Smith': 1 }, ['extra /*']],
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
  const schemas = { Media: { type: 'object', properties: { id: { type: 'integer' } } } };
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

  test('for other findings, the schema itself', () => {
    const findings = collectJsonFindings({ type: 'array', items: item }, [{ id: null, more: 'x' }], {
      schemas,
    });
    expect(findings).toMatchObject([
      { kind: 'null', schema: '/components/schemas/Media/properties/id' },
      { kind: 'extra', actual: 'string', schema: '/components/schemas/Media' },
    ]);
  });

  test('for alternatives, those of the referring schema', () => {
    const either = { Either: { anyOf: [{ type: 'string' }, { type: 'array' }] } };
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
        properties: { name: { type: 'string' }, under: { items: { $ref: '#/components/schemas/Tree' } } },
      },
    };
    const tree = { name: 'a', under: [{ name: 'b', under: [{ name: 1 }] }] };
    const found = collectJsonFindings({ $ref: '#/components/schemas/Tree' }, tree, { schemas });
    expect(summarize(found)).toEqual(['type /under/*/under/*/name']);
  });

  test('without a target accept every value', () => {
    expect(collectJsonFindings({ $ref: '#/components/schemas/Gone' }, 1)).toEqual([]);
  });
});
