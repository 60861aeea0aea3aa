import {
  isJsonObject,
  type Json,
  type JsonObject,
  type JsonType,
  jsonItems,
  jsonMembers,
} from '../../../base/json.ts';
import { typesOf } from '../../model/schema/keywords.ts';
import { dereference } from '../../openapi/document-objects.ts';
import { HAL_MEMBERS } from '../../validation/response/schema.ts';

/** Types, names and counts of a set of JSON values, but no values. Shapes merge in any order. */
export interface ValueShape {
  readonly count: number;
  readonly nulls: number;
  readonly booleans: number;
  readonly trues: number;
  readonly integers: number;
  readonly fractions: number;
  readonly strings: number;
  readonly blanks: number;
  readonly lists: ListsShape | null;
  readonly objects: ObjectsShape | null;
}

interface ListsShape {
  readonly count: number;
  /** Number of lists without items, as PHP also writes an empty object. */
  readonly empty: number;
  readonly items: ValueShape | null;
}

export interface ObjectsShape {
  readonly count: number;
  readonly members: ReadonlyMap<string, ValueShape>;
  /** Values of members whose names are data, such as ids, or exceed the limit; `null` if none. */
  readonly others: ValueShape | null;
  readonly isMap: boolean;
}

export const EMPTY_SHAPE: ValueShape = {
  ...{ count: 0, nulls: 0, booleans: 0, trues: 0, integers: 0, fractions: 0, strings: 0, blanks: 0 },
  ...{ lists: null, objects: null },
};

const MAX_SHAPE_MEMBERS = 200;
const MAX_SHAPE_DEPTH = 12;

const HOSTILE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Whether a name can be that of a property; others are data, such as ids, dates, titles, `order-1042`. */
function isPropertyName(name: string): boolean {
  return (
    /^[A-Za-z_$][\w.:$-]{0,63}$/.test(name) &&
    !/^(?=.*\d)[0-9a-f-]{16,}$/i.test(name) &&
    !/[_.:-]\d{3,}(?![^_.:-])/.test(name) &&
    !HOSTILE_NAMES.has(name)
  );
}

export function mergeShapes(one: ValueShape, other: ValueShape): ValueShape {
  return {
    count: one.count + other.count,
    nulls: one.nulls + other.nulls,
    booleans: one.booleans + other.booleans,
    trues: one.trues + other.trues,
    integers: one.integers + other.integers,
    fractions: one.fractions + other.fractions,
    strings: one.strings + other.strings,
    blanks: one.blanks + other.blanks,
    lists: mergeIfBoth(one.lists, other.lists, mergeLists),
    objects: mergeIfBoth(one.objects, other.objects, mergeObjects),
  };
}

function mergeIfBoth<Part>(
  one: Part | null,
  other: Part | null,
  merge: (one: Part, other: Part) => Part,
): Part | null {
  if (one === null) return other;
  return other === null ? one : merge(one, other);
}

function mergeLists(one: ListsShape, other: ListsShape): ListsShape {
  return {
    count: one.count + other.count,
    empty: one.empty + other.empty,
    items: mergeIfBoth(one.items, other.items, mergeShapes),
  };
}

export function mergeObjects(one: ObjectsShape, other: ObjectsShape): ObjectsShape {
  const members = new Map(one.members);
  for (const [name, shape] of other.members)
    members.set(name, mergeIfBoth(members.get(name) ?? null, shape, mergeShapes) ?? shape);
  return limitMembers({
    count: one.count + other.count,
    members,
    others: mergeIfBoth(one.others, other.others, mergeShapes),
    isMap: one.isMap || other.isMap,
  });
}

function limitMembers(objects: ObjectsShape): ObjectsShape {
  if (!objects.isMap && objects.members.size <= MAX_SHAPE_MEMBERS) return objects;
  return { ...objects, members: new Map(), others: mapValues(objects), isMap: true };
}

/** Codes of currencies, countries and their states, such as `EUR` and `US:CA`. */
const CODE = /^[A-Z]{2,3}(?:[:_-][A-Z\d]{1,5})?$/;

export function haveOneScalarType(members: ObjectsShape['members']): boolean {
  const shapes = [...members.values()];
  return countTypes(shapes) === 1 && shapes.every(({ lists, objects }) => lists === null && objects === null);
}

/**
 * Names that are ids or codes, that differ from object to object, or that name objects with the same members are
 * data; a few names that all objects have are properties.
 */
export function isMapShape({ count, isMap, members, others }: ObjectsShape): boolean {
  if (isMap || members.size === 0) return isMap || others !== null;
  const shapes = [...members.values()];
  const occurrences = shapes.reduce((sum, member) => sum + member.count, 0);
  if (others !== null && others.count * 2 >= occurrences) return true;
  const areObjects = shapes.every(
    ({ objects, nulls, count: seen }) => (objects?.count ?? 0) + nulls === seen,
  );
  if (areObjects && members.size >= 3 && haveSimilarNames(shapes)) return true;
  if (members.size < 2 || countTypes(shapes) !== 1) return false;
  const areCodes = haveOneScalarType(members) && [...members.keys()].every((name) => CODE.test(name));
  const isRare = occurrences <= (members.size * count) / 2;
  return areCodes || (isRare && shapes.every((each) => each.count * 3 <= count * 2));
}

export function mapValues({ members, others }: ObjectsShape): ValueShape {
  return [...(others === null ? [] : [others]), ...members.values()].reduce(mergeShapes, EMPTY_SHAPE);
}

function haveSimilarNames(shapes: readonly ValueShape[]): boolean {
  const sets = shapes.flatMap(({ objects }) => (objects === null ? [] : [new Set(objects.members.keys())]));
  const union = new Set(sets.flatMap((set) => [...set]));
  const common = [...union].filter((name) => sets.every((set) => set.has(name)));
  return union.size >= 2 && common.length >= union.size * 0.6;
}

function countTypes(shapes: readonly ValueShape[]): number {
  const all = shapes.reduce(mergeShapes, EMPTY_SHAPE);
  return [
    all.booleans > 0,
    all.integers + all.fractions > 0,
    all.strings > 0,
    all.lists !== null,
    all.objects !== null,
  ].filter(Boolean).length;
}

export function observeValue(value: Json, depth = 0): ValueShape {
  const one = { ...EMPTY_SHAPE, count: 1 };
  switch (typeof value) {
    case 'string':
      return { ...one, strings: 1, blanks: Number(value === '') };
    case 'boolean':
      return { ...one, booleans: 1, trues: Number(value) };
    case 'number':
      return { ...one, ...(Number.isInteger(value) ? { integers: 1 } : { fractions: 1 }) };
    default:
      if (value === null) return { ...one, nulls: 1 };
      return isJsonObject(value)
        ? { ...one, objects: observeObject(value, depth) }
        : { ...one, lists: observeList(value, depth) };
  }
}

function observeList(list: readonly Json[], depth: number): ListsShape {
  if (list.length === 0 || depth >= MAX_SHAPE_DEPTH)
    return { count: 1, empty: list.length === 0 ? 1 : 0, items: null };
  const items = list.map((item) => observeValue(item, depth + 1)).reduce(mergeShapes);
  return { count: 1, empty: 0, items };
}

function observeObject(object: JsonObject, depth: number): ObjectsShape {
  const members = new Map<string, ValueShape>();
  let others: ValueShape | null = null;
  for (const [name, value] of depth >= MAX_SHAPE_DEPTH ? [] : Object.entries(object)) {
    const member = observeValue(value, depth + 1);
    if (isPropertyName(name)) members.set(name, member);
    else others = mergeIfBoth(others, member, mergeShapes);
  }
  return limitMembers({ count: 1, members, others, isMap: false });
}

const KINDS: readonly (readonly [
  kind: Exclude<keyof ValueShape, 'blanks' | 'count' | 'trues'>,
  types: readonly JsonType[],
])[] = [
  ['nulls', ['null']],
  ['booleans', ['boolean']],
  ['integers', ['integer', 'number']],
  ['fractions', ['number']],
  ['strings', ['string']],
  ['lists', ['array']],
  ['objects', ['object']],
];

export function splitByType(shape: ValueShape): readonly ValueShape[] {
  return KINDS.flatMap(([kind]) => {
    const values = shape[kind];
    const count = typeof values === 'number' ? values : (values?.count ?? 0);
    const trues = kind === 'booleans' ? shape.trues : 0;
    return count === 0 ? [] : [{ ...EMPTY_SHAPE, count, [kind]: values, trues }];
  });
}

export function withoutEmptyValues(shape: ValueShape): ValueShape {
  const { blanks, lists, strings, trues } = shape;
  const filled = lists && { ...lists, count: lists.count - lists.empty, empty: 0 };
  return {
    ...{ ...shape, nulls: 0, booleans: trues, strings: strings - blanks, blanks: 0 },
    lists: filled?.count === 0 ? null : filled,
  };
}

export function typesOfPart(part: ValueShape): readonly JsonType[] {
  return KINDS.find(([kind]) => part[kind])?.[1] ?? ['object'];
}

/** Whether members have the types of a schema's properties. Objects and lists inside are widened later. */
export function fitsSchema(
  { members, others }: ObjectsShape,
  schema: JsonObject,
  document: JsonObject,
): boolean {
  const { additionalProperties, properties } = schema;
  const declared = new Map(jsonMembers(properties));
  const isClosed =
    additionalProperties === false &&
    (others !== null || [...members.keys()].some((name) => !declared.has(name)));
  return (
    !isClosed &&
    [...members].every(([name, member]) =>
      splitByType(member).every((part) => {
        const types = listTypes(declared.get(name), document);
        return types.length === 0 || typesOfPart(part).some((type) => types.includes(type));
      }),
    )
  );
}

/** The types of a schema or of its alternatives; none if it takes any. */
function listTypes(schema: Json | undefined, document: JsonObject, depth = 0): readonly string[] {
  if (depth > MAX_SHAPE_DEPTH) return [];
  const target = dereference(schema, document);
  const alternatives = jsonItems(target?.['anyOf'] ?? target?.['oneOf']);
  const listed = alternatives.map((each) => listTypes(each, document, depth + 1));
  return listed.some(({ length }) => length === 0)
    ? []
    : alternatives.length > 0
      ? listed.flat()
      : typesOf(target);
}

export function shareOfNames(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let common = 0;
  for (const name of one) if (other.has(name)) common += 1;
  const all = one.size + other.size - common;
  return all === 0 ? 0 : common / all;
}

export function resourceNames({ members }: ObjectsShape): ReadonlySet<string> {
  return new Set([...members.keys()].filter((name) => !HAL_MEMBERS.has(name)));
}

export const LINK_NAME = 'Link';
export const LINK_REFERENCE: JsonObject = { $ref: `#/components/schemas/${LINK_NAME}` };

export interface InferenceOptions {
  readonly findComponent: (objects: ObjectsShape) => string | null;
  readonly linkSchema: JsonObject;
}

/** Objects that prove a common member required. Two could agree by chance. */
export const REQUIRED_EVIDENCE = 3;

/** ACF adds `acf` to posts, but not to a template that is a file. */
const OPTIONAL_NAMES: ReadonlySet<string> = new Set(['_embedded', 'acf']);

/** One envelope proves its list and its numbers: the same code writes each page. */
export function listRequired({ count, members }: ObjectsShape): readonly string[] {
  const isEnough = count >= REQUIRED_EVIDENCE;
  const isEnvelope =
    !members.has('id') &&
    [...members].some(([name, { integers }]) => integers > 0 && /^total(?![a-z])/.test(name)) &&
    [...members.values()].some(({ lists }) => lists !== null);
  return [...members]
    .filter(([name, member]) => !OPTIONAL_NAMES.has(name) && member.count === count)
    .filter(([, { integers, lists }]) => isEnough || (isEnvelope && (lists !== null || integers > 0)))
    .map(([name]) => name);
}
/** Members that identify an entry of metadata, a setting or an option. */
const ENTRY_NAMES = ['key', 'name', 'id', 'slug', 'meta_key', 'display_key'];

/** The value of an entry such as `{ id, key, value }`, of which some say nothing about the next. */
export function isEntryValue(name: string, siblings: Iterable<string>): boolean {
  if (!/^(?:(?:meta_|display_)?value|default)$/.test(name)) return false;
  const names = new Set(siblings);
  return (name !== 'default' || names.has('value')) && ENTRY_NAMES.some((each) => names.has(each));
}

export function createShapeSchema(shape: ValueShape, options: InferenceOptions, name = ''): JsonObject {
  const empties = name === '' ? [] : listEmptyValues(shape);
  if (empties.length > 0) return { description: `Only ${empties.join(', ')} was seen.` };
  const { booleans, lists, nulls, objects, trues } = shape;
  const hasItems = lists !== null && lists.empty < lists.count;
  const alternatives: JsonObject[] = [];
  if (objects !== null) alternatives.push(createObjectsSchema(objects, options, name));
  if (lists !== null) {
    // PHP writes an empty object as an empty list.
    alternatives.push(
      hasItems || objects === null
        ? { type: 'array', items: createShapeSchema(lists.items ?? EMPTY_SHAPE, options) }
        : { type: 'array', maxItems: 0 },
    );
  }
  // Plugins write false where there is no object.
  const isAbsence = objects !== null && booleans > 0 && trues === 0;
  const scalars = createScalarSchema(isAbsence ? { ...shape, booleans: 0 } : shape);
  if (scalars !== null) alternatives.push(scalars);
  if (isAbsence) alternatives.push({ type: 'boolean', const: false });
  const [only, ...others] = alternatives;
  if (only === undefined) return nulls === 0 ? {} : { description: 'Null in every response that was seen.' };
  if (nulls === 0) return others.length === 0 ? only : { anyOf: alternatives };
  if (others.length === 0) return allowNull(only);
  return { anyOf: [...alternatives, { type: 'null' }] };
}

/** PHP writes `acf: []` or `poster: false` for a missing value. @returns nothing if there was another value */
function listEmptyValues({ blanks, booleans, count, lists, nulls, trues }: ValueShape): readonly string[] {
  const seen = { '`[]`': lists?.empty ?? 0, "`''`": blanks, '`false`': booleans - trues, '`null`': nulls };
  const present = Object.entries(seen).filter(([, times]) => times > 0);
  return present.reduce((sum, [, times]) => sum + times, 0) < count ? [] : present.map(([text]) => text);
}

function createScalarSchema({ booleans, fractions, integers, strings }: ValueShape): JsonObject | null {
  const types: string[] = [];
  if (strings > 0) types.push('string');
  if (fractions > 0) types.push('number');
  else if (integers > 0) types.push('integer');
  if (booleans > 0) types.push('boolean');
  const [type, ...others] = types;
  if (type === undefined) return null;
  return { type: others.length === 0 ? type : types };
}

function allowNull(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  return { ...schema, type: [...(Array.isArray(type) ? type : [type]), 'null'] };
}

function createObjectsSchema(objects: ObjectsShape, options: InferenceOptions, name: string): JsonObject {
  if (name === '_links' && areLinks(objects)) {
    // Other relations can be added later.
    return { type: 'object', additionalProperties: { type: 'array', items: options.linkSchema } };
  }
  if (name !== '_embedded' && isMapShape(objects)) {
    return { type: 'object', additionalProperties: createShapeSchema(mapValues(objects), options) };
  }
  const reference = options.findComponent(objects);
  return reference === null ? createPropertiesSchema(objects, options) : { $ref: reference };
}

export function createPropertiesSchema(objects: ObjectsShape, options: InferenceOptions): JsonObject {
  const { members, others } = objects;
  const names = [...members.keys()].sort(compareNames);
  const required = [...listRequired(objects)].sort(compareNames);
  const properties = names.map((name): [string, Json] => {
    const shape = isEntryValue(name, names) ? EMPTY_SHAPE : (members.get(name) ?? EMPTY_SHAPE);
    return [name, createShapeSchema(shape, options, name)];
  });
  return {
    type: 'object',
    ...(names.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(required.length === 0 ? {} : { required }),
    ...(others === null ? {} : { additionalProperties: createShapeSchema(others, options) }),
  };
}

function compareNames(one: string, other: string): number {
  const [oneRank, otherRank] = [one, other].map((name) => ['_links', '_embedded'].indexOf(name));
  if (oneRank !== otherRank) return Number(oneRank) - Number(otherRank);
  return one < other ? -1 : 1;
}

/** HAL links: other objects can be named `_links` too. */
function areLinks({ members, others }: ObjectsShape): boolean {
  return [...members.values(), ...(others === null ? [] : [others])].every(
    ({ count, lists }) =>
      lists?.count === count &&
      (lists.items === null || lists.items.objects?.members.get('href')?.strings === lists.items.count),
  );
}
