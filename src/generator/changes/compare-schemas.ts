import { getDeclaredDefault, isAnnotation } from '../../base/document-extensions.ts';
import {
  changeMembers,
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  jsonTexts,
  mapMembers,
  ownMember,
} from '../../base/json.ts';
import { getOrCreate } from '../../base/memoize.ts';
import { compilePattern } from '../../base/pcre/index.ts';
import { canonicalText, KEYWORD_KINDS, typesOf } from '../model/schema/keywords.ts';
import { coerceValue } from '../model/schema/rules/types.ts';
import {
  collectReferences,
  MAX_SCHEMA_DEPTH,
  referenceOf,
  type SchemaObject,
} from '../openapi/document-objects.ts';
import { type ChangePlace, type Comparison, nameOf, printKeyword } from './context.ts';

/** An absent schema accepts everything. A pair of references is compared once for all its places. */
export function compareSchemas(before: Json | undefined, after: Json | undefined, place: ChangePlace): void {
  const { comparison } = place;
  const [from, to] = [toSchemaObject(before, comparison), toSchemaObject(after, comparison)];
  if (comparison.register(from, to, place)) {
    const [{ $ref: _from, ...besideBefore }, { $ref: _to, ...besideAfter }] = [from, to];
    compareSchemaContents(besideBefore, besideAfter, place);
    return;
  }
  const [contentBefore, contentAfter] = [comparison.resolveBefore(from), comparison.resolveAfter(to)];
  compareSchemaContents(contentBefore, contentAfter, place, [from, to]);
}

/** @param declared both schemas as the documents state them, e.g. references to components */
export function compareSchemaContents(
  contentBefore: JsonObject,
  contentAfter: JsonObject,
  place: ChangePlace,
  declared: readonly [JsonObject, JsonObject] = [contentBefore, contentAfter],
): void {
  const [before, after] = [
    canonicalSchema(contentBefore, place.comparison),
    canonicalSchema(contentAfter, place.comparison),
  ];
  if (place.depth > MAX_SCHEMA_DEPTH) {
    if (differ(before, after)) place.report('constraint-changed', { name: 'a deeply nested schema' });
    return;
  }
  if (referenceOf(before) !== undefined || referenceOf(after) !== undefined) {
    compareSchemas(before, after, place.below());
    return;
  }
  compareAnnotations(before, after, place);
  const [alternativesBefore, alternativesAfter] = [alternativesOf(before), alternativesOf(after)];
  if (alternativesBefore === undefined && alternativesAfter === undefined) {
    compareStructures(before, after, place);
  } else {
    compareNull(before, after, place);
    compareAlternatives(
      alternativesBefore ?? [toAlternative(declared[0], before, alternativesAfter)],
      alternativesAfter ?? [toAlternative(declared[1], after, alternativesBefore)],
      place,
    );
    if (alternativesBefore !== undefined && alternativesAfter !== undefined) {
      const [from, to] = [keywordOf(before), keywordOf(after)];
      const values = { name: 'the keyword', from, to };
      if (from !== to) place.report(to === 'oneOf' ? 'bound-tightened' : 'bound-loosened', values);
      const [restBefore, restAfter] = [
        without(before, (keyword) => keyword === from),
        without(after, (keyword) => keyword === to),
      ];
      compareStructures(restBefore, restAfter, place);
    }
  }
}

function compareStructures(before: JsonObject, after: JsonObject, place: ChangePlace): void {
  if (!compareTypes(before, after, place)) return;
  compareRestrictions(before, after, place);
  compareMembers(before, after, place);
  const canBeList = (schema: JsonObject): boolean => declaredTypesOf(schema)?.has('array') !== false;
  if (
    (before['items'] !== undefined || after['items'] !== undefined) &&
    canBeList(before) &&
    canBeList(after)
  ) {
    compareSchemas(before['items'], after['items'], place.below('[]'));
  }
  compareAllOf(before, after, place);
}

function compareAllOf(before: JsonObject, after: JsonObject, place: ChangePlace): void {
  const [listBefore, listAfter] = [jsonItems(before['allOf']), jsonItems(after['allOf'])];
  const { added, pairs, removed } = matchAlternatives(listBefore, listAfter, canonicalText);
  const shared = Math.min(removed.length, added.length);
  const deeper = place.below();
  const others = removed.slice(0, shared).map((from, at) => [from, added[at]] as const);
  for (const [from, to] of [...pairs, ...others]) compareSchemas(from, to, deeper);
  const name = 'a condition (allOf)';
  for (const from of removed.slice(shared)) place.report('constraint-removed', { name, from });
  for (const to of added.slice(shared)) place.report('constraint-added', { name, to });
}

function compareAnnotations(before: JsonObject, after: JsonObject, place: ChangePlace): void {
  const [wasDeprecated, isDeprecated] = [before['deprecated'] === true, after['deprecated'] === true];
  place.reportSwitch(wasDeprecated, isDeprecated, 'schema-deprecated', 'schema-undeprecated');
  if (differ(defaultOf(before), defaultOf(after))) {
    const [from, to] = [before, after].map((schema) =>
      defaultOf(schema) === undefined ? undefined : getDeclaredDefault(schema),
    );
    reportChange('default', from, to, place);
  }
}

/** As WordPress converts it: 1 for `"1"` of an integer. Callbacks test with `empty()`, so `[]` and `''` are none. */
function defaultOf(schema: JsonObject): Json | undefined {
  const declared = getDeclaredDefault(schema);
  if (declared === '' || (typeof declared === 'object' && Object.keys(declared ?? {}).length === 0))
    return undefined;
  const types = declaredTypesOf(schema);
  if (declared === undefined || types === undefined) return declared;
  return coerceValue(declared, [...types])[0] ?? declared;
}

export function differ(before: Json | undefined, after: Json | undefined): boolean {
  if (before === undefined || after === undefined) return before !== after;
  if (before === after || JSON.stringify(before) === JSON.stringify(after)) return false;
  return canonicalText(before) !== canonicalText(after);
}

function reportChange(
  subject: 'constraint' | 'default',
  from: Json | undefined,
  to: Json | undefined,
  place: ChangePlace,
  name?: string,
): void {
  const change = from === undefined ? 'added' : to === undefined ? 'removed' : 'changed';
  place.report(`${subject}-${change}`, { name, from, to });
}

function compareAlternatives(before: readonly Json[], after: readonly Json[], place: ChangePlace): void {
  let [removed, added] = [toValueAlternatives(before), toValueAlternatives(after)];
  const deeper = place.below();
  const describe = (schema: Json): string => describeSchema(schema, place.comparison);
  for (const keyOf of [canonicalText, describe]) {
    const matched = matchAlternatives(removed, added, keyOf);
    for (const [from, to] of matched.pairs) compareSchemas(from, to, deeper);
    ({ removed, added } = matched);
  }
  const [from, to] = [removed[0], added[0]];
  if (from !== undefined && to !== undefined && removed.length === 1 && added.length === 1) {
    compareSchemas(from, to, deeper);
    return;
  }
  if (removed.length > 0 && added.length > 0)
    collectReferences([...removed, ...added], place.comparison.replaced);
  for (const each of removed) place.report('alternative-removed', { from: describe(each) });
  for (const each of added) place.report('alternative-added', { to: describe(each) });
}

function matchAlternatives(
  before: readonly Json[],
  after: readonly Json[],
  keyOf: (alternative: Json) => string,
) {
  const open = new Map<string, Json[]>();
  for (const each of after) getOrCreate(open, keyOf(each), (): Json[] => []).push(each);
  const pairs: (readonly [Json, Json])[] = [];
  const removed: Json[] = [];
  for (const each of before) {
    const partner = open.get(keyOf(each))?.shift();
    if (partner === undefined) removed.push(each);
    else pairs.push([each, partner]);
  }
  const matched = new Set(pairs.map(([, partner]) => partner));
  return { pairs, removed, added: after.filter((each) => !matched.has(each)) };
}

function compareMembers(before: JsonObject, after: JsonObject, place: ChangePlace): void {
  const excluded = place.direction === 'request' ? 'readOnly' : 'writeOnly';
  const [from, to] = [membersOf(before, excluded), membersOf(after, excluded)];
  const names = [from.properties, to.properties].flatMap((properties) => [...properties.keys()]);
  for (const name of new Set([...names, ...from.required, ...to.required])) {
    const member = place.below(name);
    const [wasRequired, isRequired] = [from.required.has(name), to.required.has(name)];
    const [wasDeclared, isDeclared] = [
      wasRequired || from.properties.has(name),
      isRequired || to.properties.has(name),
    ];
    if (!isDeclared) member.report('member-removed');
    else if (!wasDeclared) member.report(isRequired ? 'required-member-added' : 'member-added');
    else {
      member.reportSwitch(wasRequired, isRequired, 'became-required', 'became-optional');
      compareSchemas(from.properties.get(name), to.properties.get(name), member);
    }
  }
  compareOtherMembers(before['additionalProperties'], after['additionalProperties'], place);
}

function compareOtherMembers(before: Json | undefined, after: Json | undefined, place: ChangePlace): void {
  const [from, to] = [kindOfOthers(before), kindOfOthers(after)];
  if (from === 'typed' && to === 'typed') {
    compareSchemas(before, after, place.below('*'));
  } else if (from !== to) {
    if (to === 'refused') place.report('other-members-refused');
    else if (from === 'refused') place.report('other-members-accepted');
    else place.report(to === 'typed' ? 'other-members-typed' : 'other-members-untyped');
  }
}

function kindOfOthers(schema: Json | undefined): 'refused' | 'any' | 'typed' {
  if (schema === false) return 'refused';
  return isJsonObject(schema) && Object.keys(schema).length > 0 ? 'typed' : 'any';
}

function compareTypes(before: JsonObject, after: JsonObject, place: ChangePlace): boolean {
  const [from, to] = [declaredTypesOf(before), declaredTypesOf(after)];
  const relation = compareTypeSets(from, to);
  if (relation !== 'equal') {
    place.report(`type-${relation}`, { from: describeTypes(from), to: describeTypes(to) });
  }
  compareNull(before, after, place);
  if (relation === 'changed') return false;
  compareValues(before, after, place);
  return true;
}

function compareNull(before: JsonObject, after: JsonObject, place: ChangePlace): void {
  const [from, to] = [acceptsNull(before), acceptsNull(after)];
  if (from !== undefined && to !== undefined) place.reportSwitch(from, to, 'null-added', 'null-removed');
}

function compareTypeSets(from: SchemaTypes, to: SchemaTypes): 'equal' | 'widened' | 'narrowed' | 'changed' {
  if (from === undefined || to === undefined) {
    if (from === to) return 'equal';
    return from === undefined ? 'narrowed' : 'widened';
  }
  const isKept = [...from].every((type) => includesType(to, type));
  const isOld = [...to].every((type) => includesType(from, type));
  if (isKept && isOld) return 'equal';
  if (isKept) return 'widened';
  return isOld ? 'narrowed' : 'changed';
}

/** `number` includes `integer` (JSON Schema Validation §6.1.1). */
function includesType(types: ReadonlySet<string>, type: string): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'));
}

function compareValues(before: JsonObject, after: JsonObject, place: ChangePlace): void {
  const [from, to] = [declaredValuesOf(before), declaredValuesOf(after)];
  if (from === undefined && to !== undefined) {
    place.report('values-restricted', { to: [...to.values()] });
  } else if (from !== undefined && to === undefined) {
    place.report('values-unrestricted', { from: [...from.values()] });
  } else if (from !== undefined && to !== undefined) {
    for (const [text, value] of from) if (!to.has(text)) place.report('value-removed', { from: value });
    for (const [text, value] of to) if (!from.has(text)) place.report('value-added', { to: value });
  }
}

const LOWER_BOUND = /^(?:minimum|exclusiveMinimum|min(?:Length|Items|Properties))$/;
const UPPER_BOUND = /^(?:maximum|exclusiveMaximum|max(?:Length|Items|Properties))$/;

const COMPARED_ELSEWHERE: ReadonlySet<string> = new Set([
  ...'$ref $comment type enum const properties required additionalProperties items allOf'.split(' '),
]);

/** Compares bounds, and other keywords on the assumption that they restrict values. */
function compareRestrictions(before: JsonObject, after: JsonObject, place: ChangePlace): void {
  for (const keyword of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (COMPARED_ELSEWHERE.has(keyword) || keyword.startsWith('x-') || isAnnotation(keyword)) continue;
    const [from, to] = [ownMember(before, keyword), ownMember(after, keyword)];
    if (!differ(from, to)) continue;
    const name = printKeyword(keyword);
    const isLower = LOWER_BOUND.test(keyword);
    if (isLower || UPPER_BOUND.test(keyword)) {
      const rule = isTightened(from, to, isLower) ? 'bound-tightened' : 'bound-loosened';
      place.report(rule, { name, from, to });
    } else if (keyword === 'pattern' && from !== undefined && to !== undefined)
      place.report('bound-tightened', { name, from, to });
    else reportChange('constraint', from, to, place, name);
  }
}

function isTightened(from: Json | undefined, to: Json | undefined, isLower: boolean): boolean {
  if (to === undefined) return false;
  if (typeof from !== 'number' || typeof to !== 'number') return true;
  return isLower ? to > from : to < from;
}

function toSchemaObject(schema: Json | undefined, comparison: Comparison): JsonObject {
  if (isJsonObject(schema)) return canonicalSchema(schema, comparison);
  return schema === false ? { not: {} } : {};
}

type SchemaTypes = ReadonlySet<string> | undefined;

function declaredTypesOf({ type }: JsonObject): SchemaTypes {
  if (typeof type === 'string') return new Set(type === 'null' ? [] : [type]);
  if (!Array.isArray(type)) return undefined;
  return new Set(type.filter((name): name is string => typeof name === 'string' && name !== 'null'));
}

function acceptsNull(schema: SchemaObject): boolean | undefined {
  const { type } = schema;
  const values = valuesOf(schema);
  if (values !== undefined && !values.includes(null)) return false;
  const alternatives = alternativesOf(schema) ?? [];
  if (alternatives.some((each) => isJsonObject(each) && acceptsNull(each) === true)) return true;
  if (type === undefined) return alternatives.length > 0 ? false : values && true;
  return type === 'null' || (Array.isArray(type) && type.includes('null'));
}

function alternativesOf(schema: SchemaObject): readonly Json[] | undefined {
  const list = schema.anyOf ?? schema.oneOf;
  return Array.isArray(list) ? list : undefined;
}

function keywordOf({ anyOf }: SchemaObject): 'anyOf' | 'oneOf' {
  return anyOf == null ? 'oneOf' : 'anyOf';
}

/** A reference if the other side has some, so that both are registered. */
function toAlternative(declared: JsonObject, content: JsonObject, others: readonly Json[] = []): JsonObject {
  const isReference = others.some((each) => isJsonObject(each) && Object.hasOwn(each, '$ref'));
  return without(isReference ? declared : content, isAnnotation);
}

function without(schema: JsonObject, isLeftOut: (keyword: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => !isLeftOut(keyword)));
}

function toValueAlternatives(list: readonly Json[]): readonly Json[] {
  return list.filter((each) => !(isJsonObject(each) && each['type'] === 'null')).map(withoutNull);
}

function withoutNull(schema: Json): Json {
  if (!isJsonObject(schema) || !Array.isArray(schema['type'])) return schema;
  const types: readonly Json[] = schema['type'].filter((type: Json) => type !== 'null');
  return { ...schema, type: types };
}

function valuesOf(schema: SchemaObject): readonly Json[] | undefined {
  const values = Object.hasOwn(schema, 'const') ? [schema.const ?? null] : schema.enum;
  return Array.isArray(values) ? values : undefined;
}

function declaredValuesOf(schema: SchemaObject): ReadonlyMap<string, Json> | undefined {
  const list = valuesOf(schema)?.filter((value) => value !== null);
  return list && new Map(list.map((value) => [canonicalText(value), value]));
}

function describeSchema(schema: Json, comparison: Comparison): string {
  const { $ref, ...rest } = toSchemaObject(schema, comparison);
  if (typeof $ref === 'string') return nameOf($ref);
  const types = declaredTypesOf(rest);
  const isList = types?.has('array') === true;
  const items = isList ? declaredTypesOf(toSchemaObject(rest['items'], comparison)) : undefined;
  if (types === undefined) return alternativesOf(rest) === undefined ? 'any value' : 'one of several types';
  return describeTypes(types) + (items === undefined ? '' : ` of ${describeTypes(items)}`);
}

function describeTypes(types: SchemaTypes): string {
  if (types === undefined) return 'any value';
  return types.size === 0 ? 'null' : [...types].sort().join(' or ');
}

function membersOf(
  schema: SchemaObject,
  excluded: 'readOnly' | 'writeOnly',
): { readonly properties: ReadonlyMap<string, Json>; readonly required: ReadonlySet<string> } {
  const properties = schema.properties;
  const entries = isJsonObject(properties) ? Object.entries(properties) : [];
  const isExcluded = (member: Json): boolean => isJsonObject(member) && member[excluded] === true;
  const hidden = new Set(entries.filter(([, member]) => isExcluded(member)).map(([name]) => name));
  return {
    properties: new Map(entries.filter(([name]) => !hidden.has(name))),
    required: new Set(jsonTexts(schema.required).filter((name) => !hidden.has(name))),
  };
}

/** One form for schemas that accept the same values: lists sorted, no wrappers. */
function canonicalSchema(schema: JsonObject, { canonical: known }: Comparison): JsonObject {
  const toCanonical = (each: JsonObject): JsonObject => {
    const canonical = known.get(each) ?? withoutWrapper(changeMembers(each, toMember));
    known.set(each, canonical);
    known.set(canonical, canonical);
    return canonical;
  };
  const inside = (each: Json): Json => (isJsonObject(each) ? toCanonical(each) : each);
  const toMember = (value: Json, keyword: string): Json => {
    if (keyword === 'enum' || keyword === 'required' || keyword === 'type') return sorted(value);
    const kind = KEYWORD_KINDS.get(keyword);
    if (kind === 'schema') return inside(value);
    if (kind === 'schemas' && Array.isArray(value)) return value.map(inside);
    if (kind !== 'schemas-by-name' || !isJsonObject(value)) return value;
    return mapMembers(value, (_, member) => inside(member));
  };
  return toCanonical(schema);
}

function sorted(value: Json): Json {
  if (!Array.isArray(value)) return value;
  const texts = new Map<string, Json>(value.map((each: Json) => [canonicalText(each), each]));
  return [...texts.keys()].sort().map((text) => texts.get(text) ?? null);
}

/** OpenAPI 3.0 needs `allOf` of one schema to state texts beside a reference. */
function withoutWrapper(schema: JsonObject): JsonObject {
  for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
    const { [keyword]: members, ...rest } = schema;
    const [only, ...others] = jsonItems(members);
    const hasOnlyAnnotations = Object.keys(rest).every((each) => isAnnotation(each) || each.startsWith('x-'));
    if (hasOnlyAnnotations && others.length === 0 && isJsonObject(only)) return { ...only, ...rest };
  }
  return schema;
}

const DIGITS = ['0', '1', '42', '4294967295'];

/** Makes numbers the text of their digits. @param after the later schema: nothing changes if it takes no text */
export function asText(schema: JsonObject, after: JsonObject): JsonObject {
  const types = typesOf(schema);
  const isNumber = (type: string): boolean => type === 'integer' || type === 'number';
  const later = typesOf(after);
  if (!types.some(isNumber) || !later.includes('string') || later.some(isNumber)) return schema;
  const { exclusiveMaximum: _a, exclusiveMinimum: _b, maximum: _c, minimum: _d, ...rest } = schema;
  const { pattern } = after;
  const isDigits = schema['pattern'] === (types.includes('string') ? '^\\d+$' : undefined);
  const isTaken =
    isDigits && typeof pattern === 'string' && DIGITS.every((text) => compilePattern(pattern).test(text));
  return {
    ...rest,
    ...(isTaken ? { pattern } : {}),
    type: [...new Set(types.map((type) => (isNumber(type) ? 'string' : type)))],
  };
}
