import { EXTENSION_NAMES } from '../../../../base/document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonTexts,
  memberAt,
} from '../../../../base/json.ts';
import { isPhpEmpty } from '../../../../base/php/request.ts';
import { describeValue } from '../../../discovery/index-values.ts';
import { isUsableLimit, KEYWORD_KINDS, listKeywordsOfKind } from '../keywords.ts';
import { type MutableSchema, type SchemaRule, valueRule } from '../mutable-schema.ts';
import { readTypes } from './types.ts';

export const objectRules: readonly SchemaRule[] = [
  // PHP encodes an empty object as `[]`, and keys 0…n-1 as a list, so positions are names.
  valueRule(listKeywordsOfKind('schemas-by-name'), (value, schema, keyword) => {
    if (isJsonObject(value)) return;
    const named = jsonItems(value).flatMap((member, name) =>
      isJsonObject(member) ? [[String(name), member]] : [],
    );
    schema.setOrDelete(keyword, Object.fromEntries(named));
  }),
  valueRule(['properties'], (properties, schema) => {
    if (!isJsonObject(properties) || !Object.values(properties).some(hasBooleanRequired)) return;
    // WordPress checks only the list, if there is one (rest_validate_object_value_from_schema).
    const listed = Array.isArray(schema.get('required'));
    const lifted: string[] = [];
    const rest = Object.entries(properties).map(([name, property]): readonly [string, Json] => {
      if (!hasBooleanRequired(property)) return [name, property];
      const { required, ...others } = property;
      if (required === true && !listed) lifted.push(name);
      return [name, others];
    });
    schema.set('properties', Object.fromEntries(rest));
    if (lifted.length > 0) schema.set('required', lifted);
  }),
  valueRule(['required'], (required, schema) => {
    schema.setOrDelete('required', [...new Set(jsonTexts(required))]);
  }),
  valueRule(['additionalProperties'], (value, schema) => {
    if (typeof value !== 'boolean' && !isJsonObject(value)) schema.set('additionalProperties', true);
  }),
];

function hasBooleanRequired(property: Json): property is JsonObject {
  return typeof memberAt(property, 'required') === 'boolean';
}

export const arrayRules: readonly SchemaRule[] = [
  valueRule(['items'], (items, schema) => {
    if (!Array.isArray(items)) return;
    const [only] = items;
    schema.delete('items');
    if (items.length > 1 && !schema.has('prefixItems')) {
      schema.set('prefixItems', items);
      const rest = schema.get('additionalItems');
      if (rest !== undefined) schema.set('items', rest);
    } else if (items.length === 1 && only !== undefined) {
      // WordPress finds no type in a list, so it doesn't validate items.
      schema.set('items', isJsonObject(only) ? { ...only, [EXTENSION_NAMES.type]: null } : only);
    }
  }),
];

/** An array states its items: OpenAPI 3.0 requires it. After the rules that change types. */
export const addMissingItems: SchemaRule = (schema) => {
  if (!readTypes(schema)?.includes('array')) return;
  if (!['items', 'oneOf', 'anyOf', 'allOf'].some((keyword) => schema.has(keyword))) schema.set('items', {});
};

export const annotationRules: readonly SchemaRule[] = [
  valueRule(['readonly'], (readonly, schema) => {
    if (!isPhpEmpty(readonly)) schema.set('readOnly', true);
    schema.delete('readonly');
  }),
  valueRule(['context', EXTENSION_NAMES.context], (value, schema, keyword) => {
    const names = typeof value === 'string' ? [value] : isJsonObject(value) ? Object.values(value) : value;
    const usable = [...new Set(jsonTexts(names))];
    schema.delete(keyword);
    if (usable.length > 0) schema.set(EXTENSION_NAMES.context, usable);
  }),
  valueRule(['example'], (example, schema) => {
    schema.delete('example');
    if (!schema.has('examples')) schema.set('examples', [example]);
  }),
];

/** Drops keywords that WordPress and JSON Schema 2020-12 don't have, and values that no schema can have. */
export function dropUnusableKeywords(schema: MutableSchema): void {
  for (const [keyword, value] of [...schema.keywords]) {
    const kind = KEYWORD_KINDS.get(keyword);
    if (kind !== undefined && isUsable(value, keyword, kind)) continue;
    schema.delete(keyword);
    if (kind === undefined) continue;
    schema.warn('keyword-not-usable', [keyword], `"${keyword}" is ${describeValue(value)}.`, 'Dropped.');
  }
}

function isUsable(value: Json, keyword: string, kind: string): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string' && (keyword !== 'format' || isUsableFormat(value));
    case 'flag':
      return typeof value === 'boolean';
    case 'values':
      return Array.isArray(value);
    case 'schemas':
      return Array.isArray(value) && value.length > 0;
    case 'number':
    case 'divisor':
    case 'count':
      return isUsableLimit(value, keyword);
    default:
      return true;
  }
}

/** Validators ignore unknown formats. Tools look formats up in plain objects, which have `constructor`. */
function isUsableFormat(format: string): boolean {
  return /^[a-z][\w.+-]{0,63}$/i.test(format) && !(format in {});
}
