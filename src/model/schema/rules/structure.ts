import { describeValue } from '../../../discovery/index-values.ts';
import { EXTENSION_NAMES } from '../../../document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonTexts,
  memberAt,
  toPointerSegment,
} from '../../../json.ts';
import { listKeywordsOfKind } from '../keywords.ts';
import { rule, type SchemaRule } from '../mutable-schema.ts';
import { readTypes } from './types.ts';

const BY_NAME = listKeywordsOfKind('schemas-by-name');

export const objectRules: readonly SchemaRule[] = [
  // Properties that are a list are converted to an object or dropped: PHP encodes an empty object as `[]`.
  rule('properties-list', 'info', BY_NAME, (schema) => {
    for (const keyword of BY_NAME) {
      const value = schema.get(keyword);
      if (value === undefined || isJsonObject(value)) continue;
      // PHP encodes an array with the keys 0…n-1 as a list, so the positions are the names.
      const named = jsonItems(value).flatMap((member, name) =>
        isJsonObject(member) ? [[String(name), member]] : [],
      );
      schema.setOrDelete(keyword, Object.fromEntries(named));
      const action = named.length > 0 ? 'Used its positions as names.' : 'Dropped: no properties.';
      schema.report(keyword, `"${keyword}" is ${describeValue(value)}, not an object.`, action);
    }
  }),
  // A boolean `required` on a property is moved to the `required` list of its object.
  rule('required-boolean', 'info', ['properties'], (schema) => {
    const properties = schema.get('properties');
    if (!isJsonObject(properties)) return;
    if (!Object.values(properties).some(hasBooleanRequired)) return;
    // If the object has a list, WordPress checks only the list (rest_validate_object_value_from_schema).
    const listed = Array.isArray(schema.get('required'));
    const lifted: string[] = [];
    const rest = Object.entries(properties).map(([name, property]): readonly [string, Json] => {
      if (!hasBooleanRequired(property)) return [name, property];
      const { required, ...others } = property;
      const lift = required === true && !listed;
      if (lift) lifted.push(name);
      const action = lift ? 'Added it to "required" of the object.' : 'Dropped: the property is optional.';
      const at = `${schema.origin('properties')}${toPointerSegment(name)}/required`;
      schema.reportAt(at, `"required" is ${required}.`, action);
      return [name, others];
    });
    schema.set('properties', Object.fromEntries(rest));
    if (lifted.length > 0) schema.set('required', lifted);
  }),
  // Values in `required` that are not names are dropped.
  rule('required-not-names', 'info', ['required'], (schema) => {
    const required = schema.get('required');
    const names = [...new Set(jsonTexts(required))];
    if (Array.isArray(required) && names.length === required.length && names.length > 0) return;
    schema.setOrDelete('required', names);
    const action = names.length > 0 ? `Kept: ${names.length} of its members.` : 'Dropped.';
    schema.report('required', `"required" is ${describeValue(required)}, not a list of names.`, action);
  }),
  // An `additionalProperties` that is neither a boolean nor a schema becomes true, as in WordPress.
  rule('additional-properties', 'info', ['additionalProperties'], (schema) => {
    const value = schema.get('additionalProperties');
    if (typeof value === 'boolean' || isJsonObject(value)) return;
    schema.set('additionalProperties', true);
    schema.reportValue('additionalProperties', value, 'Read as true.');
  }),
];

function hasBooleanRequired(property: Json): property is JsonObject {
  return typeof memberAt(property, 'required') === 'boolean';
}

export const arrayRules: readonly SchemaRule[] = [
  // A list of items becomes a tuple, or the schema of every item if the list has one member.
  rule('items-list', 'info', ['items'], (schema) => {
    const items = schema.get('items');
    if (!Array.isArray(items)) return;
    const origin = schema.origin('items');
    const [only] = items;
    schema.delete('items');
    const tuple = items.length > 1 && !schema.has('prefixItems');
    if (tuple) {
      schema.set('prefixItems', items, origin);
      const rest = schema.get('additionalItems');
      if (rest !== undefined) schema.set('items', rest, schema.origin('additionalItems'));
    } else if (items.length === 1 && only !== undefined) {
      // WordPress finds no type in a list, so it does not validate the items.
      const item = isJsonObject(only) ? { ...only, [EXTENSION_NAMES.type]: null } : only;
      schema.set('items', item, `${origin}/0`);
    }
    schema.delete('additionalItems');
    const action = tuple
      ? 'Kept as "prefixItems".'
      : items.length === 1
        ? 'Kept its only member.'
        : 'Left the items open.';
    schema.reportAt(origin, `"items" is ${describeValue(items)}.`, action);
  }),
  // A `oneOf`, `anyOf`, `allOf` or `prefixItems` that is an object becomes a list; an empty one is dropped.
  rule('members-list', 'warning', ['oneOf', 'anyOf', 'allOf', 'prefixItems'], (schema) => {
    for (const keyword of ['oneOf', 'anyOf', 'allOf', 'prefixItems']) {
      const value = schema.get(keyword);
      if (value === undefined) continue;
      const members = isJsonObject(value) ? listMembers(value) : jsonItems(value);
      const usable = keyword === 'prefixItems' ? members : members.filter(isMember);
      if (Array.isArray(value) && usable.length === value.length && value.length > 0) continue;
      schema.setOrDelete(keyword, usable);
      const action = usable.length > 0 ? `Kept: ${usable.length} schemas.` : 'Dropped.';
      schema.report(keyword, `"${keyword}" is ${describeValue(value)}, not a list of schemas.`, action);
    }
  }),
];

/** The rule for arrays without `items`. Runs after the rules that change types. */
export const missingItemsRules: readonly SchemaRule[] = [
  // An array without `items` gets an explicit open schema for its items.
  rule('items-missing', 'info', ['type'], (schema) => {
    if (!readTypes(schema)?.includes('array')) return;
    if (['items', 'oneOf', 'anyOf', 'allOf'].some((keyword) => schema.has(keyword))) return;
    schema.set('items', {});
    schema.report('', 'An array does not state its items.', 'Left the items open.');
  }),
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
