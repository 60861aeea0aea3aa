import { isJsonObject, type Json } from '../../json.ts';
import { leadingNumber, phpInteger, phpString } from '../../php/numeric.ts';
import { matchAny, matchOne } from './combine.ts';
import { areUnique } from './equality.ts';
import { asItems, asMembers, isList, isScalar } from './php-types.ts';
import { type Refusal, refusal } from './refusal.ts';
import type { Prepared } from './compiled-schema.ts';
import { sanitizeTextarea, sanitizeTextField, sanitizeUrl } from './text.ts';
import { bestType, isType } from './types.ts';
import { schemaOfMember } from './validate.ts';

export type Sanitized =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly refusal: Refusal };

/** `rest_sanitize_value_from_schema()`: the value as its type. Refuses what only shows after coercion. */
export function sanitizeAs(
  given: Json,
  schema: Prepared,
  param: string,
  givenType: Prepared['type'] = schema.type,
): Sanitized {
  let value = given;
  let type = givenType;
  for (const [members, match] of [
    [schema.anyOf, matchAny],
    [schema.oneOf, schema.lenient ? matchAny : matchOne],
  ] as const) {
    if (members === undefined) continue;
    const matching = match(value, members, type, param);
    if (!matching.ok) return matching;
    const sanitized = sanitizeAs(value, matching.schema, param, matching.type);
    if (!sanitized.ok) return sanitized;
    type ??= matching.type;
    value = sanitized.value;
  }
  const single = typeof type === 'object' ? bestType(value, type) : type;
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
      return phpInteger(toNumber(value));
    case 'number':
      return toNumber(value);
    case 'boolean':
      return toBoolean(value);
  }
  const sanitize = format !== undefined && Object.hasOwn(TEXTS, format) ? TEXTS[format] : undefined;
  if (sanitize !== undefined && (type === 'string' || type === undefined || !isType(type))) {
    return sanitize(toText(value));
  }
  return type === 'string' ? toText(value) : value;
}

const TEXTS: Readonly<Record<string, (text: string) => string>> = {
  'hex-color': (text) => (/^#(?:[A-Fa-f0-9]{3}){1,2}\n?$/.test(text) ? text : ''),
  'date-time': sanitizeTextField,
  email: sanitizeTextField,
  uri: sanitizeUrl,
  ip: sanitizeTextField,
  uuid: sanitizeTextField,
  'text-field': sanitizeTextField,
  'textarea-field': sanitizeTextarea,
};

function sanitizeArray(value: Json, schema: Prepared, param: string): Sanitized {
  const items: Json[] = [];
  for (const [index, item] of itemsOf(value).entries()) {
    const sanitized: Sanitized =
      schema.items === undefined
        ? { ok: true, value: item }
        : sanitizeAs(item, schema.items(), `${param}[${index}]`);
    if (!sanitized.ok) return sanitized;
    items.push(sanitized.value);
  }
  return !schema.uniqueItems || areUnique(items)
    ? { ok: true, value: items }
    : { ok: false, refusal: refusal('rest_duplicate_items', `${param} has duplicate items.`) };
}

/** Any array's values, where validation would have refused its keys. */
function itemsOf(value: Json): readonly Json[] {
  return asItems(value) ?? (isJsonObject(value) ? Object.values(value) : []);
}

function sanitizeObject(value: Json, schema: Prepared, param: string): Sanitized {
  const members: [string, Json][] = [];
  for (const [name, member] of asMembers(value) ?? []) {
    const child = schemaOfMember(name, schema);
    if (child === false) continue;
    const sanitized: Sanitized =
      child === undefined ? { ok: true, value: member } : sanitizeAs(member, child(), `${param}[${name}]`);
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
  if (typeof value === 'string') return leadingNumber(value);
  if (typeof value === 'object') return value === null || Object.keys(value).length === 0 ? 0 : 1;
  return Number(value);
}

/** `rest_sanitize_boolean()` */
function toBoolean(value: Json): boolean {
  if (typeof value === 'string') return !['', '0', 'false'].includes(value.toLowerCase());
  if (typeof value === 'object') return value !== null && Object.keys(value).length > 0;
  return Boolean(value);
}

function toText(value: Json): string {
  if (isScalar(value)) return phpString(value);
  return isList(value) || isJsonObject(value) ? 'Array' : '';
}
