import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/json.ts';
import { encodeByteString, encodeQueryValue } from '../../../src/php/encoding.ts';
import { parseQueryParameters } from '../../../src/php/query.ts';
import {
  NO_PARAMETERS,
  planBody,
  type RequestParameters,
} from '../../../src/validation/request/parameters.ts';
import { RequestValidator } from '../../../src/validation/request/validator.ts';
import { createSchemaValidator } from '../../../src/validation/wordpress/validate.ts';
import { normalized } from '../../model/schema/normalized.ts';
import { createOperation } from '../../support/operation.ts';
import { schema, value } from '../wordpress/arbitrary.ts';

const names = ['a', 'b', 'page', 'x'] as const;
const source = fc
  .dictionary(fc.constantFrom(...names), value)
  .map((members) => new Map(Object.entries(members)));
const schemas = fc.record(Object.fromEntries(names.map((name) => [name, schema])));

function createValidator(byName: Readonly<Record<string, JsonObject>>): RequestValidator {
  const parameters = Object.entries(byName).map(([name, its]) => ({
    name,
    in: 'query' as const,
    required: name === 'x',
    schema: its,
  }));
  const operation = createOperation({ method: 'POST', path: '/some/v1', parameters });
  return new RequestValidator(operation, () => undefined);
}

const request = (query: RequestParameters['query']): RequestParameters => ({
  json: NO_PARAMETERS,
  form: NO_PARAMETERS,
  path: NO_PARAMETERS,
  query,
});

describe('a validation result', () => {
  test('does not depend on the order of the parameters', () => {
    fc.assert(
      fc.property(schemas, source, fc.nat(), (byName, query, turn) => {
        const validator = createValidator(byName);
        const entries = [...query];
        const cut = turn % (entries.length + 1);
        const turned = new Map([...entries.slice(cut), ...entries.slice(0, cut)].reverse());
        expect(validator.validate(request(turned))).toEqual(validator.validate(request(query)));
      }),
    );
  });

  test('does not depend on the sources of the parameters', () => {
    fc.assert(
      fc.property(schemas, source, (byName, values) => {
        const validator = createValidator(byName);
        const expected = validator.validate(request(values));
        for (const place of ['json', 'form', 'path'] as const) {
          expect(validator.validate({ ...request(NO_PARAMETERS), [place]: values })).toEqual(expected);
        }
      }),
    );
  });

  test('does not depend on undeclared parameters', () => {
    fc.assert(
      fc.property(schemas, source, fc.dictionary(fc.string(), value), (byName, query, others) => {
        const validator = createValidator(byName);
        const unknown = Object.entries(others).filter(([name]) => !names.some((known) => known === name));
        expect(validator.validate(request(new Map([...unknown, ...query])))).toEqual(
          validator.validate(request(query)),
        );
      }),
    );
  });
});

describe('parsing', () => {
  test('never throws, whatever the body and its media type', () => {
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

  test('restores a serialised query', () => {
    const name = fc.stringMatching(/^[a-z][a-z\d]{0,5}$/);
    fc.assert(
      fc.property(fc.dictionary(name, fc.string({ unit: 'grapheme' }), { maxKeys: 20 }), (values) => {
        const print = ([key, text]: readonly [string, string]): string =>
          `${key}=${encodeQueryValue(encodeByteString(text))}`;
        const read = parseQueryParameters(Object.entries(values).map(print).join('&'));
        expect([...(read ?? [])]).toEqual(Object.entries(values).map(([key, text]) => [key, text]));
      }),
    );
  });
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
