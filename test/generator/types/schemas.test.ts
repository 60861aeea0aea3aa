import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { toTypes } from '../../../src/generator/types/index.ts';
import { documentWith, getting } from './documents.ts';

const text = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const object = { type: 'object', properties: { a: text } } as const;
const thing = { $ref: '#/components/schemas/Thing' } as const;

/** Schemas, and the text after `type X = `, or from the opening brace of the interface. */
const cases: readonly (readonly [name: string, given: Json, want: string])[] = [
  ['an empty schema is unknown', {}, 'unknown'],
  ['the schema `true` is unknown', true, 'unknown'],
  ['the schema `false` is never', false, 'never'],
  ['an invalid schema is unknown', [1, 'x'], 'unknown'],
  ['a default implies no type', { default: 1 }, 'unknown'],
  ['strings', { type: 'string', format: 'date-time' }, 'string'],
  ['integers and numbers are numbers', { type: ['integer', 'number'] }, 'number'],
  ['booleans', { type: 'boolean' }, 'boolean'],
  ['nullable types', { type: ['string', 'null'] }, 'string | null'],
  ['lists', { type: 'array', items: integer }, 'number[]'],
  ['lists of alternatives', { type: 'array', items: { type: ['integer', 'string'] } }, '(number | string)[]'],
  ['lists of anything', { type: 'array' }, 'unknown[]'],
  ['tuples', { prefixItems: [text, { type: 'null' }], items: false }, 'unknown[]'],
  ['enums, which are open in responses', { enum: ['b', 'a', 1, null] }, '1 | null | string'],
  ['enums of a type with null', { type: ['string', 'null'], enum: ['a', 'b'] }, 'null | string'],
  ['enums of one value, which tells objects apart', { type: 'string', enum: ['a'] }, '"a"'],
  ['enums without the values that their type excludes', { type: 'string', enum: ['a', 1, null] }, '"a"'],
  ['enums whose type excludes every value', { type: 'integer', enum: ['a'] }, '"a"'],
  ['nullable enums', { type: ['string', 'null'], enum: ['a', null] }, '"a" | null'],
  [
    'enums of plain values',
    { enum: [1, -1.5, true, null, 'x"\\'] },
    String.raw`1 | -1.5 | true | null | "x\"\\"`,
  ],
  ['enums of lists and objects', { enum: [[], [1], {}, { a: { b: 1 } }] }, 'unknown'],
  ['an empty enum is ignored', { type: 'string', enum: [] }, 'string'],
  ['constants', { const: 'x' }, '"x"'],
  ['patterns of one text, which tell objects apart', { type: 'string', pattern: '^quote\\n?$' }, '"quote"'],
  ['other patterns', { type: 'string', pattern: '^quote-.$' }, 'string'],
  ['objects without keywords are open', { type: 'object' }, '{ [k: string]: unknown }'],
  ['objects without properties are open', { type: 'object', properties: {} }, '{ [k: string]: unknown }'],
  ['empty objects', { type: 'object', additionalProperties: false }, '{ [k: string]: never }'],
  ['maps', { type: 'object', additionalProperties: text }, '{ [k: string]: string }'],
  ['declared properties close an object', object, '{ a?: string }'],
  ['required properties', { ...object, required: ['a'] }, '{ a: string }'],
  ['undeclared required properties', { required: ['a', 'a'] }, '{ a: unknown }'],
  ['a boolean `required` is ignored', { ...object, required: true }, '{ a?: string }'],
  [
    'open objects with properties',
    { ...object, additionalProperties: true },
    '{ a?: string; [k: string]: unknown }',
  ],
  [
    'maps with properties that differ',
    { ...object, additionalProperties: integer },
    '{ a?: string; [k: string]: number | string | undefined }',
  ],
  [
    'pattern properties',
    { type: 'object', patternProperties: { '^a*/': text, '^b': integer } },
    '{ [k: string]: string | number }',
  ],
  ['properties imply an object', { properties: { a: {} } }, '{ a?: unknown }'],
  ['items imply a list', { items: {} }, 'unknown[]'],
  ['objects or null', { ...object, type: ['object', 'null'] }, '{ a?: string } | null'],
  ['alternatives', { anyOf: [text, { oneOf: [{ type: 'null' }, text] }] }, 'string | null'],
  ['alternatives with an unknown member', { oneOf: [text, {}] }, 'unknown'],
  [
    'a type beside alternatives with types',
    { type: ['object', 'array'], oneOf: [object, { type: 'array', items: integer }] },
    '{ a?: string } | number[]',
  ],
  [
    'a type beside alternatives without types',
    { type: 'string', anyOf: [{ format: 'email' }, { maxLength: 0 }] },
    'string',
  ],
  [
    'properties beside alternatives',
    { ...object, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
    '({ a: unknown } | { b: unknown }) & { a?: string }',
  ],
  ['intersections', { allOf: [thing, object] }, 'Thing & { a?: string }'],
  ['required properties beside a reference', { ...thing, required: ['a'] }, 'Thing & { a: unknown }'],
  [
    'alternatives of intersections',
    { oneOf: [{ allOf: [thing, { type: 'array', items: text }] }, { allOf: [thing, object] }] },
    '(Thing & string[]) | (Thing & { a?: string })',
  ],
  ['references', { type: 'array', items: thing }, 'Thing[]'],
  ['references without a target', { $ref: '#/components/schemas/Missing' }, 'unknown'],
  ['references out of the document', { $ref: 'https://example.com/schema.json' }, 'unknown'],
  ['references into a component', { $ref: '#/components/schemas/Thing/properties/name' }, 'ThingName'],
  ['percent-encoded references', { $ref: '#/components/schemas/%54hing' }, 'Thing'],
  ['an object with a `$ref` member in an enum', { enum: [{ $ref: 'file:///etc/passwd' }] }, 'unknown'],
];

describe('the type of a schema', () => {
  let module = '';
  beforeAll(async () => {
    const given = Object.fromEntries(cases.map(([, given], at) => [`Case${at}`, given]));
    const named = { type: 'object', properties: { name: text } };
    module = await toTypes(documentWith({ ...given, Thing: named }));
  }, 60_000);

  it.each(cases.map(([name, , want], at) => ({ name, want, at })))('$name', ({ want, at }) => {
    const start = new RegExp(`^export (?:interface Case${at} |type Case${at} = )`, 'm').exec(module);
    expect(start).not.toBeNull();
    const type = module.slice((start?.index ?? 0) + (start?.[0].length ?? 0));
    expect(type.slice(0, want.length + 1)).toMatch(new RegExp(`^${escaped(want)}[;\n]$`));
  });
});

it('a comment states the bounds that apply to the type', async () => {
  const properties = {
    a: { type: 'string', minLength: 1, maxLength: 4, minimum: 2 },
    b: { type: 'array', items: text, minItems: 1, maxLength: 4 },
    c: { type: ['integer', 'null'], minimum: 1, exclusiveMaximum: 9, minItems: 2 },
    d: { minimum: 1 },
  };
  const module = await toTypes(documentWith({ Bounds: { type: 'object', properties } }));
  const comments = Array.from(module.matchAll(/\/\*\* (At least .*) \*\//g), ([, comment]) => comment);
  expect(comments).toEqual([
    'At least 1 character. At most 4 characters.',
    'At least 1 item.',
    'At least 1. Less than 9.',
  ]);
});

describe('the direction of content', () => {
  const post = {
    type: 'object',
    properties: {
      id: { type: 'integer', readOnly: true },
      title: { type: 'string' },
      secret: { type: 'string', writeOnly: true },
    },
    required: ['id', 'title', 'secret'],
  };
  const list = { type: 'array', items: { $ref: '#/components/schemas/Post' } };
  const content = (schema: Json): Json => ({ content: { 'application/json': { schema } } });
  const responding = (schema: Json) =>
    getting({ responses: { 200: { description: '', ...Object(content(schema)) } } });
  const sending = (schema: Json) => ({
    post: { operationId: 'send', requestBody: content(schema), responses: {} },
  });
  const read = 'export interface Post { id: number; title: string; secret?: string }';
  const written =
    'export interface Post {\n  /** @readonly */\n  id?: number;\n  title: string;\n  secret: string;\n}';

  it('makes write-only properties optional in responses', async () => {
    const module = await toTypes(documentWith({ Post: post }, { '/a': responding(list) }));
    expect(module).toContain(read);
  });

  it('makes read-only properties optional in bodies', async () => {
    const module = await toTypes(documentWith({ Post: post }, { '/a': sending(list) }));
    expect(module).toContain(written);
  });

  it('takes lists that nobody can change in bodies', async () => {
    const lists = { type: 'array', items: { type: 'array', items: integer } };
    expect(await toTypes(documentWith({}, { '/a': sending(lists) }))).toContain(
      'export type SendBody = readonly (readonly number[])[];',
    );
  });

  it('closes enums in bodies, except of an argument without a type, which WordPress does not check', async () => {
    const values = { enum: ['a', 'b'] };
    const untyped = { 'x-waygate-type': null };
    const fields = {
      typed: { type: 'string', ...values },
      untyped: { type: 'string', ...values, ...untyped },
      terms: { type: 'array', items: integer, ...untyped },
      settings: { ...object, ...untyped },
    };
    const words = { type: 'array', items: { type: 'string', ...values } };
    const parameters = [...Object.entries(fields).slice(0, 3), ['words', words] as const].map(
      ([name, schema]) => ({ name, in: 'query', schema }),
    );
    const body = { type: 'object', properties: fields };
    const module = await toTypes(
      documentWith({}, { '/a': { ...sending(body), ...getting({ parameters }) } }),
    );
    expect(module).toContain(`export interface SendBody {
  typed?: "a" | "b";
  /** Usually a, b. */
  untyped?: string;
  terms?: number | readonly number[] | string;
  settings?: { a?: string } | string;
}`);
    expect(module).toContain('  terms?: QueryNumber | QueryNumbers | string;\n');
    expect(module).toContain('  words?: "a" | "b" | QueryWords | readonly ("a" | "b")[];\n');
  });

  it('shares the first of two components with the name of a parameter', async () => {
    const parameters = {
      A: { name: 'page', in: 'query', schema: integer },
      B: { name: 'page', in: 'query', schema: object },
    };
    const paths = Object.keys(parameters).map((key) => [
      `/${key}`,
      getting({ operationId: key, parameters: [{ $ref: `#/components/parameters/${key}` }] }),
    ]);
    const module = await toTypes(documentWith({}, Object.fromEntries(paths), { parameters }));
    expect(module).toContain('export interface SharedQuery { page?: QueryNumber }');
    expect(module).toContain('export interface BQuery { page?: { a');
  });

  it('types a parameter with `content` as a text, which it is on the wire', async () => {
    const parameters = [{ name: 'filter', in: 'query', content: { 'application/json': { schema: object } } }];
    expect(await toTypes(documentWith({}, { '/a': getting({ parameters }) }))).toMatch(/filter\?: string/);
  });

  it('types files as bytes in bodies only', async () => {
    const file = { type: 'object', properties: { file: { type: 'string', contentMediaType: 'image/png' } } };
    const sent = await toTypes(documentWith({}, { '/a': sending(file) }));
    expect(sent).toContain('export interface SendBody { file?: Bytes }');
    expect(sent).toContain('export type Bytes =');
    const received = await toTypes(documentWith({}, { '/a': responding(file) }));
    expect(received).toContain('export interface GetResponse { file?: string }');
    expect(received).not.toContain('Bytes');
  });
});

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
