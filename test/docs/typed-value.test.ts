import { expect, test } from 'vitest';
import { createParameterRow } from '../../src/docs/operation-details.ts';
import { toTypedValue } from '../../src/docs/request-form.ts';
import { toSampleUrl } from '../../src/docs/sample-request.ts';
import type { Json, JsonObject } from '../../src/json.ts';

test.each<[string, JsonObject, Json]>([
  ['5', { type: 'integer' }, 5],
  ['5', { type: ['integer', 'string'] }, 5],
  ['007', { type: 'integer' }, '007'],
  ['1e999', { type: 'number' }, '1e999'],
  ['true', { type: 'boolean' }, true],
  ['1,2', { type: 'array', items: { type: 'integer' } }, [1, 2]],
  ['a, b', { type: 'array', items: { type: 'string' } }, ['a', 'b']],
  ['["a,b"]', { type: 'array', items: { type: 'string' } }, ['a,b']],
  ['7', { anyOf: [{ type: 'integer' }, { type: 'array', items: { type: 'integer' } }] }, 7],
  ['{"a":1}', { type: 'object' }, { a: 1 }],
  ['{"a":', { type: 'object' }, '{"a":'],
])('%s as %j is %j', (text, schema, value) => {
  const row = createParameterRow(
    { name: 'a', in: 'query', schema },
    { document: {}, localize: (own) => own },
  );
  expect(toTypedValue(text, row?.valueTypes ?? { own: [], items: [] })).toEqual(value);
});

const REQUEST = {
  method: 'GET',
  baseUrl: '',
  body: undefined,
  file: undefined,
  credentials: 'none' as const,
};

test.each<[Json, string]>([
  ['a b', 'q=a%20b'],
  [[1, 2], 'q=1,2'],
  [['a,b', 'c'], 'q%5B0%5D=a%2Cb&q%5B1%5D=c'],
  [{ a: { b: [1] } }, 'q%5Ba%5D%5Bb%5D=1'],
  [[{ a: 1 }], 'q%5B0%5D%5Ba%5D=1'],
])('%j in a query is %s', (value, query) => {
  expect(toSampleUrl({ ...REQUEST, path: '/a', pathParameters: [], query: [['q', value]] })).toBe(
    `/a?${query}`,
  );
});

test.each([
  [true, '/a/theme//home'],
  [false, '/a/theme%2F%2Fhome'],
])('slashes in a path stay slashes where the site allows them: %s', (mayContainSlashes, url) => {
  const pathParameters = [{ name: 'id', value: 'theme//home', mayContainSlashes }];
  expect(toSampleUrl({ ...REQUEST, path: '/a/{id}', pathParameters, query: [] })).toBe(url);
});
