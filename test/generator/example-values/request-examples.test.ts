import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { createBodyExample, createExample } from '../../../src/generator/example-values/document-examples.ts';
import { readSeed } from '../../support/documents.ts';

test.each<[JsonObject, Json]>([
  [{ type: 'integer', minimum: 5 }, 5],
  [{ type: 'integer', multipleOf: 4 }, 4],
  [{ type: 'string', format: 'email' }, 'ada@example.com'],
  [{ type: 'string', minLength: 6 }, 'Example'],
  [{ type: 'string', maxLength: 3 }, 'Exa'],
  [{ type: ['null', 'boolean'] }, true],
  [{ enum: ['a', 'b'] }, 'a'],
  [{ type: 'string', default: 'x' }, 'x'],
  [{ type: 'array', minItems: 2, items: { type: 'integer' } }, [1, 1]],
])('%j has the example %j', (schema, example) => {
  expect(createExample(schema, {})).toEqual(example);
});

test.each(['boards', 'content'] as const)('the example of every request body of %s is valid', (name) => {
  const document = readSeed(name);
  const components = document['components'] as JsonObject;
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ $id: 'https://example.com/', components } as object);
  const bodies = Object.keys(components['schemas'] as JsonObject).filter((key) => key.endsWith('Body'));
  expect(bodies.length).toBeGreaterThan(5);
  const invalid = bodies.filter((key) => {
    const reference = `#/components/schemas/${key}`;
    const validate = ajv.compile({ $ref: `https://example.com/${reference}` });
    return !validate(createBodyExample({ $ref: reference }, document, '/posts'));
  });
  expect(invalid).toEqual([]);
});

test('a request shows what a person sends first, in lists and objects too', () => {
  const text = { type: 'string' };
  const address = { type: 'object', properties: { phone: text, first_name: text, email: text } };
  const item = {
    type: 'object',
    properties: { meta: text, quantity: { type: 'integer' }, product_id: { type: 'integer' } },
  };
  const properties = {
    payment_method: text,
    billing: address,
    line_items: { type: 'array', items: item },
    meta_data: { type: 'array', items: item },
  };
  expect(createBodyExample({ type: 'object', properties }, {}, '/orders')).toEqual({
    line_items: [{ product_id: 42, quantity: 2 }],
    billing: { first_name: 'Ada', email: 'ada@example.com' },
    payment_method: 'bacs',
  });
});

test('a request leaves out what no copied sample may change, and the id that the site gives', () => {
  const text = { type: 'string' };
  const properties = { id: text, title: text, url: text, email: text, _envelope: { type: 'boolean' } };
  const schema = { type: 'object', properties };
  expect(Object.keys(createBodyExample(schema, {}, '/items'))).toEqual(['title']);
  const required = { ...schema, required: ['email'] };
  expect(Object.keys(createBodyExample(required, {}, '/items'))).toEqual(['title', 'email']);
});

test('a request for a new item makes a draft, and one for an item that is there leaves its status', () => {
  const status = { type: 'string', enum: ['publish', 'future', 'draft', 'pending'] };
  const schema = { type: 'object', properties: { title: { type: 'string' }, status } };
  expect(createBodyExample(schema, {}, '/posts')).toMatchObject({ status: 'draft' });
  expect(Object.keys(createBodyExample(schema, {}, '/posts/{id}'))).toEqual(['title']);
  const batch = {
    properties: { create: { type: 'array', items: schema }, update: { type: 'array', items: schema } },
  };
  expect(createBodyExample(batch, {}, '/posts/batch')).toMatchObject({
    create: [{ status: 'draft' }],
    update: [{ title: expect.anything() }],
  });
});
