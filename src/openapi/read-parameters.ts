import {
  getParameterName,
  getParameterSchema,
  hasGroupPattern,
  isUnnamedGroup,
} from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../json.ts';
import { createDocumentError, dereference, referenceOf } from './document-references.ts';
import type { ServedParameter } from './served-api.ts';

/** Reads the parameters of an operation. The first of several with the same name and location applies. */
export function readParameters(
  document: JsonObject,
  list: readonly Json[],
  pointer: string,
): readonly ServedParameter[] {
  const parameters = new Map<string, ServedParameter>();
  list.forEach((stated, index) => {
    const parameterPointer = `${pointer}/${index}`;
    const parameter = resolveParameter(document, stated, parameterPointer);
    const location = parameter['in'];
    // Users may add headers and cookies to document them: the gateway ignores those.
    if ((location !== 'path' && location !== 'query') || isUnnamedGroup(parameter)) return;
    const served = readParameter(parameter, location, parameterPointer);
    const key = `${location} ${served.name}`;
    if (!parameters.has(key)) parameters.set(key, served);
  });
  return [...parameters.values()];
}

function readParameter(parameter: JsonObject, location: 'path' | 'query', pointer: string): ServedParameter {
  const name = getParameterName(parameter);
  if (typeof name !== 'string')
    throw createDocumentError(`${pointer}/name`, 'is not a string', 'expected a name');
  const schema = getParameterSchema(parameter);
  const isGroup = location === 'path' && hasGroupPattern(parameter);
  return {
    name,
    in: location,
    required: location === 'path' || parameter['required'] === true,
    schema: isGroup ? withoutGroupPattern(schema) : schema,
  };
}

/**
 * Returns the schema by which the site validates the argument of a path group. The pattern of the group is removed. Every
 * request that matched the route matches it, and it is in ECMAScript syntax, unlike the patterns of arguments.
 */
function withoutGroupPattern({ pattern: _, allOf, ...argument }: JsonObject): JsonObject {
  const members = jsonItems(allOf);
  const argumentPattern = members.at(-1);
  if (!isJsonObject(argumentPattern) || argumentPattern['pattern'] === undefined) {
    return allOf === undefined ? argument : { ...argument, allOf };
  }
  const others = members.slice(0, -1);
  return { ...argument, ...argumentPattern, ...(others.length === 0 ? {} : { allOf: others }) };
}

function resolveParameter(document: JsonObject, stated: Json, pointer: string): JsonObject {
  const parameter = dereference(stated, document);
  if (parameter !== undefined) return parameter;
  const reference = referenceOf(stated);
  if (reference === undefined) throw createDocumentError(pointer, 'is not an object', 'expected a parameter');
  throw createDocumentError(
    `${pointer}/$ref`,
    `leads nowhere (${reference})`,
    'fix the reference or remove the parameter',
  );
}
