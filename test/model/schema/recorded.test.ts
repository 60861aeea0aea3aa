import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/diagnostics.ts';
import { isJsonObject, type Json, type JsonObject, toPointerSegment } from '../../../src/json.ts';
import { Normalizer } from '../../../src/model/schema/normalizer.ts';
import { createAjv, schemasIn } from './normalized.ts';

const file = new URL('../../fixtures/wordpress-7.1-index-help.json', import.meta.url);
const index: JsonObject = JSON.parse(readFileSync(file, 'utf8'));

/** Resolves a JSON pointer in the index. */
function at(pointer: string): Json | undefined {
  let value: Json | undefined = index;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value) ? value[Number(name)] : isJsonObject(value) ? value[name] : undefined;
  }
  return value;
}

describe('the schemas of WordPress 7.1', () => {
  const found: Diagnostic[] = [];
  const schemas: [string, JsonObject][] = [];
  let changed = false;

  beforeAll(() => {
    const before = JSON.stringify(index);
    const normalizer = new Normalizer((diagnostic) => found.push(diagnostic));
    for (const [route, entry] of Object.entries(index['routes'] ?? {})) {
      const pointer = `/routes${toPointerSegment(route)}`;
      for (const [position, endpoint] of Object.entries(entry.endpoints)) {
        const its = { route, pointer: `${pointer}/endpoints/${position}/args` };
        const declared = Object.entries(at(its.pointer) ?? {});
        const args = declared.map(([name, declaration]) => ({ name, declaration }));
        expect(isJsonObject(endpoint)).toBe(true);
        for (const { name, schema } of normalizer.normalizeArguments(args, its))
          schemas.push([its.pointer + name, schema]);
      }
      if (isJsonObject(entry.schema)) {
        const its = { route, pointer: `${pointer}/schema` };
        schemas.push([its.pointer, normalizer.normalizeSchema(entry.schema, its)]);
      }
    }
    changed = JSON.stringify(index) !== before;
  });

  test('are all normalized', () => {
    expect(schemas.length).toBe(1187);
    expect(changed).toBe(false);
  });

  test('compile in Ajv 2020-12', () => {
    const ajv = createAjv();
    for (const [pointer, schema] of schemas) expect(() => ajv.compile(schema), pointer).not.toThrow();
  });

  test('accept every default that remains', () => {
    const ajv = createAjv();
    let defaults = 0;
    for (const [pointer, schema] of schemas) {
      for (const [below, its] of schemasIn(schema)) {
        if (!Object.hasOwn(its, 'default')) continue;
        defaults += 1;
        expect(ajv.validate(its, its['default']), pointer + below).toBe(true);
      }
    }
    expect(defaults).toBeGreaterThan(500);
  });

  test('are reported with pointers that exist in the index', () => {
    for (const { pointer, rule } of found) expect(at(pointer), `${rule} ${pointer}`).toBeDefined();
  });
});
