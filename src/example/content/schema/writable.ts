import { isJsonObject, type JsonObject } from '../../../json.ts';
import type { ArgumentSchemas } from '../../site/declarations.ts';

/** A schema's own properties become arguments without these (rest_get_endpoint_args_for_schema). */
const RESPONSE_KEYWORDS = new Set(['context', 'readonly']);

/** The arguments with which a record is written: the properties of its schema that are not read-only. */
export function createWriteArgs(schema: JsonObject): ArgumentSchemas {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      isJsonObject(property) && property['readonly'] !== true ? [[name, omitResponseKeywords(property)]] : [],
    ),
  );
}

function omitResponseKeywords(property: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(property).filter(([word]) => !RESPONSE_KEYWORDS.has(word)));
}
