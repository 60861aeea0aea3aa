import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/json.ts';
import type { Operation } from '../../../src/openapi/index.ts';
import { NO_PARAMETERS, type RequestParameters } from '../../../src/validation/request/parameters.ts';
import type { IsRuleIgnored, ValidationResult } from '../../../src/validation/request/result.ts';
import { RequestValidator } from '../../../src/validation/request/validator.ts';
import { createOperation, type StatedOperation } from '../../support/operation.ts';

const EMPTY: RequestParameters = {
  json: NO_PARAMETERS,
  form: NO_PARAMETERS,
  query: NO_PARAMETERS,
  path: NO_PARAMETERS,
};

type ParameterValues = { readonly [place in keyof RequestParameters]?: JsonObject };

function toParameters(given: ParameterValues): RequestParameters {
  const entries = Object.entries(given).map(([place, members]) => [
    place,
    new Map(Object.entries(members ?? {})),
  ]);
  return { ...EMPTY, ...Object.fromEntries(entries) };
}

const query = (name: string, schema: JsonObject, required = false): Operation['parameters'][number] => ({
  name,
  in: 'query',
  required,
  schema,
});

const list = createOperation({
  id: 'listThings',
  path: '/some/v1/things/{kind}',
  parameters: [
    { name: 'kind', in: 'path', required: true, schema: { type: 'string', enum: ['big', 'small'] } },
    query('per_page', { type: 'integer', minimum: 1, maximum: 100 }),
    query('color', { type: 'string', enum: ['red', 'blue'] }, true),
    query('size', { type: 'integer', default: 7 }, true),
    query('ids', { type: 'array', items: { type: 'integer' }, uniqueItems: true }),
    query('since', { type: 'string', format: 'date-time' }),
    query('_fields', { type: 'array', items: { type: 'string' } }),
  ],
});

const CREATE: StatedOperation = {
  id: 'createThing',
  method: 'POST',
  path: '/some/v1/things',
  allowBatch: true,
  bodySchema: { $ref: '#/components/schemas/Thing' },
};
const create = createOperation(CREATE);

const resolve = (reference: string): JsonObject | undefined => SCHEMAS.get(reference);
const SCHEMAS = new Map<string, JsonObject>([
  [
    '#/components/schemas/Thing',
    {
      type: 'object',
      required: ['name', 'count', 'constructor'],
      properties: JSON.parse(`{
        "name": { "type": "string", "maxLength": 3 },
        "count": { "type": "integer", "default": 1 },
        "constructor": { "type": "string" },
        "__proto__": { "type": "integer" },
        "parts": { "type": "array", "items": { "$ref": "#/components/schemas/Thing" } },
        "loose": { "type": "boolean", "x-waygate-type": "bool" },
        "guessed": { "type": "integer", "enum": [1], "x-waygate-type": null },
        "open": { "anyOf": [{ "type": "integer" }, { "type": "null" }] },
        "nullable": { "type": ["integer", "null"], "x-waygate-type": "integer" }
      }`),
    },
  ],
]);

const validate = (
  operation: Operation,
  given: ParameterValues,
  isIgnored?: IsRuleIgnored,
): ValidationResult => new RequestValidator(operation, resolve).validate(toParameters(given), isIgnored);

/** @returns the code of the refusal, the parameters that it names, and those of the violated rules */
function refuse(operation: Operation, given: ParameterValues): readonly string[] {
  const verdict = validate(operation, given);
  if (verdict.kind !== 'invalid') throw new Error('it passes');
  const params: Json = verdict.data['params'] ?? [];
  const names = Array.isArray(params) ? params : Object.keys(Object(params));
  return [verdict.code, names.join(' '), verdict.brokenRules.map(({ param }) => param).join(' ')];
}

const complete = { color: 'red' };
const required = { name: 'a', constructor: 'b' };

describe('a request is valid', () => {
  test.each<readonly [string, Operation, ParameterValues]>([
    ['with required parameters in a JSON body', create, { json: required }],
    [
      'with a valid JSON parameter that overrides the query',
      create,
      { json: required, query: { name: 'too long' } },
    ],
    [
      'with a valid query parameter that overrides the path',
      list,
      { query: { ...complete, kind: 'big' }, path: { kind: 'huge' } },
    ],
    ['with an invalid form in a GET, which is ignored', list, { form: { per_page: 0 }, query: complete }],
    ['with any value for an unknown type', create, { json: { ...required, loose: 'perhaps' } }],
    ['with any value for an inferred type', create, { json: { ...required, guessed: 'perhaps' } }],
  ])('%s', (_, operation, given) => {
    expect(validate(operation, given)).toEqual({ kind: 'valid' });
  });
});

describe('a request is invalid', () => {
  test.each<readonly [string, Operation, ParameterValues, names: string]>([
    ['without a required parameter', list, {}, 'color'],
    ['with null for a required parameter', create, { json: { ...required, name: null } }, 'name'],
    ['with a required parameter only in an ignored form', list, { form: complete }, 'color'],
    ['for a missing parameter before an invalid one', list, { query: { per_page: '0' } }, 'color'],
  ])('%s', (_, operation, given, names) => {
    expect(refuse(operation, given)).toEqual(['rest_missing_callback_param', names, names]);
  });

  test('by a callback of WordPress that refuses a value of the right type', () => {
    const details = createOperation({
      id: 'getUrlDetails',
      path: '/wp-block-editor/v1/url-details',
      parameters: [query('url', { type: 'string', format: 'uri' }, true)],
    });
    for (const url of ['example.com', ['http://example.com']])
      expect(refuse(details, { query: { url } })).toEqual(['rest_invalid_param', 'url', 'url']);
    expect(validate(details, { query: { url: '//example.com' } })).toEqual({ kind: 'valid' });
  });

  const thing = (members: JsonObject): ParameterValues => ({ json: { ...required, ...members } });
  test.each<readonly [string, Operation, ParameterValues, names: string]>([
    ['all invalid parameters together', list, { query: { color: 'green', size: 'x' } }, 'color size'],
    [
      'those with a validator before the others',
      list,
      { query: { color: 'green', per_page: '0' } },
      'per_page',
    ],
    [
      'one that null does not override',
      create,
      { ...thing({ name: null }), query: { name: 'too long' } },
      'name',
    ],
    ['a parameter named `__proto__`', create, thing(JSON.parse('{"__proto__":"x"}')), '__proto__'],
    ['the original type in x-waygate-type', create, thing({ nullable: 'x' }), 'nullable'],
  ])('for %s', (_, operation, given, names) => {
    expect(refuse(operation, given)).toEqual(['rest_invalid_param', names, names]);
  });
});

describe('a suspended rule is ignored', () => {
  const aside =
    (param: string, rule: string): IsRuleIgnored =>
    (its, broken) =>
      its === param && broken === rule;

  test.each<readonly [string, ParameterValues, IsRuleIgnored, string]>([
    ['for a value', { query: { color: 'green' } }, aside('color', 'rest_not_in_enum'), 'valid'],
    [
      'but other rules of the same parameter apply',
      { query: { color: 7 } },
      aside('color', 'rest_not_in_enum'),
      'invalid',
    ],
    [
      'but the same rule of other parameters applies',
      { query: { color: 'green' } },
      aside('size', 'rest_not_in_enum'),
      'invalid',
    ],
  ])('%s', (_, given, isIgnored, kind) => {
    expect(validate(list, given, isIgnored).kind).toBe(kind);
  });
});
