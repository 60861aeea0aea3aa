import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { readBodySchema } from '../../../src/generator/openapi/request-bodies.ts';
import { generateFor, PRETTY_ADDRESS, type StubEndpoints } from '../../support/site.ts';

// biome-ignore lint/suspicious/noExplicitAny: the test reads the document without checking its types
function documentOf(routes: { [pattern: string]: StubEndpoints }, schemas: JsonObject = {}): any {
  return JSON.parse(JSON.stringify(generateFor(routes, { schemas }).document));
}

describe('the place of an argument', () => {
  it.each(['GET', 'HEAD', 'DELETE', 'OPTIONS'])('%s has it in the query', (method) => {
    const document = documentOf({ '/a/v1/x': { [method]: { b: { type: 'string', required: true } } } });
    const operation = document.paths['/a/v1/x'][method.toLowerCase()];
    expect(operation.parameters[0]).toEqual({
      name: 'b',
      in: 'query',
      required: true,
      schema: { type: 'string' },
    });
    expect(operation).not.toHaveProperty('requestBody');
    expect(operation).not.toHaveProperty('x-waygate-query-accepted');
  });

  it.each(['POST', 'PUT', 'PATCH'])(
    '%s has it in the body, as JSON and as a form, which is required; the operation states that the query is allowed too',
    (method) => {
      const document = documentOf({ '/a/v1/x': { [method]: { b: { type: 'string', required: true } } } });
      const operation = document.paths['/a/v1/x'][method.toLowerCase()];
      const { content, description, required } = operation.requestBody;
      expect(Object.keys(content)).toEqual(['application/json', 'application/x-www-form-urlencoded']);
      expect(required).toBe(true);
      expect(description).toBe('The query may carry the fields instead of the body.');
      expect(operation['x-waygate-query-accepted']).toBe(true);
      const [name] = content['application/json'].schema.$ref.split('/').reverse();
      expect(document.components.schemas[name]).toEqual({
        type: 'object',
        properties: { b: { type: 'string' } },
        required: ['b'],
      });
    },
  );

  it.each(['true', 1, null, {}])('is optional if `required` is %j, as in WordPress', (required) => {
    const { paths } = documentOf({ '/a/v1/x': { GET: { b: { type: 'string', required } } } });
    expect(paths['/a/v1/x'].get.parameters[0]).not.toHaveProperty('required');
  });

  it.each<[string, StubEndpoints, true | undefined]>([
    ['GET', { GET: {} }, true],
    ['DELETE', { DELETE: {} }, true],
    ['GET', { GET: { b: {} } }, undefined],
    // WPFluent states no more of what is in the path.
    ['GET', { GET: { id: { required: true } } }, true],
    ['GET', { GET: { id: { type: 'integer' } } }, undefined],
    ['POST', { POST: {} }, undefined],
    ['OPTIONS', { OPTIONS: {} }, undefined],
  ])('%s of %j may have any in the query: %s', (method, endpoints, isOpen) => {
    const { paths } = documentOf({ '/a/v1/x/(?P<id>\\d+)': endpoints });
    expect(paths['/a/v1/x/{id}'][method.toLowerCase()]['x-waygate-open-query']).toBe(isOpen);
  });

  it('a path parameter has the schema of its argument and the pattern of its group; the argument’s own pattern is kept in `allOf`', () => {
    const { paths } = documentOf({
      '/a/v1/(?P<id>\\d+)/(?P<slug>[a-z]+)/(?P<none>[a-z]+)/(?P<digits>\\d+)': {
        GET: {
          id: { type: 'integer', default: 0, description: 'Its id.' },
          slug: { type: 'string', pattern: '^x' },
        },
      },
    });
    const [path = ''] = Object.keys(paths);
    expect(path).toBe('/a/v1/{id}/{slug}/{none}/{digits}');
    const inPath = { in: 'path', required: true };
    const digits = { ...inPath, 'x-waygate-pcre': '\\d+' };
    const letters = { ...inPath, 'x-waygate-pcre': '[a-z]+' };
    const word = { type: 'string', pattern: '^[a-zA-Z]+$' };
    const number = { type: ['integer', 'string'], minimum: 0, pattern: '^\\d+$' };
    expect(paths[path].get.parameters.slice(0, 4)).toEqual([
      { name: 'id', description: 'Its id.', schema: { type: 'integer', pattern: '^\\d+$' }, ...digits },
      { name: 'slug', schema: { ...word, allOf: [{ pattern: '^x' }] }, ...letters },
      { name: 'none', schema: word, ...letters },
      { name: 'digits', schema: number, ...digits },
    ]);
  });

  it('argument names that are special in JavaScript or JSON Schema are unchanged', () => {
    const names = ['a[b]', 'with space', '名前', '__proto__', 'constructor', 'toString', '$ref', '0'];
    const args = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    const { document } = generateFor({ '/a/v1/x': { GET: args, POST: args } });
    // biome-ignore lint/suspicious/noExplicitAny: the test reads the document without checking its types
    const { paths, components } = document as any;
    const inQuery = paths['/a/v1/x'].get.parameters.map((parameter: JsonObject) => parameter['name']);
    expect(inQuery.slice(0, names.length).sort()).toEqual([...names].sort());
    const [schema] = Object.values(components.schemas).filter(
      (each) =>
        Object.hasOwn(Object(each), 'properties') && Object.hasOwn(Object(Object(each).properties), '名前'),
    );
    expect(Object.keys(Object(schema).properties).sort()).toEqual([...names].sort());
  });
});

describe('the serialization of a list or an object in the query', () => {
  const list = { type: 'array', items: { type: 'integer' } };
  const asList = { style: 'form', explode: false };
  const byKey = { style: 'deepObject', explode: true };
  const any = ['integer', 'string', 'array', 'object', 'null'];
  it.each<[string, Json, JsonObject]>([
    ['a list is one value with commas', list, asList],
    ['a list of objects has no style', { type: 'array', items: { type: 'object' } }, {}],
    ['a list or an object is a list', { oneOf: [list, { type: 'object' }] }, asList],
    ['one value is one value', { type: 'string' }, {}],
    ['any value is a value for each key', { type: any }, byKey],
  ])('%s', (_name, declaration, want) => {
    const { paths } = documentOf({ '/a/v1/x': { GET: { b: Object(declaration) } } });
    const { style, explode } = paths['/a/v1/x'].get.parameters[0];
    expect({ ...(style && { style }), ...(explode !== undefined && { explode }) }).toEqual(want);
  });
});

describe('a text that WordPress renders', () => {
  const pair = (type: Json): JsonObject => ({
    type,
    description: 'The title.',
    properties: { raw: { type: 'string' }, rendered: { type: 'string', readonly: true } },
  });
  const propertiesOf = (declarations: JsonObject): JsonObject => {
    const { components } = documentOf({ '/a/v1/x': { POST: declarations } });
    return components.schemas.CreateAXBody.properties;
  };

  it('is a string or an object with `raw` in a request, without what is read-only', () => {
    expect(propertiesOf({ title: pair('object'), content: pair(['object', 'string']) })).toEqual({
      title: {
        description: 'The title.',
        type: ['string', 'object'],
        properties: { raw: { type: 'string' } },
        'x-waygate-type': 'object',
      },
      content: expect.objectContaining({
        type: ['string', 'object'],
        'x-waygate-type': ['object', 'string'],
      }),
    });
  });

  it.each<[string, JsonObject]>([
    ['an object with other properties', { raw: { type: 'string' }, hash: { type: 'string' } }],
    ['an object whose `raw` is no string', { raw: { type: 'object' } }],
  ])('is not %s', (_name, properties) => {
    expect(propertiesOf({ instance: { type: 'object', properties } })['instance']).toMatchObject({
      type: 'object',
      properties,
    });
  });
});

describe('the media types of uploads', () => {
  const attachment = { title: 'attachment', type: 'object', properties: { source_url: {}, mime_type: {} } };
  const types = (paths: JsonObject, path: string): string[] =>
    Object.keys(Object(paths[path]).post.requestBody.content).slice(2);

  it('a collection of files accepts a file raw or as a part, and nothing else; its items accept only fields', () => {
    const args = { POST: { title: { type: 'string' } } };
    const { paths } = documentOf(
      { '/wp/v2/media': args, '/wp/v2/media/(?P<id>\\d+)': args },
      { '/wp/v2/media': attachment, '/wp/v2/media/(?P<id>\\d+)': attachment },
    );
    expect(Object.keys(paths['/wp/v2/media'].post.requestBody.content)).toEqual([
      'multipart/form-data',
      '*/*',
    ]);
    expect(types(paths, '/wp/v2/media/{id}')).toEqual([]);
    const { schema } = paths['/wp/v2/media'].post.requestBody.content['multipart/form-data'];
    expect(schema.allOf[1].properties.file).toMatchObject({ type: 'string', format: 'binary' });
    expect(schema.allOf[1].required).toEqual(['file']);
    expect(readBodySchema(paths['/wp/v2/media'].post.requestBody)).toEqual(schema.allOf[0]);
  });

  it('only POST accepts multipart bodies, because PHP parses those of no other method', () => {
    const args = { csv: { type: 'file' } };
    const { paths } = documentOf({ '/a/v1/upload': { 'POST, PUT, PATCH': args } });
    const multipart = ['post', 'put', 'patch'].map((method) =>
      Object.hasOwn(paths['/a/v1/upload'][method].requestBody.content, 'multipart/form-data'),
    );
    expect(multipart).toEqual([true, false, false]);
  });

  // The names of the files are stated.
  it.each<[string, JsonObject, boolean]>([
    ['a file', { pluginzip: { type: 'file' } }, true],
    ['a file beside fields', { pluginzip: { type: 'file', required: true }, slug: { type: 'string' } }, true],
    ['a file that may be null', { pluginzip: { type: '?file' } }, true],
    ['a binary text', { pluginzip: { type: 'string', format: 'binary' } }, true],
    ['a list of files', { files: { type: 'array', items: { type: 'file' } } }, true],
    ['the path of a file', { file: { type: 'string', format: 'uri' } }, false],
  ])('arguments: %s', (_, args, isFile) => {
    const { paths } = documentOf({ '/wc-admin/themes': { POST: args } });
    const { content } = paths['/wc-admin/themes'].post.requestBody;
    const { 'application/json': json, 'multipart/form-data': multipart } = content;
    expect(multipart).toEqual(isFile ? json : undefined);
  });

  it.each([
    ['/boards/v2/projects/1/upload/background', true],
    ['/boards/v2/tasks/comment-image-upload', true],
    ['/boards/v2/uploads', true],
    ['/boards/v2/uploaded-by', false],
  ])('the path %s accepts files as parts: %s', (path, expected) => {
    const { paths } = documentOf({ [path]: 'POST' });
    expect(types(paths, path)).toEqual(expected ? ['multipart/form-data'] : []);
  });
});

describe('the document as a whole', () => {
  it('has the site’s name, its URL and its authentication schemes', () => {
    const authentication = {
      'application-passwords': { endpoints: { authorization: 'https://example.com/authorize' } },
    };
    const { document } = generateFor({}, { index: { name: 'Näme', description: 'Words.', authentication } });
    expect(document).toMatchObject({
      openapi: '3.1.1',
      info: { title: 'Näme', description: 'Words.', version: '1.0.0' },
      servers: [{ url: 'https://example.com/wp-json' }],
      security: [{}, { applicationPassword: [] }, { cookie: [], nonce: [] }],
      components: {
        securitySchemes: {
          applicationPassword: {
            type: 'http',
            scheme: 'basic',
            description: expect.stringContaining('application password'),
          },
        },
      },
    });
  });

  it('describes `rest_route` for a site without pretty URLs', () => {
    const root = 'https://example.com/index.php?rest_route=/';
    const { document } = generateFor({}, { address: { ...PRETTY_ADDRESS, spelling: 'plain', root } });
    expect(document).toMatchObject({
      servers: [
        {
          url: 'https://example.com/index.php?rest_route=',
          description: expect.stringContaining('rest_route'),
        },
      ],
    });
  });
});
