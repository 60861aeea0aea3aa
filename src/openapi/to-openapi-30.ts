import { isJsonObject, type Json, type JsonObject, jsonItems, mapMembers, toJsonObject } from '../json.ts';
import { referenceOf } from './document-references.ts';
import type { SchemaObject } from './objects.ts';

const TARGET_VERSION = '3.0.4';

/** Keywords that OpenAPI 3.0 doesn't have. */
const UNKNOWN_KEYWORDS: ReadonlySet<string> = new Set(
  (
    '$anchor $comment $defs $dynamicAnchor $dynamicRef $id $schema $vocabulary contains contentEncoding ' +
    'contentMediaType contentSchema dependentRequired dependentSchemas else examples if maxContains minContains ' +
    'patternProperties prefixItems propertyNames then unevaluatedItems unevaluatedProperties'
  ).split(' '),
);

const MAX_DEPTH = 100;

/** What 3.0 can't express is left out, so the result never forbids more. */
export function toOpenApi30(document: JsonObject): JsonObject {
  const { info, jsonSchemaDialect: _, webhooks: __, ...rest } = document;
  const { summary: ___, ...declaredInfo } = toJsonObject(info);
  const converted = convertValue({ ...rest, info: declaredInfo }, 0);
  return { ...toJsonObject(converted), openapi: TARGET_VERSION };
}

function convertValue(value: Json, depth: number): Json {
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item: Json) => convertValue(item, depth + 1));
  if (!isJsonObject(value)) return value;
  const $ref = referenceOf(value);
  if ($ref !== undefined) return { $ref };
  return mapMembers(value, (name, member) => {
    if (name === 'schema' && isJsonObject(member)) return convertSchema(member, depth + 1);
    if (name === 'components' && isJsonObject(member)) return convertComponents(member, depth + 1);
    // Values, not parts of the document.
    return name === 'example' || name === 'default' ? member : convertValue(member, depth + 1);
  });
}

function convertComponents(components: JsonObject, depth: number): JsonObject {
  const { pathItems: _, schemas, ...rest } = components;
  const converted = convertValue(rest, depth);
  return {
    ...toJsonObject(converted),
    ...(isJsonObject(schemas)
      ? { schemas: mapMembers(schemas, (__, schema) => convertSchema(schema, depth + 1)) }
      : {}),
  };
}

function convertSchema(declared: Json, depth: number): JsonObject {
  if (declared === false) return { not: {} };
  if (!isJsonObject(declared) || depth > MAX_DEPTH) return {};
  const { $ref: reference, ...beside } = declared;
  if (typeof reference === 'string') {
    // In 3.0 nothing can stand beside a reference.
    const keywords = Object.keys(beside).filter((name) => !name.startsWith('x-'));
    if (keywords.length === 0) return { $ref: reference };
    return { ...convertSchema(beside, depth + 1), allOf: [{ $ref: reference }] };
  }
  const converted = Object.entries(declared).flatMap(([name, value]) =>
    UNKNOWN_KEYWORDS.has(name) ? [] : convertKeyword(name, value, declared, depth),
  );
  return hoistOnlyChoice(Object.fromEntries(converted));
}

/** Replaces a choice of one member, e.g. after null was removed, by the member. */
function hoistOnlyChoice(schema: SchemaObject): JsonObject {
  const { anyOf, ...rest } = schema;
  const [only, ...others] = jsonItems(anyOf);
  if (!isJsonObject(only) || others.length > 0 || '$ref' in only) return schema;
  const isClear = Object.keys(rest).every((name) => name === 'description' || !Object.hasOwn(only, name));
  return isClear ? { ...only, ...rest } : schema;
}

function convertKeyword(
  name: string,
  value: Json,
  schema: SchemaObject,
  depth: number,
): readonly [string, Json][] {
  switch (name) {
    case 'type':
      return convertType(value, schema);
    case 'const':
      return [['enum', [value]]];
    case 'exclusiveMinimum':
      return typeof value === 'number' ? Object.entries({ minimum: value, exclusiveMinimum: true }) : [];
    case 'exclusiveMaximum':
      return typeof value === 'number' ? Object.entries({ maximum: value, exclusiveMaximum: true }) : [];
    case 'items':
    case 'not':
      return [[name, convertSchema(value, depth + 1)]];
    case 'additionalProperties':
      return [[name, typeof value === 'boolean' ? value : convertSchema(value, depth + 1)]];
    case 'properties':
      return [[name, mapMembers(toJsonObject(value), (_, member) => convertSchema(member, depth + 1))]];
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return convertChoices(name, value, depth);
    default:
      return [[name, value]];
  }
}

/** Several types become alternatives: `nullable` has no effect beside a choice. A list needs `items`. */
function convertType(value: Json, schema: SchemaObject): readonly [string, Json][] {
  const names = (Array.isArray(value) ? value : [value]).filter((name) => typeof name === 'string');
  const others = names.filter((name) => name !== 'null');
  const nullable: JsonObject = others.length < names.length ? { nullable: true } : {};
  const [type] = others;
  if (others.length === 1 && type !== undefined) {
    const needsItems = type === 'array' && schema['items'] === undefined;
    return Object.entries({ type, ...nullable, ...(needsItems ? { items: {} } : {}) });
  }
  // Keywords of one type don't affect others, so types can be alternatives beside them. A schema that has
  // alternatives already allows all types.
  if (others.length === 0 || schema['anyOf'] !== undefined) return [];
  const toMember = (each: string): JsonObject => ({
    type: each,
    ...nullable,
    ...(each === 'array' ? { items: {} } : {}),
  });
  return [['anyOf', others.map(toMember)]];
}

/** `nullable` needs a `type`, and the only value is no string. */
const NULL: JsonObject = { type: 'string', nullable: true, enum: [null] };

/** Makes the first typed choice `nullable`, or adds {@link NULL}. */
function convertChoices(name: string, value: Json, depth: number): readonly [string, Json][] {
  const members = jsonItems(value);
  const others = members.filter((member) => !(isJsonObject(member) && member['type'] === 'null'));
  const converted = others.map((member) => convertSchema(member, depth + 1));
  if (others.length === 0) return [];
  if (others.length === members.length || name === 'allOf') return [[name, converted]];
  // A list of values doesn't contain null, and a nullable choice accepts it already.
  const at = converted.findIndex(
    (member) => typeof member['type'] === 'string' && member['enum'] === undefined,
  );
  if (at < 0) return [[name, [...converted, NULL]]];
  return [[name, converted.map((member, index) => (index === at ? { ...member, nullable: true } : member))]];
}
