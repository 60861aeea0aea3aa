import { isJsonObject, type Json, type JsonObject, ownMember } from '../json.ts';
import {
  childPosition,
  exceedsMaxDepth,
  isJsonArray,
  isObjectPrototypeMember,
  readObject,
  statedValue,
} from './index-values.ts';
import type { IndexPosition, RuleReporter } from './rules.ts';
import type { IndexArgument, IndexEndpoint, IndexRoute } from './site.ts';

const ROUTE_KEYS: ReadonlySet<string> = new Set(['namespace', 'methods', 'endpoints', 'schema', '_links']);

/** Reads one route. Never throws: invalid parts are dropped and reported. */
export function readIndexRoute(
  pattern: string,
  namespace: string,
  route: JsonObject,
  position: IndexPosition,
  report: RuleReporter,
): IndexRoute {
  if (isObjectPrototypeMember(pattern)) report('reserved-name', position, `Value: "${pattern}".`);
  if (!pattern.startsWith('/')) report('route-without-slash', position);
  for (const key of Object.keys(route)) {
    if (!ROUTE_KEYS.has(key)) report('unknown-key', childPosition(position, key));
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
    report('schema-not-an-object', position, statedValue(value));
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
      report('endpoint-not-an-object', position, statedValue(value));
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

const ENDPOINT_KEYS: ReadonlySet<string> = new Set(['methods', 'args', 'allow_batch']);

/**
 * Reads one endpoint. Returns `undefined` if the value is not an object.
 *
 * @param routeMethods The methods to use if the endpoint states none.
 */
function readIndexEndpoint(
  value: Json,
  listIndex: number,
  position: IndexPosition,
  routeMethods: readonly string[],
  report: RuleReporter,
): IndexEndpoint | undefined {
  if (!isJsonObject(value)) {
    report('endpoint-not-an-object', position, statedValue(value));
    return undefined;
  }
  for (const key of Object.keys(value)) {
    if (!ENDPOINT_KEYS.has(key)) report('unknown-key', childPosition(position, key));
  }
  return {
    listIndex,
    methods: readEndpointMethods(value, position, routeMethods, report),
    args: readArguments(ownMember(value, 'args'), childPosition(position, 'args'), report),
    allowBatch: readAllowBatch(
      ownMember(value, 'allow_batch'),
      childPosition(position, 'allow_batch'),
      report,
    ),
  };
}

function readEndpointMethods(
  endpoint: JsonObject,
  position: IndexPosition,
  routeMethods: readonly string[],
  report: RuleReporter,
): readonly string[] {
  const methods = readMethods(ownMember(endpoint, 'methods'), childPosition(position, 'methods'), report);
  if (methods.length > 0) return methods;
  report('methods-missing', childPosition(position, 'methods'));
  return routeMethods;
}

/** Reads methods from a list, a string (WordPress has constants such as `'POST, PUT, PATCH'`) or an object. */
function readMethods(
  value: Json | undefined,
  position: IndexPosition,
  report: RuleReporter,
): readonly string[] {
  const methods = new Set<string>();
  for (const stated of listMethods(value, position, report)) {
    const method = typeof stated === 'string' ? stated.trim() : '';
    const upper = method.toUpperCase();
    // RFC 9110 §9.1: a method is a token.
    if (!/^[!#$%&'*+.^_`|~0-9A-Z-]{1,64}$/.test(upper)) {
      report('method-not-a-token', position, statedValue(stated));
      continue;
    }
    if (upper !== method) report('method-case', position, `Value: "${method}".`);
    if (methods.has(upper)) report('method-duplicate', position, `Value: ${upper}.`);
    methods.add(upper);
  }
  return [...methods];
}

function listMethods(
  value: Json | undefined,
  position: IndexPosition,
  report: RuleReporter,
): readonly Json[] {
  if (value === undefined || value === null) return [];
  if (isJsonArray(value)) return value;
  if (typeof value === 'string') {
    report('methods-as-text', position, statedValue(value));
    return value.split(/[,|]/).filter((part) => part.trim() !== '');
  }
  if (!isJsonObject(value)) return [value];
  report('methods-as-object', position);
  // {"GET": true, "POST": false} is WordPress's internal form; {"0": "GET", "2": "POST"} is a list that lost a member.
  return Object.entries(value).flatMap(([name, isEnabled]) => {
    if (typeof isEnabled === 'string' && /^\d+$/.test(name)) return [isEnabled];
    return isEnabled === false || isEnabled === null ? [] : [name];
  });
}

function readArguments(
  value: Json | undefined,
  position: IndexPosition,
  report: RuleReporter,
): readonly IndexArgument[] {
  if (value === undefined) {
    report('args-missing', position);
    return [];
  }
  if (isJsonArray(value) && value.length > 0) {
    // WordPress treats `'args' => ['context']` as an argument named "0".
    report('args-as-list', position);
    return value.map((item, index) =>
      readArgument(String(index), item, childPosition(position, index), report),
    );
  }
  const args = readObject(value, position, report);
  if (args === undefined) {
    report('args-not-an-object', position, statedValue(value));
    return [];
  }
  return Object.entries(args).map(([name, item]) =>
    readArgument(name, item, childPosition(position, name), report),
  );
}

function readArgument(
  name: string,
  value: Json,
  position: IndexPosition,
  report: RuleReporter,
): IndexArgument {
  if (isObjectPrototypeMember(name)) report('reserved-name', position, `Value: "${name}".`);
  const declaration = readObject(value, position, report);
  if (declaration === undefined) {
    report('argument-not-an-object', position, statedValue(value));
    return { name, declaration: {} };
  }
  if (!exceedsMaxDepth(declaration)) return { name, declaration };
  report('too-deep', position);
  return { name, declaration: {} };
}

/** Reads `allow_batch`. WordPress checks `allow_batch['v1']`, which is false for every value but an object. */
function readAllowBatch(value: Json | undefined, position: IndexPosition, report: RuleReporter): boolean {
  if (isJsonObject(value)) return Boolean(ownMember(value, 'v1'));
  const absent =
    value === undefined || value === null || value === false || (isJsonArray(value) && !value.length);
  if (!absent) {
    report('allow-batch-not-an-object', position, statedValue(value));
  }
  return false;
}
