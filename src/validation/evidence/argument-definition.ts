import { isAnnotation } from '../../document-extensions.ts';
import { sortByKey } from '../../group-by.ts';
import { hashFnv } from '../../hash.ts';
import { isJsonObject, type Json } from '../../json.ts';

/**
 * Computes a short hash of the keywords that a value is validated by: type, items, bounds, enum, pattern, format. Arguments
 * of one name and hash have the same definition, whatever their descriptions and defaults. When the hash changes, earlier
 * evidence about the argument's rules no longer applies. 32-bit FNV-1a has no security purpose here: a site whose
 * definitions collide confuses its own evidence only.
 */
export function fingerprintDefinition(schema: Json): string {
  return hashFnv(JSON.stringify(schema, withoutAnnotations)).toString(36);
}

/** Sorts the keywords of a schema, and leaves out those that validate nothing. */
function withoutAnnotations(name: string, schema: Json): Json {
  // The members of `properties` are names, not keywords.
  if (!isJsonObject(schema) || NAMED_SCHEMAS.has(name)) return schema;
  return Object.fromEntries(sortByKey(Object.entries(schema).filter(([keyword]) => !isAnnotation(keyword))));
}

const NAMED_SCHEMAS: ReadonlySet<string> = new Set(['properties', 'patternProperties']);
