import { EXTENSION_NAMES } from '../document-extensions.ts';
import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers, toJsonObject } from '../json.ts';
import type { ArgumentField, PathParameter } from '../model/site.ts';
import { omitUndefined } from '../omit-undefined.ts';
import type { SchemaObject } from './objects.ts';
import { typesOf } from './schema-view.ts';

/** Creates a path parameter. The extension `name` has the site's name if the path template uses another one. */
export function createPathParameterObject(parameter: PathParameter): JsonObject {
  const { description, deprecated, schema } = liftParameterFields(parameter.schema);
  return omitUndefined({
    name: parameter.name,
    in: 'path',
    description,
    required: true,
    deprecated,
    schema,
    [EXTENSION_NAMES.name]: parameter.name === parameter.siteName ? undefined : parameter.siteName,
    // The path template needs a name for every group; the site does not read a group without one.
    [EXTENSION_NAMES.unnamed]: parameter.siteName === undefined ? true : undefined,
    [EXTENSION_NAMES.pcre]: parameter.pcre,
    [EXTENSION_NAMES.slashes]: parameter.canContainSlash ? true : undefined,
    [EXTENSION_NAMES.whole]: parameter.wholeSchema,
    [EXTENSION_NAMES.partOf]: parameter.wholeSiteName,
  });
}

/** Creates a query parameter, with the serialization style that PHP reads. */
export function createQueryParameterObject(field: ArgumentField): JsonObject {
  const { description, deprecated, schema } = liftParameterFields(field.schema);
  return omitUndefined({
    name: field.name,
    in: 'query',
    description,
    required: field.required || field.isNeeded ? true : undefined,
    [EXTENSION_NAMES.needed]: field.isNeeded,
    deprecated,
    ...serializationStyle(schema),
    schema,
  });
}

/**
 * The serialization style by which PHP reads a list or an object from the query.
 *
 * - OpenAPI's default for lists, `a=1&a=2`, does not work: PHP keeps the last value. `a[]=1&a[]=2` works but changes the
 *   parameter's name. WordPress also splits one string on commas (`wp_parse_list`), which OpenAPI expresses as `form`
 *   without `explode`: `a=1,2`. A value with a comma or white space does not fit this form; a client sends it as `a[]=`,
 *   which the site and the gateway accept too.
 * - An object is `a[k]=v`: `deepObject`. A list of objects or of lists is `a[0][k]=v`, which no style of OpenAPI
 *   describes: `deepObject` is defined for objects only, and generators write code for lists that does not compile.
 * - A parameter that accepts a list or an object (WordPress's `categories`: ids, or ids with `include_children`) gets the
 *   style of the list: clients nearly always send one, and the style also fits single values.
 * - A parameter of any type (`input` of an ability) gets the style of the object, which only that can express.
 */
function serializationStyle(schema: SchemaObject): { readonly style?: string; readonly explode?: boolean } {
  const kinds = collectValueKinds(schema);
  if (acceptsAnything(schema)) return { style: 'deepObject', explode: true };
  if (kinds.has('nested')) return {};
  if (kinds.has('array')) return { style: 'form', explode: false };
  if (kinds.has('object') && !kinds.has('scalar')) return { style: 'deepObject', explode: true };
  return {};
}

/** Whether one schema without items accepts both lists and objects. */
function acceptsAnything(schema: SchemaObject): boolean {
  const types = typesOf(schema);
  const hasOpenItems = jsonMembers(schema['items']).length === 0;
  return types.includes('array') && types.includes('object') && hasOpenItems && schema['oneOf'] === undefined;
}

type ValueKind = 'array' | 'nested' | 'object' | 'scalar';

function collectValueKinds(schema: SchemaObject, depth = 0): ReadonlySet<ValueKind> {
  const kinds = new Set<ValueKind>();
  const types = typesOf(schema);
  for (const type of types) {
    if (type === 'object') kinds.add('object');
    else if (type === 'array') kinds.add(hasContainerItems(schema) ? 'nested' : 'array');
    else if (type !== 'null') kinds.add('scalar');
  }
  if (depth > 4) return kinds;
  const members = ['anyOf', 'oneOf', 'allOf'].flatMap((keyword) => jsonItems(schema[keyword]));
  for (const member of members.filter(isJsonObject))
    for (const kind of collectValueKinds(member, depth + 1)) kinds.add(kind);
  return kinds;
}

function hasContainerItems(schema: SchemaObject): boolean {
  const types = typesOf(toJsonObject(schema['items']));
  return types.length > 0 && types.every((type) => type === 'object' || type === 'array');
}

/** Moves the keywords out of a schema that a Parameter Object has beside its schema. */
function liftParameterFields(schema: SchemaObject): {
  readonly description: Json | undefined;
  readonly deprecated: true | undefined;
  readonly schema: SchemaObject;
} {
  const { description, deprecated, ...rest } = schema;
  return { description, deprecated: deprecated === true ? true : undefined, schema: rest };
}
