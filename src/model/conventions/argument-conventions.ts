import { EXTENSION_NAMES } from '../../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { baseOf } from '../naming/namespaces.ts';
import data from './argument-conventions.json' with { type: 'json' };

// What the code of WordPress and of plugins requires and accepts, although no index states it. `source` says where it is.

const REQUIRED: ReadonlyMap<string, readonly string[]> = new Map(
  data.required.flatMap(({ names, paths }) =>
    paths.split(' ').map((path) => [path, names.split(' ')] as const),
  ),
);

/** The types of items by path and name. */
const LISTS: ReadonlyMap<string, Json> = new Map(
  data.lists.flatMap(({ items, names, paths }) =>
    paths.split(' ').flatMap((path) => names.split(' ').map((name) => [`${path} ${name}`, items] as const)),
  ),
);

/**
 * Returns the arguments that a `POST` needs, beside those that the index states.
 *
 * @param anonymousTemplate the path template without parameter names, with the namespace
 */
export function findRequiredArguments(
  method: string,
  namespace: string,
  anonymousTemplate: string,
): readonly string[] {
  if (method !== 'POST') return [];
  return REQUIRED.get(pathKey(namespace, anonymousTemplate)) ?? [];
}

/**
 * Returns the arguments whose members are all optional, although the index requires some: the endpoint adds what is missing
 * before it validates them.
 */
export function findPartialArguments(namespace: string, anonymousTemplate: string): readonly string[] {
  const path = pathKey(namespace, anonymousTemplate);
  return data.partial.flatMap((entry) => (entry.path === path ? entry.names.split(' ') : []));
}

/** Whether a body may state null for an argument whose type in the index is another one. */
export function isNullable(namespace: string, name: string): boolean {
  const base = baseOf(namespace);
  return data.nullable.some(({ bases, names }) => names === name && bases.split(' ').includes(base));
}

/** Adds null to the type of an argument. The site's own type is kept for validation. */
export function withNull(schema: JsonObject): JsonObject {
  const { type } = schema;
  return typeof type === 'string' && type !== 'null'
    ? { [EXTENSION_NAMES.type]: type, ...schema, type: [type, 'null'] }
    : schema;
}

/**
 * Adds lists to the type of a query parameter that is a text with several values, which the plugin separates at commas. The site
 * refuses a list in any other form. The site's own type is kept.
 */
export function withLists(
  name: string,
  schema: JsonObject,
  namespace: string,
  anonymousTemplate: string,
): JsonObject {
  if (schema['type'] !== 'string' || schema['enum'] !== undefined) return schema;
  const type = LISTS.get(`${pathKey(namespace, anonymousTemplate)} ${name}`);
  if (type === undefined) return schema;
  return { [EXTENSION_NAMES.type]: 'string', ...schema, type: ['string', 'array'], items: { type } };
}

/** `wc:/products/{}`: the path template without parameter names, by the namespace without its version. */
function pathKey(namespace: string, anonymousTemplate: string): string {
  return `${baseOf(namespace)}:${anonymousTemplate.slice(namespace.length + 1)}`;
}

/** Replaces types that a plugin leaves open (`mixed`) in the properties of a schema. Returns the schema itself if none is. */
export function withKnownTypes(schema: JsonObject, namespace: string): JsonObject {
  const base = baseOf(namespace);
  return data.types
    .filter(({ bases }) => bases.split(' ').includes(base))
    .flatMap(({ members }) => Object.entries(members))
    .reduce((object, [member, type]) => setType(object, member.split('.'), type), schema);
}

/** Sets the type of a member without one, through lists of objects. */
function setType(schema: JsonObject, [name, ...rest]: readonly string[], type: string): JsonObject {
  if (name === undefined) {
    const { items: _, type: stated = null, ...others } = schema;
    // WordPress expects the types of a schema as a list, so WooCommerce lists all of them for `mixed`.
    const isOpen = stated === null || (Array.isArray(stated) && stated.length > 5);
    return isOpen ? { [EXTENSION_NAMES.type]: stated, ...others, type } : schema;
  }
  const { items, properties } = schema;
  const change = (keyword: string, before: Json | undefined, after: (value: JsonObject) => JsonObject) => {
    if (!isJsonObject(before)) return schema;
    const changed = after(before);
    return changed === before ? schema : { ...schema, [keyword]: changed };
  };
  if (properties === undefined)
    return change('items', items, (value) => setType(value, [name, ...rest], type));
  return change('properties', properties, (value) => {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    const changed = isJsonObject(member) ? setType(member, rest, type) : member;
    return changed === member || changed === undefined ? value : { ...value, [name]: changed };
  });
}
