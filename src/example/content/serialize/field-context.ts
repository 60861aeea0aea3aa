import { isJsonObject, type Json, type JsonObject } from '../../../json.ts';

/**
 * What of a record a context shows: fields whose schema names another context are left out, within fields as well
 * (rest_filter_response_by_context). Fields that the schema does not know stay, `_links` among them.
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
