import { describeValue } from '../../../discovery/index-values.ts';
import { isJsonObject, type Json } from '../../../json.ts';
import { getOriginPointer, type SchemaRule } from '../mutable-schema.ts';
import { hasSchemaType } from '../type-words.ts';
import { toFiniteNumber, uniqueValues } from '../values.ts';
import { allowNull, readTypes } from './types.ts';

/** Rules for the list of an enum. */
export const enumRules: readonly SchemaRule[] = [
  {
    name: 'enum-list',
    summary: 'An enum that is an object becomes the list of its values.',
    severity: 'info',
    triggers: ['enum'],
    apply(schema, report) {
      const values = schema.keywords.get('enum');
      if (!isJsonObject(values)) return;
      schema.keywords.set('enum', Object.values(values));
      report(getOriginPointer(schema, 'enum'), 'The enum is an object.', 'Kept its values as a list.');
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
      const unique = uniqueValues(values);
      if (unique.length === values.length) return;
      schema.keywords.set('enum', unique);
      report(
        getOriginPointer(schema, 'enum'),
        `The enum repeats ${values.length - unique.length} values.`,
        'Kept each value once.',
      );
    },
  },
  {
    name: 'enum-empty',
    summary: 'An enum that is empty or not a list is dropped: WordPress ignores it.',
    severity: 'info',
    triggers: ['enum'],
    apply(schema, report) {
      const values = schema.keywords.get('enum');
      if (Array.isArray(values) && values.length > 0) return;
      schema.keywords.delete('enum');
      report(getOriginPointer(schema, 'enum'), `The enum is ${describeValue(values)}.`, 'Dropped.');
    },
  },
];

/** Rules that compare the values of an enum with the type. */
export const enumTypeRules: readonly SchemaRule[] = [
  {
    name: 'enum-of-items',
    summary: 'An enum of scalar values on an array becomes the enum of its items.',
    severity: 'warning',
    triggers: ['enum'],
    apply(schema, report) {
      const values = schema.keywords.get('enum');
      if (!Array.isArray(values) || schema.keywords.get('type') !== 'array') return;
      if (values.some((value) => typeof value === 'object' && value !== null)) return;
      const items = schema.keywords.get('items') ?? {};
      schema.keywords.delete('enum');
      const moves = isJsonObject(items) && !Object.hasOwn(items, 'enum');
      if (moves) {
        schema.keywords.set('items', Object.fromEntries([...Object.entries(items), ['enum', values]]));
      }
      const action = moves ? 'Moved to "items".' : 'Dropped: "items" has an enum or is not a schema.';
      report(getOriginPointer(schema, 'enum'), 'The enum of an array contains scalar values.', action);
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
      if (!Array.isArray(values) || !values.includes(null) || types === undefined || types.includes('null')) {
        return;
      }
      allowNull(schema, types);
      report(getOriginPointer(schema, 'enum'), 'The enum lists null, the type does not.', 'Allowed null.');
    },
  },
  {
    name: 'enum-type',
    summary: 'Values of an enum are coerced to the type, as WordPress does before it compares.',
    severity: 'info',
    triggers: ['enum'],
    apply(schema, report) {
      const values = schema.keywords.get('enum');
      const types = readTypes(schema);
      if (!Array.isArray(values) || types === undefined) return;
      if (values.every((value) => hasSchemaType(value, types))) return;
      const coercedValues = uniqueValues(values.flatMap((value) => coerceValue(value, types)));
      if (coercedValues.length > 0) schema.keywords.set('enum', coercedValues);
      else schema.keywords.delete('enum');
      const action =
        coercedValues.length > 0
          ? `Coerced: ${coercedValues.length} of ${values.length} are left.`
          : 'Dropped.';
      report(
        getOriginPointer(schema, 'enum'),
        `Values of the enum are not of type ${types.join(' or ')}.`,
        action,
      );
    },
  },
];

/** Coerces a value to the first type that accepts it. Returns an empty list if none does. */
function coerceValue(value: Json, types: readonly string[]): readonly Json[] {
  if (hasSchemaType(value, types)) return [value];
  for (const type of types) {
    const coerced = COERCIONS.get(type)?.(value);
    if (coerced !== undefined) return [coerced];
  }
  return [];
}

/** The coercions of rest_sanitize_value_from_schema, by type, as far as they preserve the meaning of a scalar. */
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

/** Whether a value is a number or a boolean. Booleans become "true" and "false". PHP writes "1" and "" instead. */
function isNumberOrBoolean(value: Json): value is number | boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}
