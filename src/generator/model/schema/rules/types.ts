import { EXTENSION_NAMES } from '../../../../base/document-extensions.ts';
import {
  isJsonObject,
  type Json,
  jsonItems,
  jsonMembers,
  jsonTexts,
  jsonTypeOf,
  memberAt,
} from '../../../../base/json.ts';
import { describeValue } from '../../../discovery/index-values.ts';
import {
  hasSchemaType,
  parseTypeExpression,
  SCHEMA_TYPES,
  toFiniteNumber,
  uniqueValues,
} from '../keywords.ts';
import { type MutableSchema, type SchemaRule, valueRule } from '../mutable-schema.ts';

export const typeRules: readonly SchemaRule[] = [
  valueRule(['type'], (word, schema) => {
    if (typeof word !== 'string' || SCHEMA_TYPES.has(word)) return;
    const types = parseTypeExpression(word);
    if (types === undefined) return;
    keepDeclaredType(schema, word);
    setTypes(schema, types);
    if (/^\??file$/i.test(word.trim())) schema.set('format', 'binary');
  }),
  valueRule(['type'], (listed, schema) => {
    const list = isJsonObject(listed) ? Object.values(listed) : listed;
    if (!Array.isArray(list)) return;
    // A word for any type, or a schema (draft 3), allows every value.
    const read = list.map((word: Json) => (typeof word === 'string' ? parseTypeExpression(word) : undefined));
    const types = new Set(read.filter((each) => each !== undefined).flat());
    if (types.size === 0 || list.some((word) => isJsonObject(word) || word === 'any' || word === 'mixed'))
      return;
    if (list.some((word) => typeof word !== 'string' || !SCHEMA_TYPES.has(word))) {
      keepDeclaredType(schema, listed);
    }
    setTypes(schema, [...types]);
  }),
  valueRule(['type'], (type, schema) => {
    if (typeof type === 'string' ? SCHEMA_TYPES.has(type) : isTypeList(type)) return;
    schema.delete('type');
    schema.delete(EXTENSION_NAMES.type);
    const message = `The type ${describeValue(type)} is not a type of JSON Schema.`;
    schema.warn('type-unknown', ['type'], message, 'Dropped: every type is allowed.');
  }),
  // A member of `oneOf` or `anyOf` without a type inherits the outer type, as in WordPress.
  (schema) => {
    if (schema.inheritedType !== undefined && !schema.has('type')) schema.set('type', schema.inheritedType);
  },
  valueRule(['nullable'], (nullable, schema) => {
    schema.delete('nullable');
    const types = readTypes(schema);
    if (nullable !== true || types === undefined || types.includes('null')) return;
    keepDeclaredType(schema, schema.get('type') ?? null);
    setTypes(schema, [...types, 'null']);
  }),
];

/** Infers a type from other keywords. After the rules for `enum`, `properties` and `items`. */
export const addMissingType: SchemaRule = (schema) => {
  if (['type', 'oneOf', 'anyOf', 'allOf'].some((keyword) => schema.has(keyword))) return;
  const types = inferTypes(schema);
  if (types === undefined) return;
  schema.set(EXTENSION_NAMES.type, null);
  setTypes(schema, types);
};

export function readTypes(schema: MutableSchema): readonly string[] | undefined {
  const type = schema.get('type');
  if (typeof type === 'string') return [type];
  return isTypeList(type) ? type : undefined;
}

function setTypes(schema: MutableSchema, types: readonly string[]): void {
  const [only] = types;
  if (only !== undefined) schema.set('type', types.length === 1 ? only : types);
}

function keepDeclaredType(schema: MutableSchema, declared: Json | undefined): void {
  const usable =
    typeof declared === 'string' || (Array.isArray(declared) && declared.every((w) => typeof w === 'string'));
  if (usable && !schema.has(EXTENSION_NAMES.type)) schema.set(EXTENSION_NAMES.type, declared);
}

function isTypeList(type: Json | undefined): type is readonly string[] {
  return (
    Array.isArray(type) &&
    type.length > 0 &&
    type.every((word) => typeof word === 'string' && SCHEMA_TYPES.has(word))
  );
}

function inferTypes(schema: MutableSchema): readonly string[] | undefined {
  const properties = schema.get('properties');
  const items = schema.get('items');
  const values = schema.has('const') ? [schema.get('const')] : schema.get('enum');
  const hasProperties = jsonMembers(properties).length > 0;
  if (hasProperties && items === undefined && values === undefined) return ['object'];
  const listed = items !== undefined || schema.has('prefixItems');
  if (listed && properties === undefined && values === undefined) return ['array'];
  if (!Array.isArray(values) || values.length === 0 || hasProperties || listed) return undefined;
  const types = [...new Set(values.map(jsonTypeOf))];
  const scalar = types.every((type) => type !== 'object' && type !== 'array');
  const narrowed = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  return scalar && values.every((value) => hasSchemaType(value, narrowed)) ? narrowed : undefined;
}

/** PHP writes a list that lost a member as an object. WordPress ignores an enum without values. */
export const listEnumValues: SchemaRule = valueRule(['enum'], (declared, schema) => {
  const values = isJsonObject(declared) ? Object.values(declared) : jsonItems(declared);
  schema.setOrDelete('enum', uniqueValues(values));
});

export const coerceEnumValues: SchemaRule = valueRule(['enum'], (values, schema) => {
  const types = readTypes(schema);
  if (!Array.isArray(values) || types === undefined) return;
  if (values.every((value) => hasSchemaType(value, types))) return;
  schema.setOrDelete('enum', uniqueValues(values.flatMap((value) => coerceValue(value, types))));
});

export function coerceValue(value: Json, types: readonly string[]): readonly Json[] {
  if (hasSchemaType(value, types)) return [value];
  for (const type of types) {
    const coerced = COERCIONS.get(type)?.(value);
    if (coerced !== undefined) return [coerced];
  }
  return [];
}

/** From rest_sanitize_value_from_schema, where the meaning is preserved. */
const COERCIONS = new Map<string, (value: Json) => Json | undefined>([
  ['integer', (value) => [toFiniteNumber(value)].find(Number.isInteger)],
  ['number', (value) => toFiniteNumber(value)],
  ['boolean', (value) => BOOLEANS.get(String(value).toLowerCase())],
  // PHP writes "1" and "".
  ['string', (value) => (/^(?:number|boolean)$/.test(typeof value) ? String(value) : undefined)],
]);

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** JSON Schema and WordPress ignore these for values of other types. */
const KEYWORDS_OF_TYPE = {
  array: ['items', 'prefixItems'],
  object: ['properties', 'patternProperties', 'additionalProperties', EXTENSION_NAMES.patternProperties],
} as const;

/** When types are final, before the subschemas are visited. */
export const typeKeywordRules: readonly SchemaRule[] = [
  // PHP has one type for arrays and objects.
  valueRule(['properties'], (properties, schema) => {
    const types = readTypes(schema);
    if (types === undefined || !types.includes('array') || types.includes('object')) return;
    if (schema.has('items') || schema.has('prefixItems') || jsonMembers(properties).length === 0) return;
    keepDeclaredType(schema, schema.get('type'));
    setTypes(schema, [...types, 'object']);
  }),
  (schema) => {
    const types = readTypes(schema);
    if (types === undefined) return;
    for (const [type, keywords] of Object.entries(KEYWORDS_OF_TYPE))
      if (!types.includes(type)) for (const keyword of keywords) schema.delete(keyword);
  },
];

/** After the members, so that each has its type. */
export const combinedTypeRules: readonly SchemaRule[] = [
  // `array` is dropped if the members state types that it allows, and otherwise gets open items.
  (schema) => {
    const types = readTypes(schema);
    if (types?.includes('array') !== true || schema.has('items')) return;
    const isRedundant = (['oneOf', 'anyOf'] as const).some((keyword) => {
      const members = readMemberTypes(schema, keyword);
      return members?.every((each) => each.every((type) => types.includes(type))) === true;
    });
    if (isRedundant) {
      keepDeclaredType(schema, schema.get('type'));
      schema.delete('type');
    } else {
      schema.set('items', {});
    }
  },
  // Members that can accept the same value become `anyOf` with the extension `exclusive`.
  valueRule(['oneOf'], (members, schema) => {
    if (!Array.isArray(members) || members.length < 2 || schema.has('anyOf')) return;
    if (areDisjoint(readMemberTypes(schema, 'oneOf'))) return;
    schema.delete('oneOf');
    schema.set('anyOf', members);
    schema.set(EXTENSION_NAMES.exclusive, true);
  }),
];

function readMemberTypes(
  schema: MutableSchema,
  keyword: 'oneOf' | 'anyOf',
): readonly (readonly string[])[] | undefined {
  const members = schema.get(keyword);
  if (!Array.isArray(members)) return undefined;
  const types = members.map(readType);
  return types.every((each) => each !== undefined) ? types : undefined;
}

function readType(member: Json): readonly string[] | undefined {
  const type = memberAt(member, 'type');
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? jsonTexts(type) : undefined;
}

function areDisjoint(members: readonly (readonly string[])[] | undefined): boolean {
  if (members === undefined) return false;
  const widened = (type: string): string => (type === 'integer' ? 'number' : type);
  const all = members.flatMap((types) => [...new Set(types.map(widened))]);
  return new Set(all).size === all.length;
}
