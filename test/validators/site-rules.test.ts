import { beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/json.ts';
import { createMock } from '../../src/mock/index.ts';
import { toOpenApi } from '../../src/openapi/index.ts';
import { toTypes } from '../../src/types/index.ts';
import { toValidators } from '../../src/validators/index.ts';
import { createRequest } from '../mock/mock-client.ts';
import { createDiscoveredSite } from '../support/site.ts';
import { createTypeChecker } from '../types/type-checker.ts';
import { ROWS, type SchemaRow } from '../validation/wordpress/rows.ts';
import { issuesOf, loadModule } from './load-module.ts';

/*
 * The rules that `wordpress.real.test.ts` holds against a real site are those of the types, both kinds of validators and the mock
 * too (K9). A value that the site converts, such as "5" to 5, is no value of the schema, so only the mock has it.
 */

const rows = Object.values(ROWS).flat();
const names = new Map<string, string>();
const args: Record<string, JsonObject> = {};
for (const row of rows) {
  const text = JSON.stringify(row[1]);
  if (names.has(text)) continue;
  names.set(text, `p${names.size}`);
  args[`p${names.size - 1}`] = row[1];
}
const nameOf = ([, schema]: SchemaRow): string => names.get(JSON.stringify(schema)) ?? '';
const isRefused = ([, , verdict]: SchemaRow): boolean => 'refused' in verdict;
const isConverted = ([value, , verdict]: SchemaRow): boolean =>
  'becomes' in verdict && JSON.stringify(verdict.becomes) !== JSON.stringify(value);
const describeRow = ([value, schema]: SchemaRow): string =>
  `${JSON.stringify(value)} by ${JSON.stringify(schema)}`;

/** What validators leave to the site, or a document repairs. */
const LEFT_OUT: readonly ((row: SchemaRow) => boolean)[] = [
  // PHP has one array type, so a list is an object.
  ([value, { type }]) => Array.isArray(value) && [type].flat().includes('object'),
  ([value, { uniqueItems }]) => uniqueItems === true && /^\[\[.*\{/.test(JSON.stringify(value)),
  // Zod has no keywords without a type.
  ([, { format, type }]) => format !== undefined && type === undefined,
  // No validator checks `patternProperties`, and `oneOf` is `anyOf`.
  ([, { oneOf, patternProperties }]) => oneOf !== undefined || patternProperties !== undefined,
  // A pattern that PHP cannot compile refuses everything.
  ([, { pattern }]) => pattern === '(',
  // A type that is none refuses nothing, and an enum of another type everything.
  ([, { type, enum: values }]) =>
    /bool\b|int\b/.test(JSON.stringify(type)) || JSON.stringify(values) === '["7"]',
  // The pattern of IPv6 is simple.
  ([value, { format }]) => format === 'ip' && String(value).includes(':'),
];

let document: JsonObject;
beforeAll(() => {
  ({ document } = toOpenApi(createDiscoveredSite({ '/x/v1/rows': { POST: args } })));
});

describe.each(['zod', 'json'] as const)('validators of kind %s', (kind) => {
  test('agree with the site', async () => {
    const { validators } = loadModule(await toValidators(document, { kind }));
    const [{ body } = {}] = Object.values(validators);
    const checked = rows.filter((row) => !isConverted(row) && !LEFT_OUT.some((isLeftOut) => isLeftOut(row)));
    expect(checked.length).toBeGreaterThan(200);
    const different = checked.filter(
      (row) => (issuesOf(body, { [nameOf(row)]: row[0] }) !== null) !== isRefused(row),
    );
    expect(different.map(describeRow)).toEqual([]);
  });
});

test('the mock agrees with the site', async () => {
  const request = createRequest(() => createMock(document));
  const different: string[] = [];
  for (const row of rows) {
    const [value, { enum: values, type }] = row;
    // WordPress validates arguments with a type only, and null is no value of an argument.
    if (type === undefined || value === null || JSON.stringify(values) === '["7"]') continue;
    const { status } = await request('POST /x/v1/rows', { [nameOf(row)]: value });
    if ((status === 400) !== isRefused(row)) different.push(`${status} for ${describeRow(row)}`);
  }
  expect(different).toEqual([]);
});

test('the types take what the site takes', async () => {
  const lines = rows
    .filter((row) => !isRefused(row) && !isConverted(row) && !LEFT_OUT.some((isLeftOut) => isLeftOut(row)))
    // A member that is not declared is a typo.
    .filter(([value, { properties }]) => properties === undefined || JSON.stringify(value) !== '{"b":"x"}')
    .map((row, index) => `export const v${index}: Body["${nameOf(row)}"] = ${JSON.stringify(row[0])};\n`);
  const program = `import type { operations } from './site.ts';
type Body = NonNullable<operations[keyof operations]['requestBody']>['content']['application/json'];
// @ts-expect-error: of another type
export const other: Body["${nameOf([0, { type: 'integer' }, { becomes: 0 }])}"] = 'x';
${lines.join('')}`;
  expect(lines.length).toBeGreaterThan(80);
  const { errors } = createTypeChecker()({ 'site.ts': await toTypes(document), 'program.ts': program });
  expect(errors).toEqual([]);
});
