import type { Json, JsonObject } from '../../../src/base/json.ts';

/** A document with one operation that lists posts and one that creates them. */
export const BASE: JsonObject = {
  openapi: '3.1.1',
  info: { title: 'Site A', version: '1.0.0' },
  servers: [{ url: 'https://example.com/wp-json' }],
  paths: {
    '/posts': {
      get: {
        operationId: 'listPosts',
        parameters: [
          { name: 'order', in: 'query', schema: { type: 'string', enum: ['asc', 'desc'], default: 'desc' } },
          { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
        ],
        responses: {
          200: {
            description: 'The posts.',
            headers: { 'X-WP-Total': { schema: { type: 'integer' } } },
            content: {
              'application/json': { schema: { type: 'array', items: { $ref: '#/components/schemas/Post' } } },
            },
          },
          404: { description: 'No posts.' },
        },
        'x-waygate-contexts': {
          view: { $ref: '#/components/schemas/Post' },
          edit: { $ref: '#/components/schemas/PostEdit' },
        },
      },
      post: {
        operationId: 'createPost',
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/CreatePostBody' } } },
        },
        responses: {
          201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/PostEdit' } } } },
        },
      },
    },
    '/posts/{id}': {
      get: {
        operationId: 'getPost',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Post' } } } },
        },
      },
    },
  },
  components: {
    schemas: {
      Post: {
        type: 'object',
        required: ['id'],
        properties: {
          id: { type: 'integer' },
          link: { type: 'string', format: 'uri' },
          status: { type: 'string', enum: ['draft', 'publish'] },
          title: { type: 'object', properties: { rendered: { type: 'string' } } },
          meta: { type: 'object', additionalProperties: { type: 'string' } },
        },
      },
      PostEdit: { type: 'object', properties: { raw: { type: 'string' } } },
      CreatePostBody: {
        type: 'object',
        properties: {
          title: { anyOf: [{ type: 'string' }, { type: 'object', properties: { raw: { type: 'string' } } }] },
          status: { type: 'string', enum: ['draft', 'publish'], default: 'draft' },
          count: { type: ['integer', 'null'], minimum: 1 },
          any: {},
        },
      },
    },
  },
};

/** A change of a document: the value at a path of names is replaced, or removed if the value is `undefined`. */
export type Edit = readonly [path: string, value: Json | undefined];

/** Returns a copy of a document with edits. A path is separated by spaces. */
export function edited(document: JsonObject, ...edits: readonly Edit[]): JsonObject {
  const copy = structuredClone(document) as { [name: string]: Json };
  for (const [path, value] of edits) {
    const names = path.split(' ');
    const last = names.pop() ?? '';
    let at = copy;
    for (const name of names) at = at[name] as { [name: string]: Json };
    if (value === undefined) delete at[last];
    else at[last] = value;
  }
  return copy;
}
