import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import type { Operation } from '../../../../src/generator/openapi/index.ts';
import type { IsRuleIgnored, ValidationResult } from '../../../../src/generator/validation/request/result.ts';
import {
  NO_PARAMETERS,
  type RequestParameters,
  RequestValidator,
} from '../../../../src/generator/validation/request/validator.ts';
import { createOperation, type StatedOperation } from '../../../support/operation.ts';

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

// `test/generator/validation/order.real.test.ts` has what WordPress reports first.
describe('a request is invalid', () => {
  const thing = (members: JsonObject): ParameterValues => ({ json: { ...required, ...members } });
  const [MISSING, INVALID] = ['rest_missing_callback_param', 'rest_invalid_param'];
  const nullOverTooLong = { ...thing({ name: null }), query: { name: 'too long' } };
  test.each<readonly [string, Operation, ParameterValues, code: string, names: string]>([
    ['with a required parameter only in an ignored form', list, { form: complete }, MISSING, 'color'],
    ['for a missing parameter before an invalid one', list, { query: { per_page: '0' } }, MISSING, 'color'],
    ['for all invalid ones', list, { query: { color: 'green', size: 'x' } }, INVALID, 'color size'],
    ['for one that null does not override', create, nullOverTooLong, INVALID, 'name'],
    ['for `__proto__`', create, thing(JSON.parse('{"__proto__":"x"}')), INVALID, '__proto__'],
    ['for the original type in x-waygate-type', create, thing({ nullable: 'x' }), INVALID, 'nullable'],
  ])('%s', (_, operation, given, code, names) => {
    expect(refuse(operation, given)).toEqual([code, names, names]);
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
});

test.each([
  ['for a value', 'green', 'color rest_not_in_enum', 'valid'],
  ['but other rules of the same parameter apply', 7, 'color rest_not_in_enum', 'invalid'],
  ['but the same rule of other parameters applies', 'green', 'size rest_not_in_enum', 'invalid'],
])('a rule that can be ignored, %s', (_, color, ignored, kind) => {
  const isIgnored: IsRuleIgnored = (param, rule) => `${param} ${rule}` === ignored;
  expect(validate(list, { query: { color } }, isIgnored).kind).toBe(kind);
});
