import {
  ADDRESS,
  accepts,
  bounds,
  COLOUR,
  DATE,
  DUPLICATES,
  EMAIL,
  each,
  isNo,
  refuses,
  type SchemaRow,
  UUID,
} from './rows.ts';

const INTEGER = { type: 'integer' };
const NUMBER = { type: 'number' };
const BOOLEAN = { type: 'boolean' };
const ARRAY = { type: 'array' };
const OBJECT = { type: 'object' };
const STRING = { type: 'string' };

const format = (word: string) => ({ ...STRING, format: word });

/** More of the table of rules: values that nearly fit, and schemas that sites should not state. */
export const EDGE_ROWS: Readonly<Record<string, readonly SchemaRow[]>> = {
  'numbers at their edges': [
    ['9223372036854775807', { ...INTEGER, maximum: 100 }, bounds('less than or equal to 100')],
    ...each(INTEGER, accepts(0), '-0', '+0', '00'),
    ['-1e400', { ...NUMBER, minimum: 0 }, bounds('greater than or equal to 0')],
    ['1e-400', NUMBER, accepts(0)],
    ['1.0e1', INTEGER, accepts(10)],
    ['1.5e1', INTEGER, accepts(15)],
    ...each(INTEGER, isNo('integer'), '1.55e1', '++1', '1 000', '１', '٣', {}, { 0: 1 }),
    ...each(INTEGER, accepts(1), '\u000b1', '\f1 '),
    ['1e3', { ...INTEGER, maximum: 999 }, bounds('less than or equal to 999')],
    ['0.1', { ...NUMBER, multipleOf: 0.1 }, accepts(0.1)],
    [6, { ...INTEGER, multipleOf: 1.5 }, accepts(6)],
    ['-7', { ...INTEGER, minimum: -7, exclusiveMinimum: true }, bounds('greater than -7')],
    [['1'], NUMBER, isNo('number')],
  ],
  'booleans are not truths': [
    ['tRuE', BOOLEAN, accepts(true)],
    ...each(BOOLEAN, isNo('boolean'), ' true', '1.0', '00', 'off', 'null', 0.5, {}),
    ['FALSE', { ...BOOLEAN, enum: [false] }, accepts(false)],
  ],
  'lists are split on commas and white space of ASCII': [
    ['a b', ARRAY, accepts(['a b'])],
    ['a　b', ARRAY, accepts(['a　b'])],
    ['a\nb', ARRAY, accepts(['a', 'b'])],
    ['a;b', ARRAY, accepts(['a;b'])],
    ['a,b', { ...ARRAY, items: { ...STRING, maxLength: 1 } }, accepts(['a', 'b'])],
    ...each({ ...ARRAY, items: INTEGER, uniqueItems: true }, DUPLICATES, '1,2,2', '1,1.0'),
    ['true,false', { ...ARRAY, items: BOOLEAN }, accepts([true, false])],
    [{ '-1': 'a' }, ARRAY, accepts(['a'])],
    ...each(ARRAY, isNo('array'), { '1.5': 'a' }, { ' 1': 'a' }),
    [
      [{ a: '1' }],
      { ...ARRAY, items: { ...OBJECT, properties: { a: INTEGER }, required: ['a'] } },
      accepts([{ a: 1 }]),
    ],
    [
      [{}],
      { ...ARRAY, items: { ...OBJECT, properties: { a: { ...INTEGER, required: true } } } },
      refuses('property_required', 'a is a required property of p[0].'),
    ],
    [[null], { ...ARRAY, items: STRING }, isNo('string', '[0]')],
    [['x'], { ...ARRAY, items: { type: ['integer', 'boolean'] } }, isNo('integer,boolean', '[0]')],
    ['', { ...ARRAY, minItems: 1 }, refuses('too_few_items', 'p must contain at least 1 item.')],
    [
      [
        [1, 2],
        [1, 2],
      ],
      { ...ARRAY, uniqueItems: true },
      DUPLICATES,
    ],
    [[true, 1], { ...ARRAY, uniqueItems: true }, accepts([true, 1])],
    [['1', 1], { ...ARRAY, items: STRING }, isNo('string', '[1]')],
  ],
  'an email, an address and a colour have their near misses': [
    ...each(format('email'), EMAIL, 'a@b.c', 'a@b_c.de', 'a@bc.de.', 'a@bc-.de', 'ä@cd.ef', 'a@äb.ef'),
    ...each(format('email'), EMAIL, '"a b"@cd.ef', '<a@cd.ef>', 'a@[127.0.0.1]', ' a@cd.ef'),
    ['ab@c.de', format('email'), accepts('ab@c.de')],
    ['a..b@cd.ef', format('email'), accepts('a..b@cd.ef')],
    ...each(format('ip'), ADDRESS, '127.1', '127.0.0.1 ', '1.2.3.4.5', '::ffff:127.0.0.256', '[::1]'),
    ...each(format('ip'), ADDRESS, 'fe80::1%eth0', ''),
    ['0.0.0.0', format('ip'), accepts('0.0.0.0')],
    ['2001:DB8::', format('ip'), accepts('2001:DB8::')],
    ['#FFFFFF', format('hex-color'), accepts('#FFFFFF')],
    ...each(format('hex-color'), COLOUR, '#ff', '#gggggg', '#1234567', ' #fff'),
    ['00000000-0000-0000-0000-000000000000', format('uuid'), accepts('00000000-0000-0000-0000-000000000000')],
    ['{123e4567-e89b-12d3-a456-426614174000}', format('uuid'), UUID],
    ...each(format('uuid'), UUID, '123e4567e89b12d3a456426614174000', ''),
  ],
  'a date has a shape and parts that exist': [
    ...each(format('date-time'), DATE, '2020-1-02T03:04:05', '20200102T030405', '2020-01-02T03:04'),
    ...each(format('date-time'), DATE, '2020-01-02T03:04:05.', '2020-01-02T03:04:05 Z'),
    ...each(format('date-time'), DATE, '2020-01-02T03:04:05z', '2020-01-02T03:04:05+0200'),
    ...each(format('date-time'), DATE, '2020-01-02T03:04:05+2:00', '2020-01-02  03:04:05'),
    ...each(format('date-time'), DATE, '2020-01-02T03:04:61', ' 2020-01-02T03:04:05'),
    ['2020-02-30T00:00:00Z', format('date-time'), accepts('2020-02-30T00:00:00Z')],
    ['9999-12-31T23:59:59Z', format('date-time'), accepts('9999-12-31T23:59:59Z')],
    ['1969-12-31T23:59:59Z', format('date-time'), accepts('1969-12-31T23:59:59Z')],
  ],
  'formats of texts change them and refuse nothing': [
    ['<script>x</script>y', format('text-field'), accepts('y')],
    ['a\tb', format('text-field'), accepts('a b')],
    ['a < b', format('text-field'), accepts('a &lt; b')],
    ['%zz%41', format('text-field'), accepts('%zz')],
    ['a\r\nb', format('textarea-field'), accepts('a\r\nb')],
    ['http://example.com/ c', format('uri'), accepts('http://example.com/%20c')],
    ['//example.com/c', format('uri'), accepts('//example.com/c')],
    ['/a/b', format('uri'), accepts('/a/b')],
    ['mailto:a@b.co', format('uri'), accepts('mailto:a@b.co')],
    ['', format('uri'), accepts('')],
    ['FTP://a.b', format('uri'), accepts('ftp://a.b')],
    [5, { ...INTEGER, format: 'date-time' }, accepts(5)],
    ['x', format('int32'), accepts('x')],
    ['a@b', { format: 'email' }, EMAIL],
    [null, { type: ['string', 'null'], format: 'email' }, accepts(null)],
    ['', { type: ['string', 'null'], format: 'email' }, EMAIL],
    ['a@b', { type: ['null', 'string'], format: 'email' }, EMAIL],
  ],
  'schemas as sites state them': [
    ['x', {}, accepts('x')],
    [{ a: 1 }, {}, accepts({ a: 1 })],
    [null, {}, accepts(null)],
    ['x', { type: '' }, accepts('x')],
    ['x', { type: 'bool' }, accepts('x')],
    ['5', { type: 'int' }, accepts('5')],
    ['x', { type: ['bool', 'integer'] }, accepts('x')],
    ['a', { enum: ['a', 'b'] }, accepts('a')],
    ['c', { enum: ['a', 'b'] }, refuses('not_in_enum', 'p is not one of a and b.')],
    ['x', { ...OBJECT, properties: [] }, isNo('object')],
    [{ a: 1 }, { ...OBJECT, properties: [] }, accepts({ a: 1 })],
    [[1], { ...ARRAY, items: [] }, accepts([1])],
    [{ a: 1 }, { ...OBJECT, additionalProperties: {} }, accepts({ a: 1 })],
    ['ab', { ...STRING, minLength: '3' }, refuses('too_short', 'p must be at least 3 characters long.')],
    ['7', { ...INTEGER, enum: { 1: 7, 2: 8 } }, accepts(7)],
    [7, { ...INTEGER, minimum: '8' }, bounds('greater than or equal to 8')],
    ['x', { ...STRING, readonly: true }, accepts('x')],
    ['x', { ...STRING, default: 'y' }, accepts('x')],
  ],
  'members of combinations inherit, and one has to fit': [
    ['', { ...STRING, oneOf: [{ format: 'uuid' }, { maxLength: 0 }] }, accepts('')],
    [
      'x',
      { ...STRING, oneOf: [{ format: 'uuid' }, { maxLength: 0 }] },
      refuses('no_matching_schema', 'p does not match any of the expected formats.'),
    ],
    [
      '5',
      {
        anyOf: [
          { ...INTEGER, maximum: 4 },
          { ...INTEGER, minimum: 6 },
        ],
      },
      refuses('no_matching_schema', 'p does not match any of the expected formats.'),
    ],
    [
      'a',
      {
        anyOf: [
          { ...STRING, enum: ['a'] },
          { ...STRING, enum: ['b'] },
        ],
      },
      accepts('a'),
    ],
    [
      { a: 1 },
      {
        oneOf: [
          { ...OBJECT, required: ['a'] },
          { ...OBJECT, required: ['b'] },
        ],
      },
      accepts({ a: 1 }),
    ],
    [
      { a: 1, b: 2 },
      {
        oneOf: [
          { ...OBJECT, required: ['a'] },
          { ...OBJECT, required: ['b'] },
        ],
      },
      refuses('one_of_multiple_matches', 'p matches more than one of the expected formats.'),
    ],
    [
      '1',
      { oneOf: [BOOLEAN, INTEGER] },
      refuses('one_of_multiple_matches', 'p matches more than one of the expected formats.'),
    ],
    [null, { anyOf: [{ type: 'null' }, STRING] }, accepts(null)],
    [[1], { type: ['array', 'object'], anyOf: [{ ...ARRAY, items: STRING }, OBJECT] }, accepts([1])],
    [
      { a: { b: 'x' } },
      { ...OBJECT, properties: { a: { oneOf: [{ ...OBJECT, properties: { b: INTEGER } }, STRING] } } },
      refuses(
        'no_matching_schema',
        'p[a] does not match the expected format. Reason: p[a][b] is not of type integer.',
      ),
    ],
  ],
};
