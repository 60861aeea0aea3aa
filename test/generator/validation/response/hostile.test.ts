import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { type ResponseOverrides, validateJson } from './validate-json.ts';

const TREE = { Tree: { type: 'object', additionalProperties: { $ref: '#/components/schemas/Tree' } } };
const MIB = 1024 * 1024;

/** [what, schema, body, what comes of it] */
const ROWS: readonly (readonly [string, JsonObject, string, ResponseOverrides, string])[] = [
  [
    'objects 100,000 deep',
    { $ref: '#/components/schemas/Tree' },
    `${'{"a":'.repeat(100_000)}null${'}'.repeat(100_000)}`,
    { schemas: TREE },
    'too-costly',
  ],
  ['depth that has to be compared', { enum: [[]] }, '['.repeat(9_000) + ']'.repeat(9_000), {}, 'too-costly'],
  ['a mebibyte of brackets', { type: 'array' }, '['.repeat(MIB), {}, 'malformed'],
  ['a mebibyte of zeros', { items: { type: 'string' } }, `[${'0,'.repeat(MIB / 2)}0]`, {}, 'too-costly'],
  [
    'a mebibyte of empty objects in a list of distinct ones',
    { uniqueItems: true },
    `[${'{},'.repeat(MIB / 3)}{}]`,
    {},
    'too-costly',
  ],
  [
    'a pattern that would run for ever',
    { pattern: '^(a+)+$' },
    JSON.stringify(`${'a'.repeat(16_000)}!`),
    {},
    'validated',
  ],
  [
    'a large pattern of that kind, on many long texts',
    { items: { pattern: `^(${Array.from({ length: 100 }, (_, index) => `(a|a${index})+`).join('|')})+$` } },
    JSON.stringify(Array.from({ length: 60 }, () => `${'a'.repeat(16_000)}!`)),
    {},
    'too-costly',
  ],
  ['a reference to itself', { $ref: '#/components/schemas/It' }, '1', {}, 'too-costly'],
  [
    'alternatives of alternatives',
    { $ref: '#/components/schemas/L0' },
    '"x"',
    {
      schemas: Object.fromEntries(
        Array.from({ length: 61 }, (_, level) => {
          const below = { $ref: `#/components/schemas/L${level + 1}` };
          return [`L${level}`, level < 60 ? { anyOf: [below, below] } : { const: 1 }];
        }),
      ),
    },
    'too-costly',
  ],
  [
    'a schema 5,000 deep, of which most is not read',
    Array.from({ length: 5_000 }).reduce<JsonObject>((inner) => ({ allOf: [inner] }), { type: 'null' }),
    '1',
    {},
    'validated',
  ],
];

test.each(ROWS)('%s', (_, schema, body, given, expected) => {
  const result = validateJson(schema, body, given);
  expect(result.kind === 'validated' ? 'validated' : result.reason).toBe(expected);
});

describe('the counts stay bounded', () => {
  const schema: JsonObject = { type: 'object', properties: { id: { type: 'integer' } } };
  const names = (from: number, count: number): string =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${from + index}`, index])),
    );

  test('for any number of names in a body', () => {
    const result = validateJson(schema, names(0, 5_000));
    expect(result.kind === 'validated' && result.findings.length).toBe(1_000);
  });
});
