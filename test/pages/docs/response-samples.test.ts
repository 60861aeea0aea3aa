import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { createResponseExamples } from '../../../src/generator/example-values/response-examples.ts';
import { listOperations } from '../../../src/generator/openapi/operations.ts';
import { describeAccess } from '../../../src/generator/reference/operation-details.ts';
import { createSchemaCompiler } from '../../support/document-schemas.ts';
import { readSeed } from '../../support/documents.ts';
import { sampleOperations } from '../../support/rendered-docs.ts';

const localize = (text: string): string => text.replaceAll('https://site.example.com', '');

describe.each(['boards', 'content'] as const)('the responses of %s', (name) => {
  const document = readSeed(name);
  const examples = createResponseExamples(document);
  const compile = createSchemaCompiler(document, { validateFormats: false });

  test('have examples that are valid', () => {
    let count = 0;
    const invalid = sampleOperations(document).flatMap(({ details, operation }) =>
      details.responses.flatMap(({ contents, status }) =>
        contents.flatMap(({ media }) => {
          const example = examples(media);
          if (example === undefined) return [];
          count += 1;
          const validate = compile(media['schema'] ?? {});
          return validate(example) ? [] : [`${operation.id} ${status}: ${JSON.stringify(validate.errors)}`];
        }),
      ),
    );
    expect(count).toBeGreaterThan(100);
    expect(invalid).toEqual([]);
  });
});

const sampleOf = (media: JsonObject) =>
  sampleOfResponses({ '200': { content: { 'application/json': media } } });

const sampleOfResponses = (responses: JsonObject) =>
  sampleOperations({ paths: { '/a': { post: { responses } } } }, '', localize)[0]?.response;

test('the example that a document states is shown, without the address of the site', () => {
  const schema = { type: 'string' };
  const shown = { title: 'Example', text: '"/x"' };
  expect(sampleOf({ schema, example: 'https://site.example.com/x' })).toEqual(shown);
  expect(sampleOf({ schema, examples: { one: { value: 'first' } } })?.text).toBe('"first"');
});

test('an object of a plugin with code, message and data is shown as it is', () => {
  const properties = { code: { const: 'ABC' }, message: { const: 'b' }, data: { const: 1 } };
  expect(sampleOf({ schema: { type: 'object', properties } })?.text).toContain('ABC');
});

test.each<[string, Json]>([
  ['very deep', Array.from({ length: 5_000 }).reduce<Json>((inner) => [inner], 1)],
  ['very large', Array.from({ length: 100_000 }, (_, at) => at)],
])('an example that is %s is not shown', (_, example) => {
  expect(sampleOf({ schema: {}, example })).toBeUndefined();
});

/** The access note of an operation such as `POST /wp/v2/posts`. */
function accessOf(codes: readonly string[], declared: JsonObject = {}, name = 'GET /a') {
  const [method = '', path = ''] = name.split(' ');
  const operation = { responses: {}, 'x-waygate-error-codes': codes, ...declared };
  const [first] = listOperations({ paths: { [path]: { [method.toLowerCase()]: operation } } });
  return first && describeAccess(first);
}

const REFUSED = 'The site refuses requests without sufficient credentials.';
test.each<[string, JsonObject, readonly string[], string | undefined]>([
  ['states no security', {}, ['rest_invalid_param'], undefined],
  ['lists no anonymous access', { security: [{ password: [] }] }, [], 'Needs credentials.'],
  ['has the error of a missing right', {}, ['rest_cannot_create'], 'Needs a user with the right to do it.'],
  [
    'has errors of private items',
    {},
    ['rest_cannot_read', 'rest_cannot_read_post'],
    'Private items need a user who can read them.',
  ],
  [
    'has the error of a context',
    {},
    ['rest_forbidden_context'],
    'The edit context needs a user who can edit.',
  ],
  ['has a response with the status 401', { responses: { '401': {} } }, [], REFUSED],
])('an operation that %s', (_, operation, codes, text) => {
  expect(accessOf(codes, operation)?.text).toBe(text);
});

test.each([
  ['POST /wp/v2/posts', ['rest_cannot_create'], 'such as an editor or an administrator.'],
  ['PUT /wp/v2/settings', [], 'the right to do it, such as an administrator.'],
  ['GET /wp/v2/users/me', ['rest_not_logged_in'], 'Needs a signed-in user.'],
  ['DELETE /wp/v2/posts/{parent}/revisions/{id}', ['rest_cannot_delete'], 'to every user.'],
  ['GET /wp-abilities/v1/abilities', [], 'Needs a signed-in user.'],
  ['POST /batch/v1', [], 'the users that its requests need.'],
  ['DELETE /wc/v3/orders/{id}', ['woocommerce_rest_cannot_delete'], 'the right to do it.'],
])('%s names who may do it', (name, codes, text) => {
  expect(accessOf(codes, {}, name)).toMatchObject({ isRequired: true, text: expect.stringContaining(text) });
});
