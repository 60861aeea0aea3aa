import { describe, expect, test } from 'vitest';
import { runSteps } from '../../../src/base/steps.ts';
import { toSiteModel } from '../../../src/generator/model/index.ts';
import { readServedApi } from '../../../src/generator/openapi/index.ts';
import { createDiscoveredSite, generateFor, type StubEndpoints } from '../../support/site.ts';

type Routes = { readonly [pattern: string]: StubEndpoints };

const ICON = '[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?';

/** Routes, and the operations of their document: a line for each operation, and one for each further route of it. */
const cases: readonly (readonly [string, Routes, want: readonly string[]])[] = [
  [
    'parameters of different names get the names of the first route, and keep their own as site names',
    { '/wp/v2/posts/(?P<parent>[\\d]+)/revisions': 'GET', '/wp/v2/posts/(?P<id>[\\d]+)/revisions': 'POST' },
    [
      'GET /wp/v2/posts/{parent}/revisions parent=[\\d]+',
      'POST /wp/v2/posts/{parent}/revisions parent(id)=[\\d]+',
    ],
  ],
  [
    'one template and one method are one operation that names both routes, in the order of the site',
    {
      '/shop/v1/attributes/(?P<id>[\\d]+)': 'GET, DELETE',
      '/shop/v1/attributes/(?P<slug>[a-z0-9_\\-]+)': 'GET',
    },
    [
      'GET /shop/v1/attributes/{id} id=[\\d]+',
      '| GET /shop/v1/attributes/{id} id(slug)=[a-z0-9_\\-]+',
      'DELETE /shop/v1/attributes/{id} id=[\\d]+',
    ],
  ],
  [
    'a parameter that always contains a slash and one that never does are one operation',
    { [`/wp/v2/icons/(?P<collection>${ICON})`]: 'GET', [`/wp/v2/icons/(?P<name>${ICON}/${ICON})`]: 'GET' },
    [
      `GET /wp/v2/icons/{collection} collection=${ICON}`,
      `| GET /wp/v2/icons/{collection} collection(name)=${ICON}/${ICON}`,
    ],
  ],
  [
    'optional parts are separate paths of one route',
    { '/a/v1/x(?:/(?P<b>\\d+)(?:/(?P<c>\\d+))?)?': 'GET' },
    ['GET /a/v1/x', 'GET /a/v1/x/{b} b=\\d+', 'GET /a/v1/x/{b}/{c} b=\\d+ c=\\d+'],
  ],
  [
    'an unnamed group is a parameter without a site name',
    { '/a/v1/([a-z]+)/x': 'GET', '/a/v1/(?P<segment>\\d+)/x': 'POST' },
    ['GET /a/v1/{segment}/x segment(-)', 'POST /a/v1/{segment}/x segment=\\d+'],
  ],
];

function linesOf(routes: Routes): readonly string[] {
  return runSteps(toSiteModel(createDiscoveredSite(routes))).paths.flatMap(({ template, operations }) =>
    operations.flatMap((operation) =>
      operation.routes.map(({ method, path }, index) => {
        const parameters = path.map(({ name, siteName, pcre }) => {
          const own = siteName === undefined ? '(-)' : siteName === name ? '' : `(${siteName})`;
          return ` ${name}${own}${pcre === undefined ? '' : `=${pcre}`}`;
        });
        return `${index === 0 ? '' : '| '}${method} ${template}${parameters.join('')}`;
      }),
    ),
  );
}

describe('routes with equal templates', () => {
  test.each(cases)('%s', (_name, routes, want) => {
    expect(linesOf(routes)).toEqual(want);
  });

  test('keep the arguments and group names of their own route', () => {
    const { document } = generateFor({
      '/a/v1/things/(?P<id>[\\d]+)': {
        GET: { id: { type: 'integer', description: 'A number.' }, x: { type: 'string' } },
      },
      '/a/v1/things/(?P<slug>[a-z]+)': {
        GET: { slug: { type: 'string' }, id: { type: 'string', required: true } },
      },
    });
    const [first, second] = runSteps(readServedApi(document)).routes.map(
      ({ operations }) => operations.get('GET')?.parameters,
    );
    const named = (all: typeof first) => all?.filter(({ name }) => !name.startsWith('_'));
    expect(named(first)).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
      { name: 'x', in: 'query', required: false, schema: { type: 'string' } },
    ]);
    expect(named(second)).toEqual([
      { name: 'slug', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'id', in: 'query', required: true, schema: { type: 'string' } },
    ]);
  });

  test('with two endpoints for one method use the first, and report the second as dead-endpoint', () => {
    const site = runSteps(
      toSiteModel(
        createDiscoveredSite({
          '/a/v1/x': { GET: { first: {} }, 'GET, POST#2': { second: {} }, 'HEAD#3': { third: {} } },
        }),
      ),
    );
    const operations = site.paths.flatMap((path) => path.operations.flatMap((parameter) => parameter.routes));
    expect(
      operations.map(({ method, query, body }) => [
        method,
        query.map(({ name }) => name),
        body?.schema['properties'],
      ]),
    ).toEqual([
      ['GET', ['first'], undefined],
      ['HEAD', ['first'], undefined],
      ['POST', [], { second: {} }],
    ]);
    expect(
      site.diagnostics.filter(({ rule }) => rule === 'dead-endpoint').map(({ pointer }) => pointer),
    ).toEqual(['/routes/~1a~1v1~1x/endpoints/1', '/routes/~1a~1v1~1x/endpoints/2']);
  });
});
