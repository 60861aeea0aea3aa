import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import { resolveReference } from './document-access.ts';
import { documentError } from './refusal.ts';
import type { ServedParameter } from './served-api.ts';

/** The parameters of an operation by the site's names; of two with one name and place the first counts. */
export function readParameters(
  document: JsonObject,
  list: readonly Json[],
  pointer: string,
): readonly ServedParameter[] {
  const parameters = new Map<string, ServedParameter>();
  list.forEach((stated, index) => {
    const at = `${pointer}/${index}`;
    const parameter = resolveParameter(document, stated, at);
    const place = parameter['in'];
    // Headers and cookies that were added by hand are for the reader of the documentation.
    if ((place !== 'path' && place !== 'query') || parameter['x-waygate-unnamed'] === true) return;
    const read = readParameter(parameter, place, at);
    const key = `${place} ${read.name}`;
    if (!parameters.has(key)) parameters.set(key, read);
  });
  return [...parameters.values()];
}

function readParameter(parameter: JsonObject, place: 'path' | 'query', pointer: string): ServedParameter {
  // Of a parameter that was split at a slash, the first part speaks for the whole.
  const whole = parameter['x-waygate-whole'];
  const name = parameter['x-waygate-name'] ?? parameter['x-waygate-part-of'] ?? parameter['name'];
  if (typeof name !== 'string') throw documentError(`${pointer}/name`, 'is not a string', 'a parameter has a name');
  const stated = isJsonObject(whole) ? whole : parameter['schema'];
  const schema = isJsonObject(stated) ? stated : {};
  const isGroup = place === 'path' && parameter['x-waygate-pcre'] !== undefined;
  return {
    name,
    in: place,
    required: place === 'path' || parameter['required'] === true,
    schema: isGroup ? withoutGroupPattern(schema) : schema,
  };
}

/**
 * The schema of a group's argument, by which the site judges it: without the group's pattern, which is ECMA-262 where
 * the argument's are the site's, and which a request that has found its route has matched.
 */
function withoutGroupPattern({ pattern: _, allOf, ...argument }: JsonObject): JsonObject {
  const members: readonly Json[] = Array.isArray(allOf) ? allOf : [];
  const own = members.at(-1);
  if (!isJsonObject(own) || own['pattern'] === undefined) {
    return allOf === undefined ? argument : { ...argument, allOf };
  }
  const others = members.slice(0, -1);
  return { ...argument, ...own, ...(others.length === 0 ? {} : { allOf: others }) };
}

function resolveParameter(document: JsonObject, stated: Json, pointer: string): JsonObject {
  const reference = isJsonObject(stated) ? stated['$ref'] : undefined;
  if (typeof reference === 'string') {
    const found = resolveReference(document, reference);
    if (isJsonObject(found)) return found;
    throw documentError(
      `${pointer}/$ref`,
      `leads nowhere (${reference})`,
      'mend the reference or remove the parameter',
    );
  }
  if (!isJsonObject(stated)) throw documentError(pointer, 'is not an object', 'it is a parameter');
  return stated;
}
