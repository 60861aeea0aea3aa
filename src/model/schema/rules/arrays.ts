import { isJsonObject, type Json } from '../../../json.ts';
import { EXTENSION } from '../../../openapi/extensions.ts';
import { originPointer, type SchemaRule, show } from '../mutable-schema.ts';
import { readTypes } from './types.ts';

/** What stands in an array, and lists of schemas. */
export const arrayRules: readonly SchemaRule[] = [
  {
    name: 'items-list',
    summary:
      'Items given as a list are a tuple, or, where the list has one member, the schema of every item.',
    severity: 'info',
    triggers: ['items'],
    apply(schema, report) {
      const items = schema.keywords.get('items');
      if (!Array.isArray(items)) return;
      const origin = originPointer(schema, 'items');
      const [only] = items;
      schema.keywords.delete('items');
      const tuple = items.length > 1 && !schema.keywords.has('prefixItems');
      if (tuple) {
        schema.keywords.set('prefixItems', items);
        schema.origins.set('prefixItems', origin);
        const rest = schema.keywords.get('additionalItems');
        if (rest !== undefined) schema.keywords.set('items', rest);
        schema.origins.set('items', originPointer(schema, 'additionalItems'));
      } else if (items.length === 1 && only !== undefined) {
        // The site finds no type in a list, and judges no item by it.
        schema.keywords.set('items', isJsonObject(only) ? { ...only, [EXTENSION.type]: null } : only);
        schema.origins.set('items', `${origin}/0`);
      }
      schema.keywords.delete('additionalItems');
      const action = tuple
        ? 'Kept as "prefixItems".'
        : items.length === 1
          ? 'Its one member is kept.'
          : 'Items are open.';
      report(origin, `"items" is ${show(items)}.`, action);
    },
  },
  {
    name: 'members-list',
    summary:
      'An `oneOf`, `anyOf`, `allOf` or `prefixItems` that lost its list gets it back; an empty one is dropped.',
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
          originPointer(schema, keyword),
          `"${keyword}" is ${show(value)}, not a list of schemas.`,
          action,
        );
      }
    },
  },
];

/** What can be said once the types stand. */
export const openArrayRules: readonly SchemaRule[] = [
  {
    name: 'items-missing',
    summary: 'An array of which nothing says what it holds may hold anything, and says so.',
    severity: 'info',
    triggers: ['type'],
    apply(schema, report) {
      if (!readTypes(schema)?.includes('array')) return;
      if (['items', 'oneOf', 'anyOf', 'allOf'].some((keyword) => schema.keywords.has(keyword))) return;
      schema.keywords.set('items', {});
      report('', 'An array does not say what it holds.', 'Its items are open.');
    },
  },
];

/** The values of a list that PHP wrote as an object; a lone schema is its own only member. */
function listMembers(value: { readonly [name: string]: Json }): readonly Json[] {
  const names = Object.keys(value);
  return names.every((name) => /^\d+$/.test(name)) ? Object.values(value) : [value];
}

/** `[]` is PHP's empty object; a boolean is a schema since draft 6. */
function isMember(value: Json): boolean {
  return isJsonObject(value) || typeof value === 'boolean' || (Array.isArray(value) && value.length === 0);
}
