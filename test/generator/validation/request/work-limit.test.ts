import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../../src/base/json.ts';
import { type BodyParameters, planBody } from '../../../../src/generator/validation/request/validator.ts';
import { limitValidation } from '../../../../src/generator/validation/wordpress/schema.ts';
import { createSchemaValidator } from '../../../../src/generator/validation/wordpress/validate.ts';

const JSON_TYPE = 'application/json';
const URLENCODED = 'application/x-www-form-urlencoded';

function parse(contentType: string, body: string): BodyParameters {
  const plan = planBody({ requestMethod: 'POST', method: 'POST', contentType });
  if (plan.kind !== 'buffered') throw new Error(plan.kind);
  return plan.parse(new TextEncoder().encode(body));
}

const rows = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, id) => ({ id, title: `Row ${id}`, slug: `row-${id}`, tags: ['a', 'b'] }));

describe('a body that clients of real sites send is parsed', () => {
  const paragraph = '<!-- wp:paragraph {"align":"left"} -->\n<p class="a">Hello, wörld: “a”</p>\n';
  test.each([
    ['a post of 3 MB', JSON_TYPE, JSON.stringify({ content: paragraph.repeat(39_000) })],
    ['an import of 3,000 rows', JSON_TYPE, JSON.stringify(rows(3000))],
    ['a form with 900 fields of 1 KB', URLENCODED, `a[]=${'x'.repeat(1000)}&`.repeat(900)],
  ])('%s', (_, contentType, body) => {
    expect(parse(contentType, body).kind).toBe('complete');
  });
});

/** Validates like a request: `null` for a valid value, and a code for an invalid one. */
function validate(
  schema: JsonObject,
  value: Parameters<ReturnType<typeof createSchemaValidator>['validate']>[0],
): string | null {
  const validator = createSchemaValidator(schema);
  return limitValidation(
    () => validator.validate(value, 'x')?.code ?? null,
    () => 'too complex',
  );
}

/** A schema in which the number of attempts doubles at each level. */
function nestCombinators(depth: number): JsonObject {
  let schema: JsonObject = { type: 'string' };
  for (let level = 0; level < depth; level++) schema = { anyOf: [schema, schema] };
  return schema;
}

/** 5 MB, of which a pattern reads every character. */
const MANY_TEXTS = Array.from({ length: 5_000 }, () => 'a'.repeat(1_000));

describe('validation ends if it would block the event loop', () => {
  test.each<[string, JsonObject, Parameters<typeof validate>[1]]>([
    ['many items', { type: 'array', items: { type: 'integer' } }, Array.from({ length: 100_000 }, () => 1)],
    ['a list in a text', { type: 'array', items: { type: 'integer' } }, '1,'.repeat(500_000)],
    [
      'many texts with a pattern',
      { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' } },
      MANY_TEXTS,
    ],
    ['a format of a long text', { type: 'string', format: 'ip' }, ':'.repeat(1_000_000)],
    [
      'duplicates in a long list',
      { type: 'array', uniqueItems: true },
      Array.from({ length: 300_000 }, (_, index) => index),
    ],
    [
      'items × members of an enum',
      { type: 'array', items: { enum: Array.from({ length: 500 }, (_, index) => `v${index}`) } },
      Array.from({ length: 5000 }, () => 'v499'),
    ],
    ['nested combinators', nestCombinators(20), 1],
  ])('%s', (_, schema, value) => {
    expect(validate(schema, value)).toBe('too complex');
  });
});

describe('validation does not end for values of real sites', () => {
  const properties = {
    id: { type: 'integer' },
    title: { type: 'string' },
    slug: { type: 'string', pattern: '^[a-z0-9-]+$' },
    tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, uniqueItems: true },
  };
  test.each<[string, JsonObject, Parameters<typeof validate>[1]]>([
    ['a text of 5 MB', { type: 'string' }, 'x'.repeat(5_000_000)],
    ['many texts without a pattern', { type: 'array', items: { type: 'string' } }, MANY_TEXTS],
    ['1,500 rows', { type: 'array', items: { type: 'object', properties } }, rows(1500).filter(isJsonObject)],
    [
      '1,000 ids in a text',
      { type: 'array', items: { type: 'integer' } },
      Array.from({ length: 1000 }, (_, id) => id).join(),
    ],
  ])('%s', (_, schema, value) => {
    expect(validate(schema, value)).toBeNull();
  });
});
