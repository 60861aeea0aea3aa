import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { Note } from './findings.ts';
import { readEndpoint, readMethods } from './read-endpoint.ts';
import type { IndexEndpoint, IndexRoute } from './site.ts';
import {
  below,
  isList,
  isReservedName,
  isTooDeep,
  member,
  objectOrEmptyList,
  type Position,
  shown,
} from './values.ts';

const KNOWN_KEYS: ReadonlySet<string> = new Set(['namespace', 'methods', 'endpoints', 'schema', '_links']);

/** Reads one route below its pattern. Nothing that it holds can stop the reading. */
export function readRoute(
  pattern: string,
  namespace: string,
  route: JsonObject,
  position: Position,
  note: Note,
): IndexRoute {
  if (isReservedName(pattern)) note('reserved-name', { ...position, detail: `It is "${pattern}".` });
  if (!pattern.startsWith('/')) note('route-without-slash', position);
  for (const key of Object.keys(route)) {
    if (!KNOWN_KEYS.has(key)) note('unknown-key', { ...below(position, key) });
  }
  const schema = readSchema(member(route, 'schema'), below(position, 'schema'), note);
  return {
    pattern,
    namespace,
    endpoints: readEndpoints(route, position, note),
    ...(schema === undefined ? {} : { schema }),
  };
}

/** The response schema of a route; `undefined` where there is none that could be read. */
export function readSchema(value: Json | undefined, position: Position, note: Note): JsonObject | undefined {
  if (value === undefined) return undefined;
  const schema = objectOrEmptyList(value, position, note);
  if (schema === undefined) {
    note('schema-not-an-object', { ...position, detail: `It is ${shown(value)}.` });
    return undefined;
  }
  if (isTooDeep(schema)) {
    note('too-deep', position);
    return undefined;
  }
  return Object.keys(schema).length === 0 ? undefined : schema;
}

function readEndpoints(route: JsonObject, position: Position, note: Note): readonly IndexEndpoint[] {
  const stated = statedEndpoints(route, below(position, 'endpoints'), note);
  if (stated.length === 0) return endpointOfRouteMethods(route, position, note);
  // Whatever is wrong with the route's own list is wrong with the endpoints' too, and is said there.
  const routeMethods = stated.length === 1 ? readMethods(member(route, 'methods'), position, () => {}) : [];
  return stated.flatMap(([key, value], ordinal) => {
    const place = key === undefined ? below(position, 'endpoints') : below(position, 'endpoints', key);
    const number = typeof key === 'string' && /^\d{1,9}$/.test(key) ? Number(key) : ordinal;
    const endpoint = readEndpoint(value, number, place, routeMethods, note);
    return endpoint === undefined ? [] : [endpoint];
  });
}

/** The endpoints with their keys; a key of `undefined` is the one endpoint that stands outside of a list. */
function statedEndpoints(
  route: JsonObject,
  position: Position,
  note: Note,
): readonly (readonly [string | number | undefined, Json])[] {
  const value = member(route, 'endpoints');
  if (isList(value)) return value.map((endpoint, index) => [index, endpoint]);
  if (!isJsonObject(value)) {
    if (value !== undefined)
      note('endpoint-not-an-object', { ...position, detail: `It is ${shown(value)}.` });
    return [];
  }
  if (Object.hasOwn(value, 'methods') || Object.hasOwn(value, 'args')) {
    note('endpoint-without-list', position);
    return [[undefined, value]];
  }
  note('endpoints-as-object', position);
  return Object.entries(value);
}

function endpointOfRouteMethods(route: JsonObject, position: Position, note: Note): readonly IndexEndpoint[] {
  const methods = readMethods(member(route, 'methods'), below(position, 'methods'), note);
  if (methods.length === 0) {
    note('no-endpoints', position);
    return [];
  }
  note('endpoints-missing', below(position, 'endpoints'));
  return [{ position: 0, methods, args: [], allowBatch: false }];
}
