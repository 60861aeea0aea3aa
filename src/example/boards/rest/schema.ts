import { isJsonObject, type JsonObject } from '../../../json.ts';

/** Schemas by name: the arguments of an endpoint, or the properties of an object. */
export type SchemasByName = Readonly<Record<string, JsonObject>>;

export function string(description: string, keywords: JsonObject = {}): JsonObject {
  return { description, type: 'string', ...keywords };
}

export function integer(description: string, keywords: JsonObject = {}): JsonObject {
  return { description, type: 'integer', ...keywords };
}

/** The number of an item: an integer from 1. */
export function id(description: string, keywords: JsonObject = {}): JsonObject {
  return integer(description, { minimum: 1, ...keywords });
}

export function boolean(description: string, keywords: JsonObject = {}): JsonObject {
  return { description, type: 'boolean', ...keywords };
}

/** A string that is one of some values. */
export function enumeration(
  description: string,
  values: readonly (string | null)[],
  keywords: JsonObject = {},
): JsonObject {
  return { description, type: 'string', enum: values, ...keywords };
}

/** `2026-03-02T09:30:00Z` */
export function dateTime(description: string, keywords: JsonObject = {}): JsonObject {
  return { description, type: 'string', format: 'date-time', ...keywords };
}

/** `#4c6ef5` */
export function color(description: string, keywords: JsonObject = {}): JsonObject {
  return { description, type: 'string', format: 'hex-color', ...keywords };
}

export function uri(description: string, keywords: JsonObject = {}): JsonObject {
  return { description, type: 'string', format: 'uri', ...keywords };
}

export function array(description: string, items: JsonObject, keywords: JsonObject = {}): JsonObject {
  return { description, type: 'array', items, ...keywords };
}

/** The numbers of several items. */
export function ids(description: string, keywords: JsonObject = {}): JsonObject {
  return array(description, { type: 'integer', minimum: 1 }, keywords);
}

/** An array of objects. */
export function objects(
  description: string,
  properties: SchemasByName,
  keywords: JsonObject = {},
): JsonObject {
  return array(description, { type: 'object', properties }, keywords);
}

export function object(description: string, properties: SchemasByName): JsonObject {
  return { description, type: 'object', properties };
}

/** Returns the schema with `null` as an additional type. An `enum` must list `null` itself. */
export function nullable(schema: JsonObject): JsonObject {
  return { ...schema, type: [schema['type'] ?? 'string', 'null'] };
}

/** Returns the schema with `readonly`: no endpoint accepts the property as an argument. */
export function readOnly(schema: JsonObject): JsonObject {
  return { ...schema, readonly: true };
}

/** Creates the schema of a response object, or of each object of a list. All properties are required. */
export function responseSchema(title: string, description: string, properties: SchemasByName): JsonObject {
  return requireAllProperties({
    $schema: 'http://json-schema.org/draft-04/schema#',
    title,
    description,
    type: 'object',
    properties,
  });
}

/** Makes every described property of an object required, at all depths. Generated types then have no optional members. */
export function requireAllProperties(schema: JsonObject): JsonObject {
  const { properties, items } = schema;
  return {
    ...schema,
    ...(isJsonObject(properties)
      ? { properties: requireAllOfEach(properties), required: Object.keys(properties) }
      : {}),
    ...(isJsonObject(items) ? { items: requireAllProperties(items) } : {}),
  };
}

function requireAllOfEach(properties: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      isJsonObject(property) ? requireAllProperties(property) : property,
    ]),
  );
}
