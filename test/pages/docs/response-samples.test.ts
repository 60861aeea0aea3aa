import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { createResponseExamples } from '../../../src/generator/example-values/document-examples.ts';
import { findAccess } from '../../../src/generator/openapi/operation-access.ts';
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

test.each<[string, JsonObject, string | undefined]>([
  ['states no security', { 'x-waygate-error-codes': ['rest_cannot_create'] }, undefined],
  ['lists no anonymous access', { security: [{ password: [] }] }, 'Needs credentials.'],
  ['says who can run it', { 'x-waygate-access': { description: 'Needs <b>an editor.' } }, 'Needs an editor.'],
])('an operation that %s', (_, operation, text) => {
  const [first] = listOperations({ paths: { '/a': { get: { responses: {}, ...operation } } } });
  expect(first && describeAccess(first)?.text).toBe(text);
});

const accessOf = (codes: readonly string[], name: string) => {
  const [method = '', path = ''] = name.split(' ');
  return findAccess(method, path, codes);
};

test.each([
  [['rest_invalid_param'], undefined],
  [['rest_cannot_read', 'rest_cannot_read_post'], 'Private items need a user who can read them.'],
  [['rest_forbidden_context'], 'The edit context needs a user who can edit.'],
])('the error codes %j say: %s', (codes, text) => {
  expect(accessOf(codes, 'GET /a')?.text).toBe(text);
});

test.each([
  ['PUT /wp/v2/settings', [], 'Needs an administrator (manage_options).'],
  ['GET /wp/v2/users/me', ['rest_not_logged_in'], 'Needs a signed-in user.'],
  ['DELETE /wp/v2/posts/{parent}/revisions/{id}', ['rest_cannot_delete'], 'to every user.'],
  ['GET /wp-abilities/v1/abilities', [], 'Needs a signed-in user.'],
  ['POST /batch/v1', [], 'the users that its requests need.'],
])('%s names who may do it', (name, codes, text) => {
  expect(accessOf(codes, name)).toMatchObject({ isRequired: true, text: expect.stringContaining(text) });
});
