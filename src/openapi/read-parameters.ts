import {
  getParameterName,
  getParameterSchema,
  hasGroupPattern,
  isUnnamedGroup,
} from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../json.ts';
import { documentError, resolveReference } from './document-access.ts';
import type { ServedParameter } from './served-api.ts';

/** Reads the parameters of an operation under the site's names. Of two with one name and location the first counts. */
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
  if (typeof name !== 'string') throw documentError(`${pointer}/name`, 'is not a string', 'expected a name');
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
 * The schema by which the site validates the argument of a path group. It lacks the pattern of the group: a request that
 * matched the route matches it, and it is ECMA-262, whereas the patterns of arguments are the site's.
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
  const reference = isJsonObject(stated) ? stated['$ref'] : undefined;
  if (typeof reference === 'string') {
    const target = resolveReference(document, reference);
    if (isJsonObject(target)) return target;
    throw documentError(
      `${pointer}/$ref`,
      `leads nowhere (${reference})`,
      'fix the reference or remove the parameter',
    );
  }
  if (!isJsonObject(stated)) throw documentError(pointer, 'is not an object', 'expected a parameter');
  return stated;
}
