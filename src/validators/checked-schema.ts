import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import { referenceOf } from '../openapi/document-references.ts';
import type { SchemaObject } from '../openapi/objects.ts';
import { MAX_SCHEMA_DEPTH, typesOf } from '../openapi/schema-view.ts';
import { analyzeAmbiguity, parsePcre } from '../pcre/index.ts';
import { toSingleLine } from '../types/comments.ts';
import { type CheckedSchema, FORMAT_PATTERNS } from './runtime.ts';

/** In which messages a schema is used. A schema may be used in both. */
export interface SchemaUse {
  readonly inRequests: boolean;
  readonly inResponses: boolean;
}

/** A reduced schema with the remarks about keywords that are not checked, for a comment. */
export type ReducedSchema = boolean | (CheckedSchema & { readonly remarks?: readonly string[] });

interface ReductionContext {
  readonly use: SchemaUse;
  /** Returns the name of the schema that a `$ref` points at; `undefined` if it points at nothing. */
  readonly nameOf: (reference: string) => string | undefined;
}

/**
 * Reduces a schema of the document to the keywords that validators check. The result accepts everything that the schema
 * accepts. Members of `allOf`, `anyOf` and `oneOf` without a type get that of the schema around them.
 */
export function reduceSchema(
  schema: Json | undefined,
  context: ReductionContext,
  inherited: readonly string[] = [],
  depth = 0,
): ReducedSchema {
  if (schema === false) return false;
  if (!isJsonObject(schema) || depth > MAX_SCHEMA_DEPTH) return true;
  const stated = readTypes(schema);
  const types = stated.length > 0 ? stated : inherited;
  const inside = (value: Json | undefined): ReducedSchema => reduceSchema(value, context, [], depth + 1);
  const here = (keyword: string): readonly ReducedSchema[] =>
    jsonItems(schema[keyword]).map((member) => reduceSchema(member, context, types, depth + 1));
  const remarks: string[] = LEFT_OUT.filter((keyword) => schema[keyword] !== undefined);
  const reference = referenceOf(schema);
  const name = reference === undefined ? undefined : context.nameOf(reference);
  const reduced: CheckedSchema = {
    ...(name === undefined ? {} : { $ref: name }),
    ...(types.length === 0 ? {} : { type: types.length === 1 ? (types[0] ?? 'null') : types }),
    ...reduceValues(schema),
    ...reduceTexts(schema, remarks),
    ...pickNumbers(schema),
    ...reduceArray(schema, inside, remarks),
    ...reduceObject(schema, inside, context.use),
    ...nonEmpty('allOf', here('allOf')),
    ...nonEmpty('anyOf', here('anyOf')),
    ...nonEmpty('oneOf', here('oneOf')),
  };
  const result = remarks.length === 0 ? reduced : { ...reduced, remarks };
  return Object.keys(result).length === 0 ? true : result;
}

/** Keywords that no validator checks. */
const LEFT_OUT: readonly string[] = [
  ...['not', 'if', 'contains', 'propertyNames', 'patternProperties'],
  ...['dependentRequired', 'dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems'],
];

const TYPE_NAMES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'] as const;

function readTypes(schema: SchemaObject): readonly string[] {
  const stated = typesOf(schema);
  const types = TYPE_NAMES.filter((name) => stated.includes(name));
  return types.includes('number') ? types.filter((name) => name !== 'integer') : types;
}

function reduceValues({ const: constant, enum: values }: JsonObject): CheckedSchema {
  if (constant !== undefined) return { enum: [constant] };
  return Array.isArray(values) && values.length > 0 ? { enum: values } : {};
}

function reduceTexts({ format, pattern }: JsonObject, remarks: string[]): CheckedSchema {
  const safe = typeof pattern === 'string' ? toSafePattern(pattern) : undefined;
  if (safe !== undefined && 'reason' in safe) remarks.push(`pattern (${safe.reason}): ${String(pattern)}`);
  return {
    ...(safe !== undefined && 'pattern' in safe ? safe : {}),
    ...(typeof format === 'string' && Object.hasOwn(FORMAT_PATTERNS, format) ? { format } : {}),
  };
}

/** Keywords whose value is a number, and whether that is a count. */
const NUMBER_KEYWORDS = {
  ...{ minLength: 'count', maxLength: 'count', minItems: 'count', maxItems: 'count' },
  ...{ minProperties: 'count', maxProperties: 'count' },
  ...{ minimum: 'any', maximum: 'any', exclusiveMinimum: 'any', exclusiveMaximum: 'any' },
  multipleOf: 'positive',
} as const;

function pickNumbers(schema: SchemaObject): CheckedSchema {
  return Object.fromEntries(
    Object.entries(NUMBER_KEYWORDS).flatMap(([keyword, kind]) => {
      const value = schema[keyword];
      if (typeof value !== 'number' || !Number.isFinite(value)) return [];
      if (kind === 'count' && (value < 0 || !Number.isInteger(value))) return [];
      return kind === 'positive' && value <= 0 ? [] : [[keyword, value]];
    }),
  );
}

function reduceArray(
  { items, prefixItems, uniqueItems }: JsonObject,
  inside: (value: Json | undefined) => ReducedSchema,
  remarks: string[],
): CheckedSchema {
  if (prefixItems !== undefined) remarks.push('prefixItems');
  const item = prefixItems === undefined && items !== undefined ? inside(items) : true;
  return { ...(item === true ? {} : { items: item }), ...(uniqueItems === true ? { uniqueItems } : {}) };
}

/**
 * Responses may have members that the document does not state. OpenAPI applies `required` to a read-only property in
 * responses only, and to a write-only property in requests only.
 */
function reduceObject(
  schema: SchemaObject,
  inside: (value: Json | undefined) => ReducedSchema,
  { inRequests, inResponses }: SchemaUse,
): CheckedSchema {
  const declared = jsonMembers(schema.properties);
  const schemas = new Map(declared);
  const required = jsonItems(schema.required).filter((name): name is string => {
    const property = typeof name === 'string' ? schemas.get(name) : undefined;
    const { readOnly, writeOnly } = isJsonObject(property) ? property : {};
    return (
      typeof name === 'string' && !(inRequests && readOnly === true) && !(inResponses && writeOnly === true)
    );
  });
  const { additionalProperties, patternProperties } = schema;
  const isOpen =
    patternProperties !== undefined ||
    additionalProperties === undefined ||
    (additionalProperties === false && inResponses);
  const rest = isOpen ? true : inside(additionalProperties);
  const properties = declared.map(([name, value]) => [name, inside(value)] as const);
  return {
    ...(properties.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(required.length === 0 ? {} : { required: [...new Set(required)] }),
    ...(rest === true ? {} : { additionalProperties: rest }),
  };
}

function nonEmpty(keyword: 'allOf' | 'anyOf' | 'oneOf', members: readonly ReducedSchema[]): CheckedSchema {
  if (keyword === 'anyOf' && members.includes(true)) return {};
  const applies = keyword === 'allOf' ? members.filter((member) => member !== true) : members;
  return applies.length === 0 ? {} : { [keyword]: applies };
}

const MAX_PATTERN_LENGTH = 1_000;

/** A pattern that a validator may run, or the reason why it may not. */
type SafePattern = { readonly pattern: string } | { readonly reason: string };

/** Accepts a pattern only if ECMAScript reads it as JSON Schema does (flag `u`), and matches it in linear time. */
function toSafePattern(pattern: string): SafePattern {
  if (pattern.length > MAX_PATTERN_LENGTH) return { reason: 'too long' };
  try {
    new RegExp(pattern, 'u');
  } catch {
    return { reason: 'not ECMAScript' };
  }
  const parsed = parsePcre(pattern, { unicode: true });
  if (!parsed.ok) return { reason: 'not understood' };
  const ambiguity = analyzeAmbiguity(parsed.root, { matchesWhole: false });
  return ambiguity === 'none' ? { pattern } : { reason: 'not linear' };
}

const MAX_REMARKS = 5;

/** The text of a comment about keywords that are not checked; empty if there are none. */
export function toRemarkText(remarks: readonly string[]): string {
  const shown = [...new Set(remarks)].slice(0, MAX_REMARKS).map((remark) => toSingleLine(remark));
  return shown.length === 0 ? '' : `not checked: ${shown.join(', ')}`;
}

/** Copies a schema with the schemas inside of it replaced, in the order of the keywords of validators. */
export function mapInnerSchemas(
  { properties, additionalProperties, items, allOf, anyOf, oneOf, ...others }: CheckedSchema,
  map: (inner: CheckedSchema | boolean) => CheckedSchema | boolean,
): CheckedSchema {
  const members = Object.entries(properties ?? {}).map(([name, member]) => [name, map(member)] as const);
  return {
    ...others,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(members) }),
    ...(additionalProperties === undefined ? {} : { additionalProperties: map(additionalProperties) }),
    ...(items === undefined ? {} : { items: map(items) }),
    ...(allOf === undefined ? {} : { allOf: allOf.map(map) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(map) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(map) }),
  };
}
