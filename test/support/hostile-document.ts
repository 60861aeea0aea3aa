import type { JsonObject } from '../../src/base/json.ts';

/** Markup, a script, a change of direction, a terminal's escape sequence, a template literal and a code fence. */
export const ATTACK =
  '"\'><script>globalThis.ran = 1</script><img src=x onerror="globalThis.ran = 1">\u202e\u001b[31m\u0007${x}`\n```\n# x';

/** Creates a document with one operation whose texts, names and values are all the same text. */
export function poisonDocument(text: string): JsonObject {
  const schema = {
    type: text,
    title: text,
    format: text,
    enum: [text],
    pattern: text,
    default: text,
    'x-waygate-default': text,
    'x-waygate-type': text,
    'x-waygate-pcre': text,
    'x-waygate-format': text,
    'x-waygate-pattern-properties': { [text]: text },
    'x-waygate-context': [text],
  };
  const object = {
    type: 'object',
    required: [text],
    properties: { [text]: { ...schema, description: text } },
  };
  return {
    openapi: '3.1.1',
    info: { title: text, version: '1', description: text },
    'x-waygate': { namespaces: ['a/v1', text] },
    tags: [{ name: text, description: text }],
    paths: {
      [`/a/v1/${text}/{${text}}`]: {
        parameters: [{ name: text, in: 'path', required: true, description: text, schema }],
        'x-waygate-methods': { [text]: { summary: text, responses: {} } },
        post: {
          operationId: text,
          tags: [text],
          summary: text,
          description: text,
          'x-waygate-route': text,
          'x-waygate-error-codes': [text],
          'x-waygate-contexts': { [text]: { $ref: '#/components/schemas/Thing' }, view: { $ref: text } },
          parameters: [
            { name: text, in: text, description: text, schema, 'x-waygate-name': `${text}2` },
            { name: 'q', in: 'query', schema: { type: 'array', items: schema }, 'x-waygate-name': text },
          ],
          requestBody: {
            content: {
              [text]: { schema: object },
              'application/json': { schema: object },
              'multipart/form-data': { schema: { properties: { [text]: { format: 'binary' } } } },
            },
          },
          responses: {
            [text]: { description: text, content: { [text]: { schema: { $ref: text } } } },
            200: {
              description: text,
              content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } },
            },
          },
        },
      },
    },
    components: { schemas: { Thing: object, [text]: object } },
  };
}

/** Creates the root index of a site whose texts, names, defaults and patterns are all the same text. */
export function createHostileIndex(text: string): JsonObject {
  const argument = {
    description: text,
    type: 'string',
    default: text,
    enum: [text],
    pattern: text,
    required: true,
  };
  const args = { [text]: argument, __proto__x: argument, id: { type: text, description: text } };
  const schema = { title: text, type: 'object', properties: { [text]: { ...argument, context: [text] } } };
  const route = {
    namespace: 'a/v1',
    schema,
    endpoints: [
      { methods: ['GET'], args },
      { methods: ['POST'], args },
    ],
  };
  return {
    name: text,
    description: text,
    namespaces: ['a/v1', text],
    routes: {
      '/a/v1/things': route,
      '/a/v1/things/(?P<id>[\\d]+)': route,
      '/a/v1/<img src=x onerror="globalThis.ran = 1">': route,
    },
  };
}
