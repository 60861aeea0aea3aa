import { isJsonObject, type JsonObject } from '../../../../src/base/json.ts';
import { runSteps } from '../../../../src/base/steps.ts';
import { resolveReference } from '../../../../src/generator/openapi/document-objects.ts';
import { GLOBAL_PARAMETER_NAMES, readServedApi } from '../../../../src/generator/openapi/index.ts';
import { isCoreRule } from '../../../../src/generator/validation/request/core-arguments.ts';
import { listArguments } from '../../../../src/generator/validation/request/validator.ts';

/** Lists the arguments of a document that are not known to be WordPress's own. */
export function listUnknownArguments(document: JsonObject): {
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
