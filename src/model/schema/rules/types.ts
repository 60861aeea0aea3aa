import { describeValue } from '../../../discovery/index-values.ts';
import { EXTENSION_NAMES } from '../../../document-extensions.ts';
import {
  isJsonObject,
  type Json,
  jsonItems,
  jsonMembers,
  jsonTexts,
  jsonTypeOf,
  memberAt,
} from '../../../json.ts';
import { type MutableSchema, rule, type SchemaRule, valueRule } from '../mutable-schema.ts';
import { hasSchemaType, parseTypeExpression, SCHEMA_TYPES } from '../type-words.ts';
import { toFiniteNumber, uniqueValues } from '../values.ts';

export const typeRules: readonly SchemaRule[] = [
  valueRule('type-word', 'info', ['type'], (word, schema) => {
    if (typeof word !== 'string' || SCHEMA_TYPES.has(word)) return;
    const types = parseTypeExpression(word);
    if (types === undefined) return;
    keepDeclaredType(schema, word);
    setTypes(schema, types);
    if (/^\??file$/i.test(word.trim())) schema.set('format', 'binary');
    schema.report('type', `The type is ${describeValue(word)}.`, `Read as ${types.join(' or ')}.`);
  }),
  valueRule('type-list', 'info', ['type'], (listed, schema) => {
    const list = isJsonObject(listed) ? Object.values(listed) : listed;
    if (!Array.isArray(list)) return;
    // A word for any type, or a schema (draft 3), allows every value.
    const read = list.map((word: Json) => (typeof word === 'string' ? parseTypeExpression(word) : undefined));
    const known = read.filter((types) => types !== undefined);
    const types = new Set(known.flat());
    if (types.size === 0 || list.some((word) => isJsonObject(word) || word === 'any' || word === 'mixed'))
      return;
    const isNormalized =
      types.size > 1 && types.size === list.length && list.every((word) => types.has(String(word)));
    if (isNormalized && list === listed) return;
    if (list.some((word) => typeof word !== 'string' || !SCHEMA_TYPES.has(word))) {
      keepDeclaredType(schema, listed);
    }
    setTypes(schema, [...types]);
    schema.report('type', `The type is ${describeValue(listed)}.`, `Read as ${[...types].join(' or ')}.`);
  }),
  valueRule('type-unknown', 'warning', ['type'], (type, schema) => {
    if (typeof type === 'string' ? SCHEMA_TYPES.has(type) : isTypeList(type)) return;
    schema.delete('type');
    schema.delete(EXTENSION_NAMES.type);
    const message = `The type ${describeValue(type)} is not a type of JSON Schema.`;
    schema.report('type', message, 'Dropped: every type is allowed.');
  }),
  // A member without a type inherits the outer type, as in WordPress.
  rule('member-type', 'info', [], (schema) => {
    if (schema.inheritedType === undefined || schema.has('type')) return;
    schema.set('type', schema.inheritedType);
    const message = 'A member of "oneOf" or "anyOf" has no type.';
    schema.report('', message, 'Inherited the type of the outer schema.');
  }),
  // Of OpenAPI 3.0.
  valueRule('nullable', 'info', ['nullable'], (nullable, schema) => {
    schema.delete('nullable');
    const types = readTypes(schema);
    if (nullable === true && types !== undefined && !types.includes('null')) allowNull(schema, types);
    schema.reportValue('nullable', nullable, nullable === true ? 'Allowed null.' : 'Dropped.');
  }),
];

/** After the rules for `enum`, `properties` and `items`. */
export const missingTypeRules: readonly SchemaRule[] = [
  rule('type-missing', 'info', ['properties', 'items', 'prefixItems', 'enum', 'const'], (schema) => {
    if (['type', 'oneOf', 'anyOf', 'allOf'].some((keyword) => schema.has(keyword))) return;
    const evidence = inferTypes(schema);
    if (evidence === undefined) return;
    schema.set(EXTENSION_NAMES.type, null);
    setTypes(schema, evidence.types);
    const message = `The schema has "${evidence.keyword}" but no type.`;
    schema.report('', message, `Read as ${evidence.types.join(' or ')}.`);
  }),
];

export function readTypes(schema: MutableSchema): readonly string[] | undefined {
  const type = schema.get('type');
  if (typeof type === 'string') return [type];
  return isTypeList(type) ? type : undefined;
}

function setTypes(schema: MutableSchema, types: readonly string[]): void {
  const [only] = types;
  if (only !== undefined) schema.set('type', types.length === 1 ? only : types);
}

function allowNull(schema: MutableSchema, types: readonly string[]): void {
  keepDeclaredType(schema, schema.get('type') ?? null);
  setTypes(schema, [...types, 'null']);
}

/** Kept in an extension, unless an earlier rule did so. */
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

function inferTypes(
  schema: MutableSchema,
): { readonly keyword: string; readonly types: readonly string[] } | undefined {
  const properties = schema.get('properties');
  const items = schema.get('items');
  const values = schema.has('const') ? [schema.get('const')] : schema.get('enum');
  const hasProperties = jsonMembers(properties).length > 0;
  if (hasProperties && items === undefined && values === undefined) {
    return { keyword: 'properties', types: ['object'] };
  }
  const listed = items !== undefined || schema.has('prefixItems');
  if (listed && properties === undefined && values === undefined) {
    return { keyword: 'items', types: ['array'] };
  }
  if (!Array.isArray(values) || values.length === 0 || hasProperties || listed) return undefined;
  const types = [...new Set(values.map(jsonTypeOf))];
  const scalar = types.every((type) => type !== 'object' && type !== 'array');
  const narrowed = types.includes('number') ? types.filter((type) => type !== 'integer') : types;
  return scalar && values.every((value) => hasSchemaType(value, narrowed))
    ? { keyword: 'enum', types: narrowed }
    : undefined;
}

export const enumRules: readonly SchemaRule[] = [
  // Values become distinct. WordPress ignores an enum without values.
  valueRule('enum-list', 'info', ['enum'], (declared, schema) => {
    const values = uniqueValues(isJsonObject(declared) ? Object.values(declared) : jsonItems(declared));
    if (Array.isArray(declared) && declared.length === values.length && values.length > 0) return;
    schema.setOrDelete('enum', values);
    const action = values.length > 0 ? `Kept as a list of ${values.length} values.` : 'Dropped.';
    schema.report('enum', `The enum is ${describeValue(declared)}.`, action);
  }),
];

export const enumTypeRules: readonly SchemaRule[] = [
  valueRule('enum-of-items', 'warning', ['enum'], (values, schema) => {
    if (!Array.isArray(values) || schema.get('type') !== 'array') return;
    if (values.some((value) => typeof value === 'object' && value !== null)) return;
    const items = schema.get('items') ?? {};
    schema.delete('enum');
    const moves = isJsonObject(items) && !Object.hasOwn(items, 'enum');
    if (moves) schema.set('items', { ...items, enum: values });
    const action = moves ? 'Moved to "items".' : 'Dropped: "items" has an enum or is not a schema.';
    schema.report('enum', 'The enum of an array contains scalar values.', action);
  }),
  // Null in an enum makes the type allow null.
  valueRule('enum-null', 'info', ['enum'], (values, schema) => {
    const types = readTypes(schema);
    if (!Array.isArray(values) || !values.includes(null) || types === undefined || types.includes('null')) {
      return;
    }
    allowNull(schema, types);
    schema.report('enum', 'The enum lists null, the type does not.', 'Allowed null.');
  }),
  // As WordPress coerces before it compares.
  valueRule('enum-type', 'info', ['enum'], (values, schema) => {
    const types = readTypes(schema);
    if (!Array.isArray(values) || types === undefined) return;
    if (values.every((value) => hasSchemaType(value, types))) return;
    const coercedValues = uniqueValues(values.flatMap((value) => coerceValue(value, types)));
    schema.setOrDelete('enum', coercedValues);
    const action =
      coercedValues.length > 0
        ? `Coerced: ${coercedValues.length} of ${values.length} are left.`
        : 'Dropped.';
    schema.report('enum', `Values of the enum are not of type ${types.join(' or ')}.`, action);
  }),
];

/** To the first type that accepts it; empty if none does. */
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
  object: ['properties', 'patternProperties', 'additionalProperties'],
} as const;

/** When types are final, before the subschemas are visited. */
export const typeKeywordRules: readonly SchemaRule[] = [
  // PHP has one type for arrays and objects.
  rule('array-with-properties', 'info', ['properties'], (schema) => {
    const types = readTypes(schema);
    if (types === undefined || !types.includes('array') || types.includes('object')) return;
    if (schema.has('items') || schema.has('prefixItems')) return;
    if (jsonMembers(schema.get('properties')).length === 0) return;
    keepDeclaredType(schema, schema.get('type'));
    setTypes(schema, [...types, 'object']);
    schema.report('type', 'The type is an array with "properties".', 'Allowed objects.');
  }),
  // Dropped if the type allows none.
  rule('keyword-of-other-type', 'info', Object.values(KEYWORDS_OF_TYPE).flat(), (schema) => {
    const types = readTypes(schema);
    if (types === undefined) return;
    for (const [type, keywords] of Object.entries(KEYWORDS_OF_TYPE)) {
      if (types.includes(type)) continue;
      for (const keyword of keywords) {
        if (!schema.delete(keyword)) continue;
        if (keyword === 'patternProperties') schema.delete(EXTENSION_NAMES.patternProperties);
        const message = `"${keyword}" has no effect on the type ${describeTypes(types)}.`;
        schema.report(keyword, message, 'Dropped.');
      }
    }
  }),
];

/** After the members, so that each has its type. */
export const combinedTypeRules: readonly SchemaRule[] = [
  // `array` is dropped if the members state types that it allows, and otherwise gets open items.
  rule('type-of-members', 'info', ['oneOf', 'anyOf'], (schema) => {
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
    const action = isRedundant ? 'Dropped: the members state their types.' : 'Left the items open.';
    schema.report('type', 'An array does not state its items.', action);
  }),
  // Members that can accept the same value become `anyOf` with the extension `exclusive`.
  valueRule('one-of-overlap', 'info', ['oneOf'], (members, schema) => {
    if (!Array.isArray(members) || members.length < 2 || schema.has('anyOf')) return;
    if (areDisjoint(readMemberTypes(schema, 'oneOf'))) return;
    schema.delete('oneOf');
    schema.set('anyOf', members, schema.origin('oneOf'));
    schema.set(EXTENSION_NAMES.exclusive, true);
    schema.report('oneOf', 'The members of "oneOf" have types in common.', 'Written as "anyOf".');
  }),
];

/** `undefined` if one states none. */
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

function describeTypes(types: readonly string[]): string {
  return describeValue(types.length === 1 ? (types[0] ?? null) : types);
}
