import { ownMember } from '../../discovery/index-values.ts';
import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import { compareKeywords } from '../schema/keywords.ts';
import type { ResourceConvention } from './resource-convention.ts';

/**
 * Adds what a convention says about a resource to its schema in one context: which properties are always there, and which
 * members of theirs. The schema's own `required` is replaced, because the site states it for requests.
 *
 * @param schema the normalized schema, which contains the properties of one context only
 */
export function applyResourceConvention(schema: JsonObject, convention: ResourceConvention): JsonObject {
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

function isAlwaysThere(name: string, property: Json, { always, hasTermLists }: ResourceConvention): boolean {
  if (always === 'all' || always.includes(name)) return true;
  return hasTermLists === true && isListOfIntegers(property);
}

function isListOfIntegers(property: Json): boolean {
  if (!isJsonObject(property)) return false;
  const { items, type } = property;
  return type === 'array' && isJsonObject(items) && items['type'] === 'integer';
}

function describeProperty(
  name: string,
  property: JsonObject,
  { corrections, members }: ResourceConvention,
): JsonObject {
  const correction = corrections === undefined ? undefined : ownMember(corrections, name);
  const corrected = isJsonObject(correction) ? withKeywords(property, correction) : property;
  const names = members !== undefined && Object.hasOwn(members, name) ? members[name] : undefined;
  const nested = corrected['properties'];
  if (names === undefined || !isJsonObject(nested)) return corrected;
  const required = Object.keys(nested).filter((each) => names === 'all' || names.includes(each));
  // `title` may be written as a string. In a response it is the object.
  const { type } = corrected;
  const isNullable = Array.isArray(type) && type.includes('null');
  const { default: _ofRequests, ...described } = corrected;
  return withKeywords(described, { type: isNullable ? ['object', 'null'] : 'object', required });
}

/** Sets keywords, in the order in which schemas are written. An empty `required` is removed. */
function withKeywords(schema: JsonObject, changes: JsonObject): JsonObject {
  const keywords = Object.entries({ ...schema, ...changes }).filter(
    ([keyword, value]) => keyword !== 'required' || (Array.isArray(value) && value.length > 0),
  );
  return Object.fromEntries(keywords.sort(([a], [b]) => compareKeywords(a, b)));
}
