import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { createSchemaValidator } from '../../../../src/generator/validation/wordpress/validate.ts';

/** A value, the schema it is held against, and what WordPress says: a code of refusal, or what it makes of the value. */
export type SchemaRow = readonly [value: Json, schema: JsonObject, verdict: ExpectedResult];
export type ExpectedResult =
  | { readonly refused: string; readonly message?: string }
  | { readonly becomes: Json };

/** Validates a value and then sanitises it, which can find a violation too, as for the parameters of a request. */
export function validateAndSanitize(value: Json, schema: JsonObject): ExpectedResult {
  const { validate, sanitize } = createSchemaValidator(schema);
  const refused = validate(value, 'p');
  if (refused !== null) return { refused: refused.code, message: refused.message };
  const sanitized = sanitize(value, 'p');
  return sanitized.ok
    ? { becomes: sanitized.value }
    : { refused: sanitized.violation.code, message: sanitized.violation.message };
}

const accepts = (becomes: Json): ExpectedResult => ({ becomes });
/** @param code without `rest_` */
const refuses = (code: string, message?: string): ExpectedResult =>
  message === undefined ? { refused: `rest_${code}` } : { refused: `rest_${code}`, message };

/** Rows of several values with one schema and one verdict. */
const each = (
  schema: JsonObject,
  verdict: ExpectedResult,
  ...values: readonly Json[]
): readonly SchemaRow[] => values.map((value) => [value, schema, verdict]);

const TYPE = 'invalid_type';
const isNo = (type: string, at = ''): ExpectedResult => refuses(TYPE, `p${at} is not of type ${type}.`);
const bounds = (text: string): ExpectedResult => refuses('out_of_bounds', `p must be ${text}`);
const DATE: ExpectedResult = refuses('invalid_date', 'Invalid date.');
const EMAIL: ExpectedResult = refuses('invalid_email', 'Invalid email address.');
const ADDRESS: ExpectedResult = refuses('invalid_ip', 'p is not a valid IP address.');
const UUID: ExpectedResult = refuses('invalid_uuid', 'p is not a valid UUID.');
const COLOUR: ExpectedResult = refuses('invalid_hex_color', 'Invalid hex color.');
const DUPLICATES: ExpectedResult = refuses('duplicate_items', 'p has duplicate items.');
const INTEGER = { type: 'integer' };
const NUMBER = { type: 'number' };
const BOOLEAN = { type: 'boolean' };
const ARRAY = { type: 'array' };
const OBJECT = { type: 'object' };
const STRING = { type: 'string' };
const NULL = { type: 'null' };
const format = (word: string): JsonObject => ({ ...STRING, format: word });

/** By subject; the rows of each are one table. */
export const ROWS: Readonly<Record<string, readonly SchemaRow[]>> = {
  'an integer is what PHP takes for a number, if it is whole': [
    ...each(INTEGER, accepts(10), 10, '10', ' 10', '10 ', '\t10\n', '10.0'),
    [-3, INTEGER, accepts(-3)],
    ...each(INTEGER, accepts(5), '+5', '.5e1'),
    ...each(INTEGER, accepts(1000), '1e3', '1E3'),
    ['007', INTEGER, accepts(7)],
    ...each(INTEGER, isNo('integer'), '10.5', 10.5, 'abc', '10abc', '0x1A', '1_000', '1,000', '+ 5', '', ' '),
    ...each(INTEGER, isNo('integer'), '.', 'e3', '\u00a010', 'INF', true, null, [1]),
  ],
  'a number is PHP-numeric': [
    ...each(NUMBER, accepts(1.5), 1.5, '1.5', ' 1.5 '),
    ['-.5', NUMBER, accepts(-0.5)],
    ['1e-2', NUMBER, accepts(0.01)],
    ...each(NUMBER, isNo('number'), '0b11', 'NaN', false, {}, '1.5.2', '1e'),
  ],
  'a boolean is one of eight spellings': [
    ...each(BOOLEAN, accepts(true), true, 1, 'true', 'TRUE', '1'),
    ...each(BOOLEAN, accepts(false), false, 0, 'False', '0'),
    ...each(BOOLEAN, isNo('boolean'), 'yes', 'on', '', 2, -1, null, []),
  ],
  'an array is a list, a scalar to be split, or an object with whole numbers for names': [
    ...each(ARRAY, accepts([]), [], '', false, {}),
    [[1, 'a'], ARRAY, accepts([1, 'a'])],
    ...each(ARRAY, accepts(['a', 'b']), 'a,b', ' , a,, b ,', { 0: 'a', 1: 'b' }, { 3: 'a', 7: 'b' }),
    ['a b\tc', ARRAY, accepts(['a', 'b', 'c'])],
    [5, ARRAY, accepts(['5'])],
    [true, ARRAY, accepts(['1'])],
    ...each(ARRAY, isNo('array'), { a: 1 }, { 0: 'a', b: 1 }, { '01': 'a' }, null),
    ...each({ ...ARRAY, items: INTEGER }, accepts([1, 2]), '1,2', ['1', 2]),
    ['1,x', { ...ARRAY, items: INTEGER }, isNo('integer', '[1]')],
    [[1], { ...ARRAY, minItems: 2 }, refuses('too_few_items', 'p must contain at least 2 items.')],
    [[], { ...ARRAY, minItems: 1 }, refuses('too_few_items', 'p must contain at least 1 item.')],
    [[1, 2], { ...ARRAY, maxItems: 1 }, refuses('too_many_items', 'p must contain at most 1 item.')],
    ['a,b,c', { ...ARRAY, maxItems: 2 }, refuses('too_many_items', 'p must contain at most 2 items.')],
    ...each(
      { ...ARRAY, uniqueItems: true },
      DUPLICATES,
      [1, 1],
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      [[], {}],
      [['a'], { 0: 'a' }],
      [{ a: { x: 1, y: [2] } }, { a: { y: [2], x: 1 } }],
    ),
    [
      [
        [1, 2],
        [2, 1],
      ],
      { ...ARRAY, uniqueItems: true },
      accepts([
        [1, 2],
        [2, 1],
      ]),
    ],
    [[1, '1'], { ...ARRAY, uniqueItems: true }, accepts([1, '1'])],
    [[1, '1'], { ...ARRAY, uniqueItems: true, items: INTEGER }, DUPLICATES],
    [[1, 1], { ...ARRAY, uniqueItems: false }, accepts([1, 1])],
    [
      ['b', 'x'],
      { ...ARRAY, items: { ...STRING, enum: ['a', 'b'] } },
      refuses('not_in_enum', 'p[1] is not one of a and b.'),
    ],
  ],
  'an object is an object, a list, or nothing': [
    [{ a: 1 }, OBJECT, accepts({ a: 1 })],
    ...each(OBJECT, accepts([]), [], ''),
    [['a'], OBJECT, accepts(['a'])],
    ...each(OBJECT, isNo('object'), 'a', 1, null),
    [{ a: '1' }, { ...OBJECT, properties: { a: INTEGER } }, accepts({ a: 1 })],
    [{ a: 'x' }, { ...OBJECT, properties: { a: INTEGER } }, isNo('integer', '[a]')],
    [{ b: 'x' }, { ...OBJECT, properties: { a: INTEGER } }, accepts({ b: 'x' })],
    [
      { b: 1 },
      { ...OBJECT, properties: { a: INTEGER }, additionalProperties: false },
      refuses('additional_properties_forbidden', 'b is not a valid property of Object.'),
    ],
    [{ b: '1' }, { ...OBJECT, additionalProperties: INTEGER }, accepts({ b: 1 })],
    [{ b: 'x' }, { ...OBJECT, additionalProperties: INTEGER }, isNo('integer', '[b]')],
    [
      {},
      { ...OBJECT, properties: { a: { ...INTEGER, required: true } } },
      refuses('property_required', 'a is a required property of p.'),
    ],
    [{}, { ...OBJECT, properties: { a: INTEGER }, required: ['a'] }, refuses('property_required')],
    [
      { b: 1 },
      { ...OBJECT, properties: { a: { ...INTEGER, required: true } }, required: ['b'] },
      accepts({ b: 1 }),
    ],
    ['', { ...OBJECT, required: ['a'] }, refuses('property_required')],
    [{ s_a: '1' }, { ...OBJECT, patternProperties: { '^s_': INTEGER } }, accepts({ s_a: 1 })],
    [{ s_a: 'x' }, { ...OBJECT, patternProperties: { '^s_': INTEGER } }, refuses(TYPE)],
    [
      { x: 1 },
      { ...OBJECT, patternProperties: { '^s_': INTEGER }, additionalProperties: false },
      refuses('additional_properties_forbidden'),
    ],
    [
      { s_a: 'x' },
      { ...OBJECT, properties: { s_a: STRING }, patternProperties: { '^s_': INTEGER } },
      accepts({ s_a: 'x' }),
    ],
    [
      { a: 1 },
      { ...OBJECT, minProperties: 2 },
      refuses('too_few_properties', 'p must contain at least 2 properties.'),
    ],
    [
      { a: 1, b: 2 },
      { ...OBJECT, maxProperties: 1 },
      refuses('too_many_properties', 'p must contain at most 1 property.'),
    ],
    [
      { a: { b: 'x' } },
      { ...OBJECT, properties: { a: { ...OBJECT, properties: { b: BOOLEAN } } } },
      isNo('boolean', '[a][b]'),
    ],
    [{ 0: 'x' }, { ...OBJECT, properties: { 0: INTEGER } }, isNo('integer', '[0]')],
  ],
  'a string is a string alone': [
    ['', STRING, accepts('')],
    ...each(STRING, isNo('string'), 1, true, null, []),
    ['ab', { ...STRING, minLength: 3 }, refuses('too_short', 'p must be at least 3 characters long.')],
    ['', { ...STRING, minLength: 1 }, refuses('too_short', 'p must be at least 1 character long.')],
    ['ab', { ...STRING, maxLength: 1 }, refuses('too_long', 'p must be at most 1 character long.')],
    [
      'x'.repeat(1001),
      { ...STRING, maxLength: 1000 },
      refuses('too_long', 'p must be at most 1,000 characters long.'),
    ],
    ['äö', { ...STRING, maxLength: 2 }, accepts('äö')],
    ['😀', { ...STRING, maxLength: 1 }, accepts('😀')],
    ['😀', { ...STRING, minLength: 2 }, refuses('too_short')],
    ['xaay', { ...STRING, pattern: 'a+' }, accepts('xaay')],
    ['xy', { ...STRING, pattern: 'a+' }, refuses('invalid_pattern', 'p does not match pattern a+.')],
    ['ab\n', { ...STRING, pattern: '^ab$' }, accepts('ab\n')],
    ['a#b', { ...STRING, pattern: 'a#b' }, accepts('a#b')],
    ['x', { ...STRING, pattern: '(' }, refuses('invalid_pattern')],
  ],
  'null is null': [[null, NULL, accepts(null)], ...each(NULL, isNo('null'), '', 0, 'null')],
  'of several types the first that fits counts': [
    ['5', { type: ['integer', 'string'] }, accepts(5)],
    ['5', { type: ['string', 'integer'] }, accepts('5')],
    ['x', { type: ['integer', 'string'] }, accepts('x')],
    ['', { type: ['array', 'string'] }, accepts('')],
    ['', { type: ['array', 'object'] }, accepts([])],
    ['x', { type: ['array', 'string'] }, accepts(['x'])],
    [null, { type: ['string', 'null'] }, accepts(null)],
    [null, { type: ['string', 'integer'] }, isNo('string,integer')],
    [1, { type: ['boolean', 'integer'] }, accepts(true)],
  ],
  'an enumeration is compared after coercion': [
    ['a', { ...STRING, enum: ['a', 'b'] }, accepts('a')],
    ['c', { ...STRING, enum: ['a', 'b'] }, refuses('not_in_enum', 'p is not one of a and b.')],
    ['c', { ...STRING, enum: ['a', 'b', 'd'] }, refuses('not_in_enum', 'p is not one of a, b, and d.')],
    ['c', { ...STRING, enum: ['a'] }, refuses('not_in_enum', 'p is not a.')],
    [7, { ...INTEGER, enum: ['7'] }, refuses('not_in_enum')],
    ['1.5', { ...NUMBER, enum: [1.5] }, accepts(1.5)],
    ['0', { ...BOOLEAN, enum: [true] }, refuses('not_in_enum', 'p is not 1.')],
    [null, { type: ['string', 'null'], enum: ['a', null] }, accepts(null)],
    [
      'x',
      { type: ['string', 'null'], enum: ['a', null] },
      refuses('not_in_enum', 'p is not one of a and null.'),
    ],
    [{ b: 2, a: 1 }, { ...OBJECT, enum: [{ a: 1, b: 2 }] }, accepts({ b: 2, a: 1 })],
    ['a', { ...STRING, enum: { 0: 'a', 2: 'b' } }, accepts('a')],
    ['a', { ...STRING, enum: [] }, accepts('a')],
    ['1,2', { ...ARRAY, items: INTEGER, enum: [[1, 2]] }, accepts([1, 2])],
  ],
  'bounds are those of numbers, exclusive by a boolean': [
    [0, { ...INTEGER, minimum: 1 }, bounds('greater than or equal to 1')],
    [1, { ...INTEGER, minimum: 1 }, accepts(1)],
    [1, { ...INTEGER, minimum: 1, exclusiveMinimum: true }, bounds('greater than 1')],
    [101, { ...INTEGER, maximum: 100 }, bounds('less than or equal to 100')],
    [100, { ...INTEGER, maximum: 100, exclusiveMaximum: true }, bounds('less than 100')],
    ['101', { ...INTEGER, minimum: 1, maximum: 100 }, bounds('between 1 (inclusive) and 100 (inclusive)')],
    [
      9,
      { ...INTEGER, minimum: 1, maximum: 9, exclusiveMinimum: true, exclusiveMaximum: true },
      bounds('between 1 (exclusive) and 9 (exclusive)'),
    ],
    [5, { ...INTEGER, minimum: 1, maximum: 9, exclusiveMinimum: true, exclusiveMaximum: true }, accepts(5)],
    [0.4, { ...NUMBER, minimum: 0.5 }, bounds('greater than or equal to 0')],
    [-2, { ...NUMBER, minimum: -1.5 }, bounds('greater than or equal to -1')],
    [7, { ...INTEGER, multipleOf: 2 }, refuses('invalid_multiple', 'p must be a multiple of 2.')],
    ['8', { ...INTEGER, multipleOf: 2 }, accepts(8)],
    [0.3, { ...NUMBER, multipleOf: 0.1 }, refuses('invalid_multiple', 'p must be a multiple of 0.1.')],
    // `fmod()` does not round.
    ...each({ ...NUMBER, multipleOf: 0.01 }, refuses('invalid_multiple'), 19.99, 0.1, 1),
    ['zz', { ...STRING, maximum: 1 }, accepts('zz')],
    [10.5, { ...INTEGER, maximum: 10 }, refuses('out_of_bounds')],
  ],
  'formats are those that WordPress looks at': [
    ['2020-01-02T03:04:05', format('date-time'), accepts('2020-01-02T03:04:05')],
    ['2020-01-02 03:04:05', format('date-time'), accepts('2020-01-02 03:04:05')],
    ['2020-01-02T03:04:05.123Z', format('date-time'), accepts('2020-01-02T03:04:05.123Z')],
    ['2020-01-02T03:04:05+02:00', format('date-time'), accepts('2020-01-02T03:04:05+02:00')],
    ['2020-02-31T00:00:00', format('date-time'), accepts('2020-02-31T00:00:00')],
    ...each(format('date-time'), DATE, '2020-01-02', '2020-13-01T00:00:00', '2020-01-32T00:00:00'),
    ...each(format('date-time'), DATE, '2020-01-01T25:00:00', '2020-01-01T00:60:00'),
    ...each(format('date-time'), DATE, '2020-01-01T00:00:00+25:00', 'yesterday', ''),
    ['2020-01-01T00:00:60', format('date-time'), accepts('2020-01-01T00:00:60')],
    ['2020-01-01T24:00:00', format('date-time'), accepts('2020-01-01T24:00:00')],
    ['2020-00-00T00:00:00', format('date-time'), accepts('2020-00-00T00:00:00')],
    ['#fff', format('hex-color'), accepts('#fff')],
    ...each(format('hex-color'), COLOUR, '#ffff', 'fff', ''),
    ['a@b.co', format('email'), accepts('a@b.co')],
    ["o'x+y@sub.example.com", format('email'), accepts("o'x+y@sub.example.com")],
    ...each(format('email'), EMAIL, 'a@b', 'a b@example.com', 'a@@example.com', 'a@-example.com'),
    ...each(format('email'), EMAIL, 'a@example..com', '@example.com'),
    ['127.0.0.1', format('ip'), accepts('127.0.0.1')],
    ['01.02.03.004', format('ip'), accepts('01.02.03.004')],
    ...each(format('ip'), ADDRESS, '256.0.0.1', '1:2:3:4:5:6:7', '::12345', 'g::1', '1::2::3'),
    ['::1', format('ip'), accepts('::1')],
    ['::ffff:1.2.3.4', format('ip'), accepts('::ffff:1.2.3.4')],
    ['123e4567-e89b-12d3-a456-426614174000', format('uuid'), accepts('123e4567-e89b-12d3-a456-426614174000')],
    ...each(format('uuid'), UUID, '123E4567-E89B-12D3-A456-426614174000', 'x'),
    ['x', format('nonsense'), accepts('x')],
    ['https://example.com/', format('uri'), accepts('https://example.com/')],
    [5, { ...INTEGER, format: 'email' }, accepts(5)],
  ],
  'one of several schemas': [
    [5, { anyOf: [INTEGER, STRING] }, accepts(5)],
    ['x', { anyOf: [INTEGER, STRING] }, accepts('x')],
    [[], { anyOf: [INTEGER, STRING] }, refuses('no_matching_schema')],
    ['x', { anyOf: [INTEGER] }, refuses('no_matching_schema')],
    ['x', { anyOf: [{ ...INTEGER, title: 'Age' }] }, refuses('no_matching_schema')],
    ['ab', { ...STRING, oneOf: [{ minLength: 3 }, { maxLength: 2 }] }, accepts('ab')],
    ['ab', { ...STRING, oneOf: [{ minLength: 1 }, { maxLength: 2 }] }, refuses('one_of_multiple_matches')],
    ['5', { oneOf: [INTEGER, ARRAY] }, refuses('one_of_multiple_matches')],
    [
      '1,2',
      {
        type: ['object', 'array'],
        oneOf: [
          { ...ARRAY, items: INTEGER },
          { ...OBJECT, properties: { terms: ARRAY } },
        ],
      },
      accepts([1, 2]),
    ],
    [
      { terms: '1,2' },
      {
        type: ['object', 'array'],
        oneOf: [
          { ...ARRAY, items: INTEGER },
          { ...OBJECT, properties: { terms: { ...ARRAY, items: INTEGER } }, additionalProperties: false },
        ],
      },
      accepts({ terms: [1, 2] }),
    ],
  ],
  // Values that nearly fit, and schemas that sites should not state.
  'numbers at their edges': [
    ['9223372036854775807', { ...INTEGER, maximum: 100 }, bounds('less than or equal to 100')],
    ...each(INTEGER, accepts(0), '-0', '+0', '00'),
    ['-1e400', { ...NUMBER, minimum: 0 }, bounds('greater than or equal to 0')],
    ['1e-400', NUMBER, accepts(0)],
    ['1.5e1', INTEGER, accepts(15)],
    ...each(INTEGER, isNo('integer'), '1.55e1', '++1', '1 000', '１', '٣', {}, { 0: 1 }),
    ...each(INTEGER, accepts(1), '\u000b1', '\f1 '),
    ['0.1', { ...NUMBER, multipleOf: 0.1 }, accepts(0.1)],
    ['-7', { ...INTEGER, minimum: -7, exclusiveMinimum: true }, bounds('greater than -7')],
  ],
  'lists are split on commas and white space of ASCII': [
    ['a b', ARRAY, accepts(['a b'])],
    ['a　b', ARRAY, accepts(['a　b'])],
    ['a\nb', ARRAY, accepts(['a', 'b'])],
    ...each({ ...ARRAY, items: INTEGER, uniqueItems: true }, DUPLICATES, '1,2,2', '1,1.0'),
    ['true,false', { ...ARRAY, items: BOOLEAN }, accepts([true, false])],
    [{ '-1': 'a' }, ARRAY, accepts(['a'])],
    ...each(ARRAY, isNo('array'), { '1.5': 'a' }, { ' 1': 'a' }),
    [[null], { ...ARRAY, items: STRING }, isNo('string', '[0]')],
    [[true, 1], { ...ARRAY, uniqueItems: true }, accepts([true, 1])],
  ],
  'an email, an address and a colour have their near misses': [
    ...each(format('email'), EMAIL, 'a@b.c', 'a@b_c.de', 'a@bc.de.', 'a@bc-.de', 'ä@cd.ef', 'a@äb.ef'),
    ...each(format('email'), EMAIL, '"a b"@cd.ef', '<a@cd.ef>', 'a@[127.0.0.1]', ' a@cd.ef'),
    ['a..b@cd.ef', format('email'), accepts('a..b@cd.ef')],
    ...each(format('ip'), ADDRESS, '127.1', '127.0.0.1 ', '1.2.3.4.5', '::ffff:127.0.0.256', '[::1]'),
    ...each(format('ip'), ADDRESS, 'fe80::1%eth0', ''),
    ...each(format('hex-color'), COLOUR, '#ff', '#gggggg', '#1234567', ' #fff'),
    ['{123e4567-e89b-12d3-a456-426614174000}', format('uuid'), UUID],
    ...each(format('uuid'), UUID, '123e4567e89b12d3a456426614174000', ''),
  ],
  'a date has a shape and parts that exist': [
    ...each(format('date-time'), DATE, '2020-1-02T03:04:05', '20200102T030405', '2020-01-02T03:04'),
    ...each(format('date-time'), DATE, '2020-01-02T03:04:05.', '2020-01-02T03:04:05 Z'),
    ...each(format('date-time'), DATE, '2020-01-02T03:04:05z', '2020-01-02T03:04:05+0200'),
    ...each(format('date-time'), DATE, '2020-01-02T03:04:05+2:00', '2020-01-02  03:04:05'),
    ...each(format('date-time'), DATE, '2020-01-02T03:04:61', ' 2020-01-02T03:04:05', '2026-13-45T25:61:61'),
  ],
  'formats say nothing of other types': [
    ['x', format('int32'), accepts('x')],
    ['a@b', { format: 'email' }, EMAIL],
    [null, { type: ['string', 'null'], format: 'email' }, accepts(null)],
    ['a@b', { type: ['null', 'string'], format: 'email' }, EMAIL],
  ],
  'schemas as sites state them': [
    [{ a: 1 }, {}, accepts({ a: 1 })],
    ['x', { type: 'bool' }, accepts('x')],
    ['x', { type: ['bool', 'integer'] }, accepts('x')],
    ['a', { enum: ['a', 'b'] }, accepts('a')],
    ['x', { ...OBJECT, properties: [] }, isNo('object')],
    [[1], { ...ARRAY, items: [] }, accepts([1])],
    [{ a: 1 }, { ...OBJECT, additionalProperties: {} }, accepts({ a: 1 })],
    ['ab', { ...STRING, minLength: '3' }, refuses('too_short', 'p must be at least 3 characters long.')],
    ['7', { ...INTEGER, enum: { 1: 7, 2: 8 } }, accepts(7)],
    [7, { ...INTEGER, minimum: '8' }, bounds('greater than or equal to 8')],
  ],
  'members of combinations inherit, and one has to fit': [
    [null, { anyOf: [{ type: 'null' }, STRING] }, accepts(null)],
    [[1], { type: ['array', 'object'], anyOf: [{ ...ARRAY, items: STRING }, OBJECT] }, accepts([1])],
    [
      { a: { b: 'x' } },
      { ...OBJECT, properties: { a: { oneOf: [{ ...OBJECT, properties: { b: INTEGER } }, STRING] } } },
      refuses('no_matching_schema'),
    ],
  ],
};
