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
const either = { type: ['object', 'array'] };
const media = { $ref: '#/components/schemas/Media' };
const object = { type: 'object', properties: { b: text } };
const orNull = (...types: readonly string[]): JsonObject => ({ type: [...types, 'null'] });

/** Schemas of a property, and the values that responses have. */
const OF_PROPERTY: readonly Row[] = [
  ['null is added to a type', text, [null], orNull('string')],
  [
    'types are added to a list',
    { type: ['string', 'integer'] },
    [null, true],
    orNull('string', 'integer', 'boolean'),
  ],
  ['null is added to an enum', { ...text, enum: ['x'] }, [null], { enum: ['x', null], ...orNull('string') }],
  [
    'an empty list allows only an empty list',
    object,
    [[], { b: 'x' }],
    { ...object, ...either, maxItems: 0 },
  ],
  [
    'a list in each response has the object as its item',
    object,
    [[{ b: 'x' }]],
    { type: 'array', items: object },
  ],
  ['a non-empty list allows lists', { type: 'object' }, [[], [1]], { ...either, items: whole }],
  ['a number sent as a string allows a string', whole, ['12'], { type: ['integer', 'string'] }],
  [
    'a referenced schema stays',
    media,
    [null, []],
    { anyOf: [media, { type: 'array', maxItems: 0 }, nothing] },
  ],
  ['an alternative is added to others', { anyOf: [text, whole] }, [null], { anyOf: [text, whole, nothing] }],
];

const texts = { type: 'array', items: text };
const none = { type: 'array', maxItems: 0 };
const person = { type: 'object', properties: { a: whole }, required: ['a'] };
/** Values of a member, of which at least three contradict its declared type, or one fits. */
const CONTRADICTED: readonly Row[] = [
  ['objects in each response replace a list', texts, [{ a: 1 }, { a: 2 }, { a: 3 }], person],
  [
    'an empty list of PHP stays beside objects',
    texts,
    [{ a: 1 }, [], { a: 2 }, { a: 3 }],
    { anyOf: [person, none] },
  ],
  ['numbers in each response replace a boolean', { type: 'boolean' }, [0, 1, 1], whole],
  [
    'a format goes with its type',
    { ...text, format: 'date', title: 'On' },
    [1, 2, 3],
    { title: 'On', ...whole },
  ],
  ['numbers as texts replace a number', { ...whole, minimum: 3 }, ['1', '2', '3'], text],
  ['a whole number is a number', { type: 'number' }, [1, 2, 3], { type: 'number' }],
  [
    'empty values of PHP are no evidence',
    whole,
    ['', false, [], null],
    { type: ['integer', 'array', 'boolean', 'null', 'string'] },
  ],
  ['two values are no evidence', whole, ['a', 'b'], { type: ['integer', 'string'] }],
  ['one value that fits makes a union', whole, ['a', 'b', 'c', 4], { type: ['integer', 'string'] }],
  ['a schema that others can refer to stays', media, ['a', 'b', 'c'], { anyOf: [media, text] }],
];

const numbers = [{ type: 'number' }, { minimum: 1 }];
const ROWS: readonly Row[] = [
  ...[...OF_PROPERTY, ...CONTRADICTED].map(
    ([name, a, values, expected]): Row => [
      name,
      { properties: { a } },
      values.map((value) => ({ a: value })),
      { properties: { a: expected }, ...(values.length >= 3 && { required: ['a'] }) },
    ],
  ),
  ['several matches turn `oneOf` into `anyOf`', { oneOf: numbers }, [2], { anyOf: numbers }],
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
  ['a value outside a bound removes it', { ...whole, minimum: 3, maximum: 9 }, [1], { ...whole, maximum: 9 }],
  ['null is added to the items of a list', { items: whole }, [[null]], { items: orNull('integer') }],
  [
    'null is added to a property whose name has a slash',
    { properties: { "a/b'c": whole } },
    [{ "a/b'c": null }],
    { properties: { "a/b'c": orNull('integer') }, additionalProperties: {} },
  ],
];

test.each(ROWS)('%s', (_, schema, responses, expected) => {
  const { after, document } = widenFor(schema, responses);
  expect(memberAt(document, 'components', 'schemas', 'It')).toEqual(expected);
  expect(after.operations.flatMap((operation) => operation.findings)).toEqual([]);
});

describe('the evidence of an action', () => {
  test('counts the responses with the finding and lists their operations', () => {
    const values = [null, 'x', null];
    const { actions } = widenFor(
      { properties: { a: text } },
      values.map((a) => ({ a })),
    );
    const evidence = [{ kind: 'null', actual: 'null', responses: 2, of: 3, operations: ['getXIt'] }];
    const target = '$.components.schemas.It.properties.a';
    const stated = { description: 'Also null.', 'x-waygate-evidence': evidence };
    expect(actions.slice(0, 2)).toEqual([
      { target: `${target}.type`, remove: true, ...stated },
      { target, update: orNull('string'), ...stated },
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
