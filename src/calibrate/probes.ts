import type { Json } from '../json.ts';
import { getOrCreate } from '../memoize.ts';
import type { Operation, ServedApi } from '../openapi/index.ts';
import { parseQueryParameters, writePhpQuery } from '../php/query.ts';
import type { OperationMatcher } from '../router/matcher.ts';
import { describeShape } from '../validation/evidence/argument-definition.ts';
import { type Ledger, type LedgerEntry, OperationEntries } from '../validation/evidence/ledger.ts';
import { getBrokenRules } from '../validation/evidence/origin-verdict.ts';
import { isBatchOperation } from '../validation/request/batch.ts';
import {
  type BodyParameters,
  NO_PARAMETERS,
  planBody,
  type RequestParameters,
  toPathParameters,
} from '../validation/request/parameters.ts';
import type { InvalidRequest, ParameterRule } from '../validation/request/result.ts';
import { RequestValidator } from '../validation/request/validator.ts';
import type { ResolveReference } from '../validation/wordpress/schema.ts';
import { findValidValue, IMPOSSIBLE_ID, IMPOSSIBLE_NAME, listCandidates } from './candidate-values.ts';
import type { SentRequest } from './probe-client.ts';

/** A request, and its parameters as the site parses them. */
interface ProbeRequest extends SentRequest {
  readonly parameters: RequestParameters;
}

/** A request that violates exactly one rule. */
export interface Probe {
  readonly endpoint: ProbeEndpoint;
  readonly request: ProbeRequest;
  readonly rule: ParameterRule;
  readonly entry: LedgerEntry;
  readonly result: InvalidRequest;
}

/** The arguments of a namespace that share entries of the ledger: the same name and definition. */
export interface ProbedDefinition {
  readonly namespace: string;
  /** Empty for the request as a whole. */
  readonly name: string;
  readonly endpoints: readonly ProbeEndpoint[];
}

/** Lists the definitions of all operations with these methods that have arguments or a body. */
export function listDefinitions(
  api: ServedApi,
  methods: 'get' | 'all',
  ledger: Ledger,
  matcher: OperationMatcher,
  resolve: ResolveReference,
): readonly ProbedDefinition[] {
  const definitions = new Map<string, { namespace: string; name: string; endpoints: ProbeEndpoint[] }>();
  for (const route of api.routes) {
    for (const operation of route.operations.values()) {
      const isProbed = operation.method === 'GET' || (methods === 'all' && WRITES.has(operation.method));
      if (!isProbed || isBatchOperation(operation)) continue;
      const entries = new OperationEntries(ledger, { operation, route }, resolve);
      const endpoint = new ProbeEndpoint(operation, entries, matcher, resolve);
      for (const name of endpoint.names) {
        const { fingerprint, namespace, use } = entries.get({ param: name, rule: '' }).key;
        const key = [namespace, use, fingerprint, name].join('\n');
        getOrCreate(definitions, key, () => ({ namespace, name, endpoints: [] })).endpoints.push(endpoint);
      }
    }
  }
  return [...definitions.values()];
}

const WRITES: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export type MissingBase =
  /** No path of the route is known that names nothing. */
  | 'needs-existing-item'
  /** No valid value of a required argument is known. */
  | 'needs-valid-values';

/** A path that the site routes to an operation, and the values of the route's groups. */
interface ProbePath {
  readonly path: string;
  readonly groups: Readonly<Record<string, string>>;
}

/** Maximum number of values that violate one rule of one argument of one endpoint. Their shapes differ. */
const MAX_VALUES = 4;
/** Bodies that no JSON parser accepts. */
const MALFORMED_BODIES = ['{"waygate":', '{waygate}', '["waygate"'];

/** One operation, and requests to it that name nothing that exists. */
export class ProbeEndpoint {
  readonly operation: Operation;
  readonly entries: OperationEntries;
  readonly #validator: RequestValidator;
  readonly #resolve: ResolveReference;
  readonly #path: ProbePath | null;
  /** Values of the required arguments; `null` when no valid one was found. */
  #values: ReadonlyMap<string, Json> | null | undefined;

  constructor(
    operation: Operation,
    entries: OperationEntries,
    matcher: OperationMatcher,
    resolve: ResolveReference,
  ) {
    this.operation = operation;
    this.entries = entries;
    this.#validator = new RequestValidator(operation, resolve);
    this.#resolve = resolve;
    this.#path = findPath(operation, matcher);
  }

  /** The arguments that are probed; the empty name is the body as a whole. */
  get names(): readonly string[] {
    return [...(hasBody(this.operation.method) ? [''] : []), ...this.entries.args.keys()];
  }

  /** Creates the request that violates nothing, or says why there is none. */
  createControl(): ProbeRequest | MissingBase {
    if (this.#path === null) return 'needs-existing-item';
    this.#values ??= this.#findRequiredValues();
    const control = this.#values && this.#createRequest(this.#path, this.#values);
    const isValid = control !== null && this.#validator.validate(control.parameters).kind === 'valid';
    return isValid ? control : 'needs-valid-values';
  }

  #findRequiredValues(): ReadonlyMap<string, Json> | null {
    const values = new Map<string, Json>();
    for (const [name, { isRequired, schema }] of this.entries.args) {
      if (!isRequired) continue;
      const value = findValidValue(schema, this.#resolve);
      if (value === undefined) return null;
      values.set(name, value);
    }
    return values;
  }

  /** Draws requests that violate exactly one rule of an argument, by rule. */
  drawProbes(name: string): ReadonlyMap<string, readonly Probe[]> {
    const argument = this.entries.args.get(name);
    if (this.#path === null || !this.#values) return new Map();
    if (argument === undefined) return this.#drawMalformed(this.#path);
    const without = new Map([...this.#values].filter(([other]) => other !== name));
    // Values of the same shape say the same.
    const byRule = new Map<string, Map<string, Probe>>();
    const isWrittenGroup = argument.isGroup && this.operation.method !== 'GET';
    const candidates = listCandidates(argument.schema, this.#resolve).filter(
      (value) => !isWrittenGroup || namesNothing(value),
    );
    for (const value of [...(argument.isRequired ? [undefined] : []), ...candidates]) {
      const values = value === undefined ? without : new Map([...without, [name, value]]);
      const request = this.#createRequest(this.#path, values);
      const result = request && this.#validator.validate(request.parameters);
      if (request === null || result?.kind !== 'invalid') continue;
      const [rule, ...others] = getBrokenRules(result);
      if (rule?.param !== name || others.length > 0) continue;
      const probe = { endpoint: this, request, rule, result, entry: this.entries.get(rule) };
      const known = getOrCreate(byRule, rule.rule, () => new Map<string, Probe>());
      const shape = describeShape(value);
      if (known.size < MAX_VALUES && !known.has(shape)) known.set(shape, probe);
    }
    return new Map([...byRule].map(([rule, probes]) => [rule, [...probes.values()]]));
  }

  /** Draws requests whose body is malformed JSON, each with the error that the site should send. */
  #drawMalformed({ groups, path }: ProbePath): ReadonlyMap<string, readonly Probe[]> {
    const { method } = this.operation;
    const parameters = { ...NO_SOURCES, path: toPathParameters(groups) };
    const probes = MALFORMED_BODIES.flatMap((body): readonly Probe[] => {
      const result = parseBody(method, body);
      if (result?.kind !== 'invalid') return [];
      const rule = { param: '', rule: result.code };
      const request = { method, path, query: '', body, parameters };
      return [{ endpoint: this, request, rule, result, entry: this.entries.get(rule) }];
    });
    return new Map([['rest_invalid_json', probes]]);
  }

  /**
   * Creates a request with values: in a JSON body for methods that write, otherwise in the query.
   *
   * @returns `null` when the values cannot be sent
   */
  #createRequest({ groups, path }: ProbePath, values: ReadonlyMap<string, Json>): ProbeRequest | null {
    const { method } = this.operation;
    const sources = { ...NO_SOURCES, path: toPathParameters(groups) };
    if (!hasBody(method)) {
      const text = writePhpQuery(values);
      const query = parseQueryParameters(text);
      return query && { method, path, query: text, body: null, parameters: { ...sources, query } };
    }
    const body = JSON.stringify(Object.fromEntries(values));
    const parsed = parseBody(method, body);
    if (parsed?.kind !== 'complete') return null;
    return { method, path, query: '', body, parameters: { ...sources, json: parsed.json } };
  }
}

/**
 * Whether a site that accepts a value for a group of the route finds no item by it: PHP casts text without digits to 0, and
 * `true`, a list and `1abc` to 1.
 */
function namesNothing(value: Json): boolean {
  return value === IMPOSSIBLE_ID || (typeof value === 'string' && /^[^\d]+$/.test(value));
}

const NO_SOURCES = { json: NO_PARAMETERS, form: NO_PARAMETERS, query: NO_PARAMETERS };

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

/** Returns a path for which the site certainly runs the operation; `null` when none was found. */
function findPath(operation: Operation, matcher: OperationMatcher): ProbePath | null {
  for (const value of PATH_VALUES) {
    const path = operation.path.replaceAll(/\{[^{}]+\}/g, value);
    const match = matcher.match(operation.method, path);
    if (match.kind === 'found' && match.isCertain && match.operation === operation) {
      return { path, groups: match.params };
    }
  }
  return null;
}

function parseBody(method: string, body: string): BodyParameters | null {
  const plan = planBody({ requestMethod: method, method, contentType: 'application/json' });
  return plan.kind === 'buffered' ? plan.parse(new TextEncoder().encode(body)) : null;
}

/** Whether the parameters of a probe are sent in its body. */
function hasBody(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}
