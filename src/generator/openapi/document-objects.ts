import type { OpenAPIV3_1 } from 'openapi-types';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  memberAt,
  ownMember,
  toPointerSegment,
  unescapePointerToken,
} from '../../base/json.ts';
import { decodeComponent } from '../discovery/site.ts';

/* Objects of a document: their types, the references between them, and schemas with references followed and `allOf` merged. */

/** An object with the member names of `openapi-types`. Users edit documents, so values are unchecked. */
type Described<Type> = JsonObject & { readonly [Name in NamesOf<Type>]?: Json };

type NamesOf<Type> = Type extends unknown ? Extract<keyof Type, string> : never;

/** An OpenAPI 3.1 document as JSON, which tools that expect `openapi-types` accept. */
export type OpenApiDocument = JsonObject & OpenAPIV3_1.Document & { readonly paths: JsonObject };

export type PathItemObject = Described<OpenAPIV3_1.PathItemObject>;
export type OperationObject = Described<OpenAPIV3_1.OperationObject>;
export type ParameterObject = Described<OpenAPIV3_1.ParameterObject>;
export type RequestBodyObject = Described<OpenAPIV3_1.RequestBodyObject>;
/** `openapi-types` doesn't name all keywords of JSON Schema 2020-12. */
export type SchemaObject = Described<OpenAPIV3_1.SchemaObject>;

export type JsonLocation = readonly (string | number)[];

export function resolveReference(document: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let value: Json | undefined = document;
  for (const token of reference.slice(2).split('/')) value = childOf(value, decodeReferenceToken(token));
  return value;
}

function childOf(value: Json | undefined, token: string): Json | undefined {
  if (!Array.isArray(value)) return isJsonObject(value) ? ownMember(value, token) : undefined;
  return /^(?:0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
}

export function referenceOf(value: Json | undefined): string | undefined {
  const reference = memberAt(value, '$ref');
  return typeof reference === 'string' ? reference : undefined;
}

const MAX_REFERENCES = 32;

/** `undefined` in a circle. Members beside a reference take precedence (OpenAPI 3.1 §4.8.23). */
export function dereference(value: Json | undefined, document: JsonObject): JsonObject | undefined {
  let at = value;
  for (let step = 0; step < MAX_REFERENCES && isJsonObject(at); step += 1) {
    const reference = referenceOf(at);
    if (reference === undefined) return at;
    const target = resolveReference(document, reference);
    const { $ref: _, ...beside } = Object.keys(at).length > 1 ? at : {};
    at = isJsonObject(target) && Object.keys(beside).length > 0 ? { ...target, ...beside } : target;
  }
  return undefined;
}

export function locatePointer(
  document: JsonObject,
  pointer: string,
): { readonly location: JsonLocation; readonly value: Json } | null {
  let value: Json = document;
  const location: (string | number)[] = [];
  for (const escaped of pointer.split('/').slice(1)) {
    const token = decodeReferenceToken(escaped);
    const next = childOf(value, token);
    if (next === undefined) return null;
    location.push(Array.isArray(value) ? Number(token) : token);
    value = next;
  }
  return { location, value };
}

export function collectReferences(value: Json, found: Set<string> = new Set()): Set<string> {
  const pending: Json[] = [value];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (Array.isArray(next)) {
      for (const item of next) pending.push(item);
    } else if (isJsonObject(next)) {
      const reference = next['$ref'];
      if (typeof reference === 'string') found.add(reference);
      for (const name of Object.keys(next)) pending.push(next[name] ?? null);
    }
  }
  return found;
}

export function addReachedReferences(found: Set<string>, document: JsonObject): Set<string> {
  for (const reference of found) collectReferences(resolveReference(document, reference) ?? null, found);
  return found;
}

const MAX_REPLACED_DEPTH = 48;

/** Copies a schema with references replaced. @param siblings the references, e.g. to components of other contexts */
export function replaceReferences(
  schema: Json,
  siblings: ReadonlySet<string>,
  wanted: string,
  depth = 0,
): Json {
  const inside = (value: Json): Json => replaceReferences(value, siblings, wanted, depth + 1);
  if (depth > MAX_REPLACED_DEPTH) return schema;
  if (Array.isArray(schema)) return schema.map(inside);
  if (!isJsonObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) =>
      keyword === '$ref' && siblings.has(String(value)) ? [keyword, wanted] : [keyword, inside(value)],
    ),
  );
}

export function getSchemaComponentKey(reference: string | undefined): string | undefined {
  const token = /^#\/components\/schemas\/([^/]+)$/.exec(reference ?? '')?.[1];
  return token === undefined ? undefined : decodeReferenceToken(token);
}

export function toSchemaReference(componentKey: string): string {
  return `#/components/schemas/${encodeURIComponent(toPointerSegment(componentKey).slice(1))}`;
}

/** Decodes a token of a pointer in a URL fragment (RFC 6901 §6). */
export function decodeReferenceToken(token: string): string {
  // People write an unencoded `%`.
  return /[%~]/.test(token) ? unescapePointerToken(decodeComponent(token)) : token;
}

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
