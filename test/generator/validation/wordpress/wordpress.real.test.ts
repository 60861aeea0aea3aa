import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../src/base/json.ts';
import { createSchemaValidator } from '../../../../src/generator/validation/wordpress/validate.ts';
import { useWordPress } from '../../../support/wordpress.ts';
import { schema, value } from './arbitrary.ts';
import { ROWS } from './rows.ts';

/** A site with a plugin route that validates rows with WordPress's functions. */
const site = useWordPress({ muPlugins: fileURLToPath(new URL('mu-plugins', import.meta.url)) });

type Row = readonly [value: Json, schema: JsonObject];

/** Result of a row in WordPress or in this module. */
interface RowResult {
  readonly refused: readonly [code: string, message: string] | null;
  readonly becomes: Json;
}

async function validateInWordPress(rows: readonly Row[]): Promise<readonly RowResult[]> {
  const response = await fetch(`${site().url}index.php?rest_route=/validation/v1/rows`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify(rows),
  });
  expect(response.status).toBe(200);
  return response.json();
}

/** Validates a value and then sanitises it, which can find a violation too, as for the parameters of a request. */
function validateHere([value, schema]: Row): RowResult {
  const { sanitize, validate } = createSchemaValidator(schema);
  const refused = validate(value, 'p');
  const sanitized = sanitize(value, 'p');
  const violation = refused ?? (sanitized.ok ? null : sanitized.violation);
  if (violation === null) return { refused: null, becomes: sanitized.ok ? sanitized.value : null };
  return { refused: [violation.code, violation.message], becomes: null };
}

/** Converts objects with keys 0, 1, … to lists: PHP has one array type and encodes such an array as a list. */
function toPhpJson(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries<Json>(value).map(([name, member]): [string, Json] => [
    name,
    toPhpJson(member),
  ]);
  const isList = members.every(([name], index) => name === String(index));
  return isList ? members.map(([, member]) => member) : Object.fromEntries(members);
}

/** WordPress's messages about alternatives say more. */
const ALTERNATIVES = /"(rest_no_matching_schema|rest_one_of_multiple_matches)","(?:[^"\\]|\\.)*"/;

/** Formats each row and its result as a line of JSON, for a readable difference. */
function table(rows: readonly Row[], results: readonly RowResult[]): string[] {
  return results.map(({ refused, becomes }, index) => {
    const [value, schema] = rows[index] ?? [];
    const line = JSON.stringify({ value, schema, refused, becomes: toPhpJson(becomes) });
    return line.replace(ALTERNATIVES, '"$1"');
  });
}

async function expectSameResults(rows: readonly Row[]): Promise<void> {
  const expected = table(rows, await validateInWordPress(rows));
  const actual = table(rows, rows.map(validateHere));
  const different = (_: string, index: number): boolean => actual[index] !== expected[index];
  expect(actual.filter(different)).toEqual(expected.filter(different));
  expect(actual).toHaveLength(expected.length);
}

describe('WordPress has the same result for every row', () => {
  test.each(Object.entries(ROWS))('%s', (_subject, rows) =>
    expectSameResults(
      rows.flatMap(([schema, ...values]) => values.flat().map((value): Row => [value, schema])),
    ),
  );
});

test('WordPress has the same result for 1500 generated values and schemas', async () => {
  // Of seed 1, one schema has two objects to choose from, and WordPress ends with an error of PHP for the value ''.
  const generated = fc.sample(fc.tuple(value, schema), { numRuns: 1500, seed: 3 });
  await expectSameResults(generated);
});
