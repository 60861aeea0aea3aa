import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Diagnostic } from '../../../../src/base/diagnostics.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../src/base/json.ts';
import { Normalizer } from '../../../../src/generator/model/schema/normalizer.ts';

export function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, logger: false });
  addFormats.default(ajv);
  return ajv;
}

/** Normalizes one schema and collects its diagnostics. */
export function normalized(given: Json): { schema: JsonObject; found: readonly Diagnostic[] } {
  const found: Diagnostic[] = [];
  const normalizer = new Normalizer((diagnostic) => found.push(diagnostic));
  return { schema: normalizer.normalizeSchema(given, { route: '/r', pointer: '' }), found };
}

/** Yields a schema and its subschemas, with their pointers. */
export function* schemasIn(schema: Json, pointer = ''): Generator<readonly [string, JsonObject]> {
  if (!isJsonObject(schema)) return;
  yield [pointer, schema];
  for (const [keyword, value] of Object.entries(schema)) {
    if (SINGLE.has(keyword)) yield* schemasIn(value, `${pointer}/${keyword}`);
    const members =
      LISTED.has(keyword) || (NAMED.has(keyword) && isJsonObject(value)) ? Object.entries(value ?? {}) : [];
    for (const [name, member] of members) yield* schemasIn(member, `${pointer}/${keyword}/${name}`);
  }
}

const SINGLE = new Set(['items', 'additionalProperties', 'not']);
const LISTED = new Set(['oneOf', 'anyOf', 'allOf', 'prefixItems']);
const NAMED = new Set(['properties', 'patternProperties']);
