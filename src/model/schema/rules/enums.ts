import { isJsonObject, type Json } from '../../../json.ts';
import { originOf, type Rule, show } from '../draft.ts';
import { hasType } from '../type-words.ts';
import { asNumber, withoutDuplicates } from '../values.ts';
import { allowNull, typesOf } from './types.ts';

/** The list of an enum. */
export const enumRules: readonly Rule[] = [
  {
    name: 'enum-list',
    sentence: 'An enum that PHP wrote as an object gets its list back.',
    severity: 'info',
    on: ['enum'],
    apply(draft, found) {
      const values = draft.keywords.get('enum');
      if (!isJsonObject(values)) return;
      draft.keywords.set('enum', Object.values(values));
      found(originOf(draft, 'enum'), 'The enum is an object.', 'Its values are kept as the list.');
    },
  },
  {
    name: 'enum-duplicates',
    sentence: 'A value that an enum lists twice is kept once.',
    severity: 'info',
    on: ['enum'],
    apply(draft, found) {
      const values = draft.keywords.get('enum');
      if (!Array.isArray(values)) return;
      const once = withoutDuplicates(values);
      if (once.length === values.length) return;
      draft.keywords.set('enum', once);
      found(
        originOf(draft, 'enum'),
        `The enum repeats ${values.length - once.length} values.`,
        'Kept once each.',
      );
    },
  },
  {
    name: 'enum-empty',
    sentence: 'An enum that lists nothing, or is no list, is dropped: the site looks at none of these.',
    severity: 'info',
    on: ['enum'],
    apply(draft, found) {
      const values = draft.keywords.get('enum');
      if (Array.isArray(values) && values.length > 0) return;
      draft.keywords.delete('enum');
      found(originOf(draft, 'enum'), `The enum is ${show(values)}.`, 'Dropped.');
    },
  },
];

/** What the values are beside the type. */
export const enumTypeRules: readonly Rule[] = [
  {
    name: 'enum-of-items',
    sentence: 'An enum of single values on an array is the enum of its items.',
    severity: 'warning',
    on: ['enum'],
    apply(draft, found) {
      const values = draft.keywords.get('enum');
      if (!Array.isArray(values) || draft.keywords.get('type') !== 'array') return;
      if (values.some((value) => typeof value === 'object' && value !== null)) return;
      const items = draft.keywords.get('items') ?? {};
      draft.keywords.delete('enum');
      const moves = isJsonObject(items) && !Object.hasOwn(items, 'enum');
      if (moves)
        draft.keywords.set('items', Object.fromEntries([...Object.entries(items), ['enum', values]]));
      const action = moves ? 'Moved to "items".' : 'Dropped: "items" has an enum or is no schema.';
      found(originOf(draft, 'enum'), 'An array is to equal one of several single values.', action);
    },
  },
  {
    name: 'enum-null',
    sentence: 'Null in an enum makes the type allow null.',
    severity: 'info',
    on: ['enum'],
    apply(draft, found) {
      const values = draft.keywords.get('enum');
      const types = typesOf(draft);
      if (!Array.isArray(values) || !values.includes(null) || types === undefined || types.includes('null'))
        return;
      allowNull(draft, types);
      found(originOf(draft, 'enum'), 'The enum lists null, the type does not.', 'Null is allowed.');
    },
  },
  {
    name: 'enum-type',
    sentence: 'Values of an enum become values of the type, as the site makes them before it compares.',
    severity: 'info',
    on: ['enum'],
    apply(draft, found) {
      const values = draft.keywords.get('enum');
      const types = typesOf(draft);
      if (!Array.isArray(values) || types === undefined) return;
      if (values.every((value) => hasType(value, types))) return;
      const fitting = withoutDuplicates(values.flatMap((value) => coerced(value, types)));
      if (fitting.length > 0) draft.keywords.set('enum', fitting);
      else draft.keywords.delete('enum');
      const action =
        fitting.length > 0 ? `Coerced: ${fitting.length} of ${values.length} are left.` : 'Dropped.';
      found(originOf(draft, 'enum'), `Values of the enum are not of type ${types.join(' or ')}.`, action);
    },
  },
];

/** The value as the first of the types that it can be written as; nothing where there is none. */
function coerced(value: Json, types: readonly string[]): readonly Json[] {
  if (hasType(value, types)) return [value];
  for (const type of types) {
    const as = COERCE.get(type)?.(value);
    if (as !== undefined) return [as];
  }
  return [];
}

/** What rest_sanitize_value_from_schema makes of a scalar, where that says the same thing as the scalar. */
const COERCE: ReadonlyMap<string, (value: Json) => Json | undefined> = new Map<
  string,
  (value: Json) => Json | undefined
>([
  ['integer', (value) => wholeOf(asNumber(value))],
  ['number', (value) => asNumber(value)],
  ['boolean', (value) => BOOLEANS.get(String(value).toLowerCase())],
  ['string', (value) => (isPlain(value) ? String(value) : undefined)],
]);

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function wholeOf(number: number | undefined): number | undefined {
  return number !== undefined && Number.isInteger(number) ? number : undefined;
}

/** PHP writes true as "1" and false as ""; neither says what was meant, so a boolean becomes its name. */
function isPlain(value: Json): value is number | boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}
