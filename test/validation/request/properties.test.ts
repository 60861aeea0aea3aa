import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/json.ts';
import { planBody } from '../../../src/validation/request/parameters.ts';
import { createSchemaValidator } from '../../../src/validation/wordpress/validate.ts';
import { normalized } from '../../model/schema/normalized.ts';
import { schema, value } from '../wordpress/arbitrary.ts';

test('parsing never throws, whatever the body and its media type', () => {
  const type = fc.constantFrom(
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=b',
    '',
  );
  fc.assert(
    fc.property(
      type,
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom('POST', 'PUT', 'GET'),
      (contentType, body, method) => {
        const reading = planBody({ requestMethod: method, method, contentType });
        if (reading.kind === 'buffered') reading.parse(body);
        if (reading.kind === 'multipart') {
          const reader = reading.createReader();
          reader.write(body);
          reader.end();
        }
      },
    ),
  );
});

/** Values that a site may declare in place of a schema. */
const odd: fc.Arbitrary<JsonObject> = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2 },
    schema,
    fc
      .record<Record<string, Json>>(
        {
          type: fc.constantFrom<Json>(
            'string',
            'integer',
            'bool',
            'int',
            'float',
            ['string', 'int'],
            ['integer'],
            ['null', 'array'],
          ),
          enum: fc.constantFrom<Json>(
            [1, '1'],
            ['a', 'b'],
            { 1: 'a', 3: 'b' },
            [null, 'a'],
            [true, false],
            ['true'],
            [],
          ),
          items: fc.oneof<fc.Arbitrary<Json>[]>(
            tie('schema'),
            fc.array(tie('schema'), { maxLength: 2 }),
            fc.constantFrom('string', true),
          ),
          properties: fc.oneof<fc.Arbitrary<Json>[]>(
            fc.dictionary(fc.constantFrom('a', '0', 'x'), tie('schema')),
            fc.constant([]),
          ),
          required: fc.constantFrom<Json>(true, false, ['a'], [], 'a'),
          additionalProperties: fc.oneof<fc.Arbitrary<Json>[]>(
            fc.constantFrom(false, true, [], 'no'),
            tie('schema'),
          ),
          patternProperties: fc.dictionary(fc.constantFrom('^\\s', '[[:alpha:]]', '^a$'), tie('schema'), {
            maxKeys: 1,
          }),
          nullable: fc.boolean(),
          const: fc.constantFrom<Json>('a', 1),
          minimum: fc.constantFrom<Json>(1, '2', 'x'),
          maximum: fc.constantFrom<Json>(5, '7'),
          exclusiveMinimum: fc.constantFrom<Json>(true, false, 1),
          exclusiveMaximum: fc.constantFrom<Json>(true, false, 1),
          multipleOf: fc.constantFrom<Json>(2, '2', 0),
          minLength: fc.constantFrom<Json>(1, '2', -1, 1.5),
          maxItems: fc.constantFrom<Json>(1, '2'),
          uniqueItems: fc.constantFrom<Json>(true, 'yes', 0),
          pattern: fc.constantFrom<Json>('^a', '\\h', '[[:digit:]]', '(?<=a)b', '(', 7),
          format: fc.constantFrom<Json>('email', 'ip', 'nothing', 7),
          oneOf: fc.oneof<fc.Arbitrary<Json>[]>(
            fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
            fc.constant({ 0: { type: 'string' } }),
          ),
          anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
          not: tie('schema'),
          extends: tie('schema'),
          dependencies: fc.constantFrom<Json>({ a: 'b' }),
          default: fc.constantFrom<Json>(null, [], 'a'),
        },
        { requiredKeys: [], noNullPrototype: true },
      )
      .map((keywords) => ({ ...keywords })),
  ),
})).schema;

test('a value that the site accepts by its own schema is accepted by the schema of the document', () => {
  fc.assert(
    fc.property(odd, value, (own, candidate) => {
      // JSON, as an index is.
      const stated: JsonObject = JSON.parse(JSON.stringify(own));
      const normal = normalized(stated).schema;
      fc.pre(createSchemaValidator(stated).validate(candidate, 'p') === null);
      expect(createSchemaValidator(normal).validate(candidate, 'p'), JSON.stringify(normal)).toBeNull();
    }),
    { numRuns: 80 },
  );
});
