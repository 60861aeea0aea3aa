import type { Json, JsonObject } from '../../../../src/base/json.ts';

/** A schema, values that WordPress accepts by it, and values that it refuses. */
export type SchemaRow = readonly [schema: JsonObject, accepted: readonly Json[], refused: readonly Json[]];

const INTEGER = { type: 'integer' };
const NUMBER = { type: 'number' };
const BOOLEAN = { type: 'boolean' };
const ARRAY = { type: 'array' };
const INTEGERS = { ...ARRAY, items: INTEGER };
const OBJECT = { type: 'object' };
const CLOSED = { additionalProperties: false };
const CHOICE = { type: ['object', 'array'] };
const STRING = { type: 'string' };
const NULL = { type: 'null' };
const AB = { a: { b: 'x' } };
const format = (word: string): JsonObject => ({ ...STRING, format: word });

/** By subject. `wordpress.real.test.ts` compares what WordPress makes of each value, and the words of its refusals. */
export const ROWS: Readonly<Record<string, readonly SchemaRow[]>> = {
  'an integer is what PHP takes for a number, if it is whole': [
    [INTEGER, [10, '10', ' 10', '10 ', '\t10\n', '10.0', -3, '+5', '.5e1', '1e3', '1E3', '007'], []],
    [INTEGER, [], ['10.5', 10.5, 'abc', '10abc', '0x1A', '1_000', '1,000', '+ 5', '', ' ', '.', 'e3']],
    [INTEGER, [], ['\u00a010', 'INF', true, null, [1]]],
  ],
  'a number is PHP-numeric': [
    [NUMBER, [1.5, '1.5', ' 1.5 ', '-.5', '1e-2'], ['0b11', 'NaN', false, {}, '1.5.2', '1e']],
  ],
  'a boolean is one of eight spellings': [
    [BOOLEAN, [true, 1, 'true', 'TRUE', '1', false, 0, 'False', '0'], ['yes', 'on', '', 2, -1, null, []]],
  ],
  'an array is a list, a scalar to be split, or an object with whole numbers for names': [
    [ARRAY, [[], '', false, {}, [1, 'a'], 'a,b', ' , a,, b ,', { 0: 'a', 1: 'b' }, { 3: 'a', 7: 'b' }], []],
    [ARRAY, ['a b\tc', 5, true], []],
    [ARRAY, [], [{ a: 1 }, { 0: 'a', b: 1 }, { '01': 'a' }, null]],
    [INTEGERS, ['1,2', ['1', 2]], ['1,x']],
    [{ ...ARRAY, minItems: 2 }, [], [[1]]],
    [{ ...ARRAY, minItems: 1 }, [], [[]]],
    [{ ...ARRAY, maxItems: 1 }, [], [[1, 2]]],
    [{ ...ARRAY, maxItems: 2 }, [], ['a,b,c']],
    [
      { ...ARRAY, uniqueItems: true },
      [
        [
          [1, 2],
          [2, 1],
        ],
        [1, '1'],
      ],
      [],
    ],
    [
      { ...ARRAY, uniqueItems: true },
      [],
      [
        [1, 1],
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        [[], {}],
      ],
    ],
    [{ ...ARRAY, uniqueItems: true }, [], [[['a'], { 0: 'a' }]]],
    [{ ...ARRAY, uniqueItems: true }, [], [[{ a: { x: 1, y: [2] } }, { a: { y: [2], x: 1 } }]]],
    [{ ...INTEGERS, uniqueItems: true }, [], [[1, '1']]],
    [{ ...ARRAY, uniqueItems: false }, [[1, 1]], []],
    [{ ...ARRAY, items: { ...STRING, enum: ['a', 'b'] } }, [], [['b', 'x']]],
  ],
  'an object is an object, a list, or nothing': [
    [OBJECT, [{ a: 1 }, [], '', ['a']], ['a', 1, null]],
    [{ ...OBJECT, properties: { a: INTEGER } }, [{ a: '1' }, { b: 'x' }], [{ a: 'x' }]],
    [{ ...OBJECT, properties: { a: INTEGER }, ...CLOSED }, [], [{ b: 1 }]],
    [{ ...OBJECT, additionalProperties: INTEGER }, [{ b: '1' }], [{ b: 'x' }]],
    [{ ...OBJECT, properties: { a: { ...INTEGER, required: true } } }, [], [{}]],
    [{ ...OBJECT, properties: { a: INTEGER }, required: ['a'] }, [], [{}]],
    [{ ...OBJECT, properties: { a: { ...INTEGER, required: true } }, required: ['b'] }, [{ b: 1 }], []],
    [{ ...OBJECT, required: ['a'] }, [], ['']],
    [{ ...OBJECT, patternProperties: { '^s_': INTEGER } }, [{ s_a: '1' }], [{ s_a: 'x' }]],
    [{ ...OBJECT, patternProperties: { '^s_': INTEGER }, ...CLOSED }, [], [{ x: 1 }]],
    [{ ...OBJECT, properties: { s_a: STRING }, patternProperties: { '^s_': INTEGER } }, [{ s_a: 'x' }], []],
    [{ ...OBJECT, minProperties: 2 }, [], [{ a: 1 }]],
    [{ ...OBJECT, maxProperties: 1 }, [], [{ a: 1, b: 2 }]],
    [{ ...OBJECT, properties: { a: { ...OBJECT, properties: { b: BOOLEAN } } } }, [], [AB]],
    [{ ...OBJECT, properties: { 0: INTEGER } }, [], [{ 0: 'x' }]],
  ],
  'a string is a string alone': [
    [STRING, [''], [1, true, null, []]],
    [{ ...STRING, minLength: 3 }, [], ['ab']],
    [{ ...STRING, minLength: 1 }, [], ['']],
    [{ ...STRING, maxLength: 1 }, ['😀'], ['ab']],
    [{ ...STRING, maxLength: 1000 }, [], ['x'.repeat(1001)]],
    [{ ...STRING, maxLength: 2 }, ['äö'], []],
    [{ ...STRING, minLength: 2 }, [], ['😀']],
    [{ ...STRING, pattern: 'a+' }, ['xaay'], ['xy']],
    [{ ...STRING, pattern: '^ab$' }, ['ab\n'], []],
    [{ ...STRING, pattern: 'a#b' }, ['a#b'], []],
    [{ ...STRING, pattern: '(' }, [], ['x']],
  ],
  'null is null': [[NULL, [null], ['', 0, 'null']]],
  'of several types the first that fits counts': [
    [{ type: ['integer', 'string'] }, ['5', 'x'], []],
    [{ type: ['string', 'integer'] }, ['5'], [null]],
    [{ type: ['array', 'string'] }, ['', 'x'], []],
    [{ type: ['array', 'object'] }, [''], []],
    [{ type: ['string', 'null'] }, [null], []],
    [{ type: ['boolean', 'integer'] }, [1], []],
  ],
  'an enumeration is compared after coercion': [
    [{ ...STRING, enum: ['a', 'b'] }, ['a'], ['c']],
    [{ ...STRING, enum: ['a', 'b', 'd'] }, [], ['c']],
    [{ ...STRING, enum: ['a'] }, [], ['c']],
    [{ ...INTEGER, enum: ['7'] }, [], [7]],
    [{ ...NUMBER, enum: [1.5] }, ['1.5'], []],
    [{ ...BOOLEAN, enum: [true] }, [], ['0']],
    [{ type: ['string', 'null'], enum: ['a', null] }, [null], ['x']],
    [{ ...OBJECT, enum: [{ a: 1, b: 2 }] }, [{ b: 2, a: 1 }], []],
    [{ ...STRING, enum: { 0: 'a', 2: 'b' } }, ['a'], []],
    [{ ...STRING, enum: [] }, ['a'], []],
    [{ ...INTEGERS, enum: [[1, 2]] }, ['1,2'], []],
  ],
  'bounds are those of numbers, exclusive by a boolean': [
    [{ ...INTEGER, minimum: 1 }, [1], [0]],
    [{ ...INTEGER, minimum: 1, exclusiveMinimum: true }, [], [1]],
    [{ ...INTEGER, maximum: 100 }, [], [101]],
    [{ ...INTEGER, maximum: 100, exclusiveMaximum: true }, [], [100]],
    [{ ...INTEGER, minimum: 1, maximum: 100 }, [], ['101']],
    [{ ...INTEGER, minimum: 1, maximum: 9, exclusiveMinimum: true, exclusiveMaximum: true }, [5], [9]],
    [{ ...NUMBER, minimum: 0.5 }, [], [0.4]],
    [{ ...NUMBER, minimum: -1.5 }, [], [-2]],
    [{ ...INTEGER, multipleOf: 2 }, ['8'], [7]],
    [{ ...NUMBER, multipleOf: 0.1 }, [], [0.3]],
    // `fmod()` does not round.
    [{ ...NUMBER, multipleOf: 0.01 }, [], [19.99, 0.1, 1]],
    [{ ...STRING, maximum: 1 }, ['zz'], []],
    [{ ...INTEGER, maximum: 10 }, [], [10.5]],
  ],
  'formats are those that WordPress looks at': [
    [format('date-time'), ['2020-01-02T03:04:05', '2020-01-02 03:04:05', '2020-01-02T03:04:05.123Z'], []],
    [format('date-time'), ['2020-01-02T03:04:05+02:00', '2020-02-31T00:00:00', '2020-01-01T00:00:60'], []],
    [format('date-time'), ['2020-01-01T24:00:00', '2020-00-00T00:00:00'], []],
    [format('date-time'), [], ['2020-01-02', '2020-13-01T00:00:00', '2020-01-32T00:00:00']],
    [format('date-time'), [], ['2020-01-01T25:00:00', '2020-01-01T00:60:00', '2020-01-01T00:00:00+25:00']],
    [format('date-time'), [], ['yesterday', '']],
    [format('hex-color'), ['#fff'], ['#ffff', 'fff', '']],
    [format('email'), ['a@b.co', "o'x+y@sub.example.com"], []],
    [format('email'), [], ['a@b', 'a b@example.com', 'a@@example.com', 'a@-example.com', 'a@example..com']],
    [format('email'), [], ['@example.com']],
    [format('ip'), ['127.0.0.1', '01.02.03.004', '::1', '::ffff:1.2.3.4'], []],
    [format('ip'), [], ['256.0.0.1', '1:2:3:4:5:6:7', '::12345', 'g::1', '1::2::3']],
    [format('uuid'), ['123e4567-e89b-12d3-a456-426614174000'], []],
    [format('uuid'), [], ['123E4567-E89B-12D3-A456-426614174000', 'x']],
    [format('nonsense'), ['x'], []],
    [format('uri'), ['https://example.com/'], []],
    [{ ...INTEGER, format: 'email' }, [5], []],
  ],
  'one of several schemas': [
    [{ anyOf: [INTEGER, STRING] }, [5, 'x'], [[]]],
    [{ anyOf: [INTEGER] }, [], ['x']],
    [{ anyOf: [{ ...INTEGER, title: 'Age' }] }, [], ['x']],
    [{ ...STRING, oneOf: [{ minLength: 3 }, { maxLength: 2 }] }, ['ab'], []],
    [{ ...STRING, oneOf: [{ minLength: 1 }, { maxLength: 2 }] }, [], ['ab']],
    [{ oneOf: [INTEGER, ARRAY] }, [], ['5']],
    [{ ...CHOICE, oneOf: [INTEGERS, { ...OBJECT, properties: { terms: ARRAY } }] }, ['1,2'], []],
    [
      { ...CHOICE, oneOf: [INTEGERS, { ...OBJECT, properties: { terms: INTEGERS }, ...CLOSED }] },
      [{ terms: '1,2' }],
      [],
    ],
  ],
  // Values that nearly fit, and schemas that sites should not state.
  'numbers at their edges': [
    [{ ...INTEGER, maximum: 100 }, [], ['9223372036854775807']],
    [INTEGER, ['-0', '+0', '00', '1.5e1', '\u000b1', '\f1 '], []],
    [INTEGER, [], ['1.55e1', '++1', '1 000', '１', '٣', {}, { 0: 1 }]],
    [{ ...NUMBER, minimum: 0 }, [], ['-1e400']],
    [NUMBER, ['1e-400'], []],
    [{ ...NUMBER, multipleOf: 0.1 }, ['0.1'], []],
    [{ ...INTEGER, minimum: -7, exclusiveMinimum: true }, [], ['-7']],
  ],
  'lists are split on commas and white space of ASCII': [
    [ARRAY, ['a b', 'a　b', 'a\nb', { '-1': 'a' }], [{ '1.5': 'a' }, { ' 1': 'a' }]],
    [{ ...INTEGERS, uniqueItems: true }, [], ['1,2,2', '1,1.0']],
    [{ ...ARRAY, items: BOOLEAN }, ['true,false'], []],
    [{ ...ARRAY, items: STRING }, [], [[null]]],
    [{ ...ARRAY, uniqueItems: true }, [[true, 1]], []],
  ],
  'an email, an address and a colour have their near misses': [
    [format('email'), ['a..b@cd.ef'], []],
    [format('email'), [], ['a@b.c', 'a@b_c.de', 'a@bc.de.', 'a@bc-.de', 'ä@cd.ef', 'a@äb.ef']],
    [format('email'), [], ['"a b"@cd.ef', '<a@cd.ef>', 'a@[127.0.0.1]', ' a@cd.ef']],
    [format('ip'), [], ['127.1', '127.0.0.1 ', '1.2.3.4.5', '::ffff:127.0.0.256', '[::1]', 'fe80::1%eth0']],
    [format('ip'), [], ['']],
    [format('hex-color'), [], ['#ff', '#gggggg', '#1234567', ' #fff']],
    [format('uuid'), [], ['{123e4567-e89b-12d3-a456-426614174000}', '123e4567e89b12d3a456426614174000', '']],
  ],
  'a date has a shape and parts that exist': [
    [format('date-time'), [], ['2020-1-02T03:04:05', '20200102T030405', '2020-01-02T03:04']],
    [format('date-time'), [], ['2020-01-02T03:04:05.', '2020-01-02T03:04:05 Z', '2020-01-02T03:04:05z']],
    [format('date-time'), [], ['2020-01-02T03:04:05+0200', '2020-01-02T03:04:05+2:00']],
    [format('date-time'), [], ['2020-01-02  03:04:05', '2020-01-02T03:04:61', ' 2020-01-02T03:04:05']],
    [format('date-time'), [], ['2026-13-45T25:61:61']],
  ],
  'formats say nothing of other types': [
    [format('int32'), ['x'], []],
    [{ format: 'email' }, [], ['a@b']],
    [{ type: ['string', 'null'], format: 'email' }, [null], []],
    [{ type: ['null', 'string'], format: 'email' }, [], ['a@b']],
  ],
  'schemas as sites state them': [
    [{}, [{ a: 1 }], []],
    [{ type: 'bool' }, ['x'], []],
    [{ type: ['bool', 'integer'] }, ['x'], []],
    [{ enum: ['a', 'b'] }, ['a'], []],
    [{ ...OBJECT, properties: [] }, [], ['x']],
    [{ ...ARRAY, items: [] }, [[1]], []],
    [{ ...OBJECT, additionalProperties: {} }, [{ a: 1 }], []],
    [{ ...STRING, minLength: '3' }, [], ['ab']],
    [{ ...INTEGER, enum: { 1: 7, 2: 8 } }, ['7'], []],
    [{ ...INTEGER, minimum: '8' }, [], [7]],
  ],
  'members of combinations inherit, and one has to fit': [
    [{ anyOf: [{ type: 'null' }, STRING] }, [null], []],
    [{ type: ['array', 'object'], anyOf: [{ ...ARRAY, items: STRING }, OBJECT] }, [[1]], []],
    [
      { ...OBJECT, properties: { a: { oneOf: [{ ...OBJECT, properties: { b: INTEGER } }, STRING] } } },
      [],
      [AB],
    ],
  ],
};
