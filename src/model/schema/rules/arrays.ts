import { describeValue } from '../../../discovery/index-values.ts';
import { EXTENSION_NAMES } from '../../../document-extensions.ts';
import { isJsonObject, type Json } from '../../../json.ts';
import { getOriginPointer, type SchemaRule } from '../mutable-schema.ts';
import { readTypes } from './types.ts';

/** Rules for arrays and for lists of schemas. */
export const arrayRules: readonly SchemaRule[] = [
  {
    name: 'items-list',
    summary: 'A list of items becomes a tuple, or the schema of every item if the list has one member.',
    severity: 'info',
    triggers: ['items'],
    apply(schema, report) {
      const items = schema.keywords.get('items');
      if (!Array.isArray(items)) return;
      const origin = getOriginPointer(schema, 'items');
      const [only] = items;
      schema.keywords.delete('items');
      const tuple = items.length > 1 && !schema.keywords.has('prefixItems');
      if (tuple) {
        schema.keywords.set('prefixItems', items);
        schema.originPointers.set('prefixItems', origin);
        const rest = schema.keywords.get('additionalItems');
        if (rest !== undefined) schema.keywords.set('items', rest);
        schema.originPointers.set('items', getOriginPointer(schema, 'additionalItems'));
      } else if (items.length === 1 && only !== undefined) {
        // WordPress finds no type in a list, so it does not validate the items.
        schema.keywords.set('items', isJsonObject(only) ? { ...only, [EXTENSION_NAMES.type]: null } : only);
        schema.originPointers.set('items', `${origin}/0`);
      }
      schema.keywords.delete('additionalItems');
      const action = tuple
        ? 'Kept as "prefixItems".'
        : items.length === 1
          ? 'Kept its only member.'
          : 'Left the items open.';
      report(origin, `"items" is ${describeValue(items)}.`, action);
    },
  },
  {
    name: 'members-list',
    summary:
      'A `oneOf`, `anyOf`, `allOf` or `prefixItems` that is an object becomes a list; an empty one is dropped.',
    severity: 'warning',
    triggers: ['oneOf', 'anyOf', 'allOf', 'prefixItems'],
    apply(schema, report) {
      for (const keyword of ['oneOf', 'anyOf', 'allOf', 'prefixItems']) {
        const value = schema.keywords.get(keyword);
        if (value === undefined) continue;
        const members: readonly Json[] = Array.isArray(value)
          ? value
          : isJsonObject(value)
            ? listMembers(value)
            : [];
        const usable = keyword === 'prefixItems' ? members : members.filter(isMember);
        if (Array.isArray(value) && usable.length === value.length && value.length > 0) continue;
        if (usable.length > 0) schema.keywords.set(keyword, usable);
        else schema.keywords.delete(keyword);
        const action = usable.length > 0 ? `Kept: ${usable.length} schemas.` : 'Dropped.';
        report(
          getOriginPointer(schema, keyword),
          `"${keyword}" is ${describeValue(value)}, not a list of schemas.`,
          action,
        );
      }
    },
  },
];

/** The rule for arrays without `items`. Runs after the rules that change types. */
export const missingItemsRules: readonly SchemaRule[] = [
  {
    name: 'items-missing',
    summary: 'An array without `items` gets an explicit open schema for its items.',
    severity: 'info',
    triggers: ['type'],
    apply(schema, report) {
      if (!readTypes(schema)?.includes('array')) return;
      if (['items', 'oneOf', 'anyOf', 'allOf'].some((keyword) => schema.keywords.has(keyword))) return;
      schema.keywords.set('items', {});
      report('', 'An array does not state its items.', 'Left the items open.');
    },
  },
];

/** Lists the values of a list that PHP wrote as an object. A single schema is the only member. */
function listMembers(value: { readonly [name: string]: Json }): readonly Json[] {
  const names = Object.keys(value);
  return names.every((name) => /^\d+$/.test(name)) ? Object.values(value) : [value];
}

/** Whether a value can be a schema. `[]` is PHP's empty object; a boolean is a schema since draft 6. */
function isMember(value: Json): boolean {
  return isJsonObject(value) || typeof value === 'boolean' || (Array.isArray(value) && value.length === 0);
}
