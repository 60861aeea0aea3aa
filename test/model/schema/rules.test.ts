import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/json.ts';
import { SCHEMA_RULE_NAMES } from '../../../src/model/schema/normalizer.ts';
import { normalized } from './normalized.ts';

/** `at`: the pointers that the rule reports, relative to the schema. */
interface Row {
  readonly given: Json;
  readonly want: Json;
  readonly at: readonly string[];
}

const string = { type: 'string' } as const;

const ROWS: Readonly<Record<string, readonly Row[]>> = {
  'schema-empty-list': [
    { given: [], want: {}, at: [''] },
    {
      given: { properties: { a: [] }, type: 'object' },
      want: { type: 'object', properties: { a: {} } },
      at: ['/properties/a'],
    },
  ],
  'schema-type-word': [
    {
      given: { type: 'array', items: 'string' },
      want: { type: 'array', items: { type: 'string', 'x-waygate-type': null } },
      at: ['/items'],
    },
  ],
  'schema-not-schema': [
    { given: null, want: {}, at: [''] },
    {
      given: { type: 'object', properties: { a: 7 } },
      want: { type: 'object', properties: { a: {} } },
      at: ['/properties/a'],
    },
    { given: { type: 'array', items: 'Thing' }, want: { type: 'array', items: {} }, at: ['/items'] },
  ],
  'schema-boolean': [
    {
      given: { type: 'object', properties: { a: true } },
      want: { type: 'object', properties: { a: {} } },
      at: [],
    },
    {
      given: { type: 'object', properties: { a: false } },
      want: { type: 'object', properties: { a: { not: {} } } },
      at: [],
    },
    {
      given: { type: 'object', additionalProperties: false },
      want: { type: 'object', additionalProperties: false },
      at: [],
    },
  ],
  'member-type': [
    {
      given: { type: 'string', oneOf: [{ minLength: 1 }, { type: 'null' }] },
      want: { type: 'string', oneOf: [{ type: 'string', minLength: 1 }, { type: 'null' }] },
      at: ['/oneOf/0'],
    },
    {
      given: { type: ['string', 'integer'], anyOf: [{ enum: ['a'] }] },
      want: { type: ['string', 'integer'], anyOf: [{ type: ['string', 'integer'], enum: ['a'] }] },
      at: ['/anyOf/0'],
    },
    { given: { oneOf: [{ minLength: 1 }] }, want: { oneOf: [{ minLength: 1 }] }, at: [] },
  ],
  'array-with-properties': [
    {
      given: { type: 'array', properties: { a: string } },
      want: { type: ['array', 'object'], items: {}, properties: { a: string }, 'x-waygate-type': 'array' },
      at: ['/type'],
    },
    {
      given: { type: ['array', 'null'], properties: { a: string } },
      want: {
        type: ['array', 'null', 'object'],
        items: {},
        properties: { a: string },
        'x-waygate-type': ['array', 'null'],
      },
      at: ['/type'],
    },
    {
      given: { type: 'object', properties: { a: string } },
      want: { type: 'object', properties: { a: string } },
      at: [],
    },
  ],
  'keyword-of-other-type': [
    {
      given: { type: 'array', items: string, properties: { a: string }, additionalProperties: false },
      want: { type: 'array', items: string },
      at: ['/properties', '/additionalProperties'],
    },
    { given: { type: 'object', items: string }, want: { type: 'object' }, at: ['/items'] },
    {
      given: { type: ['object', 'array'], items: string, properties: { a: string } },
      want: { type: ['object', 'array'], items: string, properties: { a: string } },
      at: [],
    },
    {
      given: { items: string, properties: { a: string } },
      want: { items: string, properties: { a: string } },
      at: [],
    },
  ],
  'type-of-members': [
    {
      given: {
        type: ['object', 'array'],
        oneOf: [
          { type: 'array', items: string },
          { type: 'object', properties: { a: string } },
        ],
      },
      want: {
        oneOf: [
          { type: 'array', items: string },
          { type: 'object', properties: { a: string } },
        ],
        'x-waygate-type': ['object', 'array'],
      },
      at: ['/type'],
    },
    {
      given: { type: 'array', anyOf: [{ items: string }, { items: { type: 'integer' } }] },
      want: {
        anyOf: [
          { type: 'array', items: string },
          { type: 'array', items: { type: 'integer' } },
        ],
        'x-waygate-type': 'array',
      },
      at: ['/type'],
    },
    {
      given: { type: 'array', anyOf: [{ type: 'array', items: string }, { type: 'string' }] },
      want: { type: 'array', items: {}, anyOf: [{ type: 'array', items: string }, { type: 'string' }] },
      at: ['/type'],
    },
    {
      given: { type: 'object', anyOf: [{ type: 'object' }] },
      want: { type: 'object', anyOf: [{ type: 'object' }] },
      at: [],
    },
  ],
  'one-of-overlap': [
    {
      given: { oneOf: [string, { type: 'string', enum: [''] }] },
      want: { anyOf: [string, { type: 'string', enum: [''] }], 'x-waygate-exclusive': true },
      at: ['/oneOf'],
    },
    {
      given: { oneOf: [{ type: 'integer' }, { type: 'number' }] },
      want: { anyOf: [{ type: 'integer' }, { type: 'number' }], 'x-waygate-exclusive': true },
      at: ['/oneOf'],
    },
    {
      given: { oneOf: [string, {}] },
      want: { anyOf: [string, {}], 'x-waygate-exclusive': true },
      at: ['/oneOf'],
    },
    {
      given: { oneOf: [string, { type: ['null', 'integer'] }] },
      want: { oneOf: [string, { type: ['null', 'integer'] }] },
      at: [],
    },
    {
      given: { oneOf: [string, string], anyOf: [string, { type: 'null' }] },
      want: { oneOf: [string, string], anyOf: [string, { type: 'null' }] },
      at: [],
    },
  ],
  'reference-local': [
    {
      given: { type: 'object', properties: { a: { $ref: '#/definitions/x' } }, definitions: { x: string } },
      want: { type: 'object', properties: { a: string }, $defs: { x: string } },
      at: ['/properties/a/$ref'],
    },
  ],
  'reference-not-usable': [
    { given: { $ref: 'https://example.com/schema.json', title: 'T' }, want: { title: 'T' }, at: ['/$ref'] },
    { given: { $ref: 'file:///etc/passwd' }, want: {}, at: ['/$ref'] },
    { given: { $ref: '#/definitions/none' }, want: {}, at: ['/$ref'] },
    {
      given: { type: 'object', properties: { a: { $ref: '#/properties/a' } } },
      want: { type: 'object', properties: { a: {} } },
      at: ['/properties/a/$ref'],
    },
  ],
  'negation-open': [{ given: { not: { type: 'wibble' } }, want: {}, at: ['/not'] }],
  definitions: [
    { given: { definitions: { a: string } }, want: { $defs: { a: string } }, at: ['/definitions'] },
    {
      given: { definitions: { a: string }, $defs: { b: string } },
      want: { $defs: { b: string } },
      at: ['/definitions'],
    },
  ],
  'divisible-by': [
    {
      given: { type: 'integer', divisibleBy: 5 },
      want: { type: 'integer', multipleOf: 5 },
      at: ['/divisibleBy'],
    },
  ],
  extends: [
    { given: { extends: string }, want: { allOf: [string] }, at: ['/extends'] },
    {
      given: { extends: [string, { title: 'T' }] },
      want: { allOf: [string, { title: 'T' }] },
      at: ['/extends'],
    },
    { given: { extends: 'x' }, want: {}, at: ['/extends'] },
  ],
  disallow: [
    { given: { disallow: 'string' }, want: { not: { type: 'string' } }, at: ['/disallow'] },
    {
      given: { disallow: ['string', 'null'] },
      want: { not: { type: ['string', 'null'] } },
      at: ['/disallow'],
    },
    { given: { disallow: [{}] }, want: {}, at: ['/disallow'] },
  ],
  dependencies: [
    {
      given: { dependencies: { a: ['b'], c: 'd', e: { required: ['f'] } } },
      want: { dependentRequired: { a: ['b'], c: ['d'] }, dependentSchemas: { e: { required: ['f'] } } },
      at: ['/dependencies'],
    },
    { given: { dependencies: [] }, want: {}, at: ['/dependencies'] },
  ],
  'dependent-required': [
    {
      given: { dependentRequired: { a: ['b', 'b', 1], c: 'x' } },
      want: { dependentRequired: { a: ['b'] } },
      at: ['/dependentRequired'],
    },
    { given: { dependentRequired: { a: ['b'] } }, want: { dependentRequired: { a: ['b'] } }, at: [] },
  ],
  readonly: [
    { given: { ...string, readonly: true }, want: { ...string, readOnly: true }, at: ['/readonly'] },
    { given: { ...string, readonly: 1 }, want: { ...string, readOnly: true }, at: ['/readonly'] },
    { given: { ...string, readonly: false }, want: string, at: ['/readonly'] },
  ],
  context: [
    {
      given: { ...string, context: ['view', 'edit'] },
      want: { ...string, 'x-waygate-context': ['view', 'edit'] },
      at: ['/context'],
    },
    {
      given: { ...string, context: 'view' },
      want: { ...string, 'x-waygate-context': ['view'] },
      at: ['/context'],
    },
    {
      given: { ...string, context: { 1: 'view' } },
      want: { ...string, 'x-waygate-context': ['view'] },
      at: ['/context'],
    },
    { given: { ...string, context: [] }, want: string, at: ['/context'] },
  ],
  example: [
    { given: { ...string, example: 'a' }, want: { ...string, examples: ['a'] }, at: ['/example'] },
    { given: { ...string, examples: { one: 'a' } }, want: { ...string, examples: ['a'] }, at: ['/examples'] },
  ],
  'format-not-usable': [
    { given: { ...string, format: ['date-time'] }, want: string, at: ['/format'] },
    { given: { ...string, format: 'constructor' }, want: string, at: ['/format'] },
    { given: { ...string, format: '__proto__' }, want: string, at: ['/format'] },
    { given: { ...string, format: 'text-field' }, want: { ...string, format: 'text-field' }, at: [] },
  ],
  'text-not-text': [
    { given: { ...string, description: ['a'] }, want: string, at: ['/description'] },
    { given: { ...string, title: false }, want: string, at: ['/title'] },
  ],
  'value-not-writable': [
    {
      given: { type: 'number', default: Number.POSITIVE_INFINITY },
      want: { type: 'number' },
      at: ['/default'],
    },
    { given: { enum: [1, Number.NaN] }, want: {}, at: ['/enum'] },
  ],
  'unknown-keyword': [
    {
      given: { $schema: 'http://json-schema.org/draft-04/schema#', ...string },
      want: string,
      at: ['/$schema'],
    },
    {
      given: { ...string, sanitize_callback: 'absint', arg_options: {} },
      want: string,
      at: ['/sanitize_callback', '/arg_options'],
    },
    { given: { ...string, id: 'x', $id: 'y', links: [] }, want: string, at: ['/id', '/$id', '/links'] },
  ],
  'properties-list': [
    { given: { type: 'object', properties: [] }, want: { type: 'object' }, at: ['/properties'] },
    {
      given: { type: 'object', properties: [string] },
      want: { type: 'object', properties: { 0: string } },
      at: ['/properties'],
    },
    {
      given: { type: 'object', patternProperties: [] },
      want: { type: 'object' },
      at: ['/patternProperties'],
    },
  ],
  'required-boolean': [
    {
      given: {
        type: 'object',
        properties: { a: { ...string, required: true }, b: { ...string, required: false } },
      },
      want: { type: 'object', required: ['a'], properties: { a: string, b: string } },
      at: ['/properties/a/required', '/properties/b/required'],
    },
    {
      // If the object has a list, WordPress checks only the list (rest_validate_object_value_from_schema).
      given: { type: 'object', required: ['b'], properties: { a: { ...string, required: true }, b: string } },
      want: { type: 'object', required: ['b'], properties: { a: string, b: string } },
      at: ['/properties/a/required'],
    },
    {
      given: {
        type: 'object',
        properties: { required: { type: 'boolean' }, items: string, default: string },
      },
      want: { type: 'object', properties: { required: { type: 'boolean' }, items: string, default: string } },
      at: [],
    },
  ],
  'required-not-names': [
    {
      given: { type: 'object', required: ['a', 'a', 1] },
      want: { type: 'object', required: ['a'] },
      at: ['/required'],
    },
    {
      given: { type: 'array', items: { ...string, required: true } },
      want: { type: 'array', items: string },
      at: ['/items/required'],
    },
    { given: { type: 'object', required: [] }, want: { type: 'object' }, at: ['/required'] },
  ],
  'additional-properties': [
    {
      given: { type: 'object', additionalProperties: [] },
      want: { type: 'object', additionalProperties: true },
      at: ['/additionalProperties'],
    },
    {
      given: { type: 'object', additionalProperties: 'false' },
      want: { type: 'object', additionalProperties: true },
      at: ['/additionalProperties'],
    },
    {
      given: { type: 'object', additionalProperties: string },
      want: { type: 'object', additionalProperties: string },
      at: [],
    },
  ],
  'items-list': [
    { given: { type: 'array', items: [] }, want: { type: 'array', items: {} }, at: ['/items'] },
    {
      given: { type: 'array', items: [string] },
      want: { type: 'array', items: { ...string, 'x-waygate-type': null } },
      at: ['/items'],
    },
    {
      given: { type: 'array', items: [string, { type: 'integer' }], additionalItems: false },
      want: { type: 'array', prefixItems: [string, { type: 'integer' }], items: { not: {} } },
      at: ['/items'],
    },
  ],
  'items-missing': [{ given: { type: 'array' }, want: { type: 'array', items: {} }, at: [''] }],
  'members-list': [
    { given: { oneOf: [] }, want: {}, at: ['/oneOf'] },
    {
      given: { oneOf: { 0: string, 2: { type: 'null' } } },
      want: { oneOf: [string, { type: 'null' }] },
      at: ['/oneOf'],
    },
    { given: { anyOf: [string, 'junk', null] }, want: { anyOf: [string] }, at: ['/anyOf'] },
    { given: { allOf: string }, want: { allOf: [string] }, at: ['/allOf'] },
  ],
  'type-word': [
    { given: { type: 'bool' }, want: { type: 'boolean', 'x-waygate-type': 'bool' }, at: ['/type'] },
    { given: { type: 'int' }, want: { type: 'integer', 'x-waygate-type': 'int' }, at: ['/type'] },
    { given: { type: 'float' }, want: { type: 'number', 'x-waygate-type': 'float' }, at: ['/type'] },
    { given: { type: 'datetime' }, want: { type: 'string', 'x-waygate-type': 'datetime' }, at: ['/type'] },
    { given: { type: 'String' }, want: { type: 'string', 'x-waygate-type': 'String' }, at: ['/type'] },
    {
      given: { type: 'array|string' },
      want: { type: ['array', 'string'], 'x-waygate-type': 'array|string', items: {} },
      at: ['/type'],
    },
    { given: { type: '?int' }, want: { type: ['integer', 'null'], 'x-waygate-type': '?int' }, at: ['/type'] },
    {
      given: { type: 'string[]' },
      want: { type: 'array', 'x-waygate-type': 'string[]', items: {} },
      at: ['/type'],
    },
  ],
  'type-list': [
    { given: { type: ['string'] }, want: string, at: ['/type'] },
    { given: { type: ['string', 'string', 'null'] }, want: { type: ['string', 'null'] }, at: ['/type'] },
    {
      given: { type: ['string', 'wibble', 7] },
      want: { type: 'string' },
      at: ['/type'],
    },
    {
      given: { type: ['bool', 'null'] },
      want: { type: ['boolean', 'null'], 'x-waygate-type': ['bool', 'null'] },
      at: ['/type'],
    },
    { given: { type: { 1: 'string', 2: 'null' } }, want: { type: ['string', 'null'] }, at: ['/type'] },
    { given: { type: ['string', 'null'] }, want: { type: ['string', 'null'] }, at: [] },
  ],
  'type-unknown': [
    { given: { type: 'mixed' }, want: {}, at: ['/type'] },
    { given: { type: 'any' }, want: {}, at: ['/type'] },
    { given: { type: '' }, want: {}, at: ['/type'] },
    { given: { type: 'WP_Post' }, want: {}, at: ['/type'] },
    { given: { type: [] }, want: {}, at: ['/type'] },
    { given: { type: ['any', 'string'] }, want: {}, at: ['/type'] },
    { given: { type: ['string', { type: 'object' }] }, want: {}, at: ['/type'] },
    { given: { type: null }, want: {}, at: ['/type'] },
  ],
  'type-missing': [
    {
      given: { properties: { a: string } },
      want: { type: 'object', properties: { a: string }, 'x-waygate-type': null },
      at: [''],
    },
    { given: { items: string }, want: { type: 'array', items: string, 'x-waygate-type': null }, at: [''] },
    { given: { enum: ['a', 'b'] }, want: { ...string, enum: ['a', 'b'], 'x-waygate-type': null }, at: [''] },
    { given: { enum: [1, 2.5] }, want: { type: 'number', enum: [1, 2.5], 'x-waygate-type': null }, at: [''] },
    {
      given: { properties: { a: string }, items: string },
      want: { properties: { a: string }, items: string },
      at: [],
    },
    { given: { minLength: 3 }, want: { minLength: 3 }, at: [] },
    {
      given: { properties: { a: string }, oneOf: [string] },
      want: { properties: { a: string }, oneOf: [string] },
      at: [],
    },
  ],
  nullable: [
    {
      given: { ...string, nullable: true },
      want: { type: ['string', 'null'], 'x-waygate-type': 'string' },
      at: ['/nullable'],
    },
    { given: { ...string, nullable: false }, want: string, at: ['/nullable'] },
    { given: { nullable: true }, want: {}, at: ['/nullable'] },
  ],
  'enum-list': [
    { given: { ...string, enum: { 0: 'a', 2: 'b' } }, want: { ...string, enum: ['a', 'b'] }, at: ['/enum'] },
    { given: { ...string, enum: { first: 'a' } }, want: { ...string, enum: ['a'] }, at: ['/enum'] },
  ],
  'enum-duplicates': [
    { given: { ...string, enum: ['a', 'b', 'a'] }, want: { ...string, enum: ['a', 'b'] }, at: ['/enum'] },
    {
      given: {
        enum: [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
      },
      want: { enum: [{ a: 1, b: 2 }] },
      at: ['/enum'],
    },
  ],
  'enum-empty': [
    { given: { ...string, enum: [] }, want: string, at: ['/enum'] },
    { given: { ...string, enum: 'a' }, want: string, at: ['/enum'] },
    { given: { ...string, enum: {} }, want: string, at: ['/enum'] },
  ],
  'enum-of-items': [
    {
      given: { type: 'array', items: string, enum: ['a', 'b'] },
      want: { type: 'array', items: { ...string, enum: ['a', 'b'] } },
      at: ['/enum'],
    },
    {
      given: { type: 'array', items: { ...string, enum: ['a'] }, enum: ['b'] },
      want: { type: 'array', items: { ...string, enum: ['a'] } },
      at: ['/enum'],
    },
    {
      given: { type: 'array', items: string, enum: [['a'], ['b']] },
      want: { type: 'array', items: string, enum: [['a'], ['b']] },
      at: [],
    },
  ],
  'enum-null': [
    {
      given: { ...string, enum: ['a', null] },
      want: { type: ['string', 'null'], enum: ['a', null], 'x-waygate-type': 'string' },
      at: ['/enum'],
    },
  ],
  'enum-type': [
    {
      given: { type: 'integer', enum: ['1', '2', 'x'] },
      want: { type: 'integer', enum: [1, 2] },
      at: ['/enum'],
    },
    { given: { type: 'number', enum: ['1.5', 2] }, want: { type: 'number', enum: [1.5, 2] }, at: ['/enum'] },
    {
      given: { type: 'boolean', enum: ['true', 0] },
      want: { type: 'boolean', enum: [true, false] },
      at: ['/enum'],
    },
    { given: { ...string, enum: [1, 'a'] }, want: { ...string, enum: ['1', 'a'] }, at: ['/enum'] },
    { given: { type: 'object', enum: ['a'] }, want: { type: 'object' }, at: ['/enum'] },
    {
      given: { type: ['string', 'null'], enum: [1, null] },
      want: { type: ['string', 'null'], enum: ['1', null] },
      at: ['/enum'],
    },
  ],
  'exclusive-boolean': [
    {
      given: { type: 'number', minimum: 0, exclusiveMinimum: true },
      want: { type: 'number', exclusiveMinimum: 0 },
      at: ['/exclusiveMinimum'],
    },
    {
      given: { type: 'number', maximum: 9, exclusiveMaximum: true },
      want: { type: 'number', exclusiveMaximum: 9 },
      at: ['/exclusiveMaximum'],
    },
    {
      given: { type: 'number', minimum: 0, exclusiveMinimum: false },
      want: { type: 'number', minimum: 0 },
      at: ['/exclusiveMinimum'],
    },
    {
      given: { type: 'number', exclusiveMinimum: true },
      want: { type: 'number' },
      at: ['/exclusiveMinimum'],
    },
  ],
  'number-as-text': [
    { given: { type: 'integer', minimum: '1' }, want: { type: 'integer', minimum: 1 }, at: ['/minimum'] },
    { given: { ...string, maxLength: '20' }, want: { ...string, maxLength: 20 }, at: ['/maxLength'] },
    {
      given: { type: 'number', minimum: '0', exclusiveMinimum: true },
      want: { type: 'number', exclusiveMinimum: 0 },
      at: ['/exclusiveMinimum'],
    },
  ],
  'bound-not-usable': [
    { given: { ...string, minLength: -1 }, want: string, at: ['/minLength'] },
    { given: { ...string, maxLength: 2.5 }, want: string, at: ['/maxLength'] },
    {
      given: { type: 'array', items: string, minItems: [] },
      want: { type: 'array', items: string },
      at: ['/minItems'],
    },
    {
      given: { type: 'integer', minimum: 'one', multipleOf: 0 },
      want: { type: 'integer' },
      at: ['/minimum', '/multipleOf'],
    },
    {
      given: { type: 'number', maximum: Number.POSITIVE_INFINITY },
      want: { type: 'number' },
      at: ['/maximum'],
    },
  ],
  'flag-not-boolean': [
    {
      given: { type: 'array', items: string, uniqueItems: 1 },
      want: { type: 'array', items: string, uniqueItems: true },
      at: ['/uniqueItems'],
    },
    {
      given: { ...string, deprecated: 'since 5.0' },
      want: { ...string, deprecated: true },
      at: ['/deprecated'],
    },
    { given: { ...string, readOnly: '' }, want: string, at: ['/readOnly'] },
  ],
  'pattern-text': [{ given: { ...string, pattern: ['a'] }, want: string, at: ['/pattern'] }],
  'pattern-pcre': [
    {
      given: { ...string, pattern: '^[a-z]+$' },
      want: { ...string, pattern: '^[a-z]+\\n?$', 'x-waygate-pcre': '^[a-z]+$' },
      at: ['/pattern'],
    },
    { given: { ...string, pattern: '[a-z]+' }, want: { ...string, pattern: '[a-z]+' }, at: [] },
  ],
  'pattern-wider': [
    {
      given: { ...string, pattern: '(a)\\1' },
      want: { ...string, pattern: 'a[\\s\\S]*', 'x-waygate-pcre': '(a)\\1' },
      at: ['/pattern'],
    },
  ],
  'pattern-ambiguous': [
    {
      given: { ...string, pattern: '^(?:a+)+b' },
      want: { ...string, pattern: '^(?:a+)+b' },
      at: ['/pattern'],
    },
  ],
  'pattern-not-representable': [
    { given: { ...string, pattern: '(a' }, want: { ...string, 'x-waygate-pcre': '(a' }, at: ['/pattern'] },
  ],
  'pattern-properties-lost': [
    {
      given: { type: 'object', patternProperties: { '(a': string, b: string }, additionalProperties: false },
      want: { type: 'object', patternProperties: { b: string } },
      at: ['/patternProperties/(a'],
    },
    {
      given: {
        type: 'object',
        patternProperties: { '(?:b)': string, b: string },
        additionalProperties: false,
      },
      want: {
        type: 'object',
        patternProperties: { b: string },
        'x-waygate-pattern-properties': { b: '(?:b)' },
      },
      at: ['/patternProperties/b'],
    },
  ],
  'pattern-properties-pcre': [
    {
      given: { type: 'object', patternProperties: { 'a+': string }, additionalProperties: false },
      want: { type: 'object', patternProperties: { 'a+': string }, additionalProperties: false },
      at: [],
    },
    {
      given: { type: 'object', patternProperties: { '^a$': string } },
      want: {
        type: 'object',
        patternProperties: { '^a\\n?$': string },
        'x-waygate-pattern-properties': { '^a\\n?$': '^a$' },
      },
      at: ['/patternProperties/^a$'],
    },
  ],
  'default-null': [
    {
      given: { ...string, default: null },
      want: { ...string, 'x-waygate-default': null },
      at: ['/default'],
    },
  ],
  'default-list-for-object': [
    { given: { type: 'object', default: [] }, want: { type: 'object', default: {} }, at: ['/default'] },
    {
      given: { type: ['object', 'null'], default: [] },
      want: { type: ['object', 'null'], default: {} },
      at: ['/default'],
    },
    {
      given: { type: ['object', 'array'], items: string, default: [] },
      want: { type: ['object', 'array'], items: string, default: [] },
      at: [],
    },
  ],
  'default-refused': [
    {
      given: { ...string, enum: ['a'], default: 'b' },
      want: { ...string, enum: ['a'], 'x-waygate-default': 'b' },
      at: ['/default'],
    },
    {
      given: { type: 'integer', default: '10' },
      want: { type: 'integer', 'x-waygate-default': '10' },
      at: ['/default'],
    },
    {
      given: { ...string, format: 'uri', default: '' },
      want: { ...string, format: 'uri', 'x-waygate-default': '' },
      at: ['/default'],
    },
    {
      given: { type: 'integer', minimum: 1, default: 10 },
      want: { type: 'integer', minimum: 1, default: 10 },
      at: [],
    },
    {
      given: { ...string, format: 'hex-color', default: '#fff' },
      want: { ...string, format: 'hex-color', default: '#fff' },
      at: [],
    },
  ],
};

describe.each(Object.entries(ROWS))('%s', (rule, rows) => {
  test('is a rule that repairs each of its rows', () => {
    expect(SCHEMA_RULE_NAMES).toContain(rule);
    for (const { given, want, at } of rows) {
      const { schema, found } = normalized(given);
      expect(schema, JSON.stringify(given)).toEqual(want);
      const pointers = found.filter((diagnostic) => diagnostic.rule === rule).map(({ pointer }) => pointer);
      expect(pointers, JSON.stringify(given)).toEqual(at);
    }
  });
});

/** Rules that need more than a row. They are tested in arguments.test.ts and hostile.test.ts. */
const ELSEWHERE = ['required-not-boolean', 'depth-bound', 'size-bound'];

describe('the table of rules', () => {
  test('has rows for every rule', () => {
    expect(SCHEMA_RULE_NAMES.filter((name) => !(name in ROWS)).sort()).toEqual(ELSEWHERE.sort());
  });

  test('has a name in kebab case for every rule', () => {
    for (const name of SCHEMA_RULE_NAMES) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
  });
});
