import { isJsonObject, type Json, type JsonObject, jsonItems, jsonMembers } from '../json.ts';
import { isUsableLimit, LIMIT_KEYWORDS } from '../model/schema/keywords.ts';
import type { CheckedSchema } from '../model/schema/walk.ts';
import { referenceOf } from '../openapi/document-references.ts';
import type { SchemaObject } from '../openapi/objects.ts';
import { MAX_SCHEMA_DEPTH, typesOf } from '../openapi/schema-view.ts';
import { isLinear, parsePcre } from '../pcre/index.ts';
import { toSingleLine } from '../types/comments.ts';
import { DATE_TIME, HEX_COLOR, IPV4, UUID } from '../validation/wordpress/keywords.ts';

const LABEL = '[A-Za-z0-9]+(?:-+[A-Za-z0-9]+)*';

/** Patterns of the formats that are checked, as WordPress has them. A text of another format is not checked. */
export const FORMAT_PATTERNS: Readonly<Record<string, string>> = {
  'date-time': DATE_TIME.source,
  email: `^(?=.{6})[A-Za-z0-9!#$%&'*+/=?^_\`{|}~.\\-]+@${LABEL}(?:\\.${LABEL})+$`,
  'hex-color': HEX_COLOR.source,
  ip: `${IPV4.source}|^[0-9A-Fa-f]*:[0-9A-Fa-f:.]*$`,
  uuid: UUID.source,
};

/** In which messages a schema is used. A schema can be used in both. */
export interface SchemaUse {
  readonly inRequests: boolean;
  readonly inResponses: boolean;
}

interface ReductionContext {
  readonly use: SchemaUse;
  /** Returns the name of the schema that a `$ref` points at; `undefined` if it points at nothing. */
  readonly nameOf: (reference: string) => string | undefined;
  /** Receives a remark about each keyword that is not checked, for a comment. */
  readonly remarks: Set<string>;
  /** Receives the names of the schemas that are referred to. */
  readonly references: Set<string>;
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
): CheckedSchema | boolean {
  if (schema === false) return false;
  if (!isJsonObject(schema) || depth > MAX_SCHEMA_DEPTH) return true;
  const own = readTypes(schema);
  const types = own.length > 0 ? own : inherited;
  const inside = (value: Json | undefined): CheckedSchema | boolean =>
    reduceSchema(value, context, [], depth + 1);
  const here = (keyword: string): readonly (CheckedSchema | boolean)[] =>
    jsonItems(schema[keyword]).map((member) => reduceSchema(member, context, types, depth + 1));
  const { remarks, use } = context;
  for (const keyword of LEFT_OUT) if (schema[keyword] !== undefined) remarks.add(keyword);
  const reference = referenceOf(schema);
  const name = reference === undefined ? undefined : context.nameOf(reference);
  if (name !== undefined) context.references.add(name);
  const reduced: CheckedSchema = {
    ...(name === undefined ? {} : { $ref: name }),
    ...(types.length === 0 ? {} : { type: types.length === 1 ? (types[0] ?? 'null') : types }),
    ...reduceValues(schema),
    ...reduceTexts(schema, remarks),
    ...Object.fromEntries(
      LIMIT_KEYWORDS.filter((each) => isUsableLimit(schema[each], each)).map((each) => [each, schema[each]]),
    ),
    ...reduceArray(schema, inside),
    ...reduceObject(schema, inside, use),
    ...nonEmpty('allOf', here('allOf')),
    ...nonEmpty('anyOf', here('anyOf')),
    ...nonEmpty('oneOf', here('oneOf')),
  };
  return Object.keys(reduced).length === 0 ? true : reduced;
}

/** Keywords that no validator checks. */
const LEFT_OUT: readonly string[] = [
  ...['not', 'if', 'contains', 'propertyNames', 'patternProperties'],
  ...['dependentRequired', 'dependentSchemas', 'unevaluatedProperties', 'unevaluatedItems', 'prefixItems'],
];

const TYPE_NAMES = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null'] as const;

function readTypes(schema: SchemaObject): readonly string[] {
  const found = typesOf(schema);
  const types = TYPE_NAMES.filter((name) => found.includes(name));
  return types.includes('number') ? types.filter((name) => name !== 'integer') : types;
}

function reduceValues({ const: constant, enum: values }: JsonObject): CheckedSchema {
  if (constant !== undefined) return { enum: [constant] };
  return Array.isArray(values) && values.length > 0 ? { enum: values } : {};
}

function reduceTexts({ format, pattern }: JsonObject, remarks: Set<string>): CheckedSchema {
  const safe = typeof pattern === 'string' ? toSafePattern(pattern) : undefined;
  if (safe !== undefined && 'reason' in safe) remarks.add(`pattern (${safe.reason}): ${String(pattern)}`);
  return {
    ...(safe !== undefined && 'pattern' in safe ? safe : {}),
    ...(typeof format === 'string' && Object.hasOwn(FORMAT_PATTERNS, format) ? { format } : {}),
  };
}

function reduceArray(
  { items, prefixItems, uniqueItems }: JsonObject,
  inside: (value: Json | undefined) => CheckedSchema | boolean,
): CheckedSchema {
  const item = prefixItems === undefined && items !== undefined ? inside(items) : true;
  return { ...(item === true ? {} : { items: item }), ...(uniqueItems === true ? { uniqueItems } : {}) };
}

/**
 * Responses can have members that the document does not state. OpenAPI applies `required` to a read-only property in
 * responses only, and to a write-only property in requests only.
 */
function reduceObject(
  schema: SchemaObject,
  inside: (value: Json | undefined) => CheckedSchema | boolean,
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

function nonEmpty(
  keyword: 'allOf' | 'anyOf' | 'oneOf',
  members: readonly (CheckedSchema | boolean)[],
): CheckedSchema {
  if (keyword === 'anyOf' && members.includes(true)) return {};
  const applies = keyword === 'allOf' ? members.filter((member) => member !== true) : members;
  return applies.length === 0 ? {} : { [keyword]: applies };
}

const MAX_PATTERN_LENGTH = 1_000;

/** Accepts a pattern only if ECMAScript reads it as JSON Schema does (flag `u`), and matches it in linear time. */
function toSafePattern(pattern: string): { readonly pattern: string } | { readonly reason: string } {
  if (pattern.length > MAX_PATTERN_LENGTH) return { reason: 'too long' };
  try {
    new RegExp(pattern, 'u');
  } catch {
    return { reason: 'not ECMAScript' };
  }
  const parsed = parsePcre(pattern, { unicode: true });
  if (!parsed.ok) return { reason: 'not understood' };
  return isLinear(parsed.root) ? { pattern } : { reason: 'not linear' };
}

const MAX_REMARKS = 5;

/** The comment about keywords that are not checked, with a space after it; empty if there are none. */
export function toRemarkComment(remarks: Iterable<string>): string {
  const shown = [...new Set(remarks)].slice(0, MAX_REMARKS).map((remark) => toSingleLine(remark));
  return shown.length === 0 ? '' : `/* not checked: ${shown.join(', ')} */ `;
}
