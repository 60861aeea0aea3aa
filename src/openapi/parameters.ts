import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { ArgumentField, PathParameter } from '../model/site.ts';

/** A path parameter. With `x-waygate-name` where the template had to call it something else than the site does. */
export function createPathParameter(parameter: PathParameter): JsonObject {
  const { description, deprecated, schema } = liftParameterFields(parameter.schema);
  return compact({
    name: parameter.name,
    in: 'path',
    description,
    required: true,
    deprecated,
    schema,
    'x-waygate-name':
      parameter.siteName === undefined || parameter.name === parameter.siteName
        ? undefined
        : parameter.siteName,
    // A group without a name: the path has to name it, the site never reads it.
    'x-waygate-unnamed': parameter.siteName === undefined ? true : undefined,
    'x-waygate-pcre': parameter.pcre,
    'x-waygate-slashes': parameter.slashes ? true : undefined,
    'x-waygate-whole': parameter.whole,
    'x-waygate-part-of': parameter.partOf,
  });
}

export function createQueryParameter(field: ArgumentField): JsonObject {
  const { description, deprecated, schema } = liftParameterFields(field.schema);
  return compact({
    name: field.name,
    in: 'query',
    description,
    required: field.required ? true : undefined,
    deprecated,
    ...serializationStyle(schema),
    schema,
  });
}

/**
 * How a list or an object is written in the query so that PHP reads it back.
 *
 * - OpenAPI's default for lists, `a=1&a=2`, is wrong: PHP keeps the last. `a[]=1&a[]=2` would be right but changes the
 *   parameter's name. The site also splits one string on commas (`wp_parse_list`), which OpenAPI can say: `form` without
 *   `explode`, `a=1,2`. It cannot carry a value that holds a comma or white space; for those a caller writes `a[]=`,
 *   which the site, and so the gateway, takes as well.
 * - An object is `a[k]=v`: `deepObject`. So is a list of objects or of lists, `a[0][k]=v`: OpenAPI leaves that
 *   undefined, and it is what PHP reads.
 * - Where both a list and an object will do (WordPress's `categories`: ids, or ids with `include_children`), one style
 *   has to be named. It is the list's: callers write it nearly always, and single values come out right as well.
 */
function serializationStyle(schema: JsonObject): { readonly style?: string; readonly explode?: boolean } {
  const kinds = collectValueKinds(schema);
  if (kinds.has('nested')) return { style: 'deepObject', explode: true };
  if (kinds.has('array')) return { style: 'form', explode: false };
  if (kinds.has('object') && !kinds.has('scalar')) return { style: 'deepObject', explode: true };
  return {};
}

type ValueKind = 'array' | 'nested' | 'object' | 'scalar';

function collectValueKinds(schema: JsonObject, depth = 0): ReadonlySet<ValueKind> {
  const kinds = new Set<ValueKind>();
  const types = statedTypes(schema);
  for (const type of types) {
    if (type === 'object') kinds.add('object');
    else if (type === 'array') kinds.add(hasContainerItems(schema) ? 'nested' : 'array');
    else if (type !== 'null') kinds.add('scalar');
  }
  if (depth > 4) return kinds;
  for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
    const members = schema[keyword];
    if (!Array.isArray(members)) continue;
    for (const member of members) {
      if (!isJsonObject(member)) continue;
      for (const kind of collectValueKinds(member, depth + 1)) kinds.add(kind);
    }
  }
  return kinds;
}

function hasContainerItems(schema: JsonObject): boolean {
  const items = schema['items'];
  if (!isJsonObject(items)) return false;
  const types = statedTypes(items);
  return types.length > 0 && types.every((type) => type === 'object' || type === 'array');
}

function statedTypes(schema: JsonObject): readonly Json[] {
  const type = schema['type'];
  return Array.isArray(type) ? type : type === undefined ? [] : [type];
}

/** What OpenAPI says beside a parameter's schema rather than in it. */
function liftParameterFields(schema: JsonObject): {
  readonly description: Json | undefined;
  readonly deprecated: true | undefined;
  readonly schema: JsonObject;
} {
  const { description, deprecated, ...rest } = schema;
  return { description, deprecated: deprecated === true ? true : undefined, schema: rest };
}

/** The object without the keys whose value is undefined. */
export function compact(object: { readonly [name: string]: Json | undefined }): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter((entry): entry is [string, Json] => entry[1] !== undefined),
  );
}
