import type { Json, JsonObject } from '../../../base/json.ts';
import { EMPTY_SHAPE, isMapShape, mapValues, type ObjectsShape, type ValueShape } from './shape.ts';

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
