import { isJsonObject, type Json, type JsonObject } from '../../../json.ts';

/**
 * Removes the fields, at any depth, whose schema does not list the context (rest_filter_response_by_context). Fields
 * without a schema remain, `_links` among them.
 */
export function filterByFieldContext(record: JsonObject, schema: JsonObject, context: string): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, Json][] => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!isJsonObject(property)) return [[name, value]];
      if (!isInContext(property, context)) return [];
      return [[name, isJsonObject(value) ? filterByFieldContext(value, property, context) : value]];
    }),
  );
}

function isInContext(property: JsonObject, context: string): boolean {
  const contexts = property['context'];
  return !Array.isArray(contexts) || contexts.includes(context);
}
