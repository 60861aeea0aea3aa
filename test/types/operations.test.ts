import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/json.ts';
import { toTypes } from '../../src/types/index.ts';
import { documentWith, getting } from './documents.ts';

const fields = { name: '_fields', in: 'query', schema: { type: 'array', items: { type: 'string' } } };
const locale = { name: '_locale', in: 'query', schema: { type: 'string' } };
const shared = (name: string): Json => ({ $ref: `#/components/parameters/${name}` });
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const json = (schema: Json): Json => ({ 'application/json': { schema } });
const components = { parameters: { _fields: fields, _locale: locale } };

describe('an operation', () => {
  it('has a type for each location of its parameters, required if one of them is', async () => {
    const parameters = [
      id,
      { name: 'q', in: 'query', required: true, schema: {} },
      { name: 'X-A', in: 'header', schema: {} },
    ];
    expect(await operationOf({ parameters })).toContain(
      'parameters: { query: GetQuery; header?: GetHeaders; path: GetPath; cookie?: never };',
    );
    expect(await operationOf({})).toContain(
      'parameters: { query?: never; header?: never; path?: never; cookie?: never };',
    );
  });

  it('inherits the parameters of its path item and overrides them', async () => {
    const item = {
      parameters: [id, locale],
      ...getting({ parameters: [{ ...locale, schema: { const: 'user' } }] }),
    };
    const module = await toTypes(documentWith({}, { '/a/{id}': item }));
    expect(module).toContain('export interface GetPath {\n  id: number;\n}');
    expect(module).toContain('export interface GetQuery {\n  _locale?: "user";\n}');
  });

  it.each([
    ['a text', { type: 'string' }, 'string | number'],
    ['a text of one line', { type: 'string', format: 'text-field' }, 'string | number'],
    ['texts', { type: 'array', items: { type: 'string' } }, 'string | number | readonly (string | number)[]'],
    ['a text that digits match', { type: 'string', pattern: '^[\\w-]+$' }, 'string | number'],
    ['a text with a letter', { type: 'string', pattern: '^[a-z]+$' }, 'string'],
    ['a date', { type: 'string', format: 'date-time' }, 'string'],
    ['an address', { type: 'string', format: 'email' }, 'string'],
    ['words', { type: 'string', enum: ['asc', 'desc'] }, '"asc" | "desc"'],
    [
      'a text or a list',
      { type: ['string', 'array'], items: { type: 'integer' } },
      'string | number | readonly QueryNumber[]',
    ],
  ])('types %s in the query, which is text, with the numbers that it may be', async (_, schema, type) => {
    const parameters = [{ name: 'q', in: 'query', schema }];
    const responses = { 204: { description: 'Gone.' } };
    const module = await toTypes(
      documentWith({}, { '/a': { get: { operationId: 'get', parameters, responses } } }),
    );
    expect(module).toContain(`q?: ${type};`);
  });

  it('extends the shared query, whole or in part', async () => {
    const paths = {
      '/a': { get: { operationId: 'a', parameters: [shared('_fields'), shared('_locale')], responses: {} } },
      '/b': {
        get: {
          operationId: 'b',
          parameters: [shared('_locale'), { name: 'c', in: 'query', schema: {} }],
          responses: {},
        },
      },
    };
    const module = await toTypes(documentWith({}, paths, components));
    expect(module).toContain('export type AQuery = SharedQuery;');
    expect(module).toContain(
      'export interface BQuery extends Pick<SharedQuery, "_locale"> {\n  c?: unknown;\n}',
    );
  });

  it('shares the type of path parameters with the other methods of its path', async () => {
    const operations = Object.fromEntries(
      ['get', 'delete'].map((method) => [
        method,
        { operationId: `${method}It`, parameters: [id], responses: {} },
      ]),
    );
    const module = await toTypes(documentWith({}, { '/a/{id}': operations }));
    expect(module).toContain('export interface GetItPath {');
    expect(module).toContain('export type DeleteItPath = GetItPath;');
  });

  it('declares its body once for all media types', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string' } } };
    const content = {
      'application/x-www-form-urlencoded': { schema },
      'application/json': { schema },
      'text/plain': { schema: { type: 'string' } },
    };
    const operation = await operationOf({ requestBody: { required: true, content } });
    expect(operation).toContain('requestBody: {');
    expect(operation).toContain('"application/x-www-form-urlencoded": GetBody;');
    expect(operation).toContain('"application/json": GetBody;');
    expect(operation).toContain('"text/plain": string;');
  });

  it('declares no second type for a component that has the name of its body', async () => {
    const content = json({ $ref: '#/components/schemas/GetBody' });
    const module = await toTypes(
      documentWith({ GetBody: { type: 'object' } }, { '/a': getting({ requestBody: { content } }) }),
    );
    expect(module.match(/^export type GetBody\w*/gm)).toEqual(['export type GetBody']);
  });

  it.each([
    ['200', '200: {', '"application/json": unknown'],
    ['204', '204: {', 'content?: never'],
    ['2XX', '"2XX": {', '"application/json": unknown'],
    ['404', '404: {', 'content?: never'],
    ['default', 'default: {', 'content?: never'],
  ])('may have a response %s without content', async (status, key, content) => {
    const operation = await operationOf({ responses: { [status]: { description: '' } } });
    expect(operation).toContain(key);
    expect(operation).toContain(content);
  });

  it('gets a unique key if it has no id or the id of another', async () => {
    const paths = { '/a': { get: { responses: {} } }, '/b': getting({}), '/c': getting({}) };
    const module = await toTypes(documentWith({}, paths));
    expect(module).toContain('get: operations["get /a"];');
    expect(module).toContain('get: operations["get"];');
    expect(module).toContain('get: operations["get /c"];');
  });
});

/** Returns the entry in `operations` of a `GET` operation with the given fields. */
async function operationOf(parts: { readonly [part: string]: Json }): Promise<string> {
  const module = await toTypes(documentWith({}, { '/a/{id}': getting(parts) } satisfies JsonObject));
  return module.slice(module.indexOf('export interface operations'), module.indexOf('// ── Components'));
}
