import { isJsonObject, type Json, type JsonObject, ownMember } from '../json.ts';
import { omitUndefined } from '../omit-undefined.ts';
import { IndexPlace, isJsonArray, readObject } from './index-values.ts';
import type { IndexArgument, IndexEndpoint, IndexRoute } from './site.ts';

/** Reads one route. Never throws: invalid parts are dropped and reported. */
export function readIndexRoute(
  pattern: string,
  namespace: string,
  route: JsonObject,
  place: IndexPlace,
): IndexRoute {
  if (!pattern.startsWith('/')) place.report('route-without-slash');
  const schema = readResponseSchema(ownMember(route, 'schema'), place.below('schema'));
  return {
    pattern,
    namespace,
    endpoints: readEndpoints(route, place),
    ...omitUndefined({ schema }),
  };
}

/** Reads the response schema of a route. Returns `undefined` if it is missing, empty or invalid. */
export function readResponseSchema(value: Json | undefined, place: IndexPlace): JsonObject | undefined {
  if (value === undefined) return undefined;
  const schema = readObject(value, place);
  if (schema === undefined) {
    place.reportValue('schema-not-an-object', value);
    return undefined;
  }
  return Object.keys(schema).length === 0 ? undefined : schema;
}

function readEndpoints(route: JsonObject, place: IndexPlace): readonly IndexEndpoint[] {
  const endpoints = listEndpoints(route, place.below('endpoints'));
  if (endpoints.length === 0) return endpointFromRouteMethods(route, place);
  // Defects of the route's own list of methods are also in the endpoints' lists and are reported there.
  const routeMethods =
    endpoints.length === 1 ? readMethods(ownMember(route, 'methods'), new IndexPlace(() => {})) : [];
  return endpoints.flatMap(([key, value], ordinal) => {
    const all = place.below('endpoints');
    const number = typeof key === 'string' && /^\d{1,9}$/.test(key) ? Number(key) : ordinal;
    const endpoint = readIndexEndpoint(value, number, key === undefined ? all : all.below(key), routeMethods);
    return endpoint === undefined ? [] : [endpoint];
  });
}

/** Lists the endpoints with their keys. The key is `undefined` for a single endpoint that is not in a list. */
function listEndpoints(
  route: JsonObject,
  place: IndexPlace,
): readonly (readonly [string | number | undefined, Json])[] {
  const value = ownMember(route, 'endpoints');
  if (isJsonArray(value)) return value.map((endpoint, index) => [index, endpoint]);
  if (!isJsonObject(value)) {
    if (value !== undefined) place.reportValue('endpoint-not-an-object', value);
    return [];
  }
  if (Object.hasOwn(value, 'methods') || Object.hasOwn(value, 'args')) {
    place.report('endpoint-without-list');
    return [[undefined, value]];
  }
  place.report('endpoints-as-object');
  return Object.entries(value);
}

function endpointFromRouteMethods(route: JsonObject, place: IndexPlace): readonly IndexEndpoint[] {
  const methods = readMethods(ownMember(route, 'methods'), place.below('methods'));
  if (methods.length === 0) {
    place.report('no-endpoints');
    return [];
  }
  place.below('endpoints').report('endpoints-missing');
  return [{ listIndex: 0, methods, args: [], allowBatch: false }];
}

/**
 * Reads one endpoint. Returns `undefined` if the value is not an object.
 *
 * @param routeMethods The methods to use if the endpoint states none.
 */
function readIndexEndpoint(
  value: Json,
  listIndex: number,
  place: IndexPlace,
  routeMethods: readonly string[],
): IndexEndpoint | undefined {
  if (!isJsonObject(value)) {
    place.reportValue('endpoint-not-an-object', value);
    return undefined;
  }
  return {
    listIndex,
    methods: readEndpointMethods(value, place, routeMethods),
    args: readArguments(ownMember(value, 'args'), place.below('args')),
    allowBatch: readAllowBatch(ownMember(value, 'allow_batch'), place.below('allow_batch')),
  };
}

function readEndpointMethods(
  endpoint: JsonObject,
  place: IndexPlace,
  routeMethods: readonly string[],
): readonly string[] {
  const methods = readMethods(ownMember(endpoint, 'methods'), place.below('methods'));
  if (methods.length > 0) return methods;
  place.below('methods').report('methods-missing');
  return routeMethods;
}

/** Maximum number of methods of one endpoint. Each repeats all arguments in the document. */
const MAX_METHODS = 32;

/** Reads methods from a list, a string (WordPress has constants such as `'POST, PUT, PATCH'`) or an object. */
function readMethods(value: Json | undefined, place: IndexPlace): readonly string[] {
  const methods = new Set<string>();
  for (const stated of listMethods(value, place)) {
    const method = typeof stated === 'string' ? stated.trim() : '';
    const upper = method.toUpperCase();
    // RFC 9110 §9.1: a method is a token.
    if (!/^[!#$%&'*+.^_`|~0-9A-Z-]{1,64}$/.test(upper)) {
      place.reportValue('method-not-a-token', stated);
      continue;
    }
    if (methods.size === MAX_METHODS) {
      place.report('methods-limit');
      break;
    }
    if (upper !== method) place.report('method-case', `Value: "${method}".`);
    methods.add(upper);
  }
  return [...methods];
}

function listMethods(value: Json | undefined, place: IndexPlace): readonly Json[] {
  if (value === undefined || value === null) return [];
  if (isJsonArray(value)) return value;
  if (typeof value === 'string') {
    place.reportValue('methods-as-text', value);
    return value.split(/[,|]/).filter((part) => part.trim() !== '');
  }
  if (!isJsonObject(value)) return [value];
  place.report('methods-as-object');
  // {"GET": true, "POST": false} is WordPress's internal form; {"0": "GET", "2": "POST"} is a list that lost a member.
  return Object.entries(value).flatMap(([name, isEnabled]) => {
    if (typeof isEnabled === 'string' && /^\d+$/.test(name)) return [isEnabled];
    return isEnabled === false || isEnabled === null ? [] : [name];
  });
}

function readArguments(value: Json | undefined, place: IndexPlace): readonly IndexArgument[] {
  if (value === undefined) {
    place.report('args-missing');
    return [];
  }
  if (isJsonArray(value) && value.length > 0) {
    // WordPress treats `'args' => ['context']` as an argument named "0".
    place.report('args-as-list');
    return value.map((item, index) => readArgument(String(index), item, place.below(index)));
  }
  const args = readObject(value, place);
  if (args === undefined) {
    place.reportValue('args-not-an-object', value);
    return [];
  }
  return Object.entries(args).map(([name, item]) => readArgument(name, item, place.below(name)));
}

function readArgument(name: string, value: Json, place: IndexPlace): IndexArgument {
  const declaration = readObject(value, place);
  if (declaration === undefined) {
    place.reportValue('argument-not-an-object', value);
    return { name, declaration: {} };
  }
  return { name, declaration };
}

/** Reads `allow_batch`. WordPress checks `allow_batch['v1']`, which is false for every value but an object. */
function readAllowBatch(value: Json | undefined, place: IndexPlace): boolean {
  if (isJsonObject(value)) return Boolean(ownMember(value, 'v1'));
  const absent =
    value === undefined || value === null || value === false || (isJsonArray(value) && !value.length);
  if (!absent) place.reportValue('allow-batch-not-an-object', value);
  return false;
}
