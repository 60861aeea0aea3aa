import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/json.ts';
import type { OpenApiDocument } from '../../src/openapi/index.ts';
import { createShapeSchema, type InferenceOptions } from '../../src/reconcile/inference/create-schema.ts';
import {
  EMPTY_SHAPE,
  type InferredSchema,
  mergeShapes,
  observeValue,
} from '../../src/reconcile/inference/shape.ts';
import { fitsSchema } from '../../src/reconcile/inference/shape-comparison.ts';
import { ResponseValidator } from '../../src/validation/response/validator.ts';
import { jsonResponse } from '../support/json-response.ts';
import { createOperation } from '../support/operation.ts';

const OPTIONS: InferenceOptions = {
  findComponent: () => null,
  linkSchema: { type: 'object' },
};
const DOCUMENT: OpenApiDocument = {
  openapi: '3.1.1',
  info: { title: 'Site', version: '1' },
  paths: {},
};

const observe = (...values: readonly Json[]): InferredSchema =>
  values.map((value) => observeValue(value)).reduce(mergeShapes, EMPTY_SHAPE);
const infer = (...values: readonly Json[]): JsonObject => createShapeSchema(observe(...values), OPTIONS);
const repeat = <Value>(count: number, create: (index: number) => Value): Value[] =>
  Array.from({ length: count }, (_, index) => create(index));

/** Findings of a value at a schema, as reconcile validates responses. */
function findingsOf(schema: JsonObject, value: Json): readonly string[] {
  const result = new ResponseValidator(DOCUMENT).validate({
    operation: createOperation({ responseSchema: schema, responsePointer: '/x' }),
    ...jsonResponse(value),
  });
  return result.kind === 'validated'
    ? result.findings.map(({ kind, pointer }) => `${kind} ${pointer}`)
    : [result.kind];
}

/** Values as sites send them: hostile names, ids as names, words, dates, empty lists in place of objects. */
const names = fc.oneof(
  fc.constantFrom(...'id status type slug name _links _embedded meta a b'.split(' ')),
  fc.constantFrom(...'__proto__|constructor|toString|hasOwnProperty||a b|x/y~z|7|2026-01-05'.split('|')),
  fc.string({ maxLength: 5 }),
);
const WORDS = 'draft|publish||2026-01-05T09:00:00|2026-01-05T09:00:00Z|a@example.com|https://example.com/';
const strings = fc.oneof(fc.constantFrom(...WORDS.split('|')), fc.string());
const { value: values } = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    strings,
    fc.constantFrom(null, true, false, 0, 7, 1.5, -3),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(names, tie('value')), { maxLength: 6 })
    .map((entries) => Object.fromEntries(entries)),
}));

/** A shape as text. Names are sorted, so that equal shapes have equal texts. */
function toText(shape: InferredSchema): string {
  return JSON.stringify(shape, (_, value) =>
    value instanceof Map ? [...value].sort(([one], [other]) => (one < other ? -1 : 1)) : value,
  );
}

describe('shapes', () => {
  test('of sets merge in any order and any grouping', () => {
    fc.assert(
      fc.property(values, values, values, (a, b, c) => {
        const [one, two, three] = [observe(a), observe(b), observe(c)];
        expect(toText(mergeShapes(one, two))).toBe(toText(mergeShapes(two, one)));
        expect(toText(mergeShapes(mergeShapes(one, two), three))).toBe(
          toText(mergeShapes(one, mergeShapes(two, three))),
        );
        expect(toText(mergeShapes(one, EMPTY_SHAPE))).toBe(toText(one));
      }),
    );
  });

  test('of many objects merge in any order although names become too many', () => {
    const objects = repeat(3, (index) =>
      observe(Object.fromEntries(repeat(90, (name) => [`n${index}_${name}`, { v: index }]))),
    );
    const [one = EMPTY_SHAPE, two = EMPTY_SHAPE, three = EMPTY_SHAPE] = objects;
    const merged = mergeShapes(mergeShapes(one, two), three);
    expect(merged.objects).toMatchObject({ isMap: true, members: new Map(), others: { count: 270 } });
    expect(toText(merged)).toBe(toText(mergeShapes(one, mergeShapes(three, two))));
  });
});

describe('an inferred schema', () => {
  test('is matched by every value that it was inferred from, and by nothing of it being required that one lacks', () => {
    fc.assert(
      fc.property(fc.array(values, { minLength: 1, maxLength: 6 }), (all) => {
        const schema = infer(...all);
        for (const value of all) expect(findingsOf(schema, value)).toEqual([]);
        expect(fitsSchema(observe(...all), schema, DOCUMENT)).toBe(true);
        // The same values in another order give the same bytes.
        expect(JSON.stringify(infer(...[...all].reverse()))).toBe(JSON.stringify(schema));
      }),
      // Values of a map of which some alone are maps, a map in `_embedded`, `_links` without links, a `toString` that is data.
      {
        examples: [
          '[{"":{"":"draft","id":""},"id":{"id":"","meta":[]}},null]',
          '[{"_embedded":{"a b":"","id":""}}]',
          '[{"_links":{"id":"draft"}},{"_links":{"self":[{"url":"x"}]}}]',
          '[{"_links":{"a b":[7]}},{"a b":{"id":{"toString":{}}}}]',
        ].map((text): [Json[]] => [JSON.parse(text)]),
      },
    );
  });

  test('of false for no object does not fit true', () => {
    const schema = infer({ a: 1 }, false);
    expect(fitsSchema(observe({ a: 1 }, true), schema, DOCUMENT)).toBe(false);
    expect(findingsOf(schema, true)).not.toEqual([]);
  });

  test.each<readonly [string, readonly Json[], JsonObject]>([
    ['integers', [1, 2], { type: 'integer' }],
    ['a number with a fraction among integers', [1, 2.5], { type: 'number' }],
    ['null among strings', ['x', null], { type: ['string', 'null'] }],
    ['null alone', [null], { description: 'Null in every response that was seen.' }],
    ['strings and numbers', ['x', 1], { type: ['string', 'integer'] }],
    ['lists that are always empty', [[], []], { type: 'array', items: {} }],
    [
      'false for no object',
      [{ a: 1 }, false],
      {
        anyOf: [
          { type: 'object', properties: { a: { type: 'integer' } } },
          { type: 'boolean', const: false },
        ],
      },
    ],
    [
      'an empty list for an empty object',
      [{ a: 1 }, []],
      {
        anyOf: [
          { type: 'object', properties: { a: { type: 'integer' } } },
          { type: 'array', maxItems: 0 },
        ],
      },
    ],
    [
      'members of two objects',
      [{ a: 1 }, { a: 2 }],
      { type: 'object', properties: { a: { type: 'integer' } } },
    ],
    [
      'members that all of three objects have',
      [{ a: 1, b: 1 }, { a: 2 }, { a: 3, b: null }],
      {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: ['integer', 'null'] } },
        required: ['a'],
      },
    ],
    [
      'objects keyed by number',
      [{ 24: 'https://example.com/24', 48: 'https://example.com/48' }],
      { type: 'object', additionalProperties: { type: 'string' } },
    ],
    [
      'objects keyed by the slug of their values',
      [{ post: { slug: 'post', public: true }, page: { slug: 'page', public: true } }],
      {
        type: 'object',
        additionalProperties: {
          type: 'object',
          properties: { public: { type: 'boolean' }, slug: { type: 'string' } },
        },
      },
    ],
    [
      'a property name that is data beside others',
      [{ a: 1, b: 2, c: 3, 'Mrs. Smith': 'x' }],
      {
        type: 'object',
        properties: { a: { type: 'integer' }, b: { type: 'integer' }, c: { type: 'integer' } },
        additionalProperties: { type: 'string' },
      },
    ],
  ])('of %s', (_, samples, expected) => {
    expect(infer(...samples)).toEqual(expected);
  });

  test('of objects whose names differ a lot is a map', () => {
    const samples = repeat(8, (index) => ({ [`tag${index}`]: index, [`tag${index + 1}`]: 0 }));
    expect(infer(...samples)).toEqual({ type: 'object', additionalProperties: { type: 'integer' } });
  });

  test('of a value that no sibling names states its type', () => {
    const schema = infer(...[1, 2, 3].map((id) => ({ total: { currency: 'EUR', value: id }, default: id })));
    expect(schema['properties']).toMatchObject({
      total: { properties: { value: { type: 'integer' } } },
      default: { type: 'integer' },
    });
  });

  test('of HAL links is a list for any relation', () => {
    const self = [{ href: 'https://example.com/1' }];
    expect(infer({ _links: { self } }, { _links: { self, author: self } })['properties']).toEqual({
      _links: { type: 'object', additionalProperties: { type: 'array', items: OPTIONS.linkSchema } },
    });
  });

  test('contains no values, and no hostile names', () => {
    const secret = JSON.parse(
      '{"title":"secret words","__proto__":{"polluted":1},"constructor":1,"Mrs. Secret":"x"}',
    );
    const text = JSON.stringify(infer(...repeat(30, () => secret)));
    expect(text).not.toMatch(/secret|Secret|__proto__|constructor/);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
