import { isAnnotation } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../json.ts';
import { canonicalText } from '../model/schema/values.ts';

/** The schema of no value. */
const NOTHING: JsonObject = { not: {} };

/** Returns a schema as an object: a schema that is absent, or `true`, accepts everything (JSON Schema core §4.3.2). */
export function toSchemaObject(schema: Json | undefined): JsonObject {
  if (isJsonObject(schema)) return schema;
  return schema === false ? NOTHING : {};
}

/** The types that a schema accepts, without null; `undefined` for every type. */
export type SchemaTypes = ReadonlySet<string> | undefined;

export function statedTypesOf({ type }: JsonObject): SchemaTypes {
  if (typeof type === 'string') return new Set(type === 'null' ? [] : [type]);
  if (!Array.isArray(type)) return undefined;
  return new Set(type.filter((name): name is string => typeof name === 'string' && name !== 'null'));
}

/** Whether a schema accepts null; `undefined` if it does not state types. */
export function acceptsNull(schema: JsonObject): boolean | undefined {
  const { type } = schema;
  const alternatives = alternativesOf(schema) ?? [];
  if (alternatives.some((each) => isJsonObject(each) && acceptsNull(each) === true)) return true;
  if (type === undefined) return alternatives.length > 0 ? false : undefined;
  return type === 'null' || (Array.isArray(type) && type.includes('null'));
}

/** The members of `anyOf` or `oneOf`; `undefined` if the schema has none of them. */
export function alternativesOf(schema: JsonObject): readonly Json[] | undefined {
  const list = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(list) ? list : undefined;
}

/** The alternatives of a schema, without null: its `anyOf` or `oneOf`, or the schema itself. */
export function valueAlternativesOf(schema: JsonObject): readonly Json[] {
  const list = alternativesOf(schema) ?? [withoutAnnotations(schema)];
  return list.filter((each) => !(isJsonObject(each) && each['type'] === 'null')).map(withoutNull);
}

function withoutAnnotations(schema: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([name]) => !isAnnotation(name)));
}

function withoutNull(schema: Json): Json {
  if (!isJsonObject(schema) || !Array.isArray(schema['type'])) return schema;
  const types: readonly Json[] = schema['type'].filter((type: Json) => type !== 'null');
  return { ...schema, type: types };
}

/** The stated values of a schema (`enum`, `const`) by their canonical texts, without null; `undefined` if it states none. */
export function statedValuesOf(schema: JsonObject): ReadonlyMap<string, Json> | undefined {
  const values = Object.hasOwn(schema, 'const') ? [schema['const'] ?? null] : schema['enum'];
  if (!Array.isArray(values)) return undefined;
  const list: readonly Json[] = values;
  return new Map(list.filter((value) => value !== null).map((value) => [canonicalText(value), value]));
}

/** Describes a schema in one word or a few: its component's name, or its types. */
export function describeSchema(schema: Json): string {
  const { $ref, ...rest } = toSchemaObject(schema);
  if (typeof $ref === 'string') return $ref.slice($ref.lastIndexOf('/') + 1);
  const types = statedTypesOf(rest);
  const items = types?.has('array') === true ? statedTypesOf(toSchemaObject(rest['items'])) : undefined;
  if (types === undefined) return alternativesOf(rest) === undefined ? 'any value' : 'one of several types';
  return describeTypes(types) + (items === undefined ? '' : ` of ${describeTypes(items)}`);
}

export function describeTypes(types: SchemaTypes): string {
  if (types === undefined) return 'any value';
  return types.size === 0 ? 'null' : [...types].sort().join(' or ');
}

/** The names of an object schema's members that a client sends or receives, and which of them are required. */
export function membersOf(
  schema: JsonObject,
  excluded: 'readOnly' | 'writeOnly',
): { readonly properties: ReadonlyMap<string, Json>; readonly required: ReadonlySet<string> } {
  const properties = schema['properties'];
  const entries = isJsonObject(properties) ? Object.entries(properties) : [];
  const isExcluded = (member: Json): boolean => isJsonObject(member) && member[excluded] === true;
  const hidden = new Set(entries.filter(([, member]) => isExcluded(member)).map(([name]) => name));
  return {
    properties: new Map(entries.filter(([name]) => !hidden.has(name))),
    required: new Set(
      jsonItems(schema['required']).filter(
        (name): name is string => typeof name === 'string' && !hidden.has(name),
      ),
    ),
  };
}
