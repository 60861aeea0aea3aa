import { isJsonObject, type Json } from '../../json.ts';
import { toPhpFloat, toPhpInteger, toPhpString } from '../../php/numeric.ts';
import { applyCombinators } from './combinators.ts';
import { type CompiledSchema, getMemberSchema } from './compiled-schema.ts';
import { hasUniqueItems } from './equality.ts';
import {
  isPhpList,
  isPhpScalar,
  isWordPressType,
  selectType,
  toArrayItems,
  toObjectMembers,
} from './php-types.ts';
import { sanitizeTextarea, sanitizeTextField, sanitizeUrl } from './sanitize-text.ts';
import { createViolation, type SchemaViolation } from './violation.ts';
import { NS_PER_REWRITTEN_CHARACTER, NS_PER_VALUE, spendWork } from './work-limit.ts';

export type SanitizeResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly violation: SchemaViolation };

/**
 * `rest_sanitize_value_from_schema()`: converts a value to its type. Fails for violations that show only after coercion,
 * such as duplicate items.
 */
export function sanitizeValue(
  original: Json,
  schema: CompiledSchema,
  param: string,
  inheritedType: CompiledSchema['type'] = schema.type,
): SanitizeResult {
  spendWork(NS_PER_VALUE);
  let value = original;
  let type = inheritedType;
  if (schema.combinators.length > 0) {
    const combined = applyCombinators({ value, type }, schema, param, sanitizeValue);
    if (!combined.ok) return combined;
    ({ value, type } = combined);
  }
  const single = typeof type === 'object' ? selectType(value, type) : type;
  if (single === null) return { ok: true, value: null };
  if (single === 'array') return sanitizeArray(value, schema, param);
  if (single === 'object') return sanitizeObject(value, schema, param);
  return { ok: true, value: sanitizeScalar(value, single, schema.format) };
}

function sanitizeScalar(value: Json, type: string | undefined, format: string | undefined): Json {
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
  const sanitize =
    format !== undefined && Object.hasOwn(TEXT_SANITIZERS, format) ? TEXT_SANITIZERS[format] : undefined;
  if (sanitize !== undefined && (type === 'string' || type === undefined || !isWordPressType(type))) {
    const text = toPhpText(value);
    spendWork(NS_PER_REWRITTEN_CHARACTER * text.length);
    return sanitize(text);
  }
  return type === 'string' ? toPhpText(value) : value;
}

const TEXT_SANITIZERS: Readonly<Record<string, (text: string) => string>> = {
  'hex-color': (text) => (/^#(?:[A-Fa-f0-9]{3}){1,2}\n?$/.test(text) ? text : ''),
  'date-time': sanitizeTextField,
  email: sanitizeTextField,
  uri: sanitizeUrl,
  ip: sanitizeTextField,
  uuid: sanitizeTextField,
  'text-field': sanitizeTextField,
  'textarea-field': sanitizeTextarea,
};

function sanitizeArray(value: Json, schema: CompiledSchema, param: string): SanitizeResult {
  const items: Json[] = [];
  for (const [index, item] of toAllItems(value).entries()) {
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

/** Returns the items of an array; also of an object whose keys validation would reject. */
function toAllItems(value: Json): readonly Json[] {
  return toArrayItems(value) ?? (isJsonObject(value) ? Object.values(value) : []);
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
  // A list stays a list unless it lost items, because PHP has one array type for lists and objects.
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
function toBoolean(value: Json): boolean {
  if (typeof value === 'string') return !['', '0', 'false'].includes(value.toLowerCase());
  if (typeof value === 'object') return value !== null && Object.keys(value).length > 0;
  return Boolean(value);
}

function toPhpText(value: Json): string {
  if (isPhpScalar(value)) return toPhpString(value);
  return isPhpList(value) || isJsonObject(value) ? 'Array' : '';
}
