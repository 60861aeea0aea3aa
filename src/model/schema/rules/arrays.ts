import { isJsonObject, type Json } from '../../../json.ts';
import { originOf, type Rule, show } from '../draft.ts';
import { typesOf } from './types.ts';

/** What stands in an array, and lists of schemas. */
export const arrayRules: readonly Rule[] = [
  {
    name: 'items-list',
    sentence:
      'Items given as a list are a tuple, or, where the list has one member, the schema of every item.',
    severity: 'info',
    on: ['items'],
    apply(draft, found) {
      const items = draft.keywords.get('items');
      if (!Array.isArray(items)) return;
      const origin = originOf(draft, 'items');
      const [only] = items;
      draft.keywords.delete('items');
      const tuple = items.length > 1 && !draft.keywords.has('prefixItems');
      if (tuple) {
        draft.keywords.set('prefixItems', items);
        draft.origins.set('prefixItems', origin);
        const rest = draft.keywords.get('additionalItems');
        if (rest !== undefined) draft.keywords.set('items', rest);
        draft.origins.set('items', originOf(draft, 'additionalItems'));
      } else if (items.length === 1 && only !== undefined) {
        // The site finds no type in a list, and judges no item by it.
        draft.keywords.set('items', isJsonObject(only) ? { ...only, 'x-waygate-type': null } : only);
        draft.origins.set('items', `${origin}/0`);
      }
      draft.keywords.delete('additionalItems');
      const action = tuple
        ? 'Kept as "prefixItems".'
        : items.length === 1
          ? 'Its one member is kept.'
          : 'Items are open.';
      found(origin, `"items" is ${show(items)}.`, action);
    },
  },
  {
    name: 'members-list',
    sentence:
      'An `oneOf`, `anyOf`, `allOf` or `prefixItems` that lost its list gets it back; an empty one is dropped.',
    severity: 'warning',
    on: ['oneOf', 'anyOf', 'allOf', 'prefixItems'],
    apply(draft, found) {
      for (const keyword of ['oneOf', 'anyOf', 'allOf', 'prefixItems']) {
        const value = draft.keywords.get(keyword);
        if (value === undefined) continue;
        const members: readonly Json[] = Array.isArray(value)
          ? value
          : isJsonObject(value)
            ? membersOf(value)
            : [];
        const usable = keyword === 'prefixItems' ? members : members.filter(isMember);
        if (Array.isArray(value) && usable.length === value.length && value.length > 0) continue;
        if (usable.length > 0) draft.keywords.set(keyword, usable);
        else draft.keywords.delete(keyword);
        const action = usable.length > 0 ? `Kept: ${usable.length} schemas.` : 'Dropped.';
        found(originOf(draft, keyword), `"${keyword}" is ${show(value)}, not a list of schemas.`, action);
      }
    },
  },
];

/** What can be said once the types stand. */
export const openArrayRules: readonly Rule[] = [
  {
    name: 'items-missing',
    sentence: 'An array of which nothing says what it holds may hold anything, and says so.',
    severity: 'info',
    on: ['type'],
    apply(draft, found) {
      if (!typesOf(draft)?.includes('array')) return;
      if (['items', 'oneOf', 'anyOf', 'allOf'].some((keyword) => draft.keywords.has(keyword))) return;
      draft.keywords.set('items', {});
      found('', 'An array does not say what it holds.', 'Its items are open.');
    },
  },
];

/** The values of a list that PHP wrote as an object; a lone schema is its own only member. */
function membersOf(value: { readonly [name: string]: Json }): readonly Json[] {
  const names = Object.keys(value);
  return names.every((name) => /^\d+$/.test(name)) ? Object.values(value) : [value];
}

/** `[]` is PHP's empty object; a boolean is a schema since draft 6. */
function isMember(value: Json): boolean {
  return isJsonObject(value) || typeof value === 'boolean' || (Array.isArray(value) && value.length === 0);
}
