import type { Json } from '../../json.ts';
import { toPhpString } from '../../php/numeric.ts';
import { applyCombinators } from './combinators.ts';
import { type CompiledSchema, getMemberSchema } from './compiled-schema.ts';
import { areRestValuesEqual, hasUniqueItems } from './equality.ts';
import { validateFormat } from './formats.ts';
import { validateCount, validateNumber } from './limits.ts';
import {
  isPhpScalar,
  isRestBoolean,
  isRestInteger,
  isWordPressType,
  selectType,
  toArrayItems,
  toObjectMembers,
  toPhpNumber,
} from './php-types.ts';
import { sanitizeValue } from './sanitize.ts';
import {
  createViolation,
  createWrongTypeViolation,
  formatEnumValue,
  joinWithAnd,
  type SchemaViolation,
} from './violation.ts';
import { NS_PER_CHARACTER, NS_PER_VALUE, spendWork } from './work-limit.ts';

/** `rest_validate_value_from_schema()`. Returns `null` for a valid value. */
export function validateValue(
  value: Json,
  schema: CompiledSchema,
  param: string,
  inheritedType: CompiledSchema['type'] = schema.type,
): SchemaViolation | null {
  spendWork(NS_PER_VALUE);
  let type = inheritedType;
  if (schema.combinators.length > 0) {
    const combined = applyCombinators({ value, type }, schema, param);
    if (!combined.ok) return combined.violation;
    type = combined.type;
  }
  const single = typeof type === 'object' ? selectType(value, type) : type;
  if (single === null) return createWrongTypeViolation(param, typeof type === 'object' ? type.join() : '');
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
      return value === null ? null : createWrongTypeViolation(param, type);
    case 'boolean':
      return isRestBoolean(value) ? null : createWrongTypeViolation(param, type);
    case 'number':
    case 'integer': {
      const found = toPhpNumber(value);
      if (found === null) return createWrongTypeViolation(param, type);
      const violation = validateNumber(found, schema.limits, param);
      return (
        violation ??
        (type === 'number' || isRestInteger(value) ? null : createWrongTypeViolation(param, type))
      );
    }
    case 'string':
      return typeof value === 'string'
        ? validateString(value, schema, param)
        : createWrongTypeViolation(param, type);
    case 'array':
      return validateArray(value, schema, param);
    case 'object':
      return validateObject(value, schema, param);
    default:
      // WordPress accepts every value for a type that it does not know.
      return null;
  }
}

/**
 * The replacement for bytes that are not UTF-8. A string that contains it is accepted, because PHP counts and matches
 * the original bytes.
 */
const REPLACEMENT = '\ufffd';

function validateString(
  value: string,
  { limits, pattern }: CompiledSchema,
  param: string,
): SchemaViolation | null {
  spendWork(NS_PER_CHARACTER * value.length);
  if (value.includes(REPLACEMENT)) return null;
  const { minLength, maxLength } = limits;
  const counted = minLength !== undefined || maxLength !== undefined;
  const violation = counted
    ? validateCount('characters', countCodePoints(value), minLength, maxLength, param)
    : null;
  if (violation !== null || pattern === undefined) return violation;
  if (pattern.test(value)) return null;
  return createViolation('rest_invalid_pattern', `${param} does not match pattern ${pattern.source}.`);
}

function validateArray(value: Json, schema: CompiledSchema, param: string): SchemaViolation | null {
  const items = toArrayItems(value);
  if (items === null) return createWrongTypeViolation(param, 'array');
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
  if (members === null) return createWrongTypeViolation(param, 'object');
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

/** Of the comparison of a value with one member of an `enum`, and of the message that lists it. */
const NS_PER_ENUM_MEMBER = 150;

/** Compares the value after coercion, so that `"7"` is one of the integers `[7]`. */
function validateEnum(
  value: Json,
  schema: CompiledSchema,
  type: string | undefined,
  param: string,
): SchemaViolation | null {
  if (schema.enum.length === 0) return null;
  spendWork(NS_PER_ENUM_MEMBER * schema.enum.length);
  const sanitized = sanitizeValue(value, schema, param, type);
  if (!sanitized.ok) return sanitized.violation;
  if (schema.enum.some((allowed) => areRestValuesEqual(sanitized.value, allowed))) return null;
  const words = schema.enum.map(formatEnumValue);
  const is = words.length === 1 ? 'is not' : 'is not one of';
  return createViolation('rest_not_in_enum', `${param} ${is} ${joinWithAnd(words)}.`);
}

/** Validates the format of a string. Without a type that WordPress knows, the format counts for every value. */
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

function countCodePoints(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
    if (isPair) count -= 1;
  }
  return count;
}
