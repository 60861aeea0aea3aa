import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/json.ts';
import { SCHEMA_RULE_NAMES } from '../../../src/model/schema/normalizer.ts';
import { normalized } from './normalized.ts';

/** A schema, what it becomes (`same`: what it is), and the pointers that the rule reports, relative to the schema. */
type Row = readonly [given: Json, want: Json, ...at: string[]];

const string = { type: 'string' } as const;
const integer = { type: 'integer' } as const;
const number = { type: 'number' } as const;
const object = { type: 'object' } as const;
const record = { ...object, properties: { a: string } };
const strings = { type: 'array', items: string };

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'schema-empty-list': [
    [[], {}, ''],
    [{ properties: { a: [] }, ...object }, { ...object, properties: { a: {} } }, '/properties/a'],
  ],
  'schema-type-word': [
    [
      { type: 'array', items: 'string' },
      { type: 'array', items: { type: 'string', 'x-waygate-type': null } },
      '/items',
    ],
  ],
  'schema-not-schema': [
    [null, {}, ''],
    [{ ...object, properties: { a: 7 } }, { ...object, properties: { a: {} } }, '/properties/a'],
    [{ type: 'array', items: 'Thing' }, { type: 'array', items: {} }, '/items'],
  ],
  'schema-boolean': [
    [
      { ...object, properties: { a: false } },
      { ...object, properties: { a: { not: {} } } },
    ],
    [{ ...object, additionalProperties: false }, 'same'],
  ],
  'member-type': [
    [
      { type: 'string', oneOf: [{ minLength: 1 }, { type: 'null' }] },
      { type: 'string', oneOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
      '/oneOf/0',
    ],
    [{ oneOf: [{ minLength: 1 }] }, 'same'],
  ],
  'array-with-properties': [
    [
      { type: 'array', properties: { a: string } },
      { type: ['array', 'object'], items: {}, properties: { a: string }, 'x-waygate-type': 'array' },
      '/type',
    ],
    [
      { type: ['array', 'null'], properties: { a: string } },
      {
        type: ['array', 'null', 'object'],
        items: {},
        properties: { a: string },
        'x-waygate-type': ['array', 'null'],
      },
      '/type',
    ],
    [record, 'same'],
  ],
  'keyword-of-other-type': [
    [
      { ...strings, properties: { a: string }, additionalProperties: false },
      strings,
      '/properties',
      '/additionalProperties',
    ],
    [{ ...object, items: string }, object, '/items'],
    [{ type: ['object', 'array'], items: string, properties: { a: string } }, 'same'],
    [{ items: string, properties: { a: string } }, 'same'],
  ],
  'type-of-members': [
    [
      { type: ['object', 'array'], oneOf: [strings, record] },
      { oneOf: [strings, record], 'x-waygate-type': ['object', 'array'] },
      '/type',
    ],
    [
      { type: 'array', anyOf: [{ items: string }, { items: integer }] },
      { anyOf: [strings, { type: 'array', items: integer }], 'x-waygate-type': 'array' },
      '/type',
    ],
    [{ ...object, anyOf: [object] }, 'same'],
  ],
  'one-of-overlap': [
    [
      { oneOf: [string, { type: 'string', enum: [''] }] },
      { anyOf: [string, { type: 'string', enum: [''] }], 'x-waygate-exclusive': true },
      '/oneOf',
    ],
    [{ oneOf: [integer, number] }, { anyOf: [integer, number], 'x-waygate-exclusive': true }, '/oneOf'],
    [{ oneOf: [string, {}] }, { anyOf: [string, {}], 'x-waygate-exclusive': true }, '/oneOf'],
    [{ oneOf: [string, { type: ['null', 'integer'] }] }, 'same'],
    [{ oneOf: [string, string], anyOf: [string, { type: 'null' }] }, 'same'],
  ],
  'negation-open': [[{ not: { type: 'wibble' } }, {}, '/not']],
  readonly: [
    [{ ...string, readonly: true }, { ...string, readOnly: true }, '/readonly'],
    [{ ...string, readonly: false }, string, '/readonly'],
  ],
  context: [
    [
      { ...string, context: ['view', 'edit'] },
      { ...string, 'x-waygate-context': ['view', 'edit'] },
      '/context',
    ],
    [{ ...string, context: 'view' }, { ...string, 'x-waygate-context': ['view'] }, '/context'],
    [{ ...string, context: { 1: 'view' } }, { ...string, 'x-waygate-context': ['view'] }, '/context'],
  ],
  example: [
    [{ ...string, example: 'a' }, { ...string, examples: ['a'] }, '/example'],
    [{ ...string, examples: { one: 'a' } }, { ...string, examples: ['a'] }, '/examples'],
  ],
  'format-not-usable': [
    [{ ...string, format: ['date-time'] }, string, '/format'],
    [{ ...string, format: 'constructor' }, string, '/format'],
    [{ ...string, format: 'text-field' }, 'same'],
  ],
  'text-not-text': [
    [{ ...string, description: ['a'] }, string, '/description'],
    [{ ...string, title: false }, string, '/title'],
  ],
  'unknown-keyword': [
    [{ $schema: 'http://json-schema.org/draft-04/schema#', ...string }, string, '/$schema'],
    [
      { ...string, sanitize_callback: 'absint', arg_options: {} },
      string,
      '/sanitize_callback',
      '/arg_options',
    ],
    [{ ...string, id: 'x', $id: 'y', links: [] }, string, '/id', '/$id', '/links'],
    [{ ...string, $ref: '#/definitions/a', definitions: { a: {} } }, string, '/$ref', '/definitions'],
    [{ ...integer, divisibleBy: 5, if: {}, contains: {} }, integer, '/divisibleBy', '/if', '/contains'],
  ],
  'properties-list': [
    [{ ...object, properties: [] }, object, '/properties'],
    [{ ...object, properties: [string] }, { ...object, properties: { 0: string } }, '/properties'],
    [{ ...object, patternProperties: [] }, object, '/patternProperties'],
  ],
  'required-boolean': [
    [
      { ...object, properties: { a: { ...string, required: true }, b: { ...string, required: false } } },
      { ...object, required: ['a'], properties: { a: string, b: string } },
      '/properties/a/required',
      '/properties/b/required',
    ],
    // If the object has a list, WordPress checks only the list (rest_validate_object_value_from_schema).
    [
      { ...object, required: ['b'], properties: { a: { ...string, required: true }, b: string } },
      { ...object, required: ['b'], properties: { a: string, b: string } },
      '/properties/a/required',
    ],
    [{ ...object, properties: { required: { type: 'boolean' }, items: string, default: string } }, 'same'],
  ],
  'required-not-names': [
    [{ ...object, required: ['a', 'a', 1] }, { ...object, required: ['a'] }, '/required'],
    [{ type: 'array', items: { ...string, required: true } }, strings, '/items/required'],
    [{ ...object, required: [] }, object, '/required'],
  ],
  'additional-properties': [
    [
      { ...object, additionalProperties: [] },
      { ...object, additionalProperties: true },
      '/additionalProperties',
    ],
    [{ ...object, additionalProperties: string }, 'same'],
  ],
  'items-list': [
    [{ type: 'array', items: [] }, { type: 'array', items: {} }, '/items'],
    [
      { type: 'array', items: [string] },
      { type: 'array', items: { ...string, 'x-waygate-type': null } },
      '/items',
    ],
    [
      { type: 'array', items: [string, integer], additionalItems: false },
      { type: 'array', prefixItems: [string, integer], items: { not: {} } },
      '/items',
    ],
  ],
  'items-missing': [[{ type: 'array' }, { type: 'array', items: {} }, '']],
  'members-list': [
    [{ oneOf: [] }, {}, '/oneOf'],
    [{ oneOf: { 0: string, 2: { type: 'null' } } }, { oneOf: [string, { type: 'null' }] }, '/oneOf'],
    [{ anyOf: [string, 'junk', null] }, { anyOf: [string] }, '/anyOf'],
    [{ allOf: string }, { allOf: [string] }, '/allOf'],
  ],
  'type-word': [
    [{ type: 'bool' }, { type: 'boolean', 'x-waygate-type': 'bool' }, '/type'],
    [{ type: 'float' }, { ...number, 'x-waygate-type': 'float' }, '/type'],
    [{ type: 'String' }, { type: 'string', 'x-waygate-type': 'String' }, '/type'],
    [
      { type: 'array|string' },
      { type: ['array', 'string'], 'x-waygate-type': 'array|string', items: {} },
      '/type',
    ],
    [{ type: '?int' }, { type: ['integer', 'null'], 'x-waygate-type': '?int' }, '/type'],
    // D5: a file is a text for tools of OpenAPI.
    [{ type: 'file' }, { ...string, format: 'binary', 'x-waygate-type': 'file' }, '/type'],
    [{ type: 'File' }, { ...string, format: 'binary', 'x-waygate-type': 'File' }, '/type'],
    [
      { type: '?file', format: 'uri' },
      { type: ['string', 'null'], format: 'binary', 'x-waygate-type': '?file' },
      '/type',
    ],
    [{ type: 'file|string' }, { ...string, 'x-waygate-type': 'file|string' }, '/type'],
    [{ type: 'string[]' }, { type: 'array', 'x-waygate-type': 'string[]', items: {} }, '/type'],
  ],
  'type-list': [
    [{ type: ['string'] }, string, '/type'],
    [{ type: ['string', 'wibble', 7] }, { type: 'string' }, '/type'],
    [{ type: ['bool', 'null'] }, { type: ['boolean', 'null'], 'x-waygate-type': ['bool', 'null'] }, '/type'],
    [{ type: { 1: 'string', 2: 'null' } }, { type: ['string', 'null'] }, '/type'],
  ],
  'type-unknown': [
    [{ type: 'mixed' }, {}, '/type'],
    [{ type: 'WP_Post' }, {}, '/type'],
    [{ type: [] }, {}, '/type'],
    [{ type: ['string', object] }, {}, '/type'],
  ],
  'type-missing': [
    [{ properties: { a: string } }, { ...record, 'x-waygate-type': null }, ''],
    [{ enum: ['a', 'b'] }, { ...string, enum: ['a', 'b'], 'x-waygate-type': null }, ''],
    [{ properties: { a: string }, items: string }, 'same'],
    [{ minLength: 3 }, 'same'],
  ],
  nullable: [
    [{ ...string, nullable: true }, { type: ['string', 'null'], 'x-waygate-type': 'string' }, '/nullable'],
    [{ ...string, nullable: false }, string, '/nullable'],
    [{ nullable: true }, {}, '/nullable'],
  ],
  'enum-list': [
    [{ ...string, enum: { 0: 'a', 2: 'b' } }, { ...string, enum: ['a', 'b'] }, '/enum'],
    [{ ...string, enum: ['a', 'b', 'a'] }, { ...string, enum: ['a', 'b'] }, '/enum'],
    [
      {
        enum: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      },
      { enum: [{ a: 1, b: 2 }] },
      '/enum',
    ],
    [{ ...string, enum: [] }, string, '/enum'],
  ],
  'enum-of-items': [
    [{ ...strings, enum: ['a', 'b'] }, { type: 'array', items: { ...string, enum: ['a', 'b'] } }, '/enum'],
    [
      { type: 'array', items: { ...string, enum: ['a'] }, enum: ['b'] },
      { type: 'array', items: { ...string, enum: ['a'] } },
      '/enum',
    ],
    [{ ...strings, enum: [['a'], ['b']] }, 'same'],
  ],
  'enum-null': [
    [
      { ...string, enum: ['a', null] },
      { type: ['string', 'null'], enum: ['a', null], 'x-waygate-type': 'string' },
      '/enum',
    ],
  ],
  'enum-type': [
    [{ ...integer, enum: ['1', '2', 'x'] }, { ...integer, enum: [1, 2] }, '/enum'],
    [{ type: 'boolean', enum: ['true', 0] }, { type: 'boolean', enum: [true, false] }, '/enum'],
    [{ ...string, enum: [1, 'a'] }, { ...string, enum: ['1', 'a'] }, '/enum'],
    [{ ...object, enum: ['a'] }, object, '/enum'],
    [{ type: ['string', 'null'], enum: [1, null] }, { type: ['string', 'null'], enum: ['1', null] }, '/enum'],
  ],
  'exclusive-boolean': [
    [
      { ...number, minimum: 0, exclusiveMinimum: true },
      { ...number, exclusiveMinimum: 0 },
      '/exclusiveMinimum',
    ],
    [{ ...number, minimum: 0, exclusiveMinimum: false }, { ...number, minimum: 0 }, '/exclusiveMinimum'],
    [{ ...number, exclusiveMinimum: true }, number, '/exclusiveMinimum'],
  ],
  'number-as-text': [[{ ...integer, minimum: '1' }, { ...integer, minimum: 1 }, '/minimum']],
  'bound-not-usable': [
    [{ ...string, minLength: -1 }, string, '/minLength'],
    [{ ...string, maxLength: 2.5 }, string, '/maxLength'],
    [{ ...integer, minimum: 'one', multipleOf: 0 }, integer, '/minimum', '/multipleOf'],
    [{ ...number, maximum: Number.POSITIVE_INFINITY }, number, '/maximum'],
  ],
  'flag-not-boolean': [
    [{ ...strings, uniqueItems: 1 }, { ...strings, uniqueItems: true }, '/uniqueItems'],
    [{ ...string, deprecated: 'since 5.0' }, { ...string, deprecated: true }, '/deprecated'],
    [{ ...string, readOnly: '' }, string, '/readOnly'],
  ],
  'pattern-text': [[{ ...string, pattern: ['a'] }, string, '/pattern']],
  'pattern-pcre': [
    [
      { ...string, pattern: '^[a-z]+$' },
      { ...string, pattern: '^[a-z]+\\n?$', 'x-waygate-pcre': '^[a-z]+$' },
      '/pattern',
    ],
    [{ ...string, pattern: '[a-z]+' }, 'same'],
  ],
  'pattern-wider': [
    [
      { ...string, pattern: '(a)\\1' },
      { ...string, pattern: 'a[\\s\\S]*', 'x-waygate-pcre': '(a)\\1' },
      '/pattern',
    ],
  ],
  'pattern-not-representable': [
    [{ ...string, pattern: '(a' }, { ...string, 'x-waygate-pcre': '(a' }, '/pattern'],
  ],
  'pattern-properties-lost': [
    [
      { ...object, patternProperties: { '(a': string, b: string }, additionalProperties: false },
      { ...object, patternProperties: { b: string } },
      '/patternProperties/(a',
    ],
    [
      { ...object, patternProperties: { '(?:b)': string, b: string }, additionalProperties: false },
      { ...object, patternProperties: { b: string }, 'x-waygate-pattern-properties': { b: '(?:b)' } },
      '/patternProperties/b',
    ],
  ],
  'pattern-properties-pcre': [
    [{ ...object, patternProperties: { 'a+': string }, additionalProperties: false }, 'same'],
    [
      { ...object, patternProperties: { '^a$': string } },
      {
        ...object,
        patternProperties: { '^a\\n?$': string },
        'x-waygate-pattern-properties': { '^a\\n?$': '^a$' },
      },
      '/patternProperties/^a$',
    ],
  ],
  'default-null': [[{ ...string, default: null }, { ...string, 'x-waygate-default': null }, '/default']],
  'default-time': [
    [{ ...string, default: '2028-11-23 20:46:27' }, string, '/default'],
    [{ ...string, default: '2024-12-31' }, 'same'],
  ],
  'default-list-for-object': [
    [{ ...object, default: [] }, { ...object, default: {} }, '/default'],
    [{ type: ['object', 'null'], default: [] }, { type: ['object', 'null'], default: {} }, '/default'],
    [{ type: ['object', 'array'], items: string, default: [] }, 'same'],
  ],
  'default-refused': [
    [
      { ...string, enum: ['a'], default: 'b' },
      { ...string, enum: ['a'], 'x-waygate-default': 'b' },
      '/default',
    ],
    [{ ...integer, default: '10' }, { ...integer, 'x-waygate-default': '10' }, '/default'],
    [
      { ...string, format: 'uri', default: '' },
      { ...string, format: 'uri', 'x-waygate-default': '' },
      '/default',
    ],
    [{ ...integer, minimum: 1, default: 10 }, 'same'],
    [{ ...string, format: 'hex-color', default: '#fff' }, 'same'],
  ],
};

describe.each(Object.entries(ROWS))('%s', (rule, rows) => {
  test('is a rule that repairs each of its rows', () => {
    expect(SCHEMA_RULE_NAMES).toContain(rule);
    for (const [given, want, ...at] of rows) {
      const { schema, found } = normalized(given);
      expect(schema, JSON.stringify(given)).toEqual(want === 'same' ? given : want);
      const pointers = found.filter((diagnostic) => diagnostic.rule === rule).map(({ pointer }) => pointer);
      expect(pointers, JSON.stringify(given)).toEqual(at);
    }
  });
});

/** Rules that need more than a row. They are tested in arguments.test.ts and hostile.test.ts. */
const ELSEWHERE = ['required-not-boolean'];

describe('the table of rules', () => {
  test('has rows for every rule', () => {
    expect(SCHEMA_RULE_NAMES.filter((name) => !(name in ROWS)).sort()).toEqual(ELSEWHERE.sort());
  });
});
