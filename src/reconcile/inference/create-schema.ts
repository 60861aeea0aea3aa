import type { Json, JsonObject } from '../../json.ts';
import {
  EMPTY_SHAPE,
  type InferredSchema,
  isMapShape,
  mapValues,
  type ObjectsShape,
  readEnumeration,
} from './shape.ts';

/** Decides what {@link createShapeSchema} claims. */
export interface InferenceOptions {
  /** Returns the reference to a component that describes objects; `null` if there is none. */
  readonly findComponent: (objects: ObjectsShape) => string | null;
  /** Schema of a link, or a reference to it. */
  readonly linkSchema: JsonObject;
  /** Number of objects from which a member that all of them have is required. */
  readonly leastSamples: number;
  /** The same for the response itself, but not for what it contains. @default leastSamples */
  readonly requiredEvidence?: number;
}

/** Number of objects that must have a member before it is required, unless an option says another. Two could agree by chance. */
export const REQUIRED_EVIDENCE = 3;
/** Number of strings from which few words are an enumeration. */
const ENUMERATION_EVIDENCE = 20;

/** Names of properties whose words are chosen by a program. Words of others may be names of people or things. */
const ENUMERATION_NAME: RegExp =
  /(?:^|_)(?:action|availability|color_scheme|direction|format|frequency|interval|kind|level|method|mode|order|orderby|priority|role|scope|state|status|type|unit|visibility)$/i;

/** Members that identify an entry of metadata, a setting or an option. */
const ENTRY_NAMES = ['key', 'name', 'id', 'slug', 'meta_key', 'display_key'];

/**
 * Whether a member is the value of an entry such as `{ id, key, value }`: metadata, a setting, an option. Each entry has a type
 * of its own, so what some entries have in common says nothing about the next one.
 *
 * @param siblings the names of all members of the object
 */
export function isEntryValue(name: string, siblings: Iterable<string>): boolean {
  if (!/^(?:(?:meta_|display_)?value|default)$/.test(name)) return false;
  const names = new Set(siblings);
  return (name !== 'default' || names.has('value')) && ENTRY_NAMES.some((each) => names.has(each));
}

/**
 * Creates the schema of a set of values. Every value of the set matches it. The order of its keywords and properties
 * depends on the shape only.
 *
 * @param name the name of the member that has the values; empty for others
 */
export function createShapeSchema(shape: InferredSchema, options: InferenceOptions, name = ''): JsonObject {
  const { booleans, lists, nulls, objects, trues } = shape;
  const hasItems = lists !== null && lists.empty < lists.count;
  const alternatives: JsonObject[] = [];
  if (objects !== null) alternatives.push(createObjectsSchema(objects, options, name));
  if (lists !== null) {
    // PHP has one array type, so an object without members is written as an empty list.
    alternatives.push(
      hasItems || objects === null
        ? { type: 'array', items: createShapeSchema(lists.items ?? EMPTY_SHAPE, nestedOptions(options)) }
        : { type: 'array', maxItems: 0 },
    );
  }
  // Plugins write false where there is no object.
  const isAbsence = objects !== null && booleans > 0 && trues === 0;
  const scalars = createScalarSchema(isAbsence ? { ...shape, booleans: 0 } : shape, name);
  if (scalars !== null) alternatives.push(scalars);
  if (isAbsence) alternatives.push({ type: 'boolean', const: false });
  const [only, ...others] = alternatives;
  if (only === undefined) return nulls === 0 ? {} : { description: 'Null in every response that was seen.' };
  if (nulls === 0) return others.length === 0 ? only : { anyOf: alternatives };
  if (others.length === 0) return allowNull(only);
  return { anyOf: [...alternatives, { type: 'null' }] };
}

/** The evidence that suffices for the response itself does not suffice for what it contains. */
function nestedOptions({ requiredEvidence: _, ...options }: InferenceOptions): InferenceOptions {
  return options;
}

function createScalarSchema(schema: InferredSchema, name: string): JsonObject | null {
  const { booleans, fractions, integers, strings } = schema;
  const types: string[] = [];
  if (strings !== null) types.push('string');
  if (fractions > 0) types.push('number');
  else if (integers > 0) types.push('integer');
  if (booleans > 0) types.push('boolean');
  const [type] = types;
  if (type === undefined) return null;
  const stated: JsonObject = { type: types.length === 1 ? type : types };
  if (strings === null) return stated;
  const words = ENUMERATION_NAME.test(name) ? readEnumeration(strings, ENUMERATION_EVIDENCE) : undefined;
  if (words !== undefined && types.length === 1) return { ...stated, enum: [...words] };
  const [format] = strings.formats;
  return format === undefined ? stated : { ...stated, format: format.name };
}

function allowNull(schema: JsonObject): JsonObject {
  const { enum: values, type } = schema;
  if (type === undefined) return { anyOf: [schema, { type: 'null' }] };
  return {
    ...schema,
    type: [...(Array.isArray(type) ? type : [type]), 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  };
}

function createObjectsSchema(objects: ObjectsShape, options: InferenceOptions, name: string): JsonObject {
  if (name === '_links' && areLinks(objects)) return createLinksSchema(objects, options);
  if (name !== '_embedded' && isMapShape(objects)) {
    return {
      type: 'object',
      additionalProperties: createShapeSchema(mapValues(objects), nestedOptions(options)),
    };
  }
  const reference = options.findComponent(objects);
  return reference === null ? createPropertiesSchema(objects, options) : { $ref: reference };
}

/** Creates the schema of records: objects whose names are properties. */
export function createPropertiesSchema(objects: ObjectsShape, options: InferenceOptions): JsonObject {
  const { count, members, others } = objects;
  const { leastSamples, requiredEvidence = leastSamples } = options;
  const nested = nestedOptions(options);
  const names = [...members.keys()].sort(compareNames);
  const required = names.filter(
    (name) => name !== '_embedded' && count >= requiredEvidence && members.get(name)?.count === count,
  );
  const properties = names.map((name): [string, Json] => {
    const shape = isEntryValue(name, names) ? EMPTY_SHAPE : (members.get(name) ?? EMPTY_SHAPE);
    return [name, createShapeSchema(shape, nested, name)];
  });
  return {
    type: 'object',
    ...(names.length === 0 ? {} : { properties: Object.fromEntries(properties) }),
    ...(required.length === 0 ? {} : { required }),
    ...(others === null ? {} : { additionalProperties: createShapeSchema(others, nested) }),
  };
}

/** The members of HAL come last, as the site writes them. */
function compareNames(one: string, other: string): number {
  const [oneRank, otherRank] = [one, other].map((name) => ['_links', '_embedded'].indexOf(name));
  if (oneRank !== otherRank) return Number(oneRank) - Number(otherRank);
  return one < other ? -1 : 1;
}

/** Whether the members are lists of links, as HAL has them: other objects can have the name `_links` too. */
function areLinks({ members, others }: ObjectsShape): boolean {
  return [...members.values(), ...(others === null ? [] : [others])].every(
    ({ count, lists }) =>
      lists?.count === count &&
      (lists.items === null ||
        lists.items.objects?.members.get('href')?.strings?.count === lists.items.count),
  );
}

/** `_links`: a list of links for each relation. Relations that were not seen may be added. */
function createLinksSchema(
  { count, members }: ObjectsShape,
  { leastSamples, linkSchema }: InferenceOptions,
): JsonObject {
  const links: JsonObject = { type: 'array', items: linkSchema };
  const names = [...members.keys()].sort();
  const required = names.filter((name) => count >= leastSamples && members.get(name)?.count === count);
  return {
    type: 'object',
    ...(names.length === 0 ? {} : { properties: Object.fromEntries(names.map((name) => [name, links])) }),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: links,
  };
}
