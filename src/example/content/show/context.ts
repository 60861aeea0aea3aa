import { isJsonObject, type Json, type JsonObject } from '../../../json.ts';

/**
 * What of a record a context shows: fields whose schema names another context are left out, within fields as well
 * (rest_filter_response_by_context). Fields that the schema does not know stay, `_links` among them.
 */
export function inContext(record: JsonObject, schema: JsonObject, context: string): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, Json][] => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (!isJsonObject(property)) return [[name, value]];
      if (!isShown(property, context)) return [];
      return [[name, isJsonObject(value) ? inContext(value, property, context) : value]];
    }),
  );
}

function isShown(property: JsonObject, context: string): boolean {
  const contexts = property['context'];
  return !Array.isArray(contexts) || contexts.includes(context);
}
