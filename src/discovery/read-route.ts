import { isJsonObject, type Json, type JsonObject } from '../json.ts';
import type { RuleReporter } from './diagnostic-collector.ts';
import {
  childPosition,
  describeValue,
  exceedsMaxDepth,
  type IndexPosition,
  isJsonArray,
  isObjectPrototypeMember,
  ownMember,
  readObject,
} from './index-values.ts';
import { readIndexEndpoint, readMethods } from './read-endpoint.ts';
import type { IndexEndpoint, IndexRoute } from './site.ts';

const KNOWN_KEYS: ReadonlySet<string> = new Set(['namespace', 'methods', 'endpoints', 'schema', '_links']);

/** Reads one route. Never throws: invalid parts are dropped and reported. */
export function readIndexRoute(
  pattern: string,
  namespace: string,
  route: JsonObject,
  position: IndexPosition,
  report: RuleReporter,
): IndexRoute {
  if (isObjectPrototypeMember(pattern))
    report('reserved-name', { ...position, detail: `Value: "${pattern}".` });
  if (!pattern.startsWith('/')) report('route-without-slash', position);
  for (const key of Object.keys(route)) {
    if (!KNOWN_KEYS.has(key)) report('unknown-key', { ...childPosition(position, key) });
  }
  const schema = readResponseSchema(ownMember(route, 'schema'), childPosition(position, 'schema'), report);
  return {
    pattern,
    namespace,
    endpoints: readEndpoints(route, position, report),
    ...(schema === undefined ? {} : { schema }),
  };
}

/** Reads the response schema of a route. Returns `undefined` if it is missing, empty or invalid. */
export function readResponseSchema(
  value: Json | undefined,
  position: IndexPosition,
  report: RuleReporter,
): JsonObject | undefined {
  if (value === undefined) return undefined;
  const schema = readObject(value, position, report);
  if (schema === undefined) {
    report('schema-not-an-object', { ...position, detail: `Value: ${describeValue(value)}.` });
    return undefined;
  }
  if (exceedsMaxDepth(schema)) {
    report('too-deep', position);
    return undefined;
  }
  return Object.keys(schema).length === 0 ? undefined : schema;
}

function readEndpoints(
  route: JsonObject,
  position: IndexPosition,
  report: RuleReporter,
): readonly IndexEndpoint[] {
  const endpoints = listEndpoints(route, childPosition(position, 'endpoints'), report);
  if (endpoints.length === 0) return endpointFromRouteMethods(route, position, report);
  // Defects of the route's own list of methods are also in the endpoints' lists and are reported there.
  const routeMethods =
    endpoints.length === 1 ? readMethods(ownMember(route, 'methods'), position, () => {}) : [];
  return endpoints.flatMap(([key, value], ordinal) => {
    const endpointPosition =
      key === undefined ? childPosition(position, 'endpoints') : childPosition(position, 'endpoints', key);
    const number = typeof key === 'string' && /^\d{1,9}$/.test(key) ? Number(key) : ordinal;
    const endpoint = readIndexEndpoint(value, number, endpointPosition, routeMethods, report);
    return endpoint === undefined ? [] : [endpoint];
  });
}

/** Lists the endpoints with their keys. The key is `undefined` for a single endpoint that is not in a list. */
function listEndpoints(
  route: JsonObject,
  position: IndexPosition,
  report: RuleReporter,
): readonly (readonly [string | number | undefined, Json])[] {
  const value = ownMember(route, 'endpoints');
  if (isJsonArray(value)) return value.map((endpoint, index) => [index, endpoint]);
  if (!isJsonObject(value)) {
    if (value !== undefined) {
      report('endpoint-not-an-object', { ...position, detail: `Value: ${describeValue(value)}.` });
    }
    return [];
  }
  if (Object.hasOwn(value, 'methods') || Object.hasOwn(value, 'args')) {
    report('endpoint-without-list', position);
    return [[undefined, value]];
  }
  report('endpoints-as-object', position);
  return Object.entries(value);
}

function endpointFromRouteMethods(
  route: JsonObject,
  position: IndexPosition,
  report: RuleReporter,
): readonly IndexEndpoint[] {
  const methods = readMethods(ownMember(route, 'methods'), childPosition(position, 'methods'), report);
  if (methods.length === 0) {
    report('no-endpoints', position);
    return [];
  }
  report('endpoints-missing', childPosition(position, 'endpoints'));
  return [{ listIndex: 0, methods, args: [], allowBatch: false }];
}
