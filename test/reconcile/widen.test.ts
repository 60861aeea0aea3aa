import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/json.ts';
import { applyOverlay, type OpenApiDocument } from '../../src/openapi/index.ts';
import { groupFindingsBySchema, widenSchema } from '../../src/reconcile/create-overlay.ts';
import type { OverlayAction } from '../../src/reconcile/overlay-action.ts';
import {
  ResponseFindingStats,
  type ResponseValidationReport,
  ResponseValidator,
} from '../../src/validation/response/validator.ts';
import { createOperation } from '../support/operation.ts';

const SCHEMA_POINTER = '/components/schemas/It';
const MEDIA_SCHEMA = { type: 'object', properties: { id: { type: 'integer' } } };

function createDocument(schema: JsonObject): OpenApiDocument {
  const info = { title: 'Site', version: '1.0.0' };
  return { openapi: '3.1.1', info, paths: {}, components: { schemas: { It: schema, Media: MEDIA_SCHEMA } } };
}

function validateResponses(document: OpenApiDocument, responses: readonly Json[]): ResponseValidationReport {
  const validator = new ResponseValidator(document);
  const stats = new ResponseFindingStats();
  for (const body of responses) {
    const result = validator.validate({
      operation: createOperation({
        responseSchema: { $ref: `#${SCHEMA_POINTER}` },
        responsePointer: '/paths/~1it/get/response',
      }),
      status: 200,
      headers: ['content-type', 'application/json'],
      body: new TextEncoder().encode(JSON.stringify(body)),
      requested: { method: 'GET', context: null, hasFieldFilter: false, isEnveloped: false },
    });
    stats.record('getIt', result);
  }
  return stats.report();
}

interface Widened {
  readonly actions: readonly OverlayAction[];
  readonly schema: Json | undefined;
  readonly left: ResponseValidationReport;
}

/** Applies one round of actions to a schema, and validates the same responses against the result. */
function widenFor(schema: JsonObject, responses: readonly Json[]): Widened {
  const document = createDocument(schema);
  const actions = groupFindingsBySchema(validateResponses(document, responses)).flatMap((operation) =>
    widenSchema(document, operation),
  );
  const applied = applyOverlay(document, { overlay: '1.1.0', actions });
  expect(applied.diagnostics).toEqual([]);
  const { It } = Object(Object(applied.document['components'])['schemas']);
  return { actions, schema: It, left: validateResponses(applied.document, responses) };
}

/** [name, schema, responses, expected schema] */
const ROWS: readonly (readonly [string, JsonObject, readonly Json[], JsonObject])[] = [
  [
    'null is added to a type',
    { properties: { a: { type: 'string' } } },
    [{ a: null }],
    { properties: { a: { type: ['string', 'null'] } } },
  ],
  [
    'types are added to a list of types',
    { properties: { a: { type: ['string', 'integer'] } } },
    [{ a: null }, { a: true }],
    { properties: { a: { type: ['string', 'integer', 'boolean', 'null'] } } },
  ],
  [
    'null is added to an enum',
    { properties: { a: { type: 'string', enum: ['x'] } } },
    [{ a: null }],
    { properties: { a: { enum: ['x', null], type: ['string', 'null'] } } },
  ],
  [
    'an empty list instead of an object allows only an empty list',
    { properties: { a: { type: 'object', properties: { b: { type: 'string' } } } } },
    [{ a: [] }, { a: { b: 'x' } }],
    {
      properties: {
        a: { properties: { b: { type: 'string' } }, type: ['object', 'array'], maxItems: 0 },
      },
    },
  ],
  [
    'a non-empty list allows any list',
    { properties: { a: { type: 'object' } } },
    [{ a: [] }, { a: [1] }],
    { properties: { a: { type: ['object', 'array'] } } },
  ],
  [
    'a number sent as a string allows a string',
    { type: 'object', properties: { a: { type: 'integer' } } },
    [{ a: '12' }],
    { type: 'object', properties: { a: { type: ['integer', 'string'] } } },
  ],
  [
    'a referenced schema is unchanged for other references',
    { properties: { a: { $ref: '#/components/schemas/Media' } } },
    [{ a: null }, { a: [] }],
    {
      properties: {
        a: {
          anyOf: [{ $ref: '#/components/schemas/Media' }, { type: 'array', maxItems: 0 }, { type: 'null' }],
        },
      },
    },
  ],
  [
    'an alternative is added to others',
    { properties: { a: { anyOf: [{ type: 'string' }, { type: 'integer' }] } } },
    [{ a: null }],
    { properties: { a: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] } } },
  ],
  [
    'several matching alternatives turn `oneOf` into `anyOf`',
    { oneOf: [{ type: 'number' }, { minimum: 1 }] },
    [2],
    {
      anyOf: [{ type: 'number' }, { minimum: 1 }],
    },
  ],
  [
    'an undeclared property is added',
    { properties: { a: {} } },
    [{ a: 1, b: 'x' }, { b: null }],
    {
      properties: {
        a: {},
        b: { description: "Not in the site's index: seen in its responses.", type: ['null', 'string'] },
      },
    },
  ],
  [
    'an undeclared property that was always null has no type',
    { properties: { a: {} } },
    [{ b: null }],
    { properties: { a: {}, b: { description: "Not in the site's index: seen in its responses." } } },
  ],
  [
    'an undeclared property is added to a closed object',
    { properties: { a: {} }, additionalProperties: false },
    [{ b: 1 }],
    {
      properties: {
        a: {},
        b: { description: "Not in the site's index: seen in its responses.", type: ['integer'] },
      },
      additionalProperties: false,
    },
  ],
  [
    'property names that are data make the object a map',
    { properties: { a: {} } },
    [{ 'Mrs. Smith': 1 }],
    { properties: { a: {} }, additionalProperties: {} },
  ],
  [
    'many undeclared properties make the object a map',
    { properties: { a: {} } },
    [Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`n${index}`, index]))],
    { properties: { a: {} }, additionalProperties: {} },
  ],
  [
    'a missing property is no longer required',
    { required: ['a', 'b'], properties: { a: {}, b: {} } },
    [{ b: 1 }],
    { required: ['b'], properties: { a: {}, b: {} } },
  ],
  ['a value outside the enum removes it', { type: 'string', enum: ['x'] }, ['y'], { type: 'string' }],
  ['a value other than the constant removes it', { const: 'x' }, ['y'], {}],
  [
    'a value of another format removes the format',
    { type: 'string', format: 'email' },
    ['nobody'],
    { type: 'string' },
  ],
  [
    'a value that does not match the pattern removes it',
    { type: 'string', pattern: '^a$' },
    ['b'],
    { type: 'string' },
  ],
  [
    'a value outside a bound removes the bound',
    { type: 'integer', minimum: 3, maximum: 9 },
    [1],
    { type: 'integer', maximum: 9 },
  ],
  [
    'null is added to the items of a list',
    { items: { type: 'integer' } },
    [[null]],
    {
      items: { type: ['integer', 'null'] },
    },
  ],
  [
    'null is added to a property whose name has a slash',
    { properties: { "a/b'c": { type: 'integer' } } },
    [{ "a/b'c": null }],
    { properties: { "a/b'c": { type: ['integer', 'null'] } } },
  ],
];

test.each(ROWS)('%s', (_, schema, responses, expected) => {
  const { left, schema: widened } = widenFor(schema, responses);
  expect(widened).toEqual(expected);
  expect(left.operations.flatMap(({ findings }) => findings)).toEqual([]);
});

describe('the evidence of an action', () => {
  test('counts the responses with the finding and lists their operations', () => {
    const { actions } = widenFor({ properties: { a: { type: 'string' } } }, [
      { a: null },
      { a: 'x' },
      { a: null },
    ]);
    const evidence = [{ kind: 'null', actual: 'null', responses: 2, of: 3, operations: ['getIt'] }];
    expect(actions).toEqual([
      {
        target: '$.components.schemas.It.properties.a.type',
        description: 'Also null.',
        remove: true,
        'x-waygate-evidence': evidence,
      },
      {
        target: '$.components.schemas.It.properties.a',
        description: 'Also null.',
        update: { type: ['string', 'null'] },
        'x-waygate-evidence': evidence,
      },
    ]);
  });

  test('contains no values of responses', () => {
    const { actions } = widenFor({ properties: { a: { type: 'integer', enum: [1] } } }, [
      { a: 'secret' },
      { a: 2, 'secret thing': 'secret' },
    ]);
    expect(actions.length).toBeGreaterThan(2);
    expect(JSON.stringify(actions)).not.toContain('secret');
  });
});
