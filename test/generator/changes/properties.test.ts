import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../src/base/json.ts';
import { compareDocuments } from '../../../src/generator/changes/compare-documents.ts';
import { type ChangeRuleName, formatChange, formatChanges } from '../../../src/generator/changes/context.ts';
import { canonicalText } from '../../../src/generator/model/schema/keywords.ts';
import { BASE, edited } from './documents.ts';

const COMPONENTS = ['A', 'B', 'C'];

const schema: fc.Arbitrary<JsonObject> = fc.letrec<{ schema: JsonObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 2, withCrossShrink: true },
    fc.record({
      type: fc.constantFrom<Json[]>('string', 'integer', 'number', ['string', 'null'], 'boolean'),
    }),
    fc.record({
      type: fc.constant('string'),
      enum: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1 }),
    }),
    fc.record({ type: fc.constant('integer'), minimum: fc.nat(3) }),
    fc.record({ $ref: fc.constantFrom(...COMPONENTS).map((name) => `#/components/schemas/${name}`) }),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 2, maxLength: 3 }) }),
    fc.record({ type: fc.constant('array'), items: tie('schema') }),
    fc.record({
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom('x', 'y', '__proto__', 'constructor'), tie('schema')),
      required: fc.uniqueArray(fc.constantFrom('x', 'y')),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
    }),
  ),
})).schema;

const parameter = fc.record({
  name: fc.constantFrom('order', 'page', 'hasOwnProperty'),
  in: fc.constantFrom('query', 'header'),
  required: fc.boolean(),
  schema,
});

const operation = fc.record({
  operationId: fc.constantFrom('list', 'create'),
  parameters: fc.uniqueArray(parameter, { selector: ({ name, in: at }) => `${at} ${name}`, maxLength: 3 }),
  requestBody: fc.record({
    required: fc.boolean(),
    content: fc.record({ 'application/json': fc.record({ schema }) }),
  }),
  responses: fc.dictionary(
    fc.constantFrom('200', '201', '404'),
    fc.record({ content: fc.record({ 'application/json': fc.record({ schema }) }) }),
  ),
});

const document: fc.Arbitrary<JsonObject> = fc.record({
  info: fc.record({ title: fc.constantFrom('A', 'B') }),
  paths: fc.dictionary(
    fc.constantFrom('/posts', '/posts/{id}', '/tags'),
    fc.record({ get: operation, post: operation }, { requiredKeys: [] }),
  ),
  components: fc.record({ schemas: fc.record({ A: schema, B: schema, C: schema }, { requiredKeys: ['A'] }) }),
});

/** The rules that state the same change in the other direction. The others are their own. */
const REVERSED: Readonly<Partial<Record<ChangeRuleName, string>>> = {
  'bound-tightened': 'bound-loosened',
  'became-required': 'became-optional',
  'values-restricted': 'values-unrestricted',
  'type-narrowed': 'type-widened',
  'other-members-refused': 'other-members-accepted',
  'other-members-typed': 'other-members-untyped',
};
const REVERSIBLE = new Map<string, string>(
  Object.entries(REVERSED).flatMap(([one, other]) => [
    [one, other],
    [other, one],
  ]),
);

/** The rule of the same change in the other direction; whether what was added is required is not told of what was removed. */
function reverse(rule: string): string {
  const plain = rule.replace(/^required-/, '');
  const reversed = REVERSIBLE.get(plain);
  if (reversed !== undefined) return reversed;
  return plain.endsWith('-added')
    ? plain.replace(/-added$/, '-removed')
    : plain.replace(/-removed$/, '-added');
}

/** The rules of the changes for each operation. Equal changes of operations are grouped, which may differ by direction. */
const rulesOf = (
  before: JsonObject,
  after: JsonObject,
  toRule: (rule: string) => string,
): readonly string[] => {
  const rules = compareDocuments(before, after).changes.flatMap(({ operations, rule }) =>
    (operations.length === 0 ? [''] : operations).map((name) => `${toRule(rule)} ${name}`),
  );
  // A component that only one of the documents uses has its change once more, without an operation, in one direction.
  const isRepeated = (line: string): boolean =>
    line.endsWith(' ') && rules.some((other) => other !== line && other.startsWith(line));
  return [...new Set(rules)].filter((line) => !isRepeated(line)).sort();
};

/** Documents are large, so fewer cases than usual take the time of a test. */
const CASES = { numRuns: 30 };

test('a document has no changes to itself', () => {
  fc.assert(
    fc.property(document, (each) => {
      expect(compareDocuments(each, structuredClone(each)).changes).toEqual([]);
    }),
    CASES,
  );
});

test('only documents with different content have changes, and the reverse comparison has the reverse changes', () => {
  fc.assert(
    fc.property(document, document, (before, after) => {
      const changes = rulesOf(before, after, reverse);
      if (changes.length > 0) expect(canonicalText(before)).not.toBe(canonicalText(after));
      expect(rulesOf(after, before, (rule) => rule.replace(/^required-/, ''))).toEqual(changes);
    }),
    CASES,
  );
});

test('whatever the documents contain, nothing is thrown, and each change is one line', () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 6 }), fc.jsonValue(), (one, other) => {
      const hostile = { ...BASE, ...(one as JsonObject), paths: { 'a\n::error::x': { get: one as Json } } };
      const { changes } = compareDocuments(BASE, hostile);
      compareDocuments(hostile, edited(BASE, ['components', other as Json]));
      for (const line of changes.map(formatChange)) expect(line).not.toMatch(/[\n\r]/);
    }),
  );
});

const PART = '#/paths/~1posts/x-part';
const CHILD: JsonObject = { $ref: '#/components/schemas/Post' };

test.each<[string, Json, Json]>([
  ['that become alternatives', CHILD, { anyOf: [CHILD, { type: 'null' }] }],
  ['with texts beside them', { ...CHILD, description: 'a' }, { ...CHILD, description: 'b' }],
  ['to a part of an operation', { $ref: PART }, { $ref: PART }],
])('references %s are compared once, where each component contains itself many times', (_, old, current) => {
  const [before, after] = [old, current].map((child, at) => {
    const names = Array.from({ length: 8 }, (_, position) => `child${position}`);
    const properties = { name: { minLength: at }, ...Object.fromEntries(names.map((name) => [name, child])) };
    return edited(
      BASE,
      ['components schemas Post', { type: 'object', properties }],
      ['paths /posts x-part', { type: 'object', properties }],
    );
  });
  const { changes } = compareDocuments(before ?? {}, after ?? {});
  expect(changes.length).toBeGreaterThan(0);
  expect(changes.length).toBeLessThan(20);
});

test('the number of changes is bounded, and the rest are counted', () => {
  const members = (prefix: string): Json =>
    Object.fromEntries(Array.from({ length: 6000 }, (_, index) => [`${prefix}${index}`, {}]));
  const result = compareDocuments(
    edited(BASE, ['components schemas Post properties', members('a')]),
    edited(BASE, ['components schemas Post properties', members('b')]),
  );
  expect(result).toMatchObject({ changes: { length: 5000 }, omitted: 7000 });
  expect(formatChanges(result, 10).slice(9)).toEqual([
    expect.stringContaining('it was removed (breaking)'),
    'and 11990 more',
  ]);
});
