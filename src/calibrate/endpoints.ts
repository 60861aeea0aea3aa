import type { Json } from '../json.ts';
import type { ServedApi, ServedOperation, ServedRoute } from '../openapi/index.ts';
import type { OperationMatcher } from '../router/matcher.ts';
import type { Evidence, OperationStats } from '../validation/evidence/evidence.ts';
import { type RuleKnowledge, RuleStatusLookup } from '../validation/evidence/rule-knowledge.ts';
import { isBatchOperation } from '../validation/request/batch.ts';
import {
  type BodyParameters,
  NO_PARAMETERS,
  parseQueryParameters,
  planBody,
  type RequestParameters,
  toPathParameters,
} from '../validation/request/parameters.ts';
import type { InvalidRequest } from '../validation/request/result.ts';
import { listArguments, type OperationArgument, RequestValidator } from '../validation/request/validator.ts';
import type { ResolveReference } from '../validation/wordpress/schema.ts';
import { IMPOSSIBLE_ID, IMPOSSIBLE_NAME } from './sample-values.ts';

/** An operation that is probed. */
export interface ProbeEndpoint {
  readonly operation: ServedOperation;
  readonly route: ServedRoute;
  readonly validator: RequestValidator;
  readonly stats: OperationStats;
  readonly lookup: RuleStatusLookup;
  /**
   * The arguments by name. The route's groups are included where the operation reads: a site that accepts an
   * invalid group of a write may write to an item that exists.
   */
  readonly args: ReadonlyMap<string, OperationArgument>;
  /** A path that matches the route and names nothing that exists; `null` when none was found. */
  readonly path: ProbePath | null;
}

/** The arguments of a namespace that share evidence: the same name and definition. */
export interface ProbedDefinition {
  readonly namespace: string;
  /** Empty for the request as a whole. */
  readonly name: string;
  readonly endpoints: readonly ProbeEndpoint[];
}

/**
 * Lists the operations with these methods that have arguments or a body.
 *
 * @param known the evidence of calibrations and of traffic, and what is known from both
 */
export function listEndpoints(
  api: ServedApi,
  methods: 'get' | 'all',
  matcher: OperationMatcher,
  known: {
    readonly evidence: Evidence;
    readonly trafficEvidence: Evidence;
    readonly knowledge: RuleKnowledge;
    readonly resolve: ResolveReference;
  },
): readonly ProbeEndpoint[] {
  const { evidence, knowledge, resolve, trafficEvidence } = known;
  return api.routes.flatMap((route) =>
    [...route.operations.values()]
      .filter(({ method }) => method === 'GET' || (methods === 'all' && PROBED_WRITES.has(method)))
      .filter((operation) => !isBatchOperation(operation))
      .map((operation): ProbeEndpoint => {
        const key = { method: operation.method, route: route.pattern };
        const stats = evidence.getStats(key);
        const allStats = [stats, trafficEvidence.getStats(key)];
        return {
          operation,
          route,
          stats,
          validator: new RequestValidator(operation, resolve),
          lookup: new RuleStatusLookup(operation, route, knowledge, allStats, resolve),
          args: listProbedArguments(operation, resolve),
          path: findPath(operation, matcher),
        };
      }),
  );
}

const PROBED_WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Groups the arguments of all endpoints by namespace, name and definition. */
export function groupByDefinition(endpoints: readonly ProbeEndpoint[]): readonly ProbedDefinition[] {
  const definitions = new Map<string, { namespace: string; name: string; endpoints: ProbeEndpoint[] }>();
  for (const endpoint of endpoints) {
    for (const name of [...(hasBody(endpoint.operation.method) ? [''] : []), ...endpoint.args.keys()]) {
      const { fingerprint, namespace } = endpoint.lookup.getDefinition(name);
      const key = `${namespace}\n${name}\n${fingerprint}`;
      const definition = definitions.get(key) ?? { namespace, name, endpoints: [] };
      definition.endpoints.push(endpoint);
      definitions.set(key, definition);
    }
  }
  return [...definitions.values()];
}

/** A group is invalid where the query has a value for its name, which the site prefers to that of the path. */
function listProbedArguments(operation: ServedOperation, resolve: ResolveReference): ProbeEndpoint['args'] {
  const args = [...listArguments(operation, resolve)];
  return new Map(args.filter(([, { isGroup }]) => !isGroup || operation.method === 'GET'));
}

/** Values that are tried for the parameters of a path. */
const PATH_VALUES: readonly string[] = [
  String(IMPOSSIBLE_ID),
  IMPOSSIBLE_NAME,
  'waygatenone',
  '00000000-0000-4000-8000-000000000000',
  `${IMPOSSIBLE_NAME}/${IMPOSSIBLE_NAME}`,
  `${IMPOSSIBLE_NAME}//${IMPOSSIBLE_NAME}`,
  '2020-01-01',
  'none',
  'w',
];

function findPath(operation: ServedOperation, matcher: OperationMatcher): ProbePath | null {
  for (const value of PATH_VALUES) {
    const found = matchPath(operation, operation.path.replaceAll(/\{[^{}]+\}/g, value), matcher);
    if (found !== null) return found;
  }
  return null;
}

/** Returns the path with its groups if the site certainly runs the operation for it. */
export function matchPath(
  operation: ServedOperation,
  path: string,
  matcher: OperationMatcher,
): ProbePath | null {
  const match = matcher.match(operation.method, path);
  const isMatch = match.kind === 'found' && match.isCertain && match.operation === operation;
  return isMatch ? { path, groups: match.params } : null;
}

/** A request to one operation, and its parameters as the site parses them. */
export interface ProbeRequest {
  readonly method: string;
  /** Path of the route, with values in place of its parameters. */
  readonly path: string;
  /** Without question mark. */
  readonly query: string;
  /** A JSON body; `null` for none. */
  readonly body: string | null;
  readonly parameters: RequestParameters;
}

/** A path that the site routes to an operation, and the values of the route's groups. */
export interface ProbePath {
  readonly path: string;
  readonly groups: Readonly<Record<string, string>>;
}

const JSON_TYPE = 'application/json';

/**
 * Creates a request with values: in a JSON body for methods that write, otherwise in the query.
 *
 * @returns `null` when the values cannot be sent
 */
export function createProbeRequest(
  { method }: Pick<ServedOperation, 'method'>,
  { path, groups }: ProbePath,
  values: ReadonlyMap<string, Json>,
): ProbeRequest | null {
  const sources = { json: NO_PARAMETERS, form: NO_PARAMETERS, path: toPathParameters(groups) };
  if (!hasBody(method)) {
    const text = [...values].flatMap(([name, value]) => encodeQuery(name, value)).join('&');
    const query = parseQueryParameters(text);
    return query && { method, path, query: text, body: null, parameters: { ...sources, query } };
  }
  const body = JSON.stringify(Object.fromEntries(values));
  const parsed = parseBody(method, body);
  if (parsed?.kind !== 'complete') return null;
  const parameters = { ...sources, json: parsed.json, query: NO_PARAMETERS };
  return { method, path, query: '', body, parameters };
}

/** Bodies that no JSON parser accepts. */
const MALFORMED_BODIES = ['{"waygate":', '{waygate}', '["waygate"'];

/** Creates requests whose body is malformed JSON, each with the error that the site should send. */
export function createMalformedRequests(
  { method }: Pick<ServedOperation, 'method'>,
  { path, groups }: ProbePath,
): readonly { readonly request: ProbeRequest; readonly result: InvalidRequest }[] {
  if (!hasBody(method)) return [];
  return MALFORMED_BODIES.flatMap((body) => {
    const result = parseBody(method, body);
    const groupValues = toPathParameters(groups);
    const parameters = { json: NO_PARAMETERS, form: NO_PARAMETERS, query: NO_PARAMETERS, path: groupValues };
    const request = { method, path, query: '', body, parameters };
    return result?.kind === 'invalid' ? [{ request, result }] : [];
  });
}

function parseBody(method: string, body: string): BodyParameters | null {
  const plan = planBody({ requestMethod: method, method, contentType: JSON_TYPE });
  return plan.kind === 'buffered' ? plan.parse(new TextEncoder().encode(body)) : null;
}

/** Whether the parameters of a probe are sent in its body. */
function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

/** Encodes a value as PHP reads it: `a[0]=1`, `a[b]=2`. An empty list, an empty object and null have no encoding. */
function encodeQuery(name: string, value: Json): readonly string[] {
  if (value === null) return [];
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, member]) => encodeQuery(`${name}[${key}]`, member));
  }
  return [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`];
}
