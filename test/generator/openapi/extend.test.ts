import { describe, expect, test } from 'vitest';
import { type Json, memberAt } from '../../../src/base/json.ts';
import { runSteps } from '../../../src/base/steps.ts';
import { createSiteDocument } from '../../../src/generate.ts';
import { toClient } from '../../../src/generator/client/index.ts';
import { readRecordedSite } from '../../../src/generator/discovery/index.ts';
import { dereference } from '../../../src/generator/openapi/document-objects.ts';
import { applyOverlayToGeneration } from '../../../src/generator/openapi/index.ts';
import { listOperations } from '../../../src/generator/openapi/operations.ts';
import { createDiscoveredSite } from '../../support/site.ts';
import { readRecordedIndex } from '../../support/stub-site.ts';
import { listErrors } from '../types/type-checker.ts';

const LANG = { type: 'string', enum: ['de', 'en'] };
type Extensions = Parameters<typeof applyOverlayToGeneration>[2];
const createSite = () => readRecordedSite(readRecordedIndex('help'), { include: ['/wp/v2/posts*'] });
const extended = (extend: Extensions) => createSiteDocument(createSite(), { extend });
const parametersOf = (document: Json, path: string, method: string) =>
  memberAt(document, 'paths', path, method, 'parameters');

describe('extend', () => {
  test('adds arguments and members to the types of the client', async () => {
    const { document } = extended({
      '/wp/v2/posts': { parameters: { lang: LANG }, response: { minutes: { type: 'integer' } } },
      'POST /wp/v2/posts': { body: { lang: LANG } },
    });
    const program = `import { createClient } from './site.client.ts';
      const client = createClient({ baseUrl: '/wp-json', throw: true });
      const { data } = await client.GET('/wp/v2/posts', { query: { lang: 'de', context: 'edit' } });
      export const minutes: (number | undefined)[] = data.map((post) => post.minutes);
      await client.POST('/wp/v2/posts', { body: { title: 'a', lang: 'en' } });
      // @ts-expect-error: no such language
      await client.GET('/wp/v2/posts', { query: { lang: 'fr' } });
      // @ts-expect-error: no such language
      await client.POST('/wp/v2/posts', { body: { lang: 'fr' } });
      // @ts-expect-error: an item was not extended
      await client.POST('/wp/v2/posts/{id}', { path: { id: 1 }, body: { lang: 'de' } });`;
    const files = { 'site.client.ts': await toClient(document), 'program.ts': program };
    expect(listErrors(files, { isolatedDeclarations: false })).toEqual([]);
  }, 60_000);

  test('replaces arguments and members of the index, and gives the same document when it is applied again', () => {
    const extend = { '/wp/v2/posts': { parameters: { status: LANG }, response: { status: LANG } } };
    const generated = extended(extend);
    const { document } = generated;
    expect(runSteps(applyOverlayToGeneration(generated, undefined, extend)).document).toEqual(document);
    expect(memberAt(document, 'components', 'schemas', 'Post', 'properties', 'status')).toEqual(LANG);
    const status = expect.objectContaining({ name: 'status', schema: LANG });
    expect(parametersOf(document, '/wp/v2/posts', 'get')).toContainEqual(status);
    // The entry names no method, and writes have a body.
    expect(parametersOf(document, '/wp/v2/posts', 'post')).not.toContainEqual(status);
  });

  test('offers members of responses in bodies, such as those that reconcile has learned', () => {
    const learned = { type: ['integer', 'null'], readOnly: true };
    const overlay = {
      overlay: '1.1.0',
      info: { title: 'learned', version: '1' },
      actions: [{ target: '$.components.schemas.Post.properties', update: { year: learned } }],
    };
    const extend = {
      '/wp/v2/posts': { writable: ['year', 'minutes'], response: { minutes: { type: 'integer' } } },
    };
    const { document } = createSiteDocument(createSite(), { overlay, extend });
    const bodyOf = (path: string) => {
      const operation = listOperations(document).find((each) => each.path === path && each.method === 'POST');
      return dereference(operation?.bodySchema, document);
    };
    expect(memberAt(bodyOf('/wp/v2/posts'), 'properties')).toMatchObject({
      // The site validates only arguments that it states.
      year: { anyOf: [{ type: ['integer', 'null'] }, { type: ['string', 'number', 'boolean'] }] },
      minutes: { type: 'integer' },
    });
    expect(memberAt(bodyOf('/wp/v2/posts'), 'properties', 'year', 'readOnly')).toBeUndefined();
    expect(memberAt(bodyOf('/wp/v2/posts/{id}'), 'properties', 'year')).toBeUndefined();
    expect(() => extended({ '/wp/v2/posts': { writable: ['yaer'] } })).toThrow('"yaer"');
  });

  test.each([
    ['that takes any fields', '/a/v1/x/{id}', 'POST'],
    ['that declares no fields and no response', '/a/v1/y/{id}', { POST: { id: { type: 'integer' } } }],
  ])('an operation %s gets a body and a response of its own', (_, path, endpoint) => {
    const site = createDiscoveredSite({
      [path.replace('{id}', '(?P<id>\\d+)')]: endpoint,
      '/a/v1/z': 'POST',
    });
    const { document } = createSiteDocument(site, {
      extend: { [path]: { body: { lang: LANG }, response: { minutes: { type: 'integer' } } } },
    });
    const operation = memberAt(document, 'paths', path, 'post');
    const schemaAt = (...names: string[]) =>
      memberAt(operation, ...names, 'content', 'application/json', 'schema');
    expect(schemaAt('requestBody')).toEqual({ type: 'object', properties: { lang: LANG } });
    expect(schemaAt('responses', '200')).toEqual({
      type: 'object',
      properties: { minutes: { type: 'integer' } },
    });
    expect(memberAt(document, 'components', 'schemas', 'AnyFields')).not.toHaveProperty('properties');
  });

  test.each([
    [
      'GET /wp/v2/postz',
      { parameters: { a: {} } },
      '"GET /wp/v2/postz" matches nothing: the document has no such route; did you mean "/wp/v2/posts"?',
    ],
    ['/nowhere/at/all', { parameters: { a: {} } }, 'matches nothing: the document has no such route'],
    ['GET /wp/v2/posts', { body: { a: {} } }, 'has a body, which only POST, PUT and PATCH take'],
  ])('%s with %j is an error', (entry, added, message) => {
    expect(() => extended({ [entry]: added })).toThrow(message);
  });
});
