import { isJsonObject, type Json } from '../../../json.ts';
import { originPointer, type SchemaRule, show } from '../mutable-schema.ts';
import { hasJsonType } from '../type-words.ts';
import { toFiniteNumber, uniqueValues } from '../values.ts';
import { allowNull, readTypes } from './types.ts';

/** The list of an enum. */
export const enumRules: readonly SchemaRule[] = [
  {
    name: 'enum-list',
    summary: 'An enum that PHP wrote as an object gets its list back.',
    severity: 'info',
    triggers: ['enum'],
    apply(schema, report) {
      const values = schema.keywords.get('enum');
      if (!isJsonObject(values)) return;
      schema.keywords.set('enum', Object.values(values));
      report(originPointer(schema, 'enum'), 'The enum is an object.', 'Its values are kept as the list.');
    },
  },
  {
    name: 'enum-duplicates',
    summary: 'A value that an enum lists twice is kept once.',
    severity: 'info',
    triggers: ['enum'],
    apply(schema, report) {
      const values = schema.keywords.get('enum');
      if (!Array.isArray(values)) return;
      const once = uniqueValues(values);
      if (once.length === values.length) return;
      schema.keywords.set('enum', once);
      report(
        originPointer(schema, 'enum'),
        `The enum repeats ${values.length - once.length} values.`,
        'Kept once each.',
      );
    },
  },
  {
    name: 'enum-empty',
    summary: 'An enum that lists nothing, or is no list, is dropped: the site looks at none of these.',
    severity: 'info',
    triggers: ['enum'],
    apply(schema, report) {
      const values = schema.keywords.get('enum');
      if (Array.isArray(values) && values.length > 0) return;
      schema.keywords.delete('enum');
      report(originPointer(schema, 'enum'), `The enum is ${show(values)}.`, 'Dropped.');
    },
  },
];

/** What the values are beside the type. */
export const enumTypeRules: readonly SchemaRule[] = [
  {
    name: 'enum-of-items',
    summary: 'An enum of single values on an array is the enum of its items.',
    severity: 'warning',
    triggers: ['enum'],
    apply(schema, report) {
      const values = schema.keywords.get('enum');
      if (!Array.isArray(values) || schema.keywords.get('type') !== 'array') return;
      if (values.some((value) => typeof value === 'object' && value !== null)) return;
      const items = schema.keywords.get('items') ?? {};
      schema.keywords.delete('enum');
      const moves = isJsonObject(items) && !Object.hasOwn(items, 'enum');
      if (moves)
        schema.keywords.set('items', Object.fromEntries([...Object.entries(items), ['enum', values]]));
      const action = moves ? 'Moved to "items".' : 'Dropped: "items" has an enum or is no schema.';
      report(originPointer(schema, 'enum'), 'An array is to equal one of several single values.', action);
    },
  },
  {
    name: 'enum-null',
    summary: 'Null in an enum makes the type allow null.',
    severity: 'info',
    triggers: ['enum'],
    apply(schema, report) {
      const values = schema.keywords.get('enum');
      const types = readTypes(schema);
      if (!Array.isArray(values) || !values.includes(null) || types === undefined || types.includes('null'))
        return;
      allowNull(schema, types);
      report(originPointer(schema, 'enum'), 'The enum lists null, the type does not.', 'Null is allowed.');
    },
  },
  {
    name: 'enum-type',
    summary: 'Values of an enum become values of the type, as the site makes them before it compares.',
    severity: 'info',
    triggers: ['enum'],
    apply(schema, report) {
      const values = schema.keywords.get('enum');
      const types = readTypes(schema);
      if (!Array.isArray(values) || types === undefined) return;
      if (values.every((value) => hasJsonType(value, types))) return;
      const fitting = uniqueValues(values.flatMap((value) => coerceValue(value, types)));
      if (fitting.length > 0) schema.keywords.set('enum', fitting);
      else schema.keywords.delete('enum');
      const action =
        fitting.length > 0 ? `Coerced: ${fitting.length} of ${values.length} are left.` : 'Dropped.';
      report(
        originPointer(schema, 'enum'),
        `Values of the enum are not of type ${types.join(' or ')}.`,
        action,
      );
    },
  },
];

/** The value as the first of the types that it can be written as; nothing where there is none. */
function coerceValue(value: Json, types: readonly string[]): readonly Json[] {
  if (hasJsonType(value, types)) return [value];
  for (const type of types) {
    const as = COERCIONS.get(type)?.(value);
    if (as !== undefined) return [as];
  }
  return [];
}

/** What rest_sanitize_value_from_schema makes of a scalar, where that says the same thing as the scalar. */
const COERCIONS: ReadonlyMap<string, (value: Json) => Json | undefined> = new Map<
  string,
  (value: Json) => Json | undefined
>([
  ['integer', (value) => toInteger(toFiniteNumber(value))],
  ['number', (value) => toFiniteNumber(value)],
  ['boolean', (value) => BOOLEANS.get(String(value).toLowerCase())],
  ['string', (value) => (isNumberOrBoolean(value) ? String(value) : undefined)],
]);

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function toInteger(number: number | undefined): number | undefined {
  return number !== undefined && Number.isInteger(number) ? number : undefined;
}

/** PHP writes true as "1" and false as ""; neither says what was meant, so a boolean becomes its name. */
function isNumberOrBoolean(value: Json): value is number | boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}
