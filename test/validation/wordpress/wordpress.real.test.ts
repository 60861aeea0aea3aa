import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/json.ts';
import { createSchemaValidator } from '../../../src/validation/wordpress/index.ts';
import { useWordPress } from '../../support/wordpress.ts';
import { schema, value } from './arbitrary.ts';
import { EDGE_ROWS } from './edge-rows.ts';
import { ROWS, type SchemaRow } from './rows.ts';

/** A route of a plugin that puts rows before WordPress's own functions. */
const site = useWordPress({ muPlugins: fileURLToPath(new URL('mu-plugins', import.meta.url)) });

/** What WordPress and this room each say of a row. */
interface RowResult {
  readonly refused: readonly [code: string, message: string] | null;
  readonly becomes: Json;
}

async function validateInWordPress(rows: readonly SchemaRow[]): Promise<readonly RowResult[]> {
  const response = await fetch(`${site().url}index.php?rest_route=/validation/v1/rows`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: JSON.stringify(rows.map(([value, schema]) => [value, schema])),
  });
  expect(response.status).toBe(200);
  return response.json();
}

function validateHere([value, schema]: SchemaRow): RowResult {
  const { validate, sanitize } = createSchemaValidator(schema);
  const refused = validate(value, 'p');
  if (refused !== null) return { refused: [refused.code, refused.message], becomes: null };
  const sanitized = sanitize(value, 'p');
  return sanitized.ok
    ? { refused: null, becomes: sanitized.value }
    : { refused: [sanitized.violation.code, sanitized.violation.message], becomes: null };
}

/** One array is both in PHP: what counts from 0 is written as a list. */
function toPhpJson(value: Json): Json {
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries<Json>(value).map(([name, member]): [string, Json] => [
    name,
    toPhpJson(member),
  ]);
  const counts = members.every(([name], index) => name === String(index));
  return counts ? members.map(([, member]) => member) : Object.fromEntries(members);
}

/** Rows with what is said of them, each on a line of its own, so that a difference is read at a glance. */
function table(rows: readonly SchemaRow[], said: readonly RowResult[]): string[] {
  return said.map(({ refused, becomes }, index) => {
    const [value, schema] = rows[index] ?? [];
    return JSON.stringify({ value, schema, refused, becomes: toPhpJson(becomes) });
  });
}

async function expectSameResults(rows: readonly SchemaRow[]): Promise<void> {
  const theirs = table(rows, await validateInWordPress(rows));
  const ours = table(rows, rows.map(validateHere));
  const different = (_: string, index: number): boolean => ours[index] !== theirs[index];
  expect(ours.filter(different)).toEqual(theirs.filter(different));
  expect(ours).toHaveLength(theirs.length);
}

describe('WordPress has the same result for every row', () => {
  test.each(Object.entries({ ...ROWS, ...EDGE_ROWS }))('%s', (_subject, rows) => expectSameResults(rows));
});

test('WordPress has the same result for 3000 generated values and schemas', async () => {
  const drawn = fc.sample(fc.tuple(value, schema), { numRuns: 3000, seed: 1 });
  await expectSameResults(drawn.map(([one, by]): SchemaRow => [one, by, { becomes: null }]));
});
