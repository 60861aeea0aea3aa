import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json.ts';
import { Operation } from '../../../src/openapi/index.ts';
import { ResponseValidator } from '../../../src/validation/response/validator.ts';
import { JSON_HEADERS, type ResponseOverrides, summarize, validateJson } from './validate-json.ts';

const POST: JsonObject = {
  type: 'object',
  properties: { id: { type: 'integer' }, title: { type: 'string' } },
  required: ['id', 'title'],
};
const WRONG = '{"id":null,"title":"a"}';

describe('a response is not validated, for the reason:', () => {
  const rows: readonly (readonly [string, string, string, ResponseOverrides])[] = [
    ['an error', 'status', '{"code":"x"}', { status: 404 }],
    ['a response without a body', 'status', '', { status: 204 }],
    ['a partial response', 'status', '{"id"', { status: 206 }],
    ['an HTML page', 'not-json', '<html>', { headers: ['Content-Type', 'text/html'] }],
    ['a response without Content-Type', 'not-json', WRONG, { headers: [] }],
    ['a notice before the JSON', 'malformed', '<b>Notice</b>{"id":1}', {}],
    ['truncated JSON', 'malformed', '{"id":', {}],
  ];
  test.each(rows)('%s: %s', (_, reason, body, given) => {
    expect(validateJson(POST, body, given)).toEqual({ kind: 'skipped', reason });
  });

  test('the operation declares no response', () => {
    expect(validateJson(undefined, WRONG)).toEqual({ kind: 'skipped', reason: 'no-schema' });
  });
});

const validateAndSummarize = (body: string, given: ResponseOverrides): readonly string[] => {
  const result = validateJson(POST, body, given);
  return result.kind === 'validated' ? summarize(result.findings) : [result.reason];
};

test.each(['application/json', 'application/hal+json', 'application/problem+json; charset=utf-8'])(
  '%s is JSON',
  (type) => {
    expect(validateAndSummarize(WRONG, { headers: ['content-type', type] })).toEqual(['null /id']);
  },
);

describe('a context that the client requested', () => {
  const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const id = { type: 'integer' };
  const schemas = {
    Post: { type: 'object', properties: { id } },
    PostEdit: { type: 'object', properties: { id, password: { type: 'string' } } },
  };
  const document: JsonObject = { components: { schemas } };
  const schema = { type: 'array', items: reference('Post') };
  const shared: JsonObject = {
    responses: { '200': { content: { 'application/json': { schema } } } },
    'x-waygate-contexts': { view: reference('Post'), edit: reference('PostEdit') },
  };
  const operation = new Operation({
    ...{ document, namespaces: new Set(), path: '/posts', method: 'GET' },
    ...{ pathItem: {}, shared },
  });
  const validator = new ResponseValidator(document);
  const body = new TextEncoder().encode('[{"id":1,"password":null}]');

  test.each([
    [null, [{ kind: 'extra', schema: '/components/schemas/Post' }]],
    ['view', [{ kind: 'extra', schema: '/components/schemas/Post' }]],
    ['edit', [{ kind: 'null', schema: '/components/schemas/PostEdit/properties/password' }]],
    ['no-such', [{ kind: 'extra', schema: '/components/schemas/Post' }]],
  ])('a response in the context %s is validated by the component of that context', (context, findings) => {
    const response = { operation, status: 200, headers: JSON_HEADERS, body, context };
    expect(validator.validate(response)).toMatchObject({ kind: 'validated', findings });
  });
});
