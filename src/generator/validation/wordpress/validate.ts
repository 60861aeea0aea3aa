import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import { toPhpFloat, toPhpInteger, toPhpString } from '../../../base/php/values.ts';
import {
  createViolation,
  createWrongTypeViolation,
  formatEnumValue,
  joinWithAnd,
  type SchemaViolation,
  validateCount,
  validateFormat,
  validateNumber,
} from './keywords.ts';
import {
  type Combinator,
  type CompiledSchema,
  compileSchema,
  getMemberSchema,
  isPhpList,
  isPhpScalar,
  isRestBoolean,
  isRestInteger,
  isWordPressType,
  type ResolveReference,
  selectType,
  spendCharacters,
  spendValues,
  toArrayItems,
  toObjectMembers,
  toPhpNumber,
} from './schema.ts';

export interface SchemaValidator {
  /** `rest_validate_value_from_schema()`. @param param name in messages: `status`, `meta[footnotes]` */
  validate(value: Json, param: string): SchemaViolation | null;
  /** `rest_sanitize_value_from_schema()`. Texts stay as they are. */
  sanitize(value: Json, param: string): SanitizeResult;
}

/** A site's own schema (draft 4) or a normalised one. @param resolve without it a reference accepts every value */
export function createSchemaValidator(
  schema: JsonObject,
  resolve: ResolveReference = () => undefined,
): SchemaValidator {
  const compiled = compileSchema(schema, resolve);
  return {
    validate: (value, param) => validateValue(value, compiled, param),
    sanitize: (value, param) => sanitizeValue(value, compiled, param),
  };
}

/** `rest_validate_value_from_schema()` */
function validateValue(
  value: Json,
  schema: CompiledSchema,
  param: string,
  inheritedType: CompiledSchema['type'] = schema.type,
): SchemaViolation | null {
  spendValues(1);
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
      return null;
  }
}

/** Replacement of bytes that aren't UTF-8, which are accepted: PHP matches the original ones. */
const REPLACEMENT = '\ufffd';

function validateString(value: string, schema: CompiledSchema, param: string): SchemaViolation | null {
  const { limits, pattern } = schema;
  const { minLength, maxLength } = limits;
  const counted = minLength !== undefined || maxLength !== undefined;
  if (!counted && pattern === undefined) return null;
  spendCharacters(value.length);
  if (value.includes(REPLACEMENT)) return null;
  const violation = counted
    ? validateCount('characters', countCodePoints(value), minLength, maxLength, param)
    : null;
  if (violation !== null || pattern === undefined) return violation;
  if (pattern.test(value)) return null;
  return createViolation('rest_invalid_pattern', `${param} does not match pattern ${pattern.source}.`);
}

function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
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
  const missing = schema.required.find((name) => !hasMember(value, name));
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

/** The keys of a list are 0…n-1. */
function hasMember(value: Json, name: string): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, name) && (isJsonObject(value) || name !== 'length');
}

/** Compares after coercion: `"7"` is one of the integers `[7]`. */
function validateEnum(
  value: Json,
  schema: CompiledSchema,
  type: string | undefined,
  param: string,
): SchemaViolation | null {
  if (schema.enum.length === 0) return null;
  spendValues(schema.enum.length);
  const sanitized = sanitizeValue(value, schema, param, type);
  if (!sanitized.ok) return sanitized.violation;
  if (schema.enum.some((allowed) => areRestValuesEqual(sanitized.value, allowed))) return null;
  const words = schema.enum.map(formatEnumValue);
  const is = words.length === 1 ? 'is not' : 'is not one of';
  return createViolation('rest_not_in_enum', `${param} ${is} ${joinWithAnd(words)}.`);
}

/** Without a type that WordPress knows, the format counts for every value. */
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

interface TypedValue {
  readonly value: Json;
  readonly type: CompiledSchema['type'];
}

type Outcome<Result> =
  | ({ readonly ok: true } & Result)
  | { readonly ok: false; readonly violation: SchemaViolation };

type SanitizeResult = Outcome<{ readonly value: Json }>;

/** An unstated type is that of the member that matches. @param sanitizes by each that matches */
function applyCombinators(
  typed: TypedValue,
  { combinators }: CompiledSchema,
  param: string,
  sanitizes = false,
): Outcome<TypedValue> {
  let { value, type } = typed;
  for (const combinator of combinators) {
    const match = matchMember({ value, type }, combinator, param);
    if (!match.ok) return match;
    if (sanitizes) {
      const sanitized = sanitizeValue(value, match.schema, param, match.type);
      if (!sanitized.ok) return sanitized;
      value = sanitized.value;
    }
    type ??= match.type;
  }
  return { ok: true, value, type };
}

function matchMember(
  { type: inheritedType, value }: TypedValue,
  { isExclusive, members }: Combinator,
  param: string,
): Outcome<Pick<TypedValue, 'type'> & { readonly schema: CompiledSchema }> {
  const matches: (Pick<TypedValue, 'type'> & { readonly schema: CompiledSchema })[] = [];
  for (const member of members) {
    const schema = member();
    // A member without a type inherits its parent's.
    const type = schema.type ?? inheritedType;
    if (validateValue(value, schema, param, type) !== null) continue;
    matches.push({ schema, type });
    if (!isExclusive) break;
  }
  const [first, second] = matches;
  if (first !== undefined && second === undefined) return { ok: true, ...first };
  // WordPress can say more, by the titles of the members or the violation of the closest.
  const [code, words] =
    first === undefined
      ? ['rest_no_matching_schema', 'does not match any']
      : ['rest_one_of_multiple_matches', 'matches more than one'];
  return { ok: false, violation: createViolation(code, `${param} ${words} of the expected formats.`) };
}

/** Fails for violations that show only after coercion, such as duplicate items. */
function sanitizeValue(
  original: Json,
  schema: CompiledSchema,
  param: string,
  inheritedType: CompiledSchema['type'] = schema.type,
): SanitizeResult {
  spendValues(1);
  let value = original;
  let type = inheritedType;
  if (schema.combinators.length > 0) {
    const combined = applyCombinators({ value, type }, schema, param, true);
    if (!combined.ok) return combined;
    ({ value, type } = combined);
  }
  const single = typeof type === 'object' ? selectType(value, type) : type;
  if (single === null) return { ok: true, value: null };
  if (single === 'array') return sanitizeArray(value, schema, param);
  if (single === 'object') return sanitizeObject(value, schema, param);
  return { ok: true, value: sanitizeScalar(value, single) };
}

function sanitizeScalar(value: Json, type: string | undefined): Json {
  switch (type) {
    case 'null':
      return null;
    case 'integer':
      return toPhpInteger(toNumber(value));
    case 'number':
      return toNumber(value);
    case 'boolean':
      return toBoolean(value);
  }
  return type === 'string' ? toPhpText(value) : value;
}

function sanitizeArray(value: Json, schema: CompiledSchema, param: string): SanitizeResult {
  const items: Json[] = [];
  const all = toArrayItems(value) ?? (isJsonObject(value) ? Object.values(value) : []);
  for (const [index, item] of all.entries()) {
    const sanitized: SanitizeResult =
      schema.items === undefined
        ? { ok: true, value: item }
        : sanitizeValue(item, schema.items(), `${param}[${index}]`);
    if (!sanitized.ok) return sanitized;
    items.push(sanitized.value);
  }
  return !schema.uniqueItems || hasUniqueItems(items)
    ? { ok: true, value: items }
    : { ok: false, violation: createViolation('rest_duplicate_items', `${param} has duplicate items.`) };
}

function sanitizeObject(value: Json, schema: CompiledSchema, param: string): SanitizeResult {
  const members: [string, Json][] = [];
  for (const [name, member] of toObjectMembers(value) ?? []) {
    const child = getMemberSchema(name, schema);
    if (child === false) continue;
    const sanitized: SanitizeResult =
      child === undefined ? { ok: true, value: member } : sanitizeValue(member, child(), `${param}[${name}]`);
    if (!sanitized.ok) return sanitized;
    members.push([name, sanitized.value]);
  }
  // A list stays a list unless it lost items.
  const isList = !isJsonObject(value) && members.every(([name], index) => name === String(index));
  if (isList) return { ok: true, value: members.map(([, member]) => member) };
  // fromEntries() defines `__proto__` as an ordinary member.
  return { ok: true, value: Object.fromEntries(members) };
}

function toNumber(value: Json): number {
  if (typeof value === 'string') return toPhpFloat(value);
  if (typeof value === 'object') return value === null || Object.keys(value).length === 0 ? 0 : 1;
  return Number(value);
}

/** `rest_sanitize_boolean()` */
export function toBoolean(value: Json): boolean {
  if (typeof value === 'string') return !['', '0', 'false'].includes(value.toLowerCase());
  if (typeof value === 'object') return value !== null && Object.keys(value).length > 0;
  return Boolean(value);
}

function toPhpText(value: Json): string {
  if (isPhpScalar(value)) return toPhpString(value);
  return isPhpList(value) || isJsonObject(value) ? 'Array' : '';
}

/** `rest_are_values_equal()`: integers and floats compare by value; the order of members does not count. */
function areRestValuesEqual(a: Json, b: Json): boolean {
  const [left, right] = [toMembers(a), toMembers(b)];
  if (left === null || right === null) return a === b;
  if (left.length !== right.length) return false;
  const others = new Map(right);
  return left.every(([key, value]) => {
    const other = others.get(key);
    return other !== undefined && areRestValuesEqual(value, other);
  });
}

/** Two integers of PHP beyond 2^53 can be the same number in JavaScript. */
function hasUniqueItems(items: readonly Json[]): boolean {
  if (items.some((item) => Number.isInteger(item) && !Number.isSafeInteger(item))) return true;
  return new Set(items.map(toComparableText)).size === items.length;
}

function toComparableText(value: Json): string {
  const members = toMembers(value);
  spendValues(1);
  if (members === null) return JSON.stringify(value);
  const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${toComparableText(member)}`).join()}}`;
}

function toMembers(value: Json): readonly (readonly [string, Json])[] | null {
  return typeof value === 'object' ? toObjectMembers(value) : null;
}
