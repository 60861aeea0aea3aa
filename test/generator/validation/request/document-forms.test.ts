import { expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../../../src/base/json.ts';
import { runSteps } from '../../../../src/base/steps.ts';
import { resolveReference } from '../../../../src/generator/openapi/document-objects.ts';
import { readServedApi } from '../../../../src/generator/openapi/index.ts';
import { NO_PARAMETERS, RequestValidator } from '../../../../src/generator/validation/request/validator.ts';
import { generateFor } from '../../../support/site.ts';

// The document states some arguments in another form than the index. The validator must do what the site does, which knows
// only the form of the index.

/** Validates a request to a site whose only route has the given arguments. @returns the violated rule, or `valid` */
function validate(
  method: string,
  args: JsonObject,
  given: { readonly json?: JsonObject; readonly query?: JsonObject },
): string {
  const { document } = generateFor({ '/a/v1/x': { [method]: args } });
  const stored: JsonObject = JSON.parse(JSON.stringify(document));
  const operation = runSteps(readServedApi(stored)).routes[0]?.operations.get(method);
  if (operation === undefined) throw new Error('the document has no operation');
  const validator = new RequestValidator(operation, (reference) => {
    const target = resolveReference(stored, reference);
    return isJsonObject(target) ? target : undefined;
  });
  const result = validator.validate({
    json: new Map(Object.entries(given.json ?? {})),
    form: NO_PARAMETERS,
    query: new Map(Object.entries(given.query ?? {})),
    path: NO_PARAMETERS,
  });
  return result.kind === 'valid' ? 'valid' : result.brokenRules.map(({ rule }) => rule).join();
}

const NAME = { name: { type: 'string', required: true } };

test.each([
  ['in the body', { json: { name: 'a' } }, 'valid'],
  ['beside a body with other fields', { json: { other: 1 }, query: { name: 'a' } }, 'valid'],
  ['nowhere', { json: { other: 1 } }, 'required'],
  ['of the wrong type in the query', { query: { name: ['a'] } }, 'rest_invalid_type'],
])('a required field of a body may be %s: %j is %s', (_name, given, expected) => {
  expect(validate('POST', NAME, given)).toBe(expected);
});

test('a required field with a default may be missing', () => {
  expect(validate('POST', { size: { type: 'integer', required: true, default: 7 } }, {})).toBe('valid');
  expect(validate('POST', { size: { type: 'integer', required: true, default: null } }, {})).toBe('required');
});

const properties = { raw: { type: 'string' }, rendered: { type: 'string', readonly: true } };
/** `title` of a post, which WordPress validates by no schema: both callbacks are null. */
const POST_TITLE = { type: 'object', properties };
/** `title` of a template, which WordPress validates by its schema. */
const TEMPLATE_TITLE = { type: ['object', 'string'], properties };
const TERMS = {
  type: ['object', 'array'],
  oneOf: [
    { title: 'List', type: 'array', items: { type: 'integer' } },
    { title: 'Query', type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false },
  ],
};
const SIZE = {
  type: 'integer',
  oneOf: [
    { type: 'integer', maximum: 10 },
    { type: 'integer', minimum: 5 },
  ],
};

test.each<[string, JsonObject, Json, string]>([
  ...['Hello', { raw: 5 }, {}, 5].map((title): [string, JsonObject, Json, string] => {
    return ['a text that WordPress renders', POST_TITLE, title, 'valid'];
  }),
  ['a text or an object', TEMPLATE_TITLE, 'Hello', 'valid'],
  ['a text or an object', TEMPLATE_TITLE, { rendered: 'Hello' }, 'valid'],
  ['a text or an object', TEMPLATE_TITLE, '', 'valid'],
  ['a text or an object', TEMPLATE_TITLE, { raw: [] }, 'rest_invalid_type'],
  ['a text or an object', TEMPLATE_TITLE, 5, 'rest_invalid_type'],
  ['a list or an object', TERMS, '1,2', 'valid'],
  ['a list or an object', TERMS, { a: '1' }, 'valid'],
  ['a list or an object', TERMS, { b: '1' }, 'rest_no_matching_schema'],
  ['a `oneOf` whose members overlap', SIZE, 12, 'valid'],
  ['a `oneOf` whose members overlap', SIZE, 7, 'rest_one_of_multiple_matches'],
])('%s is validated by what the site states: %j takes %j as %s', (_, declared, value, expected) => {
  expect(validate('POST', { it: declared }, { json: { it: value } })).toBe(expected);
});
