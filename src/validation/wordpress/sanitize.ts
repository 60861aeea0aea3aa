import { isJsonObject, type Json } from '../../json.ts';
import { toPhpFloat, toPhpInteger, toPhpString } from '../../php/numeric.ts';
import { matchAny, matchOne } from './combine.ts';
import type { CompiledSchema } from './compiled-schema.ts';
import { hasUniqueItems } from './equality.ts';
import { isPhpList, isPhpScalar, toArrayItems, toObjectMembers } from './php-types.ts';
import { sanitizeTextarea, sanitizeTextField, sanitizeUrl } from './sanitize-text.ts';
import { isWordPressType, selectType } from './types.ts';
import { getMemberSchema } from './validate.ts';
import { createViolation, type SchemaViolation } from './violation.ts';

export type SanitizeResult =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly refusal: SchemaViolation };

/** `rest_sanitize_value_from_schema()`: the value as its type. Refuses what only shows after coercion. */
export function sanitizeValue(
  original: Json,
  schema: CompiledSchema,
  param: string,
  inheritedType: CompiledSchema['type'] = schema.type,
): SanitizeResult {
  let value = original;
  let type = inheritedType;
  for (const [members, match] of [
    [schema.anyOf, matchAny],
    [schema.oneOf, schema.isOneOfLenient ? matchAny : matchOne],
  ] as const) {
    if (members === undefined) continue;
    const matching = match(value, members, type, param);
    if (!matching.ok) return matching;
    const sanitized = sanitizeValue(value, matching.schema, param, matching.type);
    if (!sanitized.ok) return sanitized;
    type ??= matching.type;
    value = sanitized.value;
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
    return sanitize(toPhpText(value));
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
    : { ok: false, refusal: createViolation('rest_duplicate_items', `${param} has duplicate items.`) };
}

/** Any array's values, where validation would have refused its keys. */
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
  // What came as a list stays one, unless it lost some of its items: PHP's arrays are both.
  const listed = !isJsonObject(value) && members.every(([name], index) => name === String(index));
  if (listed) return { ok: true, value: members.map(([, member]) => member) };
  // fromEntries() defines `__proto__` as a member like any other.
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
