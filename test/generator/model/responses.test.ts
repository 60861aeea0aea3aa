import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, memberAt } from '../../../src/base/json.ts';
import { runSteps } from '../../../src/base/steps.ts';
import type { DiscoveredSite } from '../../../src/generator/discovery/site.ts';
import { type ResponseModel, toSiteModel } from '../../../src/generator/model/index.ts';
import { toOpenApi } from '../../../src/generator/openapi/index.ts';
import { listOperations } from '../../../src/generator/openapi/operations.ts';
import { createDiscoveredSite, type StubEndpoints } from '../../support/site.ts';

const PAGED = { page: { type: 'integer' }, per_page: { type: 'integer' } };

/** The kind of response of each operation. All routes except those in `open` have a schema with the title. */
function responseKinds(
  routes: { readonly [pattern: string]: StubEndpoints },
  title: string,
  open: readonly string[] = [],
): { readonly [operation: string]: ResponseModel['kind'] } {
  const schema = { title, type: 'object', properties: { id: { type: 'integer' } } };
  const stated = Object.keys(routes).filter((pattern) => !open.includes(pattern));
  const site = runSteps(
    toSiteModel(
      createDiscoveredSite(routes, {
        schemas: Object.fromEntries(stated.map((pattern) => [pattern, schema])),
      }),
    ),
  );
  return Object.fromEntries(
    site.paths.flatMap(({ template, operations }) =>
      operations.map(({ method, routes: [route] }) => [`${method} ${template}`, route.response.kind]),
    ),
  );
}

const LISTS = { '/a/v1/books': { GET: {} }, '/a/v1/shelf': { GET: PAGED } };

function siteOf(schema: JsonObject): DiscoveredSite {
  const schemas = Object.fromEntries(Object.keys(LISTS).map((pattern) => [pattern, schema]));
  return createDiscoveredSite(LISTS, { schemas });
}

/** The schemas of `/a/v1/books` without pages, and `/a/v1/shelf` with pages, of which both state the schema. */
function responseSchemas(schema: JsonObject): readonly (Json | undefined)[] {
  return listOperations(toOpenApi(siteOf(schema)).document).map(({ responseSchema }) => responseSchema);
}

test('a title of hundreds of kilobytes is read in linear time', () => {
  const kinds = responseKinds({ '/wp/v2/things': { GET: {} } }, `${'a'.repeat(500_000)}_`);
  expect(kinds).toEqual({ 'GET /wp/v2/things': 'either' });
});

describe('the response of an operation', () => {
  test('is a list or an item by the position of its path', () => {
    expect(
      responseKinds(
        {
          '/wp/v2/posts': { GET: PAGED, POST: {} },
          '/wp/v2/posts/(?P<id>\\d+)': { GET: {}, 'POST, PUT, PATCH': {}, DELETE: {} },
          '/wp/v2/posts/(?P<id>\\d+)/duplicate': { 'POST, PUT': {} },
        },
        'post',
      ),
    ).toEqual({
      'GET /wp/v2/posts': 'list',
      'POST /wp/v2/posts': 'created',
      'GET /wp/v2/posts/{id}': 'item',
      'POST /wp/v2/posts/{id}': 'updated',
      'PUT /wp/v2/posts/{id}': 'updated',
      'PATCH /wp/v2/posts/{id}': 'updated',
      'DELETE /wp/v2/posts/{id}': 'deleted',
      'POST /wp/v2/posts/{id}/duplicate': 'created',
      'PUT /wp/v2/posts/{id}/duplicate': 'created',
    });
  });

  test.each([
    ['has a route for each of its items', 'theme', 'themes', 'themes/(?P<stylesheet>[\\w-]+)', 'list'],
    [
      'filters items',
      'block-type',
      'block-types/(?P<a>\\w+)',
      'block-types/(?P<a>\\w+)/(?P<name>\\w+)',
      'list',
    ],
    ['is keyed by name in WordPress', 'taxonomy', 'taxonomies', 'taxonomies/(?P<taxonomy>\\w+)', 'keyed'],
    ['may be a single resource with a plural name', 'setting', 'settings', '', 'either'],
    ['may be a list with the name of its items', 'book', 'book', '', 'either'],
    ['has parameters up to its end', 'report', 'reports/(?P<id>\\d+)', '', 'item'],
  ])('of a GET that %s', (_name, title, pattern, other, kind) => {
    const patterns = [pattern, other].filter((each) => each !== '').map((each) => `/wp/v2/${each}`);
    const routes = Object.fromEntries(patterns.map((each) => [each, 'GET']));
    expect(Object.values(responseKinds(routes, title))[0]).toBe(kind);
  });

  test.each<[string, JsonObject, StubEndpoints, string]>([
    [
      'an envelope with a list and its total',
      { items: { type: 'array' }, total: { type: 'integer' } },
      { GET: PAGED },
      'item',
    ],
    [
      'a page whose list is declared as an object',
      {
        products: { type: 'object', properties: { id: { type: 'integer' } } },
        page: { type: 'integer' },
        total_pages: { type: 'integer' },
      },
      { GET: PAGED },
      'item',
    ],
    [
      'an item with lists and a total of its own',
      { id: { type: 'integer' }, lines: { type: 'array' }, total: { type: 'string' } },
      { GET: PAGED },
      'list',
    ],
    [
      'an item with lists, a count and a text that can be null',
      { count: { type: 'integer' }, tags: { type: 'array' }, status: { type: ['string', 'null'] } },
      { GET: PAGED },
      'list',
    ],
    ...['uid', 'order_id', 'orderId'].map((name): [string, JsonObject, StubEndpoints, string] => [
      `an item with lists, a total and a number ${name}`,
      { total: { type: 'number' }, lines: { type: 'array' }, [name]: { type: 'integer' } },
      { GET: PAGED },
      'list',
    ]),
    [
      'an envelope without pages, with a text that can be null and the id of a board',
      {
        total: { type: 'integer' },
        rows: { type: 'array' },
        from: { type: ['string', 'null'] },
        board_id: { type: 'integer' },
      },
      { GET: {} },
      'item',
    ],
    [
      'an envelope with a list that can be null and a number of paid items',
      { items: { type: ['array', 'null'] }, total: { type: 'integer' }, paid: { type: 'integer' } },
      { GET: PAGED },
      'item',
    ],
  ])('of a list is %s', (_, properties, endpoints, kind) => {
    const schema = { title: 'book', type: 'object', properties };
    const site = createDiscoveredSite({ '/a/v1/books': endpoints }, { schemas: { '/a/v1/books': schema } });
    const [path] = runSteps(toSiteModel(site)).paths;
    expect(path?.operations[0]?.routes[0].response.kind).toBe(kind);
  });

  const item = { $ref: '#/components/schemas/ABook' };
  const objects = { type: 'object', properties: { id: { type: 'integer' } } };
  const list = { type: 'array', items: item };
  /** The response of a route without pages. One with pages is a list of whatever the schema describes. */
  test.each<[root: string, schema: JsonObject, response: Json]>([
    ['a list', { type: 'array', items: objects }, list],
    ['a list, with its type in a list', { type: ['array'], items: objects }, list],
    ['a list or null', { type: ['array', 'null'], items: objects }, list],
    ['a list without items', { type: 'array' }, list],
    ['a list whose items PHP writes as an empty list', { type: 'array', items: [] }, list],
    ['a text', { type: 'string' }, item],
    ['a text or null', { type: ['string', 'null'] }, item],
    ['a list with a schema for each position', { type: 'array', items: [{ type: 'string' }] }, item],
    ['one of several schemas', { anyOf: [{ type: 'object' }, { type: 'array', items: {} }] }, item],
  ])('of a schema whose root is %s', (_, schema, response) => {
    expect(responseSchemas({ title: 'book', ...schema })).toEqual([response, list]);
  });

  test.each([{}, { items: [] }])('of a list with %j is a list of anything', (keywords) => {
    const { document } = toOpenApi(siteOf({ title: 'book', type: 'array', ...keywords }));
    expect(memberAt(document, 'components', 'schemas', 'ABook')).toEqual({ title: 'book' });
  });

  test('is open if the route states no schema, and for unknown methods', () => {
    const routes = { '/a/v1/x': { GET: PAGED, 'OPTIONS, PURGE': {} } };
    expect(responseKinds(routes, 'x', ['/a/v1/x'])).toMatchObject({ 'GET /a/v1/x': 'open' });
    expect(responseKinds(routes, 'x')).toMatchObject({ 'OPTIONS /a/v1/x': 'open', 'PURGE /a/v1/x': 'open' });
  });
});
