import type { Json } from '../../json.ts';
import { phpString } from '../../php/numeric.ts';
import { matchAny, matchOne } from './combine.ts';
import { judgeCount } from './counts.ts';
import { areEqual, areUnique } from './equality.ts';
import { judgeFormat } from './formats.ts';
import { judgeNumber } from './numbers.ts';
import { asItems, asMembers, isBoolean, isInteger, isScalar, numeric } from './php-types.ts';
import { joinWords, type Refusal, refusal, showValue, wrongType } from './refusal.ts';
import { sanitizeAs } from './sanitize.ts';
import type { Child, Prepared } from './compiled-schema.ts';
import { bestType, isType } from './types.ts';

/** `rest_validate_value_from_schema()`. Null where the value is valid. */
export function validateAs(
  value: Json,
  schema: Prepared,
  param: string,
  given: Prepared['type'] = schema.type,
): Refusal | null {
  let type = given;
  for (const [members, match] of [
    [schema.anyOf, matchAny],
    [schema.oneOf, schema.lenient ? matchAny : matchOne],
  ] as const) {
    if (members === undefined) continue;
    const matching = match(value, members, type, param);
    if (!matching.ok) return matching.refusal;
    type ??= matching.type;
  }
  const single = typeof type === 'object' ? bestType(value, type) : type;
  if (single === null) return wrongType(param, typeof type === 'object' ? type.join() : '');
  return (
    (single === undefined ? null : judgeType(value, single, schema, param)) ??
    judgeEnum(value, schema, single, param) ??
    judgeStringFormat(value, schema, single, param)
  );
}

function judgeType(value: Json, type: string, schema: Prepared, param: string): Refusal | null {
  switch (type) {
    case 'null':
      return value === null ? null : wrongType(param, type);
    case 'boolean':
      return isBoolean(value) ? null : wrongType(param, type);
    case 'number':
    case 'integer': {
      const found = numeric(value);
      if (found === null) return wrongType(param, type);
      const refused = judgeNumber(found, schema.limits, param);
      return refused ?? (type === 'number' || isInteger(value) ? null : wrongType(param, type));
    }
    case 'string':
      return typeof value === 'string' ? judgeString(value, schema, param) : wrongType(param, type);
    case 'array':
      return judgeArray(value, schema, param);
    case 'object':
      return judgeObject(value, schema, param);
    default:
      // A word that is no type allows everything.
      return null;
  }
}

/** What bytes that are no UTF-8 are read as: how many characters they are, and what they match, is PHP's to say. */
const REPLACEMENT = '\ufffd';

function judgeString(value: string, { limits, pattern }: Prepared, param: string): Refusal | null {
  if (value.includes(REPLACEMENT)) return null;
  const { minLength, maxLength } = limits;
  const counted = minLength !== undefined || maxLength !== undefined;
  const refused = counted ? judgeCount('characters', codePoints(value), minLength, maxLength, param) : null;
  if (refused !== null || pattern === undefined || pattern.test(value)) return refused;
  return refusal('rest_invalid_pattern', `${param} does not match pattern ${pattern.source}.`);
}

function judgeArray(value: Json, schema: Prepared, param: string): Refusal | null {
  const items = asItems(value);
  if (items === null) return wrongType(param, 'array');
  if (schema.items !== undefined) {
    for (const [index, item] of items.entries()) {
      const refused = validateAs(item, schema.items(), `${param}[${index}]`);
      if (refused !== null) return refused;
    }
  }
  const { minItems, maxItems } = schema.limits;
  const refused = judgeCount('items', items.length, minItems, maxItems, param);
  if (refused !== null || !schema.uniqueItems || areUnique(items)) return refused;
  return refusal('rest_duplicate_items', `${param} has duplicate items.`);
}

function judgeObject(value: Json, schema: Prepared, param: string): Refusal | null {
  const members = asMembers(value);
  if (members === null) return wrongType(param, 'object');
  const names = new Set(members.map(([name]) => name));
  const missing = schema.required.find((name) => !names.has(name));
  if (missing !== undefined) {
    return refusal('rest_property_required', `${missing} is a required property of ${param}.`);
  }
  for (const [name, member] of members) {
    const child = schemaOfMember(name, schema);
    if (child === false) {
      return refusal('rest_additional_properties_forbidden', `${name} is not a valid property of Object.`);
    }
    const refused = child === undefined ? null : validateAs(member, child(), `${param}[${name}]`);
    if (refused !== null) return refused;
  }
  const { minProperties, maxProperties } = schema.limits;
  return judgeCount('properties', members.length, minProperties, maxProperties, param);
}

/** What a property is judged by: false where it may not be there, undefined where nothing is said of it. */
export function schemaOfMember(name: string, schema: Prepared): Child | false | undefined {
  return (
    schema.properties.get(name) ??
    schema.patternProperties.find(({ test }) => test(name))?.schema ??
    schema.additionalProperties
  );
}

/** Compares after coercion, so that `"7"` is in `[7]` of integers. */
function judgeEnum(value: Json, schema: Prepared, type: string | undefined, param: string): Refusal | null {
  if (schema.enum.length === 0) return null;
  const sanitized = sanitizeAs(value, schema, param, type);
  if (!sanitized.ok) return sanitized.refusal;
  if (schema.enum.some((allowed) => areEqual(sanitized.value, allowed))) return null;
  const words = schema.enum.map(showValue);
  const is = words.length === 1 ? 'is not' : 'is not one of';
  return refusal('rest_not_in_enum', `${param} ${is} ${joinWords(words)}.`);
}

/** A format counts for strings, and where there is no type or none that WordPress knows. */
function judgeStringFormat(
  value: Json,
  { format }: Prepared,
  type: string | undefined,
  param: string,
): Refusal | null {
  if (format === undefined) return null;
  if (type !== undefined && type !== 'string' && isType(type)) return null;
  return judgeFormat(format, isScalar(value) ? phpString(value) : '', param);
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
