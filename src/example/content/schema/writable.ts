import { isJsonObject, type JsonObject } from '../../../json.ts';
import type { Args } from '../../site/declare.ts';

/** A schema's own properties become arguments without these (rest_get_endpoint_args_for_schema). */
const OF_RESPONSES = new Set(['context', 'readonly']);

/** The arguments with which a record is written: the properties of its schema that are not read-only. */
export function writableArgs(schema: JsonObject): Args {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      isJsonObject(property) && property['readonly'] !== true ? [[name, withoutResponseWords(property)]] : [],
    ),
  );
}

function withoutResponseWords(property: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(property).filter(([word]) => !OF_RESPONSES.has(word)));
}
