import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import { getSchemaComponentKey } from '../openapi/document-references.ts';

/** A document in which embedded resources are components of their own. */
export interface SeparatedRelations {
  readonly document: JsonObject;
  /** The component of the members of `_embedded`, by the component of the item. */
  readonly relationsOf: ReadonlyMap<string, string>;
}

/**
 * Moves the property `_embedded` of each component to a component of its own, because an item has it with `_embed` only.
 * Components with equal relations share one.
 */
export function separateRelations(document: JsonObject): SeparatedRelations {
  const { components } = document;
  const schemas = isJsonObject(components) ? components['schemas'] : undefined;
  const relationsOf = new Map<string, string>();
  const keyOf = new Map<string, string>();
  const added: [string, Json][] = [];
  const taken = new Set(jsonMembers(schemas).map(([key]) => key));
  const separated = jsonMembers(schemas).map(([key, schema]): readonly [string, Json] => {
    const embedded = propertyOf(schema, '_embedded');
    if (embedded === undefined || !isJsonObject(schema)) return [key, schema];
    const relations = withoutErrors(embedded);
    const text = JSON.stringify(relations);
    let shared = keyOf.get(text);
    if (shared === undefined) {
      shared = `${key}Relations`;
      while (taken.has(shared)) shared += '_';
      taken.add(shared);
      keyOf.set(text, shared);
      added.push([shared, relations]);
    }
    relationsOf.set(key, shared);
    return [key, withoutProperty(schema, '_embedded')];
  });
  if (added.length === 0) return { document, relationsOf };
  const all = Object.fromEntries([...separated, ...added]);
  return {
    document: { ...document, components: { ...(isJsonObject(components) ? components : {}), schemas: all } },
    relationsOf,
  };
}

function propertyOf(schema: Json, name: string): Json | undefined {
  return jsonMembers(isJsonObject(schema) ? schema['properties'] : undefined).find(
    ([key]) => key === name,
  )?.[1];
}

function withoutProperty(schema: JsonObject, name: string): JsonObject {
  const properties = jsonMembers(schema['properties']).filter(([key]) => key !== name);
  const required = jsonItems(schema['required']).filter((key) => key !== name);
  return { ...schema, properties: Object.fromEntries(properties), required };
}

/**
 * Removes the error from the alternatives of an embedded item. WordPress sends one in place of a resource that the user may not
 * read; a type with both would make every access to an embedded item a comparison.
 */
function withoutErrors(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutErrors);
  if (!isJsonObject(schema)) return schema;
  const members = jsonItems(schema['anyOf']);
  const rest = members.filter((member) => !isError(member));
  const [only] = rest;
  if (rest.length < members.length && only !== undefined) {
    return rest.length === 1 ? withoutErrors(only) : { ...schema, anyOf: rest.map(withoutErrors) };
  }
  return Object.fromEntries(jsonMembers(schema).map(([name, value]) => [name, withoutErrors(value)]));
}

function isError(schema: Json): boolean {
  const reference = isJsonObject(schema) ? schema['$ref'] : undefined;
  return typeof reference === 'string' && getSchemaComponentKey(reference) === 'Error';
}
