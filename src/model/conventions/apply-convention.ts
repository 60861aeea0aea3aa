import {
  isJsonObject,
  type Json,
  type JsonObject,
  jsonItems,
  memberAt,
  ownMember,
  toJsonObject,
} from '../../json.ts';
import { omitUndefined } from '../../omit-undefined.ts';
import { compareKeywords } from '../schema/keywords.ts';
import type { ResourceConvention } from './resource-conventions.ts';

/**
 * Adds what a convention says about a resource to its schema in one context: which properties are always there, and which
 * members of theirs. The schema's own `required` is replaced, because the site states it for requests.
 *
 * @param stated the normalized schema, which contains the properties of one context only
 */
export function applyResourceConvention(stated: JsonObject, convention: ResourceConvention): JsonObject {
  const schema = describeNested(stated, convention);
  const { properties } = schema;
  if (!isJsonObject(properties)) return schema;
  const members = Object.entries(properties).map(([name, property]): [string, Json] => [
    name,
    isJsonObject(property) ? describeProperty(name, property, convention) : property,
  ]);
  const required = members.flatMap(([name, property]) =>
    isAlwaysThere(name, property, convention) ? [name] : [],
  );
  return withKeywords(schema, { properties: Object.fromEntries(members), required });
}

/** Corrects values below properties, and requires the members of objects that are complete. */
function describeNested(schema: JsonObject, convention: ResourceConvention): JsonObject {
  const { complete = [], corrections = {}, nullable = [], optional = [] } = convention;
  const nested = Object.entries(corrections).filter(([path]) => /[.[]/.test(path));
  const corrected = nested.reduce(
    (described, [path, keywords]) => changeAt(described, path, (value) => correct(value, keywords)),
    schema,
  );
  const nulls = nullable === 'all' ? [] : nullable.filter((path) => /[.[]/.test(path));
  const nullableToo = nulls.reduce((described, path) => changeAt(described, path, orNull), corrected);
  const required = complete.reduce((described, path) => changeAt(described, path, requireAll), nullableToo);
  return optional.reduce((described, path) => {
    const dot = path.lastIndexOf('.');
    return changeAt(described, path.slice(0, dot), (value) => withoutRequired(value, path.slice(dot + 1)));
  }, required);
}

function withoutRequired(schema: JsonObject, name: string): JsonObject {
  return withKeywords(schema, { required: jsonItems(schema['required']).filter((each) => each !== name) });
}

function correct(schema: JsonObject, keywords: JsonObject): JsonObject {
  const corrected = withKeywords(schema, keywords);
  const { items, type } = corrected;
  // OpenAPI 3.0 requires the items of a list.
  if (items === undefined && jsonItems(type).includes('array')) return withKeywords(corrected, { items: {} });
  return corrected;
}

function orNull(schema: JsonObject): JsonObject {
  const { anyOf, enum: values, type } = schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  const types = typeof type === 'string' ? [type] : type;
  if (!Array.isArray(types) || types.includes('null')) return schema;
  return {
    ...schema,
    type: [...types, 'null'],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  };
}

function requireAll(schema: JsonObject): JsonObject {
  const { properties } = schema;
  return isJsonObject(properties) ? withKeywords(schema, { required: Object.keys(properties) }) : schema;
}

/** Replaces the schema at a path such as `line_items[].image.id`. A schema without the path is unchanged. */
export function changeAt(
  schema: JsonObject,
  path: string,
  change: (schema: JsonObject) => JsonObject,
): JsonObject {
  if (path === '') return change(schema);
  const [step = '', name] = /^(?:\[\]|([^.[]+))\.?/.exec(path) ?? [];
  const { items, properties } = schema;
  const within = name === undefined ? items : memberAt(properties, name);
  if (step === '' || !isJsonObject(within)) return schema;
  const changed = changeAt(within, path.slice(step.length), change);
  if (changed === within) return schema;
  if (name === undefined) return withKeywords(schema, { items: changed });
  return withKeywords(schema, { properties: { ...toJsonObject(properties), [name]: changed } });
}

function isAlwaysThere(name: string, property: Json, { always, hasTermLists }: ResourceConvention): boolean {
  if (always === 'all' || always.includes(name)) return true;
  const isListOfIntegers =
    memberAt(property, 'type') === 'array' && memberAt(property, 'items', 'type') === 'integer';
  return hasTermLists === true && isListOfIntegers;
}

function describeProperty(name: string, property: JsonObject, convention: ResourceConvention): JsonObject {
  const { corrections = {}, furtherValues = {}, maybeEmpty, members = {}, nullable = [] } = convention;
  const correction = ownMember(corrections, name);
  const corrected = isJsonObject(correction) ? correct(property, correction) : property;
  const widened = withFurtherValues(corrected, ownMember(furtherValues, name));
  const described = nullable === 'all' || nullable.includes(name) ? orNull(widened) : widened;
  const names = ownMember(members, name);
  if (names !== undefined) return describeMembers(described, names);
  return maybeEmpty?.includes(name) === true ? orEmptyList(described) : described;
}

/** `title` may be written as a string. In a response it is the object. */
function describeMembers(property: JsonObject, names: readonly string[] | 'all'): JsonObject {
  const { default: _ofRequests, items: _ofLists, properties, type, ...rest } = property;
  const isNullable = Array.isArray(type) && type.includes('null');
  const object = { type: isNullable ? ['object', 'null'] : 'object' };
  const nested = toJsonObject(properties);
  if (Object.keys(nested).length === 0) return orEmptyList(withKeywords(rest, object));
  const required = Object.keys(nested).filter((each) => names === 'all' || names.includes(each));
  const described = Object.entries(nested).map(([name, member]): [string, Json] => {
    if (!isJsonObject(member)) return [name, member];
    if (member['type'] === 'object') return [name, orEmptyList(member)];
    return [name, refusesAbsence(member) ? orNull(member) : member];
  });
  return withKeywords(rest, { ...object, properties: Object.fromEntries(described), required });
}

/**
 * Whether the value of a meta field that is not stored is null. WP_REST_Meta_Fields::prepare_value() takes the default, else an empty text,
 * and makes null of what the schema refuses.
 */
function refusesAbsence({ default: absent = '', enum: values }: JsonObject): boolean {
  return Array.isArray(values) && !values.includes(absent);
}

/** PHP has one array type, so an object without members is encoded as an empty list. */
function orEmptyList({ default: _ofRequests, description, readOnly, ...schema }: JsonObject): JsonObject {
  const anyOf = [schema, { type: 'array', items: {}, maxItems: 0 }];
  return withKeywords({ anyOf }, omitUndefined({ description, readOnly }));
}

function withFurtherValues(schema: JsonObject, values: readonly string[] | undefined): JsonObject {
  const { enum: stated } = schema;
  if (values === undefined || !Array.isArray(stated)) return schema;
  return { ...schema, enum: [...new Set([...stated, ...values])] };
}

/** Sets keywords, in the order in which schemas are written. Those that are null or an empty `required` are removed. */
function withKeywords(schema: JsonObject, changes: JsonObject): JsonObject {
  const stated = Object.keys(schema);
  const added = Object.keys(changes).filter((keyword) => !Object.hasOwn(schema, keyword));
  // A schema is in order, so only new keywords have to find their places.
  const names = added.length === 0 ? stated : [...stated, ...added].sort(compareKeywords);
  const keywords: { [keyword: string]: Json } = {};
  for (const name of names) {
    const value = (Object.hasOwn(changes, name) ? changes[name] : schema[name]) ?? null;
    const isEmpty = name === 'required' && Array.isArray(value) && value.length === 0;
    if (value !== null && !isEmpty) keywords[name] = value;
  }
  return keywords;
}
