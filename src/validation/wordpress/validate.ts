import type { Json } from '../../json.ts';
import { toPhpString } from '../../php/numeric.ts';
import { matchAny, matchOne } from './combine.ts';
import type { CompiledSchema, LazySchema } from './compiled-schema.ts';
import { validateCount } from './counts.ts';
import { areRestValuesEqual, hasUniqueItems } from './equality.ts';
import { validateFormat } from './formats.ts';
import { validateNumber } from './numbers.ts';
import {
  isPhpScalar,
  isRestBoolean,
  isRestInteger,
  toArrayItems,
  toObjectMembers,
  toPhpNumber,
} from './php-types.ts';
import { sanitizeValue } from './sanitize.ts';
import { isWordPressType, selectType } from './types.ts';
import {
  createViolation,
  formatEnumValue,
  joinWithAnd,
  type SchemaViolation,
  wrongTypeViolation,
} from './violation.ts';

/** `rest_validate_value_from_schema()`. Null where the value is valid. */
export function validateValue(
  value: Json,
  schema: CompiledSchema,
  param: string,
  inheritedType: CompiledSchema['type'] = schema.type,
): SchemaViolation | null {
  let type = inheritedType;
  for (const [members, match] of [
    [schema.anyOf, matchAny],
    [schema.oneOf, schema.isOneOfLenient ? matchAny : matchOne],
  ] as const) {
    if (members === undefined) continue;
    const matching = match(value, members, type, param);
    if (!matching.ok) return matching.refusal;
    type ??= matching.type;
  }
  const single = typeof type === 'object' ? selectType(value, type) : type;
  if (single === null) return wrongTypeViolation(param, typeof type === 'object' ? type.join() : '');
  return (
    (single === undefined ? null : validateType(value, single, schema, param)) ??
    validateEnum(value, schema, single, param) ??
    validateStringFormat(value, schema, single, param)
  );
}

function validateType(
  value: Json,
  type: string,
  schema: CompiledSchema,
  param: string,
): SchemaViolation | null {
  switch (type) {
    case 'null':
      return value === null ? null : wrongTypeViolation(param, type);
    case 'boolean':
      return isRestBoolean(value) ? null : wrongTypeViolation(param, type);
    case 'number':
    case 'integer': {
      const found = toPhpNumber(value);
      if (found === null) return wrongTypeViolation(param, type);
      const violation = validateNumber(found, schema.limits, param);
      return (
        violation ?? (type === 'number' || isRestInteger(value) ? null : wrongTypeViolation(param, type))
      );
    }
    case 'string':
      return typeof value === 'string'
        ? validateString(value, schema, param)
        : wrongTypeViolation(param, type);
    case 'array':
      return validateArray(value, schema, param);
    case 'object':
      return validateObject(value, schema, param);
    default:
      // A word that is no type allows everything.
      return null;
  }
}

/** What bytes that are no UTF-8 are read as: how many characters they are, and what they match, is PHP's to say. */
const REPLACEMENT = '\ufffd';

function validateString(
  value: string,
  { limits, pattern }: CompiledSchema,
  param: string,
): SchemaViolation | null {
  if (value.includes(REPLACEMENT)) return null;
  const { minLength, maxLength } = limits;
  const counted = minLength !== undefined || maxLength !== undefined;
  const violation = counted
    ? validateCount('characters', codePoints(value), minLength, maxLength, param)
    : null;
  if (violation !== null || pattern === undefined || pattern.test(value)) return violation;
  return createViolation('rest_invalid_pattern', `${param} does not match pattern ${pattern.source}.`);
}

function validateArray(value: Json, schema: CompiledSchema, param: string): SchemaViolation | null {
  const items = toArrayItems(value);
  if (items === null) return wrongTypeViolation(param, 'array');
  if (schema.items !== undefined) {
    for (const [index, item] of items.entries()) {
      const violation = validateValue(item, schema.items(), `${param}[${index}]`);
      if (violation !== null) return violation;
    }
  }
  const { minItems, maxItems } = schema.limits;
  const violation = validateCount('items', items.length, minItems, maxItems, param);
  if (violation !== null || !schema.uniqueItems || hasUniqueItems(items)) return violation;
  return createViolation('rest_duplicate_items', `${param} has duplicate items.`);
}

function validateObject(value: Json, schema: CompiledSchema, param: string): SchemaViolation | null {
  const members = toObjectMembers(value);
  if (members === null) return wrongTypeViolation(param, 'object');
  const names = new Set(members.map(([name]) => name));
  const missing = schema.required.find((name) => !names.has(name));
  if (missing !== undefined) {
    return createViolation('rest_property_required', `${missing} is a required property of ${param}.`);
  }
  for (const [name, member] of members) {
    const child = getMemberSchema(name, schema);
    if (child === false) {
      return createViolation(
        'rest_additional_properties_forbidden',
        `${name} is not a valid property of Object.`,
      );
    }
    const violation = child === undefined ? null : validateValue(member, child(), `${param}[${name}]`);
    if (violation !== null) return violation;
  }
  const { minProperties, maxProperties } = schema.limits;
  return validateCount('properties', members.length, minProperties, maxProperties, param);
}

/** What a property is judged by: false where it may not be there, undefined where nothing is said of it. */
export function getMemberSchema(name: string, schema: CompiledSchema): LazySchema | false | undefined {
  return (
    schema.properties.get(name) ??
    schema.patternProperties.find(({ test }) => test(name))?.schema ??
    schema.additionalProperties
  );
}

/** Compares after coercion, so that `"7"` is in `[7]` of integers. */
function validateEnum(
  value: Json,
  schema: CompiledSchema,
  type: string | undefined,
  param: string,
): SchemaViolation | null {
  if (schema.enum.length === 0) return null;
  const sanitized = sanitizeValue(value, schema, param, type);
  if (!sanitized.ok) return sanitized.refusal;
  if (schema.enum.some((allowed) => areRestValuesEqual(sanitized.value, allowed))) return null;
  const words = schema.enum.map(formatEnumValue);
  const is = words.length === 1 ? 'is not' : 'is not one of';
  return createViolation('rest_not_in_enum', `${param} ${is} ${joinWithAnd(words)}.`);
}

/** A format counts for strings, and where there is no type or none that WordPress knows. */
function validateStringFormat(
  value: Json,
  { format }: CompiledSchema,
  type: string | undefined,
  param: string,
): SchemaViolation | null {
  if (format === undefined) return null;
  if (type !== undefined && type !== 'string' && isWordPressType(type)) return null;
  return validateFormat(format, isPhpScalar(value) ? toPhpString(value) : '', param);
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
