import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../../src/base/json.ts';
import { runSteps } from '../../../../src/base/steps.ts';
import { discover } from '../../../../src/generator/discovery/index.ts';
import { resolveReference } from '../../../../src/generator/openapi/document-objects.ts';
import { GLOBAL_PARAMETER_NAMES, readServedApi, toOpenApi } from '../../../../src/generator/openapi/index.ts';
import { CORE_VERSIONS, isCoreRule } from '../../../../src/generator/validation/request/core-arguments.ts';
import { listArguments } from '../../../../src/generator/validation/request/validator.ts';
import { useWordPress } from '../../../support/wordpress.ts';

const site = useWordPress();

test('the table has every argument of the running WordPress, and its version', async () => {
  const { known, unknown } = listUnknownArguments(toOpenApi(await discover(site().url)).document);
  expect(unknown).toEqual([]);
  expect(known).toBeGreaterThan(500);
  expect(CORE_VERSIONS).toContain(site().version.split('.').slice(0, 2).join('.'));
}, 60_000);

/** Lists the arguments of a document that are not known to be WordPress's own. */
function listUnknownArguments(document: JsonObject): {
  readonly unknown: readonly string[];
  readonly known: number;
} {
  const resolve = (reference: string): JsonObject | undefined => {
    const target = resolveReference(document, reference);
    return isJsonObject(target) ? target : undefined;
  };
  const unknown: string[] = [];
  let known = 0;
  for (const { operations, pattern: route } of runSteps(readServedApi(document)).routes) {
    for (const operation of operations.values()) {
      const key = { method: operation.method, route };
      for (const { in: location, name } of operation.parameters) {
        if (location === 'query' && GLOBAL_PARAMETER_NAMES.has(name)) continue;
        const definition = listArguments(operation, resolve).get(name);
        if (isCoreRule(key, { param: name, rule: 'rest_invalid_type' }, definition)) known += 1;
        else unknown.push(`${operation.method} ${route} ${name}`);
      }
    }
  }
  return { unknown, known };
}
