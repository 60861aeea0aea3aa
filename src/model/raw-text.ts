import { EXTENSION_NAMES, getStatedType } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/** The properties of a text that WordPress renders. All but `raw` are read-only. */
const RAW_TEXT_PROPERTIES: ReadonlySet<string> = new Set(['raw', 'rendered', 'protected', 'block_version']);

/** The types that WordPress states for such a text: `object`, or both. */
const RAW_TEXT_TYPES: ReadonlySet<unknown> = new Set(['object', 'string']);

/**
 * Whether an argument is a text that WordPress renders: `title`, `content`, `excerpt`, `caption`, `description`. The schema
 * of the argument is the one of the response, `{ raw, rendered }`.
 */
export function isRawTextPair(schema: JsonObject): boolean {
  const { properties, type } = schema;
  if (!isJsonObject(properties) || getStatedType(schema) !== undefined) return false;
  const types = Array.isArray(type) ? type : [type];
  const raw = Object.hasOwn(properties, 'raw') ? properties['raw'] : undefined;
  return (
    isJsonObject(raw) &&
    raw['type'] === 'string' &&
    Object.keys(properties).every((name) => RAW_TEXT_PROPERTIES.has(name)) &&
    types.includes('object') &&
    types.every((word) => RAW_TEXT_TYPES.has(word))
  );
}

/**
 * Converts the schema of such an argument to what WordPress reads: a string, or an object with `raw`
 * (`WP_REST_Posts_Controller::prepare_item_for_database`). The site's own type is kept in an extension.
 */
export function toRawText(schema: JsonObject): JsonObject {
  const keywords = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    if (keyword === 'type') return [keyword, ['string', 'object']];
    return [keyword, keyword === 'properties' ? onlyRaw(value) : value];
  });
  return { ...Object.fromEntries(keywords), [EXTENSION_NAMES.type]: schema['type'] ?? null };
}

function onlyRaw(properties: Json): JsonObject {
  return isJsonObject(properties) ? { raw: properties['raw'] ?? {} } : {};
}
