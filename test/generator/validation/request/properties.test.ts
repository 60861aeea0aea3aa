import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { planBody } from '../../../../src/generator/validation/request/validator.ts';
import { createSchemaValidator } from '../../../../src/generator/validation/wordpress/validate.ts';
import { normalized } from '../../model/schema/normalized.ts';
import { schema, value } from '../wordpress/arbitrary.ts';

test('parsing never throws, whatever the body and its media type', () => {
  const types = ['json', 'x-www-form-urlencoded'].map((name) => `application/${name}`);
  const type = fc.constantFrom(...types, 'multipart/form-data; boundary=b', '');
  const method = fc.constantFrom('POST', 'PUT', 'GET');
  fc.assert(
    fc.property(type, method, fc.uint8Array({ maxLength: 200 }), (contentType, method, body) => {
      const reading = planBody({ requestMethod: method, method, contentType });
      if (reading.kind === 'buffered') reading.parse(body);
    }),
  );
});

/** Values of keywords, as sites state them: right, of an older draft, or wrong. */
const STATED: Readonly<Record<string, readonly Json[]>> = {
  type: ['string', 'integer', 'bool', 'int', 'float', ['string', 'int'], ['integer'], ['null', 'array']],
  enum: [[1, '1'], ['a', 'b'], { 1: 'a', 3: 'b' }, [null, 'a'], [true, false], ['true'], []],
  required: [true, false, ['a'], [], 'a'],
  nullable: [true, false],
  const: ['a', 1],
  ...{ minimum: [1, '2', 'x'], maximum: [5, '7'], multipleOf: [2, '2', 0] },
  ...{ exclusiveMinimum: [true, false, 1], exclusiveMaximum: [true, false, 1] },
  ...{ minLength: [1, '2', -1, 1.5], maxItems: [1, '2'], uniqueItems: [true, 'yes', 0] },
  pattern: ['^a', '\\h', '[[:digit:]]', '(?<=a)b', '(', 7],
  format: ['email', 'ip', 'nothing', 7],
  dependencies: [{ a: 'b' }],
  default: [null, [], 'a'],
};

/** Values that a site may declare in place of a schema. */
const odd: fc.Arbitrary<JsonObject> = fc.letrec<{ schema: JsonObject }>((tie) => {
  const child: fc.Arbitrary<Json> = tie('schema');
  const few = fc.array(child, { minLength: 1, maxLength: 2 });
  const named = (...names: string[]) => fc.dictionary(fc.constantFrom(...names), child, { maxKeys: 2 });
  const keywords: Record<string, fc.Arbitrary<Json>> = {
    ...Object.fromEntries(Object.entries(STATED).map(([name, values]) => [name, fc.constantFrom(...values)])),
    items: fc.oneof(child, few, fc.constantFrom<Json>('string', true)),
    properties: fc.oneof(named('a', '0', 'x'), fc.constant<Json>([])),
    additionalProperties: fc.oneof(fc.constantFrom<Json>(false, true, [], 'no'), child),
    patternProperties: named('^\\s', '[[:alpha:]]', '^a$'),
    oneOf: fc.oneof(few, fc.constant<Json>({ 0: { type: 'string' } })),
    ...{ anyOf: few, not: child, extends: child },
  };
  const stated = fc.record<Record<string, Json>>(keywords, { requiredKeys: [], noNullPrototype: true });
  return {
    schema: fc.oneof(
      { maxDepth: 2 },
      schema,
      stated.map((each) => ({ ...each })),
    ),
  };
}).schema;

test('a value that the site accepts by its own schema is accepted by the schema of the document', () => {
  fc.assert(
    fc.property(odd, value, (own, candidate) => {
      // JSON, as an index is.
      const text = JSON.stringify(own);
      // A format anywhere in a schema can leave its enum to the site, and normalisation drops formats that say nothing.
      fc.pre(!(text.includes('"enum"') && text.includes('"format"')));
      const stated: JsonObject = JSON.parse(text);
      const normal = normalized(stated).schema;
      fc.pre(createSchemaValidator(stated).validate(candidate, 'p') === null);
      expect(createSchemaValidator(normal).validate(candidate, 'p'), JSON.stringify(normal)).toBeNull();
    }),
    { numRuns: 80 },
  );
});
