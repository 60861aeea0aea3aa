import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../src/json.ts';
import { toTypes } from '../../src/types/index.ts';
import { documentWith, getting } from './documents.ts';

interface Case {
  readonly given: Json;
  /** The text after `type X = `, or from the opening brace of the interface. */
  readonly want: string;
}

const object = { type: 'object', properties: { a: { type: 'string' } } } as const;

const cases: readonly (readonly [name: string, Case])[] = [
  ['an empty schema is unknown', { given: {}, want: 'unknown' }],
  ['the schema `true` is unknown', { given: true, want: 'unknown' }],
  ['the schema `false` is never', { given: false, want: 'never' }],
  ['an invalid schema is unknown', { given: [1, 'x'], want: 'unknown' }],
  ['an unknown type word is unknown', { given: { type: 'bool' }, want: 'unknown' }],
  ['a default implies no type', { given: { default: 1 }, want: 'unknown' }],
  ['a description implies no type', { given: { description: 'Words.' }, want: 'unknown' }],
  ['strings', { given: { type: 'string', format: 'date-time' }, want: 'string' }],
  ['integers and numbers are numbers', { given: { type: ['integer', 'number'] }, want: 'number' }],
  ['booleans', { given: { type: 'boolean' }, want: 'boolean' }],
  ['nullable types', { given: { type: ['string', 'null'] }, want: 'string | null' }],
  ['lists', { given: { type: 'array', items: { type: 'integer' } }, want: 'number[]' }],
  [
    'lists of alternatives',
    { given: { type: 'array', items: { type: ['integer', 'string'] } }, want: '(number | string)[]' },
  ],
  ['lists of one literal', { given: { type: 'array', items: { enum: ['a'] } }, want: '"a"[]' }],
  ['lists of anything', { given: { type: 'array' }, want: 'unknown[]' }],
  [
    'bounded lists stay lists',
    { given: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 }, want: 'string[]' },
  ],
  [
    'open tuples',
    {
      given: { type: 'array', prefixItems: [{ type: 'string' }, {}] },
      want: '[string, unknown, ...unknown[]]',
    },
  ],
  [
    'closed tuples',
    { given: { prefixItems: [{ type: 'string' }, { type: 'null' }], items: false }, want: '[string, null]' },
  ],
  [
    'tuples with typed rest',
    {
      given: { prefixItems: [{ type: 'string' }], items: { type: ['integer', 'null'] } },
      want: '[string, ...(number | null)[]]',
    },
  ],
  ['enums', { given: { type: 'string', enum: ['b', 'a', 'b'] }, want: '"b" | "a"' }],
  [
    'enums without the values that their type excludes',
    { given: { type: 'string', enum: ['a', 1, null] }, want: '"a"' },
  ],
  ['enums whose type excludes every value', { given: { type: 'integer', enum: ['a'] }, want: '"a"' }],
  ['nullable enums', { given: { type: ['string', 'null'], enum: ['a', null] }, want: '"a" | null' }],
  [
    'enums of plain values',
    { given: { enum: [1, -1.5, true, null, 'x"\\'] }, want: String.raw`1 | -1.5 | true | null | "x\"\\"` },
  ],
  [
    'enums of lists and objects',
    {
      given: { enum: [[], [1], {}, { a: { b: 1 } }] },
      want: '[] | [1] | { [k: string]: never } | { a: { b: 1 } }',
    },
  ],
  ['an empty enum is ignored', { given: { type: 'string', enum: [] }, want: 'string' }],
  ['constants', { given: { const: 'x' }, want: '"x"' }],
  ['the constant null', { given: { const: null }, want: 'null' }],
  ['objects without keywords are open', { given: { type: 'object' }, want: '{ [k: string]: unknown }' }],
  [
    'objects without properties are open',
    { given: { type: 'object', properties: {} }, want: '{ [k: string]: unknown }' },
  ],
  [
    'empty objects',
    { given: { type: 'object', additionalProperties: false }, want: '{ [k: string]: never }' },
  ],
  [
    'maps',
    { given: { type: 'object', additionalProperties: { type: 'string' } }, want: '{ [k: string]: string }' },
  ],
  ['declared properties close an object', { given: object, want: '{\n  a?: string;\n}' }],
  ['required properties', { given: { ...object, required: ['a'] }, want: '{\n  a: string;\n}' }],
  ['undeclared required properties', { given: { required: ['a', 'a'] }, want: '{\n  a: unknown;\n}' }],
  ['a boolean `required` is ignored', { given: { ...object, required: true }, want: '{\n  a?: string;\n}' }],
  [
    'open objects with properties',
    {
      given: { ...object, additionalProperties: true },
      want: '{\n  a?: string;\n  [k: string]: unknown;\n}',
    },
  ],
  [
    'maps with properties that differ',
    {
      given: { ...object, additionalProperties: { type: 'integer' } },
      want: '{\n  a?: string;\n  [k: string]: number | string | undefined;\n}',
    },
  ],
  [
    'pattern properties',
    {
      given: { type: 'object', patternProperties: { '^a*/': { type: 'string' }, '^b': { type: 'integer' } } },
      want: '{ [k: string]: string | number }',
    },
  ],
  ['properties imply an object', { given: { properties: { a: {} } }, want: '{\n  a?: unknown;\n}' }],
  ['items imply a list', { given: { items: {} }, want: 'unknown[]' }],
  ['objects or null', { given: { ...object, type: ['object', 'null'] }, want: '{ a?: string } | null' }],
  [
    'alternatives',
    {
      given: { anyOf: [{ type: 'string' }, { oneOf: [{ type: 'null' }, { type: 'string' }] }] },
      want: 'string | null',
    },
  ],
  ['alternatives with an unknown member', { given: { oneOf: [{ type: 'string' }, {}] }, want: 'unknown' }],
  ['alternatives that are all never', { given: { anyOf: [false] }, want: 'never' }],
  [
    'a type beside alternatives with types',
    {
      given: { type: ['object', 'array'], oneOf: [object, { type: 'array', items: { type: 'integer' } }] },
      want: '{ a?: string } | number[]',
    },
  ],
  [
    'a type beside alternatives without types',
    { given: { type: 'string', anyOf: [{ format: 'email' }, { maxLength: 0 }] }, want: 'string' },
  ],
  [
    'properties beside alternatives',
    {
      given: { ...object, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      want: '({ a: unknown } | { b: unknown }) & { a?: string }',
    },
  ],
  [
    'intersections',
    { given: { allOf: [{ $ref: '#/components/schemas/Thing' }, object] }, want: 'Thing & { a?: string }' },
  ],
  [
    'required properties beside a reference',
    { given: { $ref: '#/components/schemas/Thing', required: ['a'] }, want: 'Thing & { a: unknown }' },
  ],
  [
    'references',
    { given: { type: 'array', items: { $ref: '#/components/schemas/Thing' } }, want: 'Thing[]' },
  ],
  [
    'references beside a description',
    { given: { $ref: '#/components/schemas/Thing', description: 'Mine.' }, want: 'Thing' },
  ],
  ['references without a target', { given: { $ref: '#/components/schemas/Missing' }, want: 'unknown' }],
  ['references out of the document', { given: { $ref: 'https://example.com/schema.json' }, want: 'unknown' }],
  ['references to files', { given: { $ref: 'file:///etc/passwd' }, want: 'unknown' }],
  [
    'references into a component',
    { given: { $ref: '#/components/schemas/Thing/properties/name' }, want: 'ThingName' },
  ],
  ['percent-encoded references', { given: { $ref: '#/components/schemas/%54hing' }, want: 'Thing' }],
  [
    'an object with a `$ref` member in an enum',
    { given: { enum: [{ $ref: 'file:///etc/passwd' }] }, want: '{\n  $ref: "file:///etc/passwd";\n}' },
  ],
];

describe('the type of a schema', () => {
  let module = '';
  beforeAll(async () => {
    const given = Object.fromEntries(cases.map(([, { given }], at) => [`Case${at}`, given]));
    const thing = { type: 'object', properties: { name: { type: 'string' } } };
    module = await toTypes(documentWith({ ...given, Thing: thing }));
  }, 60_000);

  it.each(cases.map(([name, { want }], at) => ({ name, want, at })))('$name', ({ want, at }) => {
    const start = new RegExp(`^export (?:interface Case${at} |type Case${at} = )`, 'm').exec(module);
    expect(start).not.toBeNull();
    const text = module.slice((start?.index ?? 0) + (start?.[0].length ?? 0));
    expect(text.slice(0, want.length + 1)).toMatch(new RegExp(`^${escaped(want)}[;\n]$`));
  });

  it('declares each component once', () => {
    const names = [...module.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
    expect(new Set(names).size).toBe(names.length);
  });
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
  const read = 'export interface Post {\n  id: number;\n  title: string;\n  secret?: string;\n}';
  const written = (name: string): string =>
    `export interface ${name} {\n  /** @readonly */\n  id?: number;\n  title: string;\n  secret: string;\n}`;

  it('makes write-only properties optional in responses', async () => {
    const module = await toTypes(documentWith({ Post: post }, { '/a': responding(list) }));
    expect(module).toContain(read);
    expect(module).not.toContain('Writable');
  });

  it('makes read-only properties optional in bodies', async () => {
    const module = await toTypes(documentWith({ Post: post }, { '/a': sending(list) }));
    expect(module).toContain(written('Post'));
    expect(module).not.toContain('Writable');
  });

  it('gives two types to a component that is both sent and received', async () => {
    const schemas = { Post: post, Posts: { type: 'object', properties: { all: list } } };
    const reference = { $ref: '#/components/schemas/Posts' };
    const module = await toTypes(
      documentWith(schemas, { '/a': { ...responding(reference), ...sending(reference) } }),
    );
    expect(module).toContain(read);
    expect(module).toContain(written('PostWritable'));
    expect(module).toContain('export interface PostsWritable {\n  all?: readonly PostWritable[];\n}');
    expect(module).toContain('export type SendBody = PostsWritable;');
  });

  it('types files as bytes in bodies only', async () => {
    const file = { type: 'object', properties: { file: { type: 'string', contentMediaType: 'image/png' } } };
    const sent = await toTypes(documentWith({}, { '/a': sending(file) }));
    expect(sent).toContain('export interface SendBody {\n  file?: Bytes;\n}');
    expect(sent).toContain('export type Bytes =');
    const received = await toTypes(documentWith({}, { '/a': responding(file) }));
    expect(received).toContain('export interface GetResponse {\n  file?: string;\n}');
    expect(received).not.toContain('Bytes');
  });
});

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
