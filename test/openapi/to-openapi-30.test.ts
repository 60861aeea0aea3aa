import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/json.ts';
import { toOpenApi30 } from '../../src/openapi/index.ts';
import { lintDocumentText } from '../support/document-checks.ts';
import { readSeed } from '../support/documents.ts';

/** The schema that a component becomes. */
function convert(schema: Json): Json | undefined {
  const document = toOpenApi30({
    openapi: '3.1.1',
    info: {},
    paths: {},
    components: { schemas: { A: schema } },
  });
  return ((document['components'] as JsonObject)['schemas'] as JsonObject)['A'];
}

const text = { type: 'string' };
const whole = { type: 'integer' };
const nothing = { type: 'null' };
const nullable = { type: 'string', nullable: true };
const choices = [{ minLength: 1 }, { pattern: 'a' }];
const reference = { $ref: '#/a' };

describe('a schema', () => {
  test.each<[string, Json, Json]>([
    ['of a type or null', { type: ['string', 'null'] }, nullable],
    ['of two types', { type: ['string', 'integer'] }, { anyOf: [text, whole] }],
    ['of a constant', { const: 1 }, { enum: [1] }],
    ['above a bound', { exclusiveMinimum: 0 }, { minimum: 0, exclusiveMinimum: true }],
    ['below a bound', { exclusiveMaximum: 9 }, { maximum: 9, exclusiveMaximum: true }],
    ['that is anything', true, {}],
    ['that is nothing', false, { not: {} }],
    ['of a list without items', { type: 'array' }, { type: 'array', items: {} }],
    ['with a choice of null', { anyOf: [nothing, text] }, nullable],
    [
      'with a choice of null or a reference',
      { anyOf: [reference, nothing] },
      { anyOf: [reference, { ...nullable, enum: [null] }] },
    ],
    [
      'of two types or null beside a choice',
      { type: ['string', 'array', 'null'], anyOf: choices },
      { anyOf: choices },
    ],
    [
      'with a reference and a text',
      { ...reference, description: 'b' },
      { description: 'b', allOf: [reference] },
    ],
    ['with patternProperties', { type: 'object', patternProperties: { a: {} } }, { type: 'object' }],
    [
      'with a property called type',
      { properties: { type: { type: ['null', 'string'] } } },
      { properties: { type: nullable } },
    ],
  ])('%s', (_, schema, expected) => {
    expect(convert(schema)).toEqual(expected);
  });
});

test.each(['boards', 'content'] as const)('the document of %s is clean in 3.1 and 3.0', async (name) => {
  const seed = readSeed(name);
  expect(await lintDocumentText(JSON.stringify(seed))).toEqual([]);
  expect(await lintDocumentText(JSON.stringify(toOpenApi30(seed)))).toEqual([]);
});
