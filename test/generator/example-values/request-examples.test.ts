import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { createBodyExample, createExample } from '../../../src/generator/example-values/document-examples.ts';

test.each<[JsonObject, Json]>([
  [{ type: 'integer', multipleOf: 4 }, 4],
  [{ type: 'string', minLength: 6 }, 'Example'],
  [{ type: ['null', 'boolean'] }, true],
  [{ type: 'array', minItems: 2, items: { type: 'integer' } }, [1, 1]],
])('%j has the example %j', (schema, example) => {
  expect(createExample(schema, {})).toEqual(example);
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
