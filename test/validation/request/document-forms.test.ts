import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/json.ts';
import { isJsonObject } from '../../../src/json.ts';
import { readServedApi, resolveReference, toOpenApi } from '../../../src/openapi/index.ts';
import { runSteps } from '../../../src/steps.ts';
import { NO_PARAMETERS } from '../../../src/validation/request/parameters.ts';
import { RequestValidator } from '../../../src/validation/request/validator.ts';
import { createDiscoveredSite } from '../../support/site.ts';

// The document states some arguments in another form than the index. The validator must do what the site does, which knows
// only the form of the index.

/** Validates a request to a site whose only route has the given arguments. @returns the violated rule, or `valid` */
function validate(
  method: string,
  args: JsonObject,
  given: { readonly json?: JsonObject; readonly query?: JsonObject },
): string {
  const { document } = toOpenApi(createDiscoveredSite({ '/a/v1/x': { [method]: args } }));
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

describe('a required field of a body', () => {
  const args = { name: { type: 'string', required: true } };

  test.each([
    ['in the body', { json: { name: 'a' } }, 'valid'],
    ['in the query', { query: { name: 'a' } }, 'valid'],
    ['beside a body with other fields', { json: { other: 1 }, query: { name: 'a' } }, 'valid'],
    ['nowhere', { json: { other: 1 } }, 'required'],
    ['of the wrong type in the query', { query: { name: ['a'] } }, 'rest_invalid_type'],
  ])('may be %s', (_name, given, expected) => {
    expect(validate('POST', args, given)).toBe(expected);
  });

  test('with a default may be missing', () => {
    expect(validate('POST', { size: { type: 'integer', required: true, default: 7 } }, {})).toBe('valid');
    expect(validate('POST', { size: { type: 'integer', required: true, default: null } }, {})).toBe(
      'required',
    );
  });
});

describe('a text that WordPress renders', () => {
  const properties = { raw: { type: 'string' }, rendered: { type: 'string', readonly: true } };

  // WordPress validates `title` of a post by no schema: both callbacks are null.
  test.each<[Json]>([['Hello'], [{ raw: 'Hello' }], [{ raw: 5 }], [{ rendered: 'Hello' }], [{}], [''], [5]])(
    'is never refused if its type is object: %j',
    (title) => {
      expect(validate('POST', { title: { type: 'object', properties } }, { json: { title } })).toBe('valid');
    },
  );

  // WordPress validates `title` of a template by its schema.
  test.each<[Json, string]>([
    ['Hello', 'valid'],
    [{ raw: 'Hello' }, 'valid'],
    [{ rendered: 'Hello' }, 'valid'],
    [{}, 'valid'],
    ['', 'valid'],
    [{ raw: [] }, 'rest_invalid_type'],
    [5, 'rest_invalid_type'],
    [true, 'rest_invalid_type'],
  ])('is validated if its type is object or string: %j is %s', (title, expected) => {
    const declared = { title: { type: ['object', 'string'], properties } };
    expect(validate('POST', declared, { json: { title } })).toBe(expected);
  });
});

describe('a list or an object', () => {
  const args = {
    terms: {
      type: ['object', 'array'],
      oneOf: [
        { title: 'List', type: 'array', items: { type: 'integer' } },
        {
          title: 'Query',
          type: 'object',
          properties: { a: { type: 'integer' } },
          additionalProperties: false,
        },
      ],
    },
  };

  test.each<[Json, string]>([
    ['1,2', 'valid'],
    [[1, 2], 'valid'],
    [{ a: '1' }, 'valid'],
    [{ b: '1' }, 'rest_no_matching_schema'],
    ['x', 'rest_no_matching_schema'],
  ])('is validated by its members: %j is %s', (terms, expected) => {
    expect(validate('GET', args, { query: { terms } })).toBe(expected);
  });
});

describe('a `oneOf` whose members overlap', () => {
  const args = {
    size: {
      oneOf: [
        { type: 'integer', maximum: 10 },
        { type: 'integer', minimum: 5 },
      ],
      type: 'integer',
    },
  };

  test.each<[Json, string]>([
    [3, 'valid'],
    [12, 'valid'],
    [7, 'rest_one_of_multiple_matches'],
  ])('accepts a value that matches exactly one: %j is %s', (size, expected) => {
    expect(validate('POST', args, { json: { size } })).toBe(expected);
  });
});
