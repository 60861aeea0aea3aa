import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { toClient, toQueries } from '../../../src/generator/client/index.ts';
import { toTypes } from '../../../src/generator/types/index.ts';
import { documentWith, getting } from './documents.ts';
import { listErrors } from './type-checker.ts';

/** Names that TypeScript, JavaScript or a generated module uses, and names that would become code if they were not escaped. */
const names: readonly string[] = [
  ...'Client Response Error Date Record Array Promise Pick Omit Uint8Array ArrayBuffer Bytes SharedQuery JSON Object'.split(
    ' ',
  ),
  ...'RegExp Set z schemas check'.split(' '),
  ...'call delete string any never default class enum paths operations components globalThis undefined'.split(
    ' ',
  ),
  ...'__proto__ constructor hasOwnProperty toString prototype $ref $defs definitions'.split(' '),
  ...['post', 'Post', 'POST', 'post-1', 'post 1', 'Post1', '1', '200', '', ' ', '*/', '`', '${x}', '"', "'"],
  // U+2E2F is a letter that no identifier may have.
  ...['\\', '\n', '\u2028', '🙂', '\ud800', '\u2e2f'],
];

/** Only the language's own library, because the module must be self-contained. */
const bare = { lib: ['es2022'] };

const text =
  '*/ "; \'); export const evil = 1; /* @deprecated `${x}` \u202e \u0000 \r\n * @internal {@link y} \ud800 </script>';

describe('a hostile document', () => {
  it('with names of every kind gives a module that compiles and has each name', async () => {
    const property: Json = {
      type: 'string',
      description: text,
      title: text,
      default: text,
      pattern: text,
      format: text,
    };
    const properties = Object.fromEntries(names.map((name) => [name, property]));
    const schema: Json = { type: 'object', title: text, description: text, properties, required: names };
    const schemas = Object.fromEntries(names.map((name) => [name, schema]));
    const paths = Object.fromEntries(
      names.map((name, at): [string, Json] => [
        `/${name}`,
        getting({
          operationId: name,
          summary: text,
          description: text,
          tags: [text],
          'x-waygate-error-codes': [text],
          // Each of them once, and all of them in one operation.
          parameters: [
            ...(at === 0 ? names : names.slice(at, at + 1)).map((parameter) => ({
              name: parameter,
              in: 'query',
              description: text,
              schema: { enum: names },
            })),
            { name: 'in/path', in: 'path', 'x-waygate-slashes': true, schema: { pattern: text } },
          ],
          requestBody: { content: { [name]: { schema: { $ref: `#/components/schemas/${encoded(name)}` } } } },
          responses: Object.fromEntries(
            names.map((status) => [
              status,
              { description: text, headers: { [name]: { schema: {} } }, content: { [name]: {} } },
            ]),
          ),
        }),
      ]),
    );
    const document: JsonObject = { ...documentWith(schemas, paths), info: { title: text } };
    const module = await toTypes(document);
    expect(listErrors({ 'hostile.ts': module }, bare)).toEqual([]);
    const client = await toClient(document);
    const queries = await toQueries(document, '*/ "alert(1) /*');
    const files = {
      'client.ts': client.replace('// @ts-nocheck', '//'),
      'queries.ts': queries.replace('./*/ \\"alert(1) /*.client.js', './client.js'),
    };
    expect(listErrors(files, { isolatedDeclarations: false })).toEqual([]);
    for (const code of [module, client, queries]) expect(code).not.toMatch(/^\s*export const evil/m);
    expect(module).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e\u2028\ud800-\udfff](?<!🙂)/u);
    for (const name of names) {
      expect(Object.hasOwn(schemas, name)).toBe(true);
    }
    expect(module.match(/^ {4}.+: [\p{L}_$][\p{L}\d_$]*;$/gmu)?.length).toBeGreaterThanOrEqual(names.length);
  }, 60_000);

  it('with circular references gives a module that compiles', async () => {
    const to = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
    const chain = Array.from({ length: 200 }, (_, at) => [`Link${at}`, to(`Link${at + 1}`)]);
    const module = await toTypes(
      documentWith({
        ...Object.fromEntries(chain),
        Link200: { type: 'string' },
        Self: to('Self'),
        Left: { anyOf: [to('Right'), { type: 'string' }] },
        Right: { allOf: [to('Left')] },
        Into: to('Left'),
        List: { type: 'array', items: to('List') },
        Tree: {
          type: 'object',
          properties: { children: { type: 'array', items: to('Tree') }, parent: to('Tree') },
        },
        Place: {
          $ref: '#/components/schemas/Place/allOf/0',
          allOf: [{ $ref: '#/components/schemas/Place' }],
        },
        Whole: { $ref: '#' },
      }),
    );
    expect(listErrors({ 'circles.ts': module }, bare)).toEqual([]);
    expect(module).not.toMatch(/type Link\d+ = unknown/);
    for (const name of ['Self', 'Left', 'Right', 'Into'])
      expect(module).toContain(`export type ${name} = unknown;`);
    expect(module).toContain('export type List = List[];');
    expect(module).toContain('export interface Tree { children?: Tree[]; parent?: Tree }');
    expect(module).toContain('export type Into = unknown;');
  }, 60_000);

  it('with very deep schemas does not overflow the stack', async () => {
    let deep: Json = { type: 'string' };
    for (let level = 0; level < 50_000; level++) {
      deep =
        level % 2 === 0 ? { type: 'object', properties: { a: deep } } : { anyOf: [deep, { type: 'null' }] };
    }
    const content = { 'application/json': { schema: deep } };
    const operation = {
      parameters: [{ name: 'id', in: 'path', schema: deep }],
      requestBody: { content },
      responses: { 200: { description: '', content } },
    };
    const schemas = { Deep: deep, Default: { default: deep, const: deep, enum: [deep] } };
    const module = await toTypes(documentWith(schemas, { '/{id}': getting(operation) }));
    expect(module).toContain('export type Deep = {');
    expect(module.length).toBeLessThan(50_000);
  });

  it('with exponentially many references gives a module of bounded size', async () => {
    const level = (number: number): Json => ({
      type: 'object',
      properties: { a: { $ref: `#/x/${number + 1}` }, b: { $ref: `#/x/${number + 1}` } },
    });
    const document = {
      ...documentWith({ Top: level(0) }),
      x: Array.from({ length: 60 }, (_, number) => level(number)),
    };
    expect((await toTypes(document)).length).toBeLessThan(50_000);
  });

  it('that is not an OpenAPI document gives an empty module', async () => {
    for (const document of [
      {},
      { paths: [], components: 1 },
      { paths: { '/': { get: 1, post: null, put: [] } } },
    ]) {
      const module = await toTypes(JSON.parse(JSON.stringify(document)));
      expect(module).toContain('export interface paths {\n}');
    }
  });

  it('with arbitrary schemas gives a module that compiles', async () => {
    const schemas = fc.sample(fc.dictionary(fc.string(), anySchema, { minKeys: 5, maxKeys: 30 }), {
      numRuns: 15,
    });
    const modules = await Promise.all(schemas.map((given) => toTypes(documentWith(given))));
    const files = Object.fromEntries(modules.map((module, index) => [`module${index}.ts`, module]));
    expect(listErrors(files, bare), `FUZZ_SEED=${fc.readConfigureGlobal().seed}`).toEqual([]);
  }, 60_000);
});

const word = fc.constantFrom('string', 'integer', 'number', 'boolean', 'null', 'array', 'object', 'bool', 1);
const { schema: anySchema } = fc.letrec<{ schema: Json }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom<Json>(
      true,
      false,
      null,
      {},
      'x',
      { $ref: '#/components/schemas/a' },
      { $ref: 'https://example.com' },
    ),
    fc.record(
      {
        type: fc.oneof(word, fc.array(word, { maxLength: 3 })),
        enum: fc.array(fc.jsonValue(), { maxLength: 4 }) as fc.Arbitrary<Json>,
        const: fc.jsonValue() as fc.Arbitrary<Json>,
        default: fc.jsonValue() as fc.Arbitrary<Json>,
        description: fc.string(),
        properties: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 4 }),
        patternProperties: fc.dictionary(fc.string(), tie('schema'), { maxKeys: 2 }),
        additionalProperties: tie('schema'),
        required: fc.array(fc.string(), { maxLength: 3 }),
        items: tie('schema'),
        prefixItems: fc.array(tie('schema'), { maxLength: 3 }),
        anyOf: fc.array(tie('schema'), { maxLength: 3 }),
        oneOf: fc.array(tie('schema'), { maxLength: 3 }),
        allOf: fc.array(tie('schema'), { maxLength: 3 }),
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Json>,
  ),
}));

function encoded(token: string): string {
  return token
    .replaceAll('~', '~0')
    .replaceAll('/', '~1')
    .replace(/[^\w~]/gu, (character) => encodedCharacter(character));
}

/** A lone surrogate cannot be encoded, so it is unchanged. */
function encodedCharacter(character: string): string {
  return /\p{Surrogate}/u.test(character) ? character : encodeURIComponent(character);
}
