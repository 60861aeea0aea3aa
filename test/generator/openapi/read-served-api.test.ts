import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../../src/base/errors.ts';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { runSteps } from '../../../src/base/steps.ts';
import { readServedApi } from '../../../src/generator/openapi/index.ts';
import { generateFor } from '../../support/site.ts';
import { edited as editedAt } from '../changes/documents.ts';

const POSTS = '/wp/v2/posts/(?P<id>[\\d]+)';

/** Returns a generated document, read back from JSON and edited. */
// biome-ignore lint/suspicious/noExplicitAny: the edits are untyped on purpose
function edited(edit: (document: any) => void): unknown {
  const { document } = generateFor(
    {
      '/': 'GET',
      [POSTS]: {
        GET: { id: { type: 'integer' }, include: { type: 'array', items: { type: 'integer' } } },
        'POST, PUT': { id: { type: 'integer' }, title: { type: 'string', required: true } },
      },
      '/wp/v2/methods': 'GET, PURGE',
    },
    { schemas: { [POSTS]: { title: 'post', type: 'object', properties: { id: { type: 'integer' } } } } },
  );
  const copy = JSON.parse(JSON.stringify(document));
  edit(copy);
  return copy;
}

describe('reading a document', () => {
  it('gives a route with optional parts one operation, which requires only the parameters that every form requires', () => {
    const { document } = generateFor({
      '/a/v1/x(?:/(?P<id>\\d+))?': {
        GET: { id: { type: 'integer', required: true }, b: { required: true } },
      },
    });
    const { parameters } = runSteps(readServedApi(document)).routes[0]?.operations.get('GET') ?? {
      parameters: [],
    };
    // By reference, as all operations have it.
    expect(parameters.map(({ name }) => name)).toContain('_fields');
    const own = parameters.filter(({ name }) => !name.startsWith('_'));
    expect(own.map(({ name, in: place, required }) => [name, place, required])).toEqual([
      ['id', 'query', false],
      ['b', 'query', true],
      ['id', 'path', false],
    ]);
  });

  it.each([
    ['a removed operation is gone', (d) => delete d.paths['/wp/v2/posts/{id}'].get, [POSTS, ['PUT', 'POST']]],
    [
      'an operation without a route pattern is matched by its path, after all routes',
      (d) => Object.assign(d.paths, { '/x.y/{id}/{a-b}': { get: { responses: {} } } }),
      ['/x\\.y/(?P<id>[^/]+)/([^/]+)', ['GET']],
    ],
    [
      'fields of a path item other than operations are ignored',
      (d) => Object.assign(d.paths['/'], { summary: 'a', parameters: [{ name: 'z', in: 'query' }] }),
      ['/', ['GET']],
    ],
    [
      'what is unreadable is left out',
      (d) =>
        Object.assign(d.paths['/'], {
          get: [],
          put: { 'x-waygate-route': '/', parameters: [{ $ref: '#/x' }] },
        }),
      ['/', ['PUT']],
    ],
    // biome-ignore lint/suspicious/noExplicitAny: the edits are untyped on purpose
  ] as [string, (document: any) => void, [string, string[]]][])('%s', (_name, edit, [pattern, methods]) => {
    const { routes } = runSteps(readServedApi(edited(edit)));
    const route = routes.find((item) => item.pattern === pattern);
    expect([...(route?.operations.keys() ?? [])]).toEqual(methods);
  });

  it.each<[string, string, Json | undefined]>([
    ['', '', 'text'],
    ['', '', null],
    ['/openapi', 'openapi', '3.0.3'],
    ['/x-waygate', 'x-waygate', undefined],
    ['/x-waygate/format', 'x-waygate format', 2],
    ['/x-waygate/site', 'x-waygate site', 'here'],
    ['/x-waygate/site/root', 'x-waygate site root', 'ftp://a'],
    ['/x-waygate/site/spelling', 'x-waygate site spelling', 'odd'],
    ['/x-waygate/namespaces', 'x-waygate namespaces', [1]],
    ['/x-waygate/routes/0', 'x-waygate routes', [{}]],
    ['/paths', 'paths', []],
  ])('throws an error that names #%s if %j is %j', (pointer, path, value) => {
    const document = edited(() => {});
    const broken = path === '' ? value : editedAt(document as JsonObject, [path, value]);
    expect(() => runSteps(readServedApi(broken))).toThrow(ConfigurationError);
    expect(() => runSteps(readServedApi(broken))).toThrow(`#${pointer} `);
  });
});
