import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../../../base/json.ts';

/** JSON Schema with `integer | null`, `string[]`, `#Link`, `[schema, description, keywords]`, `name?`. */
export function expandSchema(declared: Json | undefined, definitions: JsonObject = {}): JsonObject {
  const expand = (schema: Json | undefined) => expandSchema(schema, definitions);
  if (typeof declared === 'string') {
    if (declared.endsWith('[]')) return { type: 'array', items: expand(declared.slice(0, -2)) };
    if (declared.startsWith('#')) return expand(definitions[declared.slice(1)]);
    return { type: declared.includes(' | ') ? declared.split(' | ') : declared };
  }
  if (!isJsonObject(declared)) {
    const [schema, description = '', keywords] = jsonItems(declared);
    return { ...expand(schema), description, ...(isJsonObject(keywords) ? keywords : {}) };
  }
  const expanded: [string, Json][] = [];
  for (const [keyword, value] of Object.entries(declared)) {
    if (keyword === 'properties' && isJsonObject(value)) {
      const members = jsonMembers(value).map(([name, member]) => [name.replace(/\?$/, ''), expand(member)]);
      const required = jsonMembers(value).flatMap(([name]) => (name.endsWith('?') ? [] : [name]));
      expanded.push([keyword, Object.fromEntries(members)]);
      if (required.length > 0) expanded.push(['required', required]);
    } else if (keyword === 'anyOf') expanded.push([keyword, jsonItems(value).map(expand)]);
    // `true` and null stand for any value.
    else if (SUBSCHEMAS.has(keyword) && typeof (value ?? true) !== 'boolean')
      expanded.push([keyword, expand(value)]);
    else expanded.push([keyword, value]);
  }
  return Object.fromEntries(expanded);
}

const SUBSCHEMAS: ReadonlySet<string> = new Set(['items', 'additionalProperties']);
