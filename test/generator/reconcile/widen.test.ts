import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, memberAt } from '../../../src/base/json.ts';
import { applyOverlay, type OpenApiDocument } from '../../../src/generator/openapi/index.ts';
import {
  createOverlayActions,
  type OverlayOutcome,
} from '../../../src/generator/reconcile/create-overlay.ts';
import { createSamples } from '../../support/route-sample.ts';
import { generateFor } from '../../support/site.ts';

const MEDIA_SCHEMA = { type: 'object', properties: { id: { type: 'integer' } } };
const ROUTE = '/x/v1/it';

/** Reconciles a document whose only operation returns the component `It`. */
function widenFor(schema: JsonObject, responses: readonly Json[]): OverlayOutcome {
  const { document } = generateFor({ [ROUTE]: 'GET' });
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/It' } } };
  const site: OpenApiDocument = applyOverlay(document, {
    overlay: '1.1.0',
    actions: [
      { target: '$.components.schemas', update: { It: schema, Media: MEDIA_SCHEMA } },
      { target: `$.paths["${ROUTE}"].get.responses["200"]`, update: { content } },
    ],
  }).document;
  const samples = responses.map((response) => ({ route: ROUTE, content: response }));
  return createOverlayActions(site, createSamples(site, samples));
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
  [
    'a non-empty list allows lists',
    { type: 'object' },
    [[], [1]],
    { type: ['object', 'array'], items: whole },
  ],
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
    { properties: { a: {}, b: expect.objectContaining(whole) } },
  ],
  [
    'a missing property is no longer required',
    { required: ['a', 'b'], properties: { a: {}, b: {} } },
    [{ b: 1 }],
    { required: ['b'], properties: { a: {}, b: whole } },
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
    { properties: { "a/b'c": { type: ['integer', 'null'] } }, additionalProperties: {} },
  ],
];

test.each(ROWS)('%s', (_, schema, responses, expected) => {
  const { after, document } = widenFor(schema, responses);
  expect(memberAt(document, 'components', 'schemas', 'It')).toEqual(expected);
  expect(after.operations.flatMap((operation) => operation.findings)).toEqual([]);
});

describe('the evidence of an action', () => {
  test('counts the responses with the finding and lists their operations', () => {
    const { actions } = widenFor({ properties: { a: { type: 'string' } } }, [
      { a: null },
      { a: 'x' },
      { a: null },
    ]);
    const evidence = [{ kind: 'null', actual: 'null', responses: 2, of: 3, operations: ['getXIt'] }];
    expect(actions.slice(0, 2)).toEqual([
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
