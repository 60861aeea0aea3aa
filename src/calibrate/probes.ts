import type { Json } from '../json.ts';
import type { Operation, ServedApi, ServedRoute } from '../openapi/index.ts';
import { PathExpander } from '../reconcile/path-expander.ts';
import type { OperationMatcher } from '../router/matcher.ts';
import { describeShape } from '../validation/evidence/argument-definition.ts';
import type { Evidence, OperationStats } from '../validation/evidence/evidence.ts';
import { getBrokenRules, type OriginVerdict } from '../validation/evidence/origin-verdict.ts';
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
import type { InvalidRequest, ParameterRule } from '../validation/request/result.ts';
import { listArguments, type OperationArgument, RequestValidator } from '../validation/request/validator.ts';
import type { ResolveReference } from '../validation/wordpress/schema.ts';
import type { ProbeClient, SentRequest } from './probe-client.ts';
import { IMPOSSIBLE_ID, IMPOSSIBLE_NAME, listSamples, listViolations } from './sample-values.ts';

export interface ProbeEndpoint {
  readonly operation: Operation;
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
function listProbedArguments(operation: Operation, resolve: ResolveReference): ProbeEndpoint['args'] {
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

function findPath(operation: Operation, matcher: OperationMatcher): ProbePath | null {
  for (const value of PATH_VALUES) {
    const found = matchPath(operation, operation.path.replaceAll(/\{[^{}]+\}/g, value), matcher);
    if (found !== null) return found;
  }
  return null;
}

/** Returns the path with its groups if the site certainly runs the operation for it. */
function matchPath(operation: Operation, path: string, matcher: OperationMatcher): ProbePath | null {
  const match = matcher.match(operation.method, path);
  const isMatch = match.kind === 'found' && match.isCertain && match.operation === operation;
  return isMatch ? { path, groups: match.params } : null;
}

/** A request to one operation, and its parameters as the site parses them. */
interface ProbeRequest extends SentRequest {
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
function createProbeRequest(
  { method }: Pick<Operation, 'method'>,
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

/** A request that violates exactly one rule. */
export interface Probe {
  readonly endpoint: ProbeEndpoint;
  readonly request: ProbeRequest;
  readonly rule: ParameterRule;
  readonly result: InvalidRequest;
}

/** Maximum number of values that violate one rule of one argument of one endpoint. Their shapes differ. */
const MAX_VALUES = 4;

/**
 * Finds values for all required arguments.
 *
 * @returns the values by name, or `null` when no valid value was found for one of them
 */
function findRequiredValues(
  { args, operation, validator }: ProbeEndpoint,
  path: ProbePath,
  resolve: ResolveReference,
): ReadonlyMap<string, Json> | null {
  const required = [...args].filter(([, { isRequired }]) => isRequired);
  const samples = new Map(required.map(([name, { schema }]) => [name, [...listSamples(schema, resolve)]]));
  for (;;) {
    const values = new Map<string, Json>();
    for (const [name, candidates] of samples) {
      const [first] = candidates;
      if (first === undefined) return null;
      values.set(name, first);
    }
    const request = createProbeRequest(operation, path, values);
    if (request === null) return null;
    const result = validator.validate(request.parameters);
    if (result.kind === 'valid') return values;
    const refused = getBrokenRules(result).filter(({ param }) => samples.has(param));
    // Another argument or a group of the route is invalid, so other values of the required ones do not help.
    if (refused.length === 0) return null;
    for (const { param } of refused) samples.get(param)?.shift();
  }
}

/** Draws requests that violate exactly one rule of an argument, by rule. An empty name is the request as a whole. */
export function drawProbes(
  endpoint: ProbeEndpoint,
  name: string,
  { path, values, resolve }: ProbeBase,
): ReadonlyMap<string, readonly Probe[]> {
  if (name === '') return drawMalformedProbes(endpoint, path);
  const argument = endpoint.args.get(name);
  const byRule = new Map<string, Map<Probe, string>>();
  if (argument === undefined) return new Map();
  const without = new Map([...values].filter(([other]) => other !== name));
  const candidates = listViolations(argument.schema, resolve).map(
    (value) => new Map([...without, [name, value]]),
  );
  for (const candidate of [...(argument.isRequired ? [without] : []), ...candidates]) {
    const probe = createProbe(endpoint, path, candidate);
    if (probe === null || probe.rule.param !== name) continue;
    const known = byRule.get(probe.rule.rule) ?? new Map<Probe, string>();
    byRule.set(probe.rule.rule, known.set(probe, describeShape(candidate.get(name))));
  }
  return new Map([...byRule].map(([rule, shapes]) => [rule, selectByShape(shapes)]));
}

/** Draws requests whose body is malformed JSON, each with the error that the site should send. */
function drawMalformedProbes(
  endpoint: ProbeEndpoint,
  { path, groups }: ProbePath,
): ReadonlyMap<string, readonly Probe[]> {
  const { method } = endpoint.operation;
  const sources = { json: NO_PARAMETERS, form: NO_PARAMETERS, query: NO_PARAMETERS };
  const parameters = { ...sources, path: toPathParameters(groups) };
  const probes = (hasBody(method) ? MALFORMED_BODIES : []).flatMap((body): readonly Probe[] => {
    const result = parseBody(method, body);
    const request = { method, path, query: '', body, parameters };
    return result?.kind === 'invalid'
      ? [{ endpoint, request, result, rule: { param: '', rule: result.code } }]
      : [];
  });
  return new Map(probes.length === 0 ? [] : [['rest_invalid_json', probes]]);
}

/** Selects probes whose values have different shapes first. */
function selectByShape(shapes: ReadonlyMap<Probe, string>): readonly Probe[] {
  const first = new Map([...shapes].reverse().map(([probe, shape]) => [shape, probe]));
  const selected = new Set(
    [...shapes].filter(([probe, shape]) => first.get(shape) === probe).map(([probe]) => probe),
  );
  return [...new Set([...selected, ...shapes.keys()])].slice(0, MAX_VALUES);
}

/** The parts of a request that violate nothing. */
interface ProbeBase {
  readonly path: ProbePath;
  readonly values: ReadonlyMap<string, Json>;
  readonly resolve: ResolveReference;
}

function createProbe(
  endpoint: ProbeEndpoint,
  path: ProbePath,
  values: ReadonlyMap<string, Json>,
): Probe | null {
  const request = createProbeRequest(endpoint.operation, path, values);
  if (request === null) return null;
  const result = endpoint.validator.validate(request.parameters);
  if (result.kind === 'valid') return null;
  const [rule, ...others] = getBrokenRules(result);
  return rule === undefined || others.length > 0 ? null : { endpoint, request, rule, result };
}

export type MissingBase =
  /** No path of the route is known, or the site wants an existing item. */
  | 'needs-existing-item'
  /** No valid value of a required argument is known. */
  | 'needs-valid-values';

export interface EndpointRequestsContext {
  readonly client: ProbeClient;
  readonly matcher: OperationMatcher;
  readonly resolve: ResolveReference;
}

/** The valid requests of one site's endpoints: probes are made from them. Each is found out once. */
export class EndpointRequests {
  readonly #context: EndpointRequestsContext;
  readonly #bases = new Map<ProbeEndpoint, Promise<ProbeBase | MissingBase>>();
  readonly #controls = new Map<ProbeEndpoint, Promise<OriginVerdict | null>>();

  constructor(context: EndpointRequestsContext) {
    this.#context = context;
  }

  /** Returns the site's verdict on a request that violates nothing; `null` when there is none. */
  getControl(endpoint: ProbeEndpoint): Promise<OriginVerdict | null> {
    return getOnce(this.#controls, endpoint, async () => {
      const base = await this.getBase(endpoint);
      return typeof base === 'string' ? null : this.#sendControl(endpoint, base.path, base.values);
    });
  }

  async #sendControl(
    { operation }: ProbeEndpoint,
    path: ProbePath,
    values: ReadonlyMap<string, Json>,
  ): Promise<OriginVerdict | null> {
    const request = createProbeRequest(operation, path, values);
    if (request === null) return null;
    const outcome = await this.#context.client.send(request);
    return outcome.kind === 'verdict' ? outcome.verdict : null;
  }

  getBase(endpoint: ProbeEndpoint): Promise<ProbeBase | MissingBase> {
    return getOnce(this.#bases, endpoint, async () => {
      const { resolve } = this.#context;
      const path = await this.#findPath(endpoint);
      if (path === null) return 'needs-existing-item';
      const values = findRequiredValues(endpoint, path, resolve);
      return values === null ? 'needs-valid-values' : { path, values, resolve };
    });
  }

  /** Returns the path of an item that does not exist, or of an existing one if a read refuses the other. */
  async #findPath(endpoint: ProbeEndpoint): Promise<ProbePath | null> {
    const { operation, path } = endpoint;
    const hasGroups = operation.path.includes('{');
    if (operation.method !== 'GET' || !hasGroups) return path;
    if (path === null) return this.#findExistingPath(endpoint);
    const values = findRequiredValues(endpoint, path, this.#context.resolve);
    const verdict = values === null ? null : await this.#sendControl(endpoint, path, values);
    const refusesGroup =
      verdict?.kind === 'refused' && verdict.params.some((name) => Object.hasOwn(path.groups, name));
    return refusesGroup ? this.#findExistingPath(endpoint) : path;
  }

  /** Reads the collection above an item, and returns the path of its first item. */
  async #findExistingPath({ operation }: ProbeEndpoint): Promise<ProbePath | null> {
    const { client, matcher } = this.#context;
    const collection = operation.path.slice(0, operation.path.indexOf('{')).replace(/\/+$/, '');
    const outcome = await client.send({ method: 'GET', path: collection, query: '', body: null });
    if (outcome.kind === 'failure' || outcome.body === undefined) return null;
    const expander = new PathExpander();
    expander.addResponse(collection, outcome.body);
    const [path] = expander.expand(operation.path, 1);
    return path === undefined ? null : matchPath(operation, path, matcher);
  }
}

/** Returns the value of a key, which is created once, even if it is asked for again meanwhile. */
function getOnce<Key, Value>(
  known: Map<Key, Promise<Value>>,
  key: Key,
  create: () => Promise<Value>,
): Promise<Value> {
  const value = known.get(key) ?? create();
  known.set(key, value);
  return value;
}
