import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/json.ts';
import { applyOverlay, type OpenApiDocument } from '../../src/openapi/index.ts';
import { groupFindingsBySchema } from '../../src/reconcile/findings.ts';
import { type OverlayAction, widenSchema } from '../../src/reconcile/widen.ts';
import {
  createResponseFindingStats,
  createResponseValidator,
  type ResponseValidationReport,
} from '../../src/validation/response/index.ts';

const AT = '/components/schemas/It';
const MEDIA = { type: 'object', properties: { id: { type: 'integer' } } };

function documentOf(schema: JsonObject): OpenApiDocument {
  const info = { title: 'Site', version: '1.0.0' };
  return { openapi: '3.1.1', info, paths: {}, components: { schemas: { It: schema, Media: MEDIA } } };
}

function reportOf(document: OpenApiDocument, answers: readonly Json[]): ResponseValidationReport {
  const judge = createResponseValidator(document);
  const findings = createResponseFindingStats();
  for (const answer of answers) {
    const judgement = judge.validate({
      operation: {
        id: 'getIt',
        method: 'GET',
        path: '/it',
        allowBatch: false,
        parameters: [],
        response: { $ref: `#${AT}` },
        responsePointer: '/paths/~1it/get/response',
      },
      status: 200,
      headers: ['content-type', 'application/json'],
      body: new TextEncoder().encode(JSON.stringify(answer)),
      requested: { method: 'GET', context: null, hasFieldFilter: false, isEnveloped: false },
    });
    findings.record('getIt', judgement);
  }
  return findings.report();
}

interface Widened {
  readonly actions: readonly OverlayAction[];
  readonly schema: Json | undefined;
  readonly left: ResponseValidationReport;
}

/** A schema as one round of changes makes it, and what the same answers show then. */
function widened(schema: JsonObject, answers: readonly Json[]): Widened {
  const document = documentOf(schema);
  const actions = groupFindingsBySchema(reportOf(document, answers)).flatMap((each) =>
    widenSchema(document, each),
  );
  const applied = applyOverlay(document, { overlay: '1.1.0', actions });
  expect(applied.diagnostics).toEqual([]);
  const { It } = Object(Object(applied.document['components'])['schemas']);
  return { actions, schema: It, left: reportOf(applied.document, answers) };
}

/** [what, schema, answers, the schema that allows them] */
const ROWS: readonly (readonly [string, JsonObject, readonly Json[], JsonObject])[] = [
  [
    'null becomes a type',
    { properties: { a: { type: 'string' } } },
    [{ a: null }],
    { properties: { a: { type: ['string', 'null'] } } },
  ],
  [
    'another one beside several',
    { properties: { a: { type: ['string', 'integer'] } } },
    [{ a: null }, { a: true }],
    { properties: { a: { type: ['string', 'integer', 'boolean', 'null'] } } },
  ],
  [
    'null stands in an enum too',
    { properties: { a: { type: 'string', enum: ['x'] } } },
    [{ a: null }],
    { properties: { a: { enum: ['x', null], type: ['string', 'null'] } } },
  ],
  [
    'an empty list beside an object is an empty list only',
    { properties: { a: { type: 'object', properties: { b: { type: 'string' } } } } },
    [{ a: [] }, { a: { b: 'x' } }],
    {
      properties: {
        a: { properties: { b: { type: 'string' } }, type: ['object', 'array'], maxItems: 0 },
      },
    },
  ],
  [
    'a list that is not always empty is any list',
    { properties: { a: { type: 'object' } } },
    [{ a: [] }, { a: [1] }],
    { properties: { a: { type: ['object', 'array'] } } },
  ],
  [
    'a number as a string is a string',
    { type: 'object', properties: { a: { type: 'integer' } } },
    [{ a: '12' }],
    { type: 'object', properties: { a: { type: ['integer', 'string'] } } },
  ],
  [
    'what is referred to stays as it is for others',
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
    'alternatives get another',
    { properties: { a: { anyOf: [{ type: 'string' }, { type: 'integer' }] } } },
    [{ a: null }],
    { properties: { a: { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] } } },
  ],
  [
    'several alternatives at once',
    { oneOf: [{ type: 'number' }, { minimum: 1 }] },
    [2],
    {
      anyOf: [{ type: 'number' }, { minimum: 1 }],
    },
  ],
  [
    'a property that was never mentioned',
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
    'one of which only null was seen may be anything',
    { properties: { a: {} } },
    [{ b: null }],
    { properties: { a: {}, b: { description: "Not in the site's index: seen in its responses." } } },
  ],
  [
    'one that was refused is allowed, and no other',
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
    'names that are values make it a map',
    { properties: { a: {} } },
    [{ 'Mrs. Smith': 1 }],
    { properties: { a: {} }, additionalProperties: {} },
  ],
  [
    'many names make it a map',
    { properties: { a: {} } },
    [Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`n${at}`, at]))],
    { properties: { a: {} }, additionalProperties: {} },
  ],
  [
    'a property that may be missing',
    { required: ['a', 'b'], properties: { a: {}, b: {} } },
    [{ b: 1 }],
    { required: ['b'], properties: { a: {}, b: {} } },
  ],
  ['no value of the enum', { type: 'string', enum: ['x'] }, ['y'], { type: 'string' }],
  ['another than the constant', { const: 'x' }, ['y'], {}],
  ['a format that it has not', { type: 'string', format: 'email' }, ['nobody'], { type: 'string' }],
  ['a pattern that it has not', { type: 'string', pattern: '^a$' }, ['b'], { type: 'string' }],
  ['bounds', { type: 'integer', minimum: 3, maximum: 9 }, [1], { type: 'integer', maximum: 9 }],
  [
    'what stands in a list',
    { items: { type: 'integer' } },
    [[null]],
    {
      items: { type: ['integer', 'null'] },
    },
  ],
  [
    'what stands in a property whose name has a slash',
    { properties: { "a/b'c": { type: 'integer' } } },
    [{ "a/b'c": null }],
    { properties: { "a/b'c": { type: ['integer', 'null'] } } },
  ],
];

test.each(ROWS)('%s', (_, schema, answers, expected) => {
  const { left, schema: made } = widened(schema, answers);
  expect(made).toEqual(expected);
  expect(left.operations.flatMap(({ findings }) => findings)).toEqual([]);
});

describe('each action says what was seen', () => {
  test('in how many answers of how many, and of which operations', () => {
    const { actions } = widened({ properties: { a: { type: 'string' } } }, [
      { a: null },
      { a: 'x' },
      { a: null },
    ]);
    const evidence = [{ kind: 'null', saw: 'null', answers: 2, of: 3, operations: ['getIt'] }];
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

  test('and never a value', () => {
    const { actions } = widened({ properties: { a: { type: 'integer', enum: [1] } } }, [
      { a: 'secret' },
      { a: 2, 'secret thing': 'secret' },
    ]);
    expect(actions.length).toBeGreaterThan(2);
    expect(JSON.stringify(actions)).not.toContain('secret');
  });
});
