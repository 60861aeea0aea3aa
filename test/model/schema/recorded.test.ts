import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/diagnostics.ts';
import { isJsonObject, type Json, type JsonObject, toPointerSegment } from '../../../src/json.ts';
import { Normalizer } from '../../../src/model/schema/normalizer.ts';

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

test('the findings in the schemas of WordPress 7.1 have pointers that exist in the index', () => {
  const found: Diagnostic[] = [];
  const normalizer = new Normalizer((diagnostic) => found.push(diagnostic));
  for (const [route, entry] of Object.entries(index['routes'] ?? {})) {
    const pointer = `/routes${toPointerSegment(route)}`;
    for (const position of Object.keys(entry.endpoints)) {
      const its = { route, pointer: `${pointer}/endpoints/${position}/args` };
      const declared = Object.entries(at(its.pointer) ?? {});
      normalizer.normalizeArguments(
        declared.map(([name, declaration]) => ({ name, declaration })),
        its,
      );
    }
    if (isJsonObject(entry.schema))
      normalizer.normalizeSchema(entry.schema, { route, pointer: `${pointer}/schema` });
  }
  expect(found.length).toBeGreaterThan(100);
  for (const { pointer, rule } of found) expect(at(pointer), `${rule} ${pointer}`).toBeDefined();
});
