import type { Json } from '../json.ts';
import { PathExpander } from '../reconcile/path-expander.ts';
import type { OperationMatcher } from '../router/matcher.ts';
import { describeShape } from '../validation/evidence/argument-definition.ts';
import { getBrokenRules, type OriginVerdict } from '../validation/evidence/origin-verdict.ts';
import type { InvalidRequest, ParameterRule } from '../validation/request/result.ts';
import type { ResolveReference } from '../validation/wordpress/schema.ts';
import {
  createMalformedRequests,
  createProbeRequest,
  matchPath,
  type ProbeEndpoint,
  type ProbePath,
  type ProbeRequest,
} from './endpoints.ts';
import type { ProbeClient } from './probe-client.ts';
import { listSamples, listViolations } from './sample-values.ts';

/** A request that violates exactly one rule. */
export interface Probe {
  readonly endpoint: ProbeEndpoint;
  readonly request: ProbeRequest;
  readonly rule: ParameterRule;
  /** The validation result of the request. */
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

function drawMalformedProbes(
  endpoint: ProbeEndpoint,
  path: ProbePath,
): ReadonlyMap<string, readonly Probe[]> {
  const probes = createMalformedRequests(endpoint.operation, path).map(({ request, result }): Probe => {
    return { endpoint, request, result, rule: { param: '', rule: result.code } };
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
  /** Values of the required arguments. */
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

/** Why no valid request to an endpoint is known. */
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
