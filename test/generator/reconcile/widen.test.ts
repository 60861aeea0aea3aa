import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { applyOverlay, type OpenApiDocument } from '../../../src/generator/openapi/index.ts';
import { widenSchemas } from '../../../src/generator/reconcile/create-overlay.ts';
import type { OverlayAction } from '../../../src/generator/reconcile/seen-responses.ts';
import {
  createResponseValidator,
  ResponseFindingStats,
  type ResponseValidationReport,
} from '../../../src/generator/validation/response/validator.ts';
import { jsonResponse } from '../../support/json-response.ts';
import { createOperation } from '../../support/operation.ts';

const SCHEMA_POINTER = '/components/schemas/It';
const MEDIA_SCHEMA = { type: 'object', properties: { id: { type: 'integer' } } };

const NO_CHANGES = { overlay: '1.0.0', info: { title: 'None', version: '1' }, actions: [] };

function createDocument(schema: JsonObject): OpenApiDocument {
  const info = { title: 'Site', version: '1.0.0' };
  const schemas = { It: schema, Media: MEDIA_SCHEMA };
  return applyOverlay({ openapi: '3.1.1', info, paths: {}, components: { schemas } }, NO_CHANGES).document;
}

function validateResponses(document: OpenApiDocument, responses: readonly Json[]): ResponseValidationReport {
  const validator = createResponseValidator(document);
  const stats = new ResponseFindingStats();
  for (const body of responses) {
    const result = validator({
      operation: createOperation({
        responseSchema: { $ref: `#${SCHEMA_POINTER}` },
        responsePointer: '/paths/~1it/get/response',
      }),
      ...jsonResponse(body),
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
  const actions = widenSchemas(document, validateResponses(document, responses), false);
  const applied = applyOverlay(document, { overlay: '1.1.0', actions });
  expect(applied.diagnostics).toEqual([]);
  const { It } = Object(Object(applied.document['components'])['schemas']);
  return { actions, schema: It, left: validateResponses(applied.document, responses) };
}

type Row = readonly [name: string, schema: JsonObject, responses: readonly Json[], expected: JsonObject];

const text = { type: 'string' };
const whole = { type: 'integer' };
const nothing = { type: 'null' };
const media = { $ref: '#/components/schemas/Media' };
const object = { type: 'object', properties: { b: text } };

/** Schemas of a property, and the values that responses have. */
const OF_PROPERTY: readonly Row[] = [
  ['null is added to a type', text, [null], { type: ['string', 'null'] }],
  [
    'types are added to a list of types',
    { type: ['string', 'integer'] },
    [null, true],
    { type: ['string', 'integer', 'boolean', 'null'] },
  ],
  [
    'null is added to an enum',
    { ...text, enum: ['x'] },
    [null],
    { enum: ['x', null], type: ['string', 'null'] },
  ],
  [
    'an empty list instead of an object allows only an empty list',
    object,
    [[], { b: 'x' }],
    { ...object, type: ['object', 'array'], maxItems: 0 },
  ],
  [
    'a list in each response has the stated object as its item',
    object,
    [[{ b: 'x' }]],
    { type: 'array', items: object },
  ],
  ['a non-empty list allows any list', { type: 'object' }, [[], [1]], { type: ['object', 'array'] }],
  ['a number sent as a string allows a string', whole, ['12'], { type: ['integer', 'string'] }],
  [
    'a referenced schema is unchanged for other references',
    media,
    [null, []],
    { anyOf: [media, { type: 'array', maxItems: 0 }, nothing] },
  ],
  ['an alternative is added to others', { anyOf: [text, whole] }, [null], { anyOf: [text, whole, nothing] }],
];

const ROWS: readonly Row[] = [
  ...OF_PROPERTY.map(
    ([name, a, values, expected]): Row => [
      name,
      { properties: { a } },
      values.map((value) => ({ a: value })),
      { properties: { a: expected } },
    ],
  ),
  [
    'several matching alternatives turn `oneOf` into `anyOf`',
    { oneOf: [{ type: 'number' }, { minimum: 1 }] },
    [2],
    { anyOf: [{ type: 'number' }, { minimum: 1 }] },
  ],
  [
    'a property that is forbidden opens the object',
    { properties: { a: {} }, additionalProperties: false },
    [{ b: 1 }],
    { properties: { a: {} } },
  ],
  [
    'a missing property is no longer required',
    { required: ['a', 'b'], properties: { a: {}, b: {} } },
    [{ b: 1 }],
    { required: ['b'], properties: { a: {}, b: {} } },
  ],
  ['a value outside the enum removes it', { ...text, enum: ['x'] }, ['y'], text],
  [
    'a value outside a bound removes the bound',
    { ...whole, minimum: 3, maximum: 9 },
    [1],
    { ...whole, maximum: 9 },
  ],
  [
    'null is added to the items of a list',
    { items: whole },
    [[null]],
    { items: { type: ['integer', 'null'] } },
  ],
  [
    'null is added to a property whose name has a slash',
    { properties: { "a/b'c": whole } },
    [{ "a/b'c": null }],
    { properties: { "a/b'c": { type: ['integer', 'null'] } } },
  ],
];

test.each(ROWS)('%s', (_, schema, responses, expected) => {
  const { left, schema: widened } = widenFor(schema, responses);
  expect(widened).toEqual(expected);
  // Properties are added later, with the schemas of their values.
  const findings = left.operations.flatMap((operation) => operation.findings);
  expect(findings.filter(({ kind }) => kind !== 'extra')).toEqual([]);
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
    expect(actions.length).toBeGreaterThan(1);
    expect(JSON.stringify(actions)).not.toContain('secret');
  });
});
