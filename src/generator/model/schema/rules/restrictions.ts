import { EXTENSION_NAMES } from '../../../../base/document-extensions.ts';
import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonMembers,
  jsonTexts,
  memberAt,
  ownMember,
  toJsonObject,
} from '../../../../base/json.ts';
import { isPhpEmpty } from '../../../../base/php/request.ts';
import { describeValue } from '../../../discovery/index-values.ts';
import { isUsableLimit, KEYWORD_KINDS, listKeywordsOfKind } from '../keywords.ts';
import { type MutableSchema, type SchemaRule, valueRule } from '../mutable-schema.ts';
import { matchesSitePattern, type PatternTranslation } from '../patterns.ts';
import { type AnySchema, type Dialect, findIssues, readSchema } from '../walk.ts';
import { readTypes } from './types.ts';

/** `exclusiveMinimum: true` of draft 4 takes the value of `minimum`. */
export const moveExclusiveBounds: SchemaRule = (schema) => {
  for (const [exclusive, inclusive] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const flag = schema.get(exclusive);
    if (typeof flag !== 'boolean') continue;
    const bound = schema.get(inclusive);
    schema.delete(exclusive);
    if (!flag || bound === undefined) continue;
    schema.delete(inclusive);
    schema.set(exclusive, bound);
  }
};

/** Sites state PCRE with the `u` flag; JSON Schema requires ECMA-262 (core §6.4). Both are unanchored. */
export const patternRules: readonly SchemaRule[] = [
  (schema) => {
    const read = readPattern(schema);
    if (read === undefined) return;
    const { pcre, translation } = read;
    const change = `The pattern ${describeValue(pcre)} has no exact form in ECMA-262`;
    if (translation.kind === 'none') {
      schema.delete('pattern');
      schema.set(EXTENSION_NAMES.pcre, pcre);
      schema.warn('pattern-not-representable', ['pattern'], `${change}: ${translation.reason}.`, 'Dropped.');
      return;
    }
    const { pattern, wideningReasons } = translation;
    if (pattern === schema.get('pattern') && wideningReasons.length === 0) return;
    schema.set('pattern', pattern);
    schema.set(EXTENSION_NAMES.pcre, pcre);
    if (wideningReasons.length > 0)
      schema.warn('pattern-wider', ['pattern'], `${change}: ${wideningReasons.join('; ')}.`, 'Widened it.');
  },
  translatePatternProperties,
];

function translatePatternProperties(schema: MutableSchema): void {
  const properties = jsonMembers(schema.get('patternProperties'));
  const declared = toJsonObject(schema.get(EXTENSION_NAMES.patternProperties));
  const changed = new Map<string, string>();
  const translated = new Map<string, Json>();
  for (const [key, subschema] of properties) {
    const original = ownMember(declared, key);
    const pcre = typeof original === 'string' ? original : key;
    const translation = schema.patterns.translate(pcre);
    if (translation.kind === 'ecma' && !translated.has(translation.pattern)) {
      translated.set(translation.pattern, subschema);
      if (translation.pattern !== pcre) changed.set(translation.pattern, pcre);
      continue;
    }
    const defect =
      translation.kind === 'none'
        ? `has no form in ECMA-262: ${translation.reason}`
        : 'is equivalent to another one';
    const action = 'Dropped: any name is allowed.';
    schema.warn('pattern-properties-lost', ['patternProperties', key], `The pattern ${defect}.`, action);
    schema.delete('additionalProperties');
  }
  schema.setOrDelete('patternProperties', Object.fromEntries(translated));
  schema.setOrDelete(EXTENSION_NAMES.patternProperties, Object.fromEntries(changed));
}

function readPattern(
  schema: MutableSchema,
): { readonly pcre: string; readonly translation: PatternTranslation } | undefined {
  const pattern = schema.get('pattern');
  const pcre = schema.get(EXTENSION_NAMES.pcre) ?? pattern;
  if (typeof pcre !== 'string' || pattern === undefined) return undefined;
  return { pcre, translation: schema.patterns.translate(pcre) };
}

/** A date of this century can differ at each discovery; `1970-01-01` and `2024-12-31` are constants. */
export function isTimeOfRequest(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^20\d\d-(?!01-01|12-31)\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?$/.test(value)
  );
}

const DEFAULTS = ['default', EXTENSION_NAMES.default];

export const defaultRules: readonly SchemaRule[] = [
  valueRule(['default'], (value, schema) => {
    if (isTimeOfRequest(value)) schema.delete('default');
  }),
  valueRule(DEFAULTS, (value, schema, keyword) => {
    if (Array.isArray(value) && value.length === 0 && isObjectAlone(schema)) schema.set(keyword, {});
  }),
];

/** Keeps a default that its normalized schema can refuse in an extension. For WordPress, null isn't a default. */
export const checkDefault: SchemaRule = valueRule(['default'], (value, schema) => {
  if (isCertainlyValid(Object.fromEntries(schema), value)) return;
  schema.delete('default');
  schema.set(EXTENSION_NAMES.default, value);
  if (value === null) return;
  const message = `The default ${describeValue(value)} is, or may be, rejected by its own schema.`;
  schema.warn('default-refused', ['default'], message, `Kept as "${EXTENSION_NAMES.default}".`);
});

function isObjectAlone(schema: MutableSchema): boolean {
  const type = schema.get('type');
  return type === 'object' || (Array.isArray(type) && type.includes('object') && !type.includes('array'));
}

const MAX_STEPS = 20_000;

/** @returns `false` too if it depends on a pattern, a disputed format or a fraction, or takes too many steps */
export function isCertainlyValid(schema: JsonObject, value: Json): boolean {
  let isCertain = true;
  const orUncertain = (verdict: boolean | undefined): boolean => {
    isCertain &&= verdict !== undefined;
    return verdict === true;
  };
  const dialect: Dialect = {
    resolve: () => true,
    matches: (pattern, text) => orUncertain(matchesSitePattern(pattern, text)),
    hasFormat: (format, member) => orUncertain(hasUndisputedFormat(format, member) || undefined),
    // Validators disagree about fractions and numbers above 2^53.
    isMultiple: (number, divisor) =>
      orUncertain(
        Number.isSafeInteger(number) && Number.isSafeInteger(divisor) ? number % divisor === 0 : undefined,
      ),
  };
  const issues = findIssues(readPlainSchema(schema), value, dialect, MAX_STEPS);
  return issues?.length === 0 && isCertain;
}

function readPlainSchema(schema: Json): AnySchema {
  return isJsonObject(schema) ? readSchema(schema, readPlainSchema) : schema !== false;
}

/** Formats that validators assert (ajv-formats, JSON Schema 2020-12 §7.3), and disagree about. */
const ASSERTED: ReadonlySet<string> = new Set(
  (
    'date-time date uri email uuid ipv4 time iso-time iso-date-time duration uri-reference uri-template url iri ' +
    'iri-reference idn-email hostname idn-hostname ipv6 regex json-pointer json-pointer-uri-fragment ' +
    'relative-json-pointer byte'
  ).split(' '),
);

const NUMERIC: ReadonlySet<string> = new Set(['int32', 'int64', 'float', 'double']);

function hasUndisputedFormat(format: string, value: Json): boolean {
  if (typeof value === 'number' && NUMERIC.has(format)) {
    return Number.isInteger(value) && Math.abs(value) < 2 ** 31;
  }
  return typeof value !== 'string' || !ASSERTED.has(format);
}

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
  for (const [keyword, value] of [...schema]) {
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
      if (typeof value !== 'string') return false;
      // Tools look formats up in plain objects, which have `constructor`.
      return keyword !== 'format' || (/^[a-z][\w.+-]{0,63}$/i.test(value) && !(value in {}));
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
