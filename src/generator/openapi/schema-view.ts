import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  memberAt,
} from '../../base/json.ts';
import { referenceOf, resolveReference } from './document-references.ts';
import type { SchemaObject } from './objects.ts';

/** Reads schemas with references followed, `allOf` merged and types as a list. */

/** Anything fits parts that are nested deeper. */
export const MAX_SCHEMA_DEPTH = 48;

/** Members of `allOf` can refer to one another without end. */
const MAX_MERGED_SCHEMAS = 200;

export interface FlatSchema {
  readonly schema: SchemaObject;
  /** References that lead here. A schema is recursive if one occurs twice. */
  readonly open: readonly string[];
}

/** The schema's own keywords take precedence (core §8.2.3.1). @param open references that lead to the schema */
export function flattenSchema(
  declared: Json | undefined,
  document: JsonObject,
  open: readonly string[] = [],
): FlatSchema {
  let remaining = MAX_MERGED_SCHEMAS;
  const flatten = (value: Json | undefined, here: readonly string[]): FlatSchema => {
    remaining -= 1;
    if (!isJsonObject(value) || remaining < 0) return { schema: {}, open: here };
    if (value['$ref'] === undefined && value['allOf'] === undefined) return { schema: value, open: here };
    const { $ref: _, allOf, ...own } = value;
    const reference = referenceOf(value);
    let base: FlatSchema = { schema: {}, open: here };
    if (reference !== undefined) {
      const opened = [...here, reference];
      base = here.includes(reference)
        ? { schema: {}, open: opened }
        : flatten(resolveReference(document, reference), opened);
    }
    const members = jsonItems(allOf).map((member) => flatten(member, base.open).schema);
    return { schema: [base.schema, ...members, own].reduce(mergeSchemas), open: base.open };
  };
  const flat = flatten(declared, []);
  return { schema: flat.schema, open: [...open, ...flat.open] };
}

/** Joins properties and required names; other keywords are the second's. */
export function mergeSchemas(one: SchemaObject, other: SchemaObject): SchemaObject {
  const properties = [...jsonMembers(one.properties), ...jsonMembers(other.properties)];
  const required = new Set([...jsonItems(one.required), ...jsonItems(other.required)]);
  return {
    ...one,
    ...other,
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(required.size === 0 ? {} : { required: [...required] }),
  };
}

/** The members of `anyOf` and `oneOf` that describe values, not only `required`. */
export function choicesOf(schema: SchemaObject): readonly Json[] {
  const members = [...jsonItems(schema.anyOf), ...jsonItems(schema.oneOf)];
  return members.some(isRequirement) ? members.filter((member) => !isRequirement(member)) : members;
}

/** One of them is needed: `anyOf: [{ required: ['id'] }, { required: ['sku'] }]`. */
export function neededOneOf(schema: SchemaObject): readonly Json[] {
  return jsonItems(schema.anyOf)
    .filter(isRequirement)
    .flatMap(({ required }) => jsonItems(required));
}

function isRequirement(schema: Json): schema is JsonObject {
  return isJsonObject(schema) && Array.isArray(schema['required']) && Object.keys(schema).length === 1;
}

export function listSchemaComponents(
  document: JsonObject,
): readonly (readonly [key: string, schema: Json])[] {
  return jsonMembers(memberAt(document, 'components', 'schemas'));
}

/** The form of a response, and its items. The empty list that PHP writes for an empty map is ignored. */
export function formOf(schema: JsonObject): { readonly form: 'one' | 'list' | 'map'; readonly item: Json } {
  const { $ref, additionalProperties, items, properties, type } = schema;
  if (type === 'array' && items !== undefined) return { form: 'list', item: items };
  const isMap = $ref === undefined && type === 'object' && properties === undefined;
  if (isMap && isJsonObject(additionalProperties)) return { form: 'map', item: additionalProperties };
  const [only, ...others] = jsonItems(schema['anyOf']).filter((each) => memberAt(each, 'maxItems') !== 0);
  const inside = isJsonObject(only) && others.length === 0 ? formOf(only) : undefined;
  return inside?.form === 'map' ? inside : { form: 'one', item: schema };
}

/** The item of a response that is one object or a list of them: the index doesn't say which. */
export function eitherItemOf(schema: JsonObject): JsonObject | undefined {
  const [one, other, ...others] = jsonItems(schema['anyOf']);
  const reference = referenceOf(one);
  const isEither = reference !== undefined && reference === referenceOf(memberAt(other, 'items'));
  return isEither && isJsonObject(one) && others.length === 0 ? one : undefined;
}

export function contentSchemaOf(message: Json | undefined, mediaType = 'application/json'): Json | undefined {
  return memberAt(message, 'content', mediaType, 'schema');
}
