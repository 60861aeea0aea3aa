import type { Json } from '../../json.ts';
import { phpString } from '../../php/numeric.ts';
import { matchAny, matchOne } from './combine.ts';
import type { CompiledSchema, LazySchema } from './compiled-schema.ts';
import { validateCount } from './counts.ts';
import { areEqual, areUnique } from './equality.ts';
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
  joinWords,
  type SchemaViolation,
  showValue,
  wrongTypeViolation,
} from './violation.ts';

/** `rest_validate_value_from_schema()`. Null where the value is valid. */
export function validateValue(
  value: Json,
  schema: CompiledSchema,
  param: string,
  given: CompiledSchema['type'] = schema.type,
): SchemaViolation | null {
  let type = given;
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
      const refused = validateNumber(found, schema.limits, param);
      return refused ?? (type === 'number' || isRestInteger(value) ? null : wrongTypeViolation(param, type));
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
  const refused = counted
    ? validateCount('characters', codePoints(value), minLength, maxLength, param)
    : null;
  if (refused !== null || pattern === undefined || pattern.test(value)) return refused;
  return createViolation('rest_invalid_pattern', `${param} does not match pattern ${pattern.source}.`);
}

function validateArray(value: Json, schema: CompiledSchema, param: string): SchemaViolation | null {
  const items = toArrayItems(value);
  if (items === null) return wrongTypeViolation(param, 'array');
  if (schema.items !== undefined) {
    for (const [index, item] of items.entries()) {
      const refused = validateValue(item, schema.items(), `${param}[${index}]`);
      if (refused !== null) return refused;
    }
  }
  const { minItems, maxItems } = schema.limits;
  const refused = validateCount('items', items.length, minItems, maxItems, param);
  if (refused !== null || !schema.uniqueItems || areUnique(items)) return refused;
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
    const refused = child === undefined ? null : validateValue(member, child(), `${param}[${name}]`);
    if (refused !== null) return refused;
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
  if (schema.enum.some((allowed) => areEqual(sanitized.value, allowed))) return null;
  const words = schema.enum.map(showValue);
  const is = words.length === 1 ? 'is not' : 'is not one of';
  return createViolation('rest_not_in_enum', `${param} ${is} ${joinWords(words)}.`);
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
  return validateFormat(format, isPhpScalar(value) ? phpString(value) : '', param);
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
