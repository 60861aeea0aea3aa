import fc from 'fast-check';
import type { Json, JsonObject } from '../../../../src/base/json.ts';

/** Words at the edges of what PHP takes for a number, a boolean, a list or a date. */
const EDGES: readonly string[] = [
  ...'|0|1|00|-0|+1|1.0|1.|.1|1e2|1e|e1| 1|1 |1 2|0x1|0b1|INF|1e400|99999999999'.split('|'),
  ...'true|TRUE|false|yes|null|a|b|a,b| a , b |,|1,2|#fff|#ffff|a@b.co|-|--|1-1'.split('|'),
  ...'2020-01-01T00:00:00|2020-02-30 10:00:00Z|2020-1-1|127.0.0.1|::1|1.2.3'.split('|'),
  ...'ä|😀|<b>x</b>|%41|x y|\t|\n|http://a|a:b|/a'.split('|'),
];

const scalar: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(...EDGES),
  fc.integer({ min: -3, max: 12 }),
  fc.constantFrom<Json>(true, false, null, 0.5, -1.5, 7),
  fc.string({ maxLength: 6 }).filter((text) => !text.includes('\0')),
);

const name = fc.constantFrom('a', 'b', 's_a', '0', '1', '7', 'x');

export const value: fc.Arbitrary<Json> = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

const WORDS = ['array', 'object', 'string', 'number', 'integer', 'boolean', 'null'] as const;
const bound = fc.integer({ min: 0, max: 4 });

/** Schemas with a type: without one PHP only complains. No two keywords that contradict each other's type. */
export const schema: fc.Arbitrary<JsonObject> = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<JsonObject>(...WORDS.map((type) => ({ type }))),
    fc.uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 3 }).map((type) => ({ type })),
    some(
      { type: fc.constantFrom('integer', 'number') },
      {
        minimum: bound,
        maximum: bound,
        exclusiveMinimum: fc.boolean(),
        exclusiveMaximum: fc.boolean(),
        multipleOf: fc.constantFrom(1, 2, 0.5),
        enum: fc.constantFrom([1, 2], ['1'], [0.5, 7]),
      },
    ),
    some(
      { type: fc.constant('string') },
      {
        minLength: bound,
        maxLength: bound,
        pattern: fc.constantFrom('^a', 'b$', '^[a-z]*$', '\\d', '.'),
        format: fc.constantFrom(...'date-time email ip uuid hex-color'.split(' ')),
      },
    ),
    some(
      { type: fc.constant('string'), enum: fc.constantFrom(['a', 'b'], ['a'], ['1', 'true', '']) },
      { maxLength: bound, pattern: fc.constantFrom('^a', 'b$') },
    ),
    some(
      { type: fc.constant('array') },
      { items: tie('schema'), minItems: bound, maxItems: bound, uniqueItems: fc.boolean() },
    ),
    some(
      { type: fc.constant('object') },
      {
        properties: fc.dictionary(name, tie('schema'), { maxKeys: 3, noNullPrototype: true }),
        patternProperties: fc.dictionary(fc.constantFrom('^s_', 'a', '\\d'), tie('schema'), {
          maxKeys: 1,
          noNullPrototype: true,
        }),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        required: fc.constantFrom(['a'], ['a', 'b']),
        minProperties: bound,
        maxProperties: bound,
      },
    ),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
  ),
})).schema;

/** An object with some members always and others at times. */
function some(
  always: Record<string, fc.Arbitrary<Json>>,
  atTimes: Record<string, fc.Arbitrary<Json>>,
): fc.Arbitrary<JsonObject> {
  return fc
    .record({ ...always, ...atTimes }, { requiredKeys: Object.keys(always), noNullPrototype: true })
    .map((found) => ({ ...found }));
}
