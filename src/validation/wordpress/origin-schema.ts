import { getStatedPatternProperties, getStatedType, hasChangedKeywords } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { isWordPressType } from './php-types.ts';

/**
 * Converts a normalised schema to the one that the site validates by. A site's own schema is returned unchanged.
 *
 * | in the document | at the site |
 * |---|---|
 * | the stated type | `type`, if the generator changed it; null if the site stated none, which then checks little else |
 * | `prefixItems` | none of its keywords: with a list for `items` it allows everything |
 * | the stated pattern properties | the site's pattern for each translated pattern |
 */
export function toOriginSchema(schema: JsonObject): JsonObject {
  const type = getStatedType(schema);
  const patterns = getStatedPatternProperties(schema);
  const tuple = Object.hasOwn(schema, 'prefixItems');
  if (type === undefined && patterns === undefined && !tuple) return schema;
  if (type === null) return {};
  const keywords = new Map(Object.entries(schema));
  if (type !== undefined) keywords.set('type', type);
  // The generator converted the values of `enum` to the inferred type.
  if (type !== undefined && !areKnownTypes(type)) keywords.delete('enum');
  if (tuple) keywords.delete('items');
  const named = schema['patternProperties'];
  if (patterns !== undefined && isJsonObject(named)) {
    const stated = Object.entries(named).map(([pattern, member]) => [patterns[pattern] ?? pattern, member]);
    keywords.set('patternProperties', Object.fromEntries(stated));
  }
  return Object.fromEntries(keywords);
}

function areKnownTypes(type: Json): boolean {
  const words: readonly Json[] = Array.isArray(type) ? type : [type];
  return words.length > 0 && words.every((word) => typeof word === 'string' && isWordPressType(word));
}

/** Whether a schema may accept more than at the site, so that a second match in a `oneOf` is not certain. */
export function isWiderThanOrigin(schema: Json): boolean {
  return hasChangedKeywords(schema);
}
