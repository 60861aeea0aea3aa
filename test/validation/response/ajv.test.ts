import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/json.ts';
import { FINDING_SEVERITIES } from '../../../src/validation/response/finding.ts';
import { collectJsonFindings } from './validate-json.ts';

/** Formats are remarks to both: WordPress's own `date-time` has no zone. */
const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false });

const SCHEMAS: JsonObject = {
  Item: { type: 'object', properties: { a: { type: 'integer' }, b: { $ref: '#/components/schemas/Item' } } },
  Word: { type: 'string', minLength: 1 },
};

const words = ['a', 'b', 'ab', '', '1', '-2.5', '1e3', '😀'];
const scalar = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, 1, 2, 2.5, -1),
  fc.constantFrom<Json>(...words),
);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'ab', 'c'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

const type = fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object');
const few = fc.integer({ min: 0, max: 3 });
const { schema } = fc.letrec<{ schema: Json; below: Json }>((tie) => {
  const below = tie('below');
  const list = fc.array(below, { minLength: 1, maxLength: 3 });
  const byName = fc.dictionary(fc.constantFrom('a', 'b', 'ab'), below, { maxKeys: 3, noNullPrototype: true });
  const names = fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { maxLength: 2 });
  const keyword: fc.Arbitrary<[string, Json]> = fc.oneof(
    fc.tuple(fc.constant('type'), fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 }))),
    fc.tuple(fc.constant('enum'), fc.array(value, { minLength: 1, maxLength: 3 })),
    fc.tuple(fc.constant('const'), value),
    fc.tuple(fc.constantFrom('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'), few),
    fc.tuple(fc.constant('multipleOf'), fc.constantFrom(1, 2, 0.5)),
    fc.tuple(fc.constantFrom('minLength', 'maxLength', 'minItems', 'maxItems'), few),
    fc.tuple(fc.constantFrom('minProperties', 'maxProperties'), few),
    fc.tuple(fc.constant('pattern'), fc.constantFrom('^a', 'b$', '[0-9]', '(a+)+$', '^.$')),
    fc.tuple(fc.constant('uniqueItems'), fc.boolean()),
    fc.tuple(fc.constant('required'), names),
    fc.tuple(fc.constant('properties'), byName),
    fc.tuple(
      fc.constant('patternProperties'),
      fc.dictionary(fc.constantFrom('^a', 'b$'), below, { maxKeys: 2, noNullPrototype: true }),
    ),
    fc.tuple(fc.constantFrom('items', 'additionalProperties', 'not'), below),
    fc.tuple(fc.constantFrom('allOf', 'anyOf', 'oneOf', 'prefixItems'), list),
    fc.tuple(fc.constant('$ref'), fc.constantFrom('#/components/schemas/Item', '#/components/schemas/Word')),
  );
  return {
    below: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.boolean(), tie('schema')),
    schema: fc.array(keyword, { maxLength: 4 }).map((keywords) => Object.fromEntries(keywords)),
  };
});

describe('a validator of the keywords that documents have', () => {
  test('agrees about values without findings', () => {
    let refused = 0;
    fc.assert(
      fc.property(schema, value, (given, body) => {
        const root = Object(given);
        const accepts = ajv.compile({ ...root, components: { schemas: SCHEMAS } })(body);
        const findings = collectJsonFindings(root, body, { schemas: SCHEMAS });
        if (!accepts) refused += 1;
        expect(findings.filter(({ kind }) => FINDING_SEVERITIES[kind] !== 'remark').length === 0).toBe(
          accepts,
        );
      }),
      { numRuns: 400 },
    );
    expect(refused).toBeGreaterThan(80);
  });
});
