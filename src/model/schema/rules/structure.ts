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
import { rule, type SchemaRule, valueRule } from '../mutable-schema.ts';
import { readTypes } from './types.ts';

const BY_NAME = listKeywordsOfKind('schemas-by-name');

export const objectRules: readonly SchemaRule[] = [
  // Converted to an object or dropped: PHP encodes an empty object as `[]`.
  valueRule('properties-list', 'info', BY_NAME, (value, schema, keyword) => {
    if (isJsonObject(value)) return;
    // PHP encodes keys 0…n-1 as a list, so positions are names.
    const named = jsonItems(value).flatMap((member, name) =>
      isJsonObject(member) ? [[String(name), member]] : [],
    );
    schema.setOrDelete(keyword, Object.fromEntries(named));
    const action = named.length > 0 ? 'Used its positions as names.' : 'Dropped: no properties.';
    schema.report(keyword, `"${keyword}" is ${describeValue(value)}, not an object.`, action);
  }),
  // Moved to the `required` list of the object.
  valueRule('required-boolean', 'info', ['properties'], (properties, schema) => {
    if (!isJsonObject(properties) || !Object.values(properties).some(hasBooleanRequired)) return;
    // WordPress checks only the list, if there is one (rest_validate_object_value_from_schema).
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
  valueRule('required-not-names', 'info', ['required'], (required, schema) => {
    const names = [...new Set(jsonTexts(required))];
    if (Array.isArray(required) && names.length === required.length && names.length > 0) return;
    schema.setOrDelete('required', names);
    const action = names.length > 0 ? `Kept: ${names.length} of its members.` : 'Dropped.';
    schema.report('required', `"required" is ${describeValue(required)}, not a list of names.`, action);
  }),
  // Becomes true, as in WordPress.
  valueRule('additional-properties', 'info', ['additionalProperties'], (value, schema) => {
    if (typeof value === 'boolean' || isJsonObject(value)) return;
    schema.set('additionalProperties', true);
    schema.reportValue('additionalProperties', value, 'Read as true.');
  }),
];

function hasBooleanRequired(property: Json): property is JsonObject {
  return typeof memberAt(property, 'required') === 'boolean';
}

const SCHEMA_LISTS = ['oneOf', 'anyOf', 'allOf', 'prefixItems'];

export const arrayRules: readonly SchemaRule[] = [
  // A tuple, or the schema of every item if there is one member.
  valueRule('items-list', 'info', ['items'], (items, schema) => {
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
      // WordPress finds no type in a list, so it doesn't validate items.
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
  valueRule('members-list', 'warning', SCHEMA_LISTS, (value, schema, keyword) => {
    const members = isJsonObject(value) ? listMembers(value) : jsonItems(value);
    const usable = keyword === 'prefixItems' ? members : members.filter(isMember);
    if (Array.isArray(value) && usable.length === value.length && value.length > 0) return;
    schema.setOrDelete(keyword, usable);
    const action = usable.length > 0 ? `Kept: ${usable.length} schemas.` : 'Dropped.';
    schema.report(keyword, `"${keyword}" is ${describeValue(value)}, not a list of schemas.`, action);
  }),
];

/** After the rules that change types. */
export const missingItemsRules: readonly SchemaRule[] = [
  rule('items-missing', 'info', ['type'], (schema) => {
    if (!readTypes(schema)?.includes('array')) return;
    if (['items', 'oneOf', 'anyOf', 'allOf'].some((keyword) => schema.has(keyword))) return;
    schema.set('items', {});
    schema.report('', 'An array does not state its items.', 'Left the items open.');
  }),
];

/** PHP wrote the list as an object. A single schema is the only member. */
function listMembers(value: { readonly [name: string]: Json }): readonly Json[] {
  const names = Object.keys(value);
  return names.every((name) => /^\d+$/.test(name)) ? Object.values(value) : [value];
}

/** `[]` is PHP's empty object; booleans are schemas since draft 6. */
function isMember(value: Json): boolean {
  return isJsonObject(value) || typeof value === 'boolean' || (Array.isArray(value) && value.length === 0);
}
