import { describe, expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../src/json.ts';
import { estimateFormCost, JsonScanner } from '../../../src/php/parse-cost.ts';
import {
  type BufferedBodyReader,
  planBody,
  TOO_COMPLEX_BODY_PARAMETERS,
} from '../../../src/validation/request/parameters.ts';
import { DEFAULT_WORK_LIMIT, limitWork, spendWork } from '../../../src/validation/wordpress/schema.ts';
import { createSchemaValidator } from '../../../src/validation/wordpress/validate.ts';

const JSON_TYPE = 'application/json';
const URLENCODED = 'application/x-www-form-urlencoded';
const ATTACK_LENGTH = 7_600_000;

function createReader(contentType: string): BufferedBodyReader {
  const plan = planBody({ requestMethod: 'POST', method: 'POST', contentType });
  if (plan.kind !== 'buffered') throw new Error(plan.kind);
  return plan.createReader();
}

function isParsed(contentType: string, body: string): boolean {
  const plan = planBody({ requestMethod: 'POST', method: 'POST', contentType });
  if (plan.kind !== 'buffered') throw new Error(plan.kind);
  return plan.parse(new TextEncoder().encode(body)) !== TOO_COMPLEX_BODY_PARAMETERS;
}

const rows = (count: number): readonly object[] =>
  Array.from({ length: count }, (_, id) => ({ id, title: `Row ${id}`, slug: `row-${id}`, tags: ['a', 'b'] }));

describe('a body is not parsed if that would block the event loop', () => {
  test.each([
    ['2.5 million empty objects', JSON_TYPE, `{"meta":[${'{},'.repeat(ATTACK_LENGTH / 3)}{}]}`],
    ['3.8 million numbers', JSON_TYPE, `[${'1,'.repeat(ATTACK_LENGTH / 2)}1]`],
    [
      '600,000 members',
      JSON_TYPE,
      `{${Array.from({ length: 600_000 }, (_, index) => `"k${index}":1`).join()}}`,
    ],
    ['2.5 million strings', JSON_TYPE, `[${'"",'.repeat(ATTACK_LENGTH / 3)}""]`],
    ['3.8 million escapes', JSON_TYPE, `["${'\\n'.repeat(ATTACK_LENGTH / 2)}"]`],
    ['7.6 MB outside of ASCII', JSON_TYPE, `["${'é'.repeat(ATTACK_LENGTH / 2)}"]`],
    ['2.5 million escapes in a form', URLENCODED, `a=${'%41'.repeat(ATTACK_LENGTH / 3)}`],
    ['7.6 million plus signs', URLENCODED, `a=${'+'.repeat(ATTACK_LENGTH)}`],
    ['1.9 million variables', URLENCODED, 'a=1&'.repeat(ATTACK_LENGTH / 4)],
  ])('%s', (_, contentType, body) => {
    expect(isParsed(contentType, body)).toBe(false);
  });
});

test.each([
  ['open brackets', '['.repeat(ATTACK_LENGTH)],
  ['objects in objects', '{"a":'.repeat(ATTACK_LENGTH / 5)],
])('%s that nest too deep are an error, as at the site', (_, body) => {
  const plan = planBody({ requestMethod: 'POST', method: 'POST', contentType: JSON_TYPE });
  if (plan.kind !== 'buffered') throw new Error('JSON is buffered');
  expect(plan.parse(Buffer.from(body))).toMatchObject({ kind: 'invalid', code: 'rest_invalid_json' });
});

describe('a body that clients of real sites send is parsed', () => {
  const paragraph = '<!-- wp:paragraph {"align":"left"} -->\n<p class="a">Hello, wörld: “a”</p>\n';
  test.each([
    ['a post of 3 MB', JSON_TYPE, JSON.stringify({ content: paragraph.repeat(39_000) })],
    ['a post of 1 MB in Chinese', JSON_TYPE, JSON.stringify({ content: '文章內容。'.repeat(70_000) })],
    ['an import of 3,000 rows', JSON_TYPE, JSON.stringify(rows(3000))],
    ['a form with 900 fields of 1 KB', URLENCODED, `a[]=${'x'.repeat(1000)}&`.repeat(900)],
    ['a form of 1 MB, encoded', URLENCODED, `content=${'%D7%90+'.repeat(150_000)}`],
  ])('%s', (_, contentType, body) => {
    expect(isParsed(contentType, body)).toBe(true);
  });
});

/** Validates like a request: `null` for a valid value, and a code for an invalid one. */
function validate(
  schema: JsonObject,
  value: Parameters<ReturnType<typeof createSchemaValidator>['validate']>[0],
): string | null {
  const validator = createSchemaValidator(schema);
  return limitWork(
    DEFAULT_WORK_LIMIT,
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
    ['a pattern on a long text', { type: 'string', pattern: '^(a+)+$' }, `${'a'.repeat(1_000_000)}!`],
    [
      'many texts with a pattern',
      { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' } },
      MANY_TEXTS,
    ],
    ['a format of a long text', { type: 'string', format: 'ip' }, ':'.repeat(1_000_000)],
    [
      'the sanitisation of a long text',
      { type: 'string', format: 'text-field', enum: ['a'] },
      '<'.repeat(1_000_000),
    ],
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
    ['a slug of 200 characters', { type: 'string', pattern: '^[a-z0-9-]+$' }, 'a'.repeat(200)],
  ])('%s', (_, schema, value) => {
    expect(validate(schema, value)).toBeNull();
  });
});

describe('a work limit', () => {
  test('counts for the work within it only', () => {
    expect(
      limitWork(
        10,
        () => spendWork(11),
        () => 'exceeded',
      ),
    ).toBe('exceeded');
    expect(() => spendWork(1e12)).not.toThrow();
  });

  test('does not hide other errors', () => {
    const fail = (): never => {
      throw new TypeError('defect');
    };
    expect(() => limitWork(10, fail, fail)).toThrow('defect');
  });

  test('is as far spent by a body that is read a second time', () => {
    const reader = createReader(JSON_TYPE);
    const body = new TextEncoder().encode(`[${'1,'.repeat(4000)}2]`);
    reader.write(body);
    const parameters = reader.end(body);
    expect(reader.end(body)).toBe(parameters);
    expect(
      limitWork(
        10,
        () => reader.end(body),
        () => null,
      ),
    ).toBe(TOO_COMPLEX_BODY_PARAMETERS);
  });

  test('counts a short first chunk of a body too', () => {
    const body = new TextEncoder().encode(`[${'1,'.repeat(4000)}2]`);
    const read = (length: number): unknown => {
      const reader = createReader(JSON_TYPE);
      reader.write(body.subarray(0, length));
      reader.write(body.subarray(length));
      const scanner = new JsonScanner(1);
      scanner.write(body);
      const endWithin = (limit: number): unknown =>
        limitWork(
          limit,
          () => reader.end(body),
          () => null,
        );
      return [endWithin(scanner.cost - 1) === TOO_COMPLEX_BODY_PARAMETERS, endWithin(scanner.cost)];
    };
    expect(read(100)).toMatchObject([true, { kind: 'complete' }]);
    expect(read(5000)).toEqual(read(100));
  });
});

test('a short body that nests too deep has the error of PHP', () => {
  const body = new TextEncoder().encode('['.repeat(600) + ']'.repeat(600));
  const reader = createReader(JSON_TYPE);
  reader.write(body);
  expect(reader.end(body)).toMatchObject({ kind: 'invalid', code: 'rest_invalid_json' });
});

describe('a body in chunks', () => {
  const text = JSON.stringify({ a: ['x\\"[{', 'é'], b: { c: '\\', d: [[1, 2], {}] } });
  test.each([1, 2, 3, 7])('of %i bytes costs as much as the whole', (length) => {
    const bytes = new TextEncoder().encode(text);
    const whole = new JsonScanner(3);
    whole.write(bytes);
    const scanner = new JsonScanner(3);
    let formCost = 0;
    for (let at = 0; at < bytes.length; at += length) {
      scanner.write(bytes.subarray(at, at + length));
      formCost += estimateFormCost(bytes.subarray(at, at + length));
    }
    expect([scanner.cost, scanner.tooDeep]).toEqual([whole.cost, whole.tooDeep]);
    expect(bytes[whole.tooDeep?.at ?? 0]).toBe('['.charCodeAt(0));
    expect(formCost).toBe(estimateFormCost(bytes));
  });
});

test('the error of brackets after millions of values is not searched for', () => {
  const reader = createReader(JSON_TYPE);
  const body = new TextEncoder().encode(`[${'{},'.repeat(ATTACK_LENGTH / 3)}${'['.repeat(600)}`);
  reader.write(body);
  expect(reader.end(body)).toBe(TOO_COMPLEX_BODY_PARAMETERS);
});
