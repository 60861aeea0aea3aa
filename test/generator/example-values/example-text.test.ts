import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { createResponseExamples } from '../../../src/generator/example-values/document-examples.ts';
import { createExampleFactory } from '../../../src/generator/example-values/example-value.ts';
import { readSeed } from '../../support/documents.ts';

const create = (name: string, rules: JsonObject = {}): string =>
  String(createExampleFactory({}).create({ type: 'string', ...rules }, [name]));

describe('the example of a text', () => {
  test.each<[string, RegExp]>([
    ['first_name', /^Ada$/],
    ['author_email', /^ada@example\.com$/],
    ['link', /^https:\/\/example\.com\/[a-z-]+$/],
    ['guid', /^https:\/\/example\.com\/\?p=42$/],
    ['modified_gmt', /^2026-\d\d-\d\dT\d\d:\d\d:00$/],
    ['', /^Example$/],
    ['anything_else', /^Example anything else$/],
    ['__proto__', /^Example proto$/],
  ])('of the name %s is plausible', (name, pattern) => {
    expect(create(name)).toMatch(pattern);
  });

  test.each([
    ['status', '^[\\w-]+$'],
    ['user_id', '^(?:\\d+|me)$'],
    ['name', '^[a-z0-9-]+/[a-z0-9-]+$'],
    ['nonce', '^\\w+$'],
    ['currency', '^[\\w\\-]{3}$'],
  ])('of the name %s matches %s', (name, pattern) => {
    expect(create(name, { pattern })).toMatch(new RegExp(pattern));
  });

  test('of a date and a time has the offset that its format states, or none as WordPress sends it', () => {
    expect(create('registered_date', { format: 'date-time' })).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\+00:00$/);
    expect(create('date', { 'x-waygate-format': 'date-time' })).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}$/);
  });

  test('is no longer than allowed, and no shorter', () => {
    expect(create('title', { maxLength: 3 })).toHaveLength(3);
    expect(create('title', { minLength: 200 })).toHaveLength(200);
  });
});

test('the example of a post is one that a site could send', () => {
  const document = readSeed('content');
  const post = createResponseExamples(document)({ schema: { $ref: '#/components/schemas/Post' } });
  expect(post).toMatchObject({
    id: 42,
    status: 'publish',
    slug: 'winter-market',
    title: { rendered: 'Winter market' },
  });
});

test.each<[JsonObject, Json]>([
  // orval-labs/orval#2110
  [{ type: 'integer', example: 0 }, 0],
  [{ type: ['string', 'null'], examples: [null] }, null],
  [{ type: 'integer', enum: [0] }, 0],
  // stoplightio/prism#2082
  [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
  [{ type: 'number', exclusiveMinimum: 0 }, 1],
  [{ type: 'number', exclusiveMaximum: 0 }, -1],
])('%j has the example %j', (schema, example) => {
  expect(createExampleFactory({}).create(schema, [])).toBe(example);
});

const node = (...names: readonly string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { $ref: '#/components/schemas/Node' }])),
});

test.each<[string, JsonObject]>([
  ['contains itself many times', node('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')],
  ['is a choice of itself', { anyOf: [{ $ref: '#/components/schemas/Node' }] }],
  ['requires itself', { ...node('next'), required: ['next'] }],
  ['has a hundred million items', { type: 'array', minItems: 1e8, items: { type: 'string' } }],
  ['is very long', { type: 'string', minLength: 1e9 }],
])('the example of a schema that %s is small', (_, schema) => {
  const document = { components: { schemas: { Node: schema } } };
  const value = createExampleFactory(document).create(schema, []);
  expect(JSON.stringify(value).length).toBeLessThan(200_000);
});
