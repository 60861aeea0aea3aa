import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import { getSchemaComponentKey, referenceOf } from '../openapi/document-references.ts';
import { listSchemaComponents } from '../openapi/schema-view.ts';

/** A document whose components have no `_embedded`. */
export interface SeparatedRelations {
  readonly document: JsonObject;
  /** The component with the members of `_embedded`, by the component of the item. */
  readonly relationsOf: ReadonlyMap<string, string>;
}

/**
 * Removes the property `_embedded` of each component, because an item has it with `_embed` only. Its schema becomes a component
 * if it is not one already.
 */
export function separateRelations(document: JsonObject): SeparatedRelations {
  const { components } = document;
  const schemas = new Map(listSchemaComponents(document));
  const relationsOf = new Map<string, string>();
  for (const [key, schema] of [...schemas]) {
    const embedded = propertyOf(schema, '_embedded');
    if (embedded === undefined || !isJsonObject(schema)) continue;
    let relations = componentKeyOf(embedded);
    if (relations === undefined) {
      relations = `${key}Embedded`;
      while (schemas.has(relations)) relations += '_';
      schemas.set(relations, embedded);
    }
    relationsOf.set(key, relations);
    schemas.set(key, withoutProperty(schema, '_embedded'));
  }
  for (const key of new Set(relationsOf.values())) {
    schemas.set(key, withoutErrors(schemas.get(key) ?? {}));
  }
  const own = isJsonObject(components) ? components : {};
  return {
    document: { ...document, components: { ...own, schemas: Object.fromEntries(schemas) } },
    relationsOf,
  };
}

function propertyOf(schema: Json, name: string): Json | undefined {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  return jsonMembers(properties).find(([key]) => key === name)?.[1];
}

function withoutProperty(schema: JsonObject, name: string): JsonObject {
  const properties = jsonMembers(schema['properties']).filter(([key]) => key !== name);
  const required = jsonItems(schema['required']).filter((key) => key !== name);
  return { ...schema, properties: Object.fromEntries(properties), required };
}

/**
 * Removes the error from the alternatives of an embedded item. WordPress sends one in place of a resource that the user may not
 * read. A type with both would make every access to an embedded item a comparison.
 */
function withoutErrors(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutErrors);
  if (!isJsonObject(schema)) return schema;
  const members = jsonItems(schema['anyOf']);
  const rest = members.filter((member) => componentKeyOf(member) !== 'Error');
  const [only] = rest;
  if (rest.length < members.length && only !== undefined) {
    return rest.length === 1 ? withoutErrors(only) : { ...schema, anyOf: rest.map(withoutErrors) };
  }
  return Object.fromEntries(jsonMembers(schema).map(([name, value]) => [name, withoutErrors(value)]));
}

/** The component that a schema refers to; `undefined` if it does not refer to one. */
export function componentKeyOf(schema: Json | undefined): string | undefined {
  const reference = referenceOf(schema);
  return reference === undefined ? undefined : getSchemaComponentKey(reference);
}
