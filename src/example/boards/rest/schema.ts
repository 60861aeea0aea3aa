import { isJsonObject, type JsonObject } from '../../../json.ts';

/**
 * A schema of an answer whose objects always have every member that they describe, so that a type made of it has no
 * maybe.
 */
export function whole(schema: JsonObject): JsonObject {
  const { properties, items } = schema;
  return {
    ...schema,
    ...(isJsonObject(properties)
      ? { properties: wholeEach(properties), required: Object.keys(properties) }
      : {}),
    ...(isJsonObject(items) ? { items: whole(items) } : {}),
  };
}

function wholeEach(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      isJsonObject(property) ? whole(property) : property,
    ]),
  );
}
