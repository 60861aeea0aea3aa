import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems } from '../../json.ts';
import { baseOf } from '../naming/namespaces.ts';
import type { ArgumentField } from '../site.ts';
import { changeAt } from './apply-convention.ts';
import data from './argument-conventions.json' with { type: 'json' };
import { expandSchema } from './schema-notation.ts';

// What the code of WordPress and of plugins requires and accepts, although no index states it. `source` says where it is.

const REQUIRED: ReadonlyMap<string, readonly string[]> = new Map(
  data.required.flatMap(({ method, names, paths }) =>
    paths.split(' ').map((path) => [`${method ?? 'POST'} ${path}`, names.split(' ')] as const),
  ),
);

/** The types of items by path and name. */
const LISTS: ReadonlyMap<string, Json> = new Map(
  data.lists.flatMap(({ items, names, paths }) =>
    paths.split(' ').flatMap((path) => names.split(' ').map((name) => [`${path} ${name}`, items] as const)),
  ),
);

/**
 * Returns the arguments that a `POST` or a `GET` needs, beside those that the index states.
 *
 * @param path of {@link pathKey}
 */
export function findRequiredArguments(method: string, path: string): readonly string[] {
  return REQUIRED.get(`${method} ${path}`) ?? [];
}

/**
 * Adds what the code of the endpoint takes and needs to the schema of a body: null, objects of which only some members are sent,
 * because the endpoint adds the others before it validates them, and members of which one is required.
 */
export function withKnownValues(schema: JsonObject, namespace: string, path: string): JsonObject {
  const base = baseOf(namespace);
  const nullable = data.nullable.filter(({ bases }) => bases.split(' ').includes(base));
  const dates = data.dates.filter(({ bases }) => bases.split(' ').includes(base));
  const partial = data.partial.filter(({ paths }) => paths.split(' ').includes(path));
  const oneOf = data.oneOf.filter(({ paths }) => paths.split(' ').includes(path));
  const changes = [
    ...partial.flatMap(({ names }) => names.split(' ').map((name) => [name, withoutRequired] as const)),
    ...nullable.flatMap(({ names }) => names.split(' ').map((name) => [name, withNull] as const)),
    ...dates.flatMap(({ names }) => names.split(' ').map((name) => [name, asDate] as const)),
    ...oneOf.flatMap(({ members }) =>
      Object.entries(members).map(
        ([name, needed]) => [name, (value: JsonObject) => withOneOf(value, needed.split(' '))] as const,
      ),
    ),
  ];
  return changes.reduce((object, [name, change]) => changeAt(object, name, change), schema);
}

/** Requires one of some members. The extension says that the site's schema does not: its error is another one. */
function withOneOf(schema: JsonObject, names: readonly string[]): JsonObject {
  const { anyOf, properties, required } = schema;
  const known = names.filter((name) => isJsonObject(properties) && Object.hasOwn(properties, name));
  if (known.length === 0 || anyOf !== undefined) return schema;
  return {
    ...schema,
    ...(known.length === 1
      ? { required: [...new Set([...jsonItems(required), ...known])] }
      : { anyOf: known.map((name) => ({ required: [name] })) }),
    [EXTENSION_NAMES.needed]: known,
  };
}

/** The format of OpenAPI's registry, by which nothing is refused: the site takes times of more forms than `date-time` has. */
function asDate(schema: JsonObject): JsonObject {
  return { format: 'date-time-local', ...schema };
}

function withoutRequired({ required: _, ...schema }: JsonObject): JsonObject {
  return schema;
}

/** Adds null to the type of an argument. The site's own type is kept for validation. */
function withNull(schema: JsonObject): JsonObject {
  const { type } = schema;
  return typeof type === 'string' && type !== 'null'
    ? { [EXTENSION_NAMES.type]: type, ...schema, type: [type, 'null'] }
    : schema;
}

/** Arguments by method and path; null for one that the code does not read. */
const KNOWN: ReadonlyMap<string, readonly (readonly [name: string, schema: JsonObject | null])[]> = new Map(
  data.arguments.flatMap(({ methods, paths, schemas }) => {
    const known = Object.entries<Json>(schemas).map(
      ([name, schema]) => [name, schema === null ? null : expandSchema(schema)] as const,
    );
    return methods
      .split(' ')
      .flatMap((method) => paths.split(' ').map((path) => [`${method} ${path}`, known] as const));
  }),
);

/** Adds the arguments that an endpoint reads and the index does not state, and replaces or removes those that it reads otherwise. */
export function withKnownArguments(
  fields: readonly ArgumentField[],
  method: string,
  path: string,
): readonly ArgumentField[] {
  const known = KNOWN.get(`${method} ${path}`);
  if (known === undefined) return fields;
  const byName = new Map(fields.map((field) => [field.name, field]));
  for (const [name, schema] of known) {
    // A stated type of null says that the site does not validate the argument.
    const field = { name, required: false, schema: { [EXTENSION_NAMES.type]: null, ...schema } };
    if (schema === null) byName.delete(name);
    else byName.set(name, field);
  }
  return [...byName.values()];
}

/** Whether the body of an endpoint is a list of objects with its arguments. */
export function hasListBody(path: string): boolean {
  return data.listBodies.some(({ paths }) => paths.split(' ').includes(path));
}

/**
 * Adds lists to the types of query parameters that are a text with several values, which the plugin separates at commas. The site
 * refuses a list in any other form. The site's own type is kept.
 */
export function withLists(fields: readonly ArgumentField[], path: string): readonly ArgumentField[] {
  return fields.map((field) => {
    const { name, schema } = field;
    const type = LISTS.get(`${path} ${name}`);
    if (type === undefined || schema['type'] !== 'string' || schema['enum'] !== undefined) return field;
    const list = { [EXTENSION_NAMES.type]: 'string', ...schema, type: ['string', 'array'], items: { type } };
    return { ...field, schema: list };
  });
}

/** Whether an endpoint takes a file, although neither its arguments nor its path mention one. */
export function isUpload(path: string): boolean {
  return data.uploads.some(({ paths }) => paths.split(' ').includes(path));
}

/** `wc:/products/{}`: the path template without parameter names, by the namespace without its version. */
export function pathKey(namespace: string, anonymousTemplate: string): string {
  return `${baseOf(namespace)}:${anonymousTemplate.slice(namespace.length + 1)}`;
}

/** Replaces types that a plugin leaves open (`mixed`) in the properties of a schema. Returns the schema itself if none is. */
export function withKnownTypes(schema: JsonObject, namespace: string): JsonObject {
  const base = baseOf(namespace);
  return data.types
    .filter(({ bases }) => bases.split(' ').includes(base))
    .flatMap(({ members }) => Object.entries(members))
    .reduce((object, [path, type]) => changeAt(object, path, (value) => withType(value, type)), schema);
}

function withType(schema: JsonObject, type: string): JsonObject {
  const { items: _, type: stated = null, ...others } = schema;
  // WordPress expects the types of a schema as a list, so WooCommerce lists all of them for `mixed`.
  const isOpen = stated === null || (Array.isArray(stated) && stated.length > 5);
  return isOpen ? { [EXTENSION_NAMES.type]: stated, ...others, type } : schema;
}
