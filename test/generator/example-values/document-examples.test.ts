import { describe, expect, test } from 'vitest';
import { type JsonObject, jsonItems, jsonMembers, memberAt, toJsonObject } from '../../../src/base/json.ts';
import { runSteps } from '../../../src/base/steps.ts';
import { withExamples } from '../../../src/generator/example-values/document-examples.ts';
import { dereference } from '../../../src/generator/openapi/document-objects.ts';
import { listOperations } from '../../../src/generator/openapi/operations.ts';
import { createSchemaCompiler } from '../../support/document-schemas.ts';
import { readShopIndex } from '../../support/recorded-indexes.ts';
import { generateFrom } from '../../support/site.ts';

describe('the document of a shop with examples', () => {
  const index = readShopIndex((namespace) => /^(?:wp\/v2|wc\/v3)$/.test(namespace));
  const { document: seed } = generateFrom(index);
  const document = runSteps(withExamples(seed));
  const operations = listOperations(document);
  const compile = createSchemaCompiler(document, { validateFormats: false });

  test('is at most 15 % longer, and the same with examples of its own', () => {
    const lengthOf = (value: object): number => JSON.stringify(value, null, 2).length;
    expect(lengthOf(document) / lengthOf(seed)).toBeLessThan(1.15);
    expect(runSteps(withExamples(document))).toEqual(document);
  });

  test('has valid examples of bodies and responses', () => {
    const medias = operations.flatMap(({ id, shared }) =>
      [shared['requestBody'] ?? null, ...jsonMembers(shared['responses']).map(([, each]) => each)].flatMap(
        (message) => jsonMembers(memberAt(message, 'content')).map(([, media]) => ({ id, media })),
      ),
    );
    const found = medias.flatMap(({ id, media }) => {
      const shared = dereference(memberAt(media, 'examples', 'example'), document);
      const example = shared?.['value'] ?? memberAt(media, 'example');
      return example === undefined ? [] : [{ id, example, schema: memberAt(media, 'schema') ?? {} }];
    });
    expect(found.length).toBeGreaterThan(operations.length / 2);
    expect(found.filter(({ example, schema }) => !compile(schema)(example)).map(({ id }) => id)).toEqual([]);
    const examples = toJsonObject(memberAt(document, 'components', 'examples'));
    const shown = jsonMembers(examples).filter(([key]) => !key.endsWith('Body'));
    expect(JSON.stringify(shown)).not.toMatch(/"Example (?!Ltd)/);
  });

  test('has a value for each parameter of a path', () => {
    const missing = operations.flatMap(({ id, parameterObjects }) =>
      parameterObjects
        .filter(({ example, in: location, schema }) => {
          const isListed = memberAt(schema, 'enum') !== undefined;
          return location === 'path' && example === undefined && !isListed;
        })
        .map((parameter) => `${id} ${String(parameter['name'])}`),
    );
    expect(missing.filter((each) => !/^(?:put|patch|update)/i.test(each))).toEqual([]);
  });
});

describe('a document that others wrote', () => {
  const illustrate = (schemas: JsonObject, stated: JsonObject = {}): JsonObject => {
    const content = Object.fromEntries(
      Object.keys(schemas).map((key) => [
        `application/${key}+json`,
        { schema: { $ref: `#/components/schemas/${key}` } },
      ]),
    );
    const parameter = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
    const parameters = [{ ...parameter, examples: { first: { value: 1 } } }];
    const paths = { '/posts/{id}': { get: { parameters, responses: { 200: { content } } } } };
    return runSteps(withExamples({ paths, components: { schemas, examples: stated } }));
  };

  test('keeps its own examples', () => {
    const stated = { Post: { value: 'Its own' } };
    const document = illustrate({ Post: { type: 'string' } }, stated);
    expect(memberAt(document, 'components', 'examples')).toMatchObject({ ...stated, Post2: {} });
    const [parameter] = jsonItems(memberAt(document, 'paths', '/posts/{id}', 'get', 'parameters'));
    expect(Object.keys(toJsonObject(parameter))).not.toContain('example');
  });

  test('with thousands of long texts gets examples for some', () => {
    const schemas = Array.from({ length: 5_000 }, (_, at) => [
      `S${at}`,
      { type: 'string', minLength: 1_000 },
    ]);
    const examples = memberAt(illustrate(Object.fromEntries(schemas)), 'components', 'examples');
    expect(jsonMembers(examples).length).toBeGreaterThan(0);
    expect(JSON.stringify(examples).length).toBeLessThan(4_500_000);
  });
});
