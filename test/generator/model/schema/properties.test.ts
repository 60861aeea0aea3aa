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
const text = fc.constantFrom('', ' 10', ...'a 1 -1 1e3 true view string bool any array|string'.split(' '));
const PATTERNS = String.raw`|a|^a$|[a-z]+|\d|(a|(?i)x|(a+)+$|\p{L}|(a)\1|[[:alpha:]]`;
const pattern = fc.constantFrom(...PATTERNS.split('|'));
const number = fc.constantFrom(-3, -2, -1, 0, 1, 2, 3, 4, 5, 0.5, -0, 1e300, Number.POSITIVE_INFINITY);
const junk: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, [], {}),
  number,
  text,
  fc.array(text, { maxLength: 3 }),
  fc.dictionary(name, text, { maxKeys: 3, noNullPrototype: true }),
);
const type = fc.oneof(
  fc.constantFrom(...'string integer number boolean array object null bool mixed ?int'.split(' ')),
  fc.array(fc.constantFrom(...'string integer object array null int wibble'.split(' ')), { maxLength: 3 }),
  junk,
);

/** One of some keywords, and its value. */
function keywords(names: string, value: fc.Arbitrary<Json>): fc.Arbitrary<[string, Json]> {
  return fc.tuple(fc.constantFrom(...names.split(' ')), value);
}

/** A dictionary in which `__proto__` is an ordinary member. */
function dictionaryOf(value: fc.Arbitrary<Json>, key = name): fc.Arbitrary<Json> {
  return fc.array(fc.tuple(key, value), { maxLength: 3 }).map((entries) => Object.fromEntries(entries));
}

const { schema } = fc.letrec<{ schema: Json; below: Json }>((tie) => {
  const below = tie('below');
  const keyword = fc.oneof(
    keywords('type', type),
    keywords('items additionalProperties not if', below),
    keywords('oneOf anyOf allOf items prefixItems', fc.array(below, { maxLength: 3 })),
    keywords('properties patternProperties definitions oneOf', dictionaryOf(below)),
    keywords('patternProperties', dictionaryOf(below, pattern)),
    keywords('default const example nullable readonly context', junk),
    keywords('enum examples required', junk),
    keywords('enum', fc.array(junk, { maxLength: 4 })),
    keywords('pattern', fc.oneof(pattern, junk)),
    keywords('format', fc.constantFrom<Json>('date-time', 'uri', 'ip', 'int32', 'toString', 'regex', 7)),
    keywords('minimum maximum exclusiveMinimum multipleOf minLength maxItems', junk),
    keywords('uniqueItems readOnly deprecated description title', junk),
    keywords('$ref', fc.constantFrom<Json>('#', '#/definitions/a', '#/properties/a', 'https://a.example', 1)),
    keywords('x-waygate-pcre x-waygate-default x-waygate-type x-waygate-context', junk),
    keywords([...KEYWORD_KINDS.keys()].join(' '), junk),
    fc.tuple(name, junk),
  );
  return {
    below: fc.oneof({ maxDepth: 3, withCrossShrink: true }, junk, tie('schema')),
    schema: fc.array(keyword, { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
  };
});

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value));

/** Holds a sentence against schemas as sites state them, and against any JSON. */
function forAny(check: (given: Json) => void): void {
  const anything = fc.jsonValue().map(asJson);
  const given = fc.oneof({ weight: 4, arbitrary: schema }, { weight: 1, arbitrary: anything });
  fc.assert(fc.property(given, check), { numRuns: 100 });
}

const ajv = createAjv();

describe('any JSON value, normalized as a schema,', () => {
  test('becomes a schema that compiles in Ajv 2020-12', () => {
    forAny((given) => void ajv.compile(asJson(normalized(given).schema) as object));
  });

  test('becomes a schema that accepts its own defaults', () => {
    forAny((given) => {
      for (const [pointer, its] of schemasIn(normalized(given).schema)) {
        if (Object.hasOwn(its, 'default')) expect(ajv.validate(its, its['default']), pointer).toBe(true);
      }
    });
  });

  test('does not change when it is normalized again', () => {
    forAny((given) => {
      const once = normalized(given).schema;
      expect(normalized(once).schema).toEqual(once);
      expect(JSON.stringify(normalized(once).schema)).toBe(JSON.stringify(once));
    });
  });

  test('is not modified', () => {
    forAny((given) => {
      const before = structuredClone(given);
      normalized(given);
      expect(given).toEqual(before);
    });
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
