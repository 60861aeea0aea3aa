import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../src/base/json.ts';
import { KEYWORD_KINDS } from '../../../../src/generator/model/schema/keywords.ts';
import { isCertainlyValid } from '../../../../src/generator/model/schema/rules/restrictions.ts';
import { createAjv, normalized, schemasIn } from './normalized.ts';

const name = fc.oneof(
  fc.constantFrom(...'a b type required default items context readonly __proto__ constructor'.split(' ')),
  fc.string({ maxLength: 4 }),
);
const text = fc.constantFrom(
  ...['', ' 10', ...'a 1 -1 1e3 true view string bool any array|string'.split(' ')],
);
const pattern = fc.constantFrom(
  ...String.raw`|a|^a$|[a-z]+|\d|(a|(?i)x|(a+)+$|\p{L}|(a)\1|[[:alpha:]]`.split('|'),
);
const number = fc.oneof(
  fc.integer({ min: -3, max: 5 }),
  fc.constantFrom(0.5, -0, 1e300, Number.POSITIVE_INFINITY),
);
const junk: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, [], {}),
  number,
  text,
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(name, text, { maxKeys: 3, noNullPrototype: true }),
);
const type = fc.oneof(
  fc.constantFrom(...'string integer number boolean array object null bool mixed ?int'.split(' ')),
  fc.array(fc.constantFrom('string', 'integer', 'object', 'array', 'null', 'int', 'wibble'), {
    maxLength: 3,
  }),
  junk,
);

/** One of some keywords, and its value. */
function keywords(names: string, value: fc.Arbitrary<Json>): fc.Arbitrary<[string, Json]> {
  return fc.tuple(fc.constantFrom(...names.split(' ')), value);
}

/** A dictionary in which `__proto__` is an ordinary member. */
function dictionaryOf(value: fc.Arbitrary<Json>): fc.Arbitrary<Json> {
  return fc.array(fc.tuple(name, value), { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
}

const { schema } = fc.letrec<{ schema: Json; below: Json }>((tie) => {
  const below = tie('below');
  const keyword = fc.oneof(
    keywords('type', type),
    keywords('items additionalProperties not if', below),
    keywords('oneOf anyOf allOf items prefixItems', fc.array(below, { maxLength: 3 })),
    keywords('properties patternProperties definitions oneOf', dictionaryOf(below)),
    keywords(
      'patternProperties',
      fc.tuple(pattern, below).map((entry) => Object.fromEntries([entry])),
    ),
    keywords('default const example nullable readonly context', junk),
    keywords('enum examples required', junk),
    keywords('enum', fc.array(junk, { maxLength: 4 })),
    keywords('pattern', fc.oneof(pattern, junk)),
    keywords('format', fc.constantFrom<Json>('date-time', 'uri', 'ip', 'int32', 'toString', 'regex', 7)),
    keywords('minimum maximum exclusiveMinimum multipleOf minLength maxItems', junk),
    keywords('uniqueItems readOnly deprecated description title', junk),
    keywords(
      '$ref',
      fc.constantFrom<Json>('#', '#/definitions/a', '#/properties/a', 'https://example.com', 1),
    ),
    keywords('x-waygate-pcre x-waygate-default x-waygate-type x-waygate-context', junk),
    keywords([...KEYWORD_KINDS.keys()].join(' '), junk),
    fc.tuple(name, junk),
  );
  return {
    below: fc.oneof({ maxDepth: 3, withCrossShrink: true }, junk, tie('schema')),
    schema: fc.array(keyword, { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
  };
});

const anything = fc.oneof(
  { weight: 4, arbitrary: schema },
  { weight: 1, arbitrary: fc.jsonValue().map(asJson) },
);

function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}

/** Number of runs of the slower properties. */
const runs = { numRuns: 100 };

const ajv = createAjv();

describe('any JSON value, normalized as a schema,', () => {
  test('becomes a schema that compiles in Ajv 2020-12', () => {
    fc.assert(
      fc.property(anything, (given) => {
        ajv.compile(asJson(normalized(given).schema) as object);
      }),
      { numRuns: 80 },
    );
  });

  test('becomes a schema that accepts its own defaults', () => {
    fc.assert(
      fc.property(anything, (given) => {
        for (const [pointer, its] of schemasIn(normalized(given).schema)) {
          if (Object.hasOwn(its, 'default')) expect(ajv.validate(its, its['default']), pointer).toBe(true);
        }
      }),
      runs,
    );
  });

  test('does not change when it is normalized again', () => {
    fc.assert(
      fc.property(anything, (given) => {
        const once = normalized(given).schema;
        expect(normalized(once).schema).toEqual(once);
        expect(JSON.stringify(normalized(once).schema)).toBe(JSON.stringify(once));
      }),
      runs,
    );
  });

  test('is not modified', () => {
    fc.assert(
      fc.property(anything, (given) => {
        const before = structuredClone(given);
        normalized(given);
        expect(given).toEqual(before);
      }),
      runs,
    );
  });
});

test('what the evaluator of defaults calls valid is valid for Ajv', () => {
  fc.assert(
    fc.property(schema, junk, (given, value) => {
      const its = normalized(given).schema;
      if (value !== Number.POSITIVE_INFINITY && isCertainlyValid(its, value))
        expect(ajv.validate(its, value)).toBe(true);
    }),
    { numRuns: 150 },
  );
});
