import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { SeenResponses } from '../../validation/shapes/index.ts';
import type { UntypedOperation } from './untyped-operations.ts';

/** Returns the component of each context; `undefined` if a response in one of them has none, or all have the same. */
export function contextReferences(
  { operation: { content, method }, variants }: UntypedOperation,
  toSchema: (response: SeenResponses) => JsonObject,
): JsonObject | undefined {
  if (method !== 'GET' || EXTENSION_NAMES.contexts in content || !variants.has('')) return undefined;
  const references = Array.from(variants, ([variant, shape]): [string, string | undefined] => {
    const [only, ...others] = collectUnitReferences(toSchema(shape));
    return [variant === '' ? defaultContext(content) : variant, others.length === 0 ? only : undefined];
  });
  if (references.some(([, reference]) => reference === undefined)) return undefined;
  if (new Set(references.map(([, reference]) => reference)).size < 2) return undefined;
  return Object.fromEntries(
    references
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([context, $ref = '']) => [context, { $ref }]),
  );
}

/** The references of a response itself, of the items of its list, or of the values of its map. */
export function collectUnitReferences(schema: JsonObject): readonly string[] {
  const { $ref, additionalProperties, anyOf, items } = schema;
  if (typeof $ref === 'string') return [$ref];
  if (Array.isArray(anyOf))
    return anyOf.flatMap((each: Json) => (isJsonObject(each) ? collectUnitReferences(each) : []));
  const inner = items ?? additionalProperties;
  return isJsonObject(inner) ? collectUnitReferences(inner) : [];
}

/** The context of a response without the parameter, `view` unless the site states another. */
function defaultContext({ parameters }: JsonObject): string {
  const parameter = Array.isArray(parameters)
    ? parameters.find(
        (each: Json) => isJsonObject(each) && each['name'] === 'context' && each['in'] === 'query',
      )
    : undefined;
  const schema = isJsonObject(parameter) ? parameter['schema'] : undefined;
  const stated = isJsonObject(schema) ? schema['default'] : undefined;
  return typeof stated === 'string' ? stated : 'view';
}
