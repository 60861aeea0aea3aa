import type { SchemaCheckFunction } from '../example-values/schema-check.ts';
import { isJsonObject, type Json, type JsonObject } from '../json.ts';

/** Replaces the members of an item by the fields of a request that are valid there. WordPress' pairs of `raw` and `rendered` get both. */
export function mergeFields(
  item: JsonObject,
  fields: JsonObject,
  { properties, isValid }: { readonly properties: JsonObject; readonly isValid: SchemaCheckFunction },
): JsonObject {
  const merged = Object.entries(fields).flatMap(([name, field]): [string, Json][] => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isJsonObject(schema)) return [];
    const value = candidatesFor(field, item[name]).find((candidate) => isValid(schema, candidate));
    return value === undefined ? [] : [[name, value]];
  });
  return { ...item, ...Object.fromEntries(merged) };
}

/** The field as a pair, as it is, and as the type that its text has. */
function candidatesFor(field: Json, current: Json | undefined): readonly Json[] {
  const text = isJsonObject(field) ? field['raw'] : field;
  const isPair = isJsonObject(current) && ('rendered' in current || 'raw' in current);
  const pair = isPair && typeof text === 'string' ? [withText(current, text)] : [];
  const object = isJsonObject(field) && isJsonObject(current) ? [{ ...current, ...field }] : [];
  return [...pair, field, ...object, ...(typeof field === 'string' ? readText(field) : [])];
}

function withText(pair: JsonObject, text: string): JsonObject {
  return Object.fromEntries(
    Object.entries(pair).map(([name, value]) => [name, name === 'raw' || name === 'rendered' ? text : value]),
  );
}

/** Values that a text of a query or a form may stand for. */
function readText(text: string): readonly Json[] {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return [Number(text), [Number(text)]];
  if (text === 'true' || text === 'false') return [text === 'true'];
  const parts = text.split(',').map((part) => part.trim());
  return [parts, parts.map(Number)];
}
