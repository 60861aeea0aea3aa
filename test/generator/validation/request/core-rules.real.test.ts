import { expect, test } from 'vitest';
import { isJsonObject } from '../../../../src/base/json.ts';
import { runSteps } from '../../../../src/base/steps.ts';
import { discover } from '../../../../src/generator/discovery/index.ts';
import {
  GLOBAL_PARAMETER_NAMES,
  readServedApi,
  resolveReference,
  toOpenApi,
} from '../../../../src/generator/openapi/index.ts';
import { CORE_VERSIONS, isCoreRule } from '../../../../src/generator/validation/request/core-rules.ts';
import { listArguments } from '../../../../src/generator/validation/request/validator.ts';
import { useWordPress } from '../../../support/wordpress.ts';

const site = useWordPress({ workers: 2 });

test('the table has every argument of the running WordPress, and its version', async () => {
  const { document } = toOpenApi(await discover(site().url));
  const resolve = (reference: string) => {
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
  expect(unknown).toEqual([]);
  expect(known).toBeGreaterThan(500);
  expect(CORE_VERSIONS).toContain(site().version.split('.').slice(0, 2).join('.'));
}, 60_000);
