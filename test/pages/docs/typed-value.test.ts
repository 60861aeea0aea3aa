import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { buildPath } from '../../../src/generator/client/runtime/client.ts';
import { listOperations } from '../../../src/generator/openapi/operations.ts';
import {
  type ParameterRow,
  readOperationDetails,
} from '../../../src/generator/reference/operation-details.ts';
import {
  findPathProblems,
  toSampleUrl,
  toTypedValue,
} from '../../../src/generator/reference/sample-request.ts';

function describeParameter(parameter: JsonObject): ParameterRow | undefined {
  const document = { paths: { '/x': { get: { parameters: [{ name: 'a', in: 'query', ...parameter }] } } } };
  const [operation] = listOperations(document);
  const [row] =
    operation === undefined
      ? []
      : readOperationDetails(operation, { document, localize: (own) => own }).parameters;
  return row;
}

test.each<[string, JsonObject, Json]>([
  ['5', { type: 'integer' }, 5],
  ['007', { type: 'integer' }, '007'],
  ['1e999', { type: 'number' }, '1e999'],
  ['1,2', { type: 'array', items: { type: 'integer' } }, [1, 2]],
  ['a, b', { type: 'array', items: { type: 'string' } }, ['a', 'b']],
  ['["a,b"]', { type: 'array', items: { type: 'string' } }, ['a,b']],
  ['7', { anyOf: [{ type: 'integer' }, { type: 'array', items: { type: 'integer' } }] }, 7],
  ['{"a":', { type: 'object' }, '{"a":'],
])('%s as %j is %j', (text, schema, value) => {
  expect(toTypedValue(text, describeParameter({ schema })?.type ?? '')).toEqual(value);
});

test.each([
  // swagger-api/swagger-ui#2478
  ['<p>One</p><ul><li>Two</li><li>Three</li></ul>Four<br />five <b>si</b>x', 'One Two Three Four five six'],
  // OpenAPITools/openapi-generator#6552
  ['l&#8217;id &laquo;&nbsp;a&#x2026;b&hellip;&nbsp;&raquo; &amp;c; &lt;br&gt;', 'l’id « a…b… » &c; <br>'],
])('the description %s is read as %s', (description, text) => {
  expect(describeParameter({ description })?.description.split(/\s+/).join(' ')).toBe(text);
});

test('a choice among numbers is one in the form (swagger-api/swagger-ui#736)', () => {
  expect(describeParameter({ schema: { type: 'integer', enum: [0, 1] } })?.allowed).toEqual(['0', '1']);
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
  [['a,b', 'c'], 'q%5B0%5D=a%2Cb&q%5B1%5D=c'],
  [{ a: { b: [1] } }, 'q%5Ba%5D%5Bb%5D=1'],
  [[{ a: 1 }], 'q%5B0%5D%5Ba%5D=1'],
])('%j in a query is %s', (value, query) => {
  expect(toSampleUrl({ ...REQUEST, path: '/a', pathParameters: [], query: [['q', value]] })).toBe(
    `/a?${query}`,
  );
});

// WordPress does not decode paths.
test.each<[Json, boolean, string]>([
  ['theme//home', true, 'theme//home'],
  ['theme//home', false, 'theme%2F%2Fhome'],
  ['core:x,y@z', false, 'core:x,y@z'],
  ['$&;=', false, '$&;='],
  ['a?b#c', false, 'a%3Fb%23c'],
  ['ä b', true, '%C3%A4%20b'],
])('%j in a path, where slashes are allowed: %s, is what the client sends: %s', (value, slashes, text) => {
  const pathParameters = [{ name: 'id', value, mayContainSlashes: slashes }];
  expect(toSampleUrl({ ...REQUEST, path: '/a/{id}', pathParameters, query: [] })).toBe(`/a/${text}`);
  expect(buildPath('/a/{id}', { id: value }, slashes ? ['/a/'] : [])).toBe(`/a/${text}`);
});

test.each<[Json | undefined, string | undefined]>([
  [undefined, 'id is missing.'],
  ['..', 'id must not be "." or "..".'],
  ['...', undefined],
  [0, undefined],
])('the problem of %j in a path is: %s', (value, problem) => {
  const pathParameters = value === undefined ? [] : [{ name: 'id', value, mayContainSlashes: true }];
  expect(findPathProblems({ path: '/a/{id}', pathParameters }).get('id')).toBe(problem);
  const build = () => buildPath('/a/{id}', { id: value }, ['/a/']);
  if (problem === undefined) expect(build()).toBe(`/a/${value}`);
  else expect(build).toThrow(TypeError);
});
