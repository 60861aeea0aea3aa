import type { Json } from '../json.ts';
import { createPathExpander } from '../reconcile/path-expander.ts';
import type { OperationMatcher } from '../router/matcher.ts';
import { compareWithOrigin } from '../validation/evidence/compare-verdicts.ts';
import { recordComparison, toRuleKey } from '../validation/evidence/operation-stats.ts';
import type { OriginVerdict } from '../validation/evidence/origin-verdict.ts';
import { getUse, type RuleKnowledge, type RuleStatus } from '../validation/evidence/rule-knowledge.ts';
import { describeShape } from '../validation/evidence/value-shape.ts';
import type { ResolveReference } from '../validation/wordpress/index.ts';
import { drawProbes, findRequiredValues, type Probe, type ProbeBase } from './draw-probes.ts';
import { matchPath, type ProbedDefinition, type ProbeEndpoint } from './endpoints.ts';
import type { ProbeClient, ProbeFailure } from './probe-client.ts';
import { createProbeRequest, type ProbePath } from './probe-request.ts';

/** Why a rule stayed open. */
export type OpenReason =
  | ProbeFailure
  /** No path of the route is known, or the site wants an existing item. */
  | 'needs-existing-item'
  /** No valid value of a required argument is known. */
  | 'needs-valid-values'
  /** The site refused another parameter first, or refuses the parameter without a violation too. */
  | 'refused-otherwise'
  /** The site refused the parameter by a check of its own, which may accept other values. */
  | 'own-check';

/** What a calibration found out about a rule of one definition. */
export interface RuleFinding {
  readonly namespace: string;
  readonly param: string;
  readonly rule: string;
  /** Operations that were probed, as method and route. */
  readonly operations: readonly string[];
  readonly outcome: 'confirmed' | 'overruled' | 'mixed' | 'open';
  /** Present when the outcome is `open`. */
  readonly reason?: OpenReason;
}

export interface CalibrationContext {
  readonly client: ProbeClient;
  readonly knowledge: RuleKnowledge;
  readonly matcher: OperationMatcher;
  readonly resolve: ResolveReference;
  /** Called when evidence was recorded. */
  readonly onEvidence: () => void;
}

/** Maximum number of endpoints that read or write, whose arguments are probed for one definition before a contradiction. */
const MAX_ENDPOINTS = 6;
/** Maximum number of endpoints that are probed one by one after a contradiction. */
const MAX_SINGLE_ENDPOINTS = 60;
/** Number of probes of one rule, if the definition has so many values or endpoints. */
const PROBES_PER_RULE = 4;
/** Number of probes of one rule at one endpoint after a contradiction. */
const PROBES_PER_ENDPOINT = 3;

type ProbeResult = 'confirmed' | 'contradicted' | OpenReason;

/** Probes the arguments of one site, and records the site's verdicts as evidence. */
export class Calibration {
  readonly #context: CalibrationContext;
  readonly #bases = new Map<ProbeEndpoint, Promise<ProbeBase | OpenReason>>();
  readonly #controls = new Map<ProbeEndpoint, Promise<OriginVerdict | null>>();
  readonly #existingPaths = new Map<ProbeEndpoint, Promise<ProbePath | null>>();

  constructor(context: CalibrationContext) {
    this.#context = context;
  }

  /** Probes the rules of one definition that are not known yet. */
  async probeDefinition(definition: ProbedDefinition): Promise<readonly RuleFinding[]> {
    const { name, namespace } = definition;
    const endpoints = spread(definition.endpoints);
    const findings: RuleFinding[] = [];
    const drawn = new Map<ProbeEndpoint, ReadonlyMap<string, readonly Probe[]>>();
    let reason: OpenReason | undefined;
    for (const endpoint of endpoints) {
      const base = await this.#getBase(endpoint);
      if (typeof base === 'string') reason ??= base;
      else drawn.set(endpoint, drawProbes(endpoint, name, base));
    }
    const rules = new Set([...drawn.values()].flatMap((byRule) => [...byRule.keys()]));
    for (const rule of rules) {
      const probes = new Map([...drawn].map(([endpoint, byRule]) => [endpoint, byRule.get(rule) ?? []]));
      const finding = await this.#probeRule(probes);
      if (finding === null) continue;
      const operations = [...probes]
        .filter(([, list]) => list.length > 0)
        .map(([{ operation, route }]) => `${operation.method} ${route.pattern}`);
      findings.push({ namespace, param: name, rule, operations, ...finding });
    }
    if (rules.size === 0 && reason !== undefined) {
      findings.push({ namespace, param: name, rule: '', operations: [], outcome: 'open', reason });
    }
    return findings;
  }

  /** @returns `null` when the rule was known before */
  async #probeRule(
    probes: ReadonlyMap<ProbeEndpoint, readonly Probe[]>,
  ): Promise<Pick<RuleFinding, 'outcome' | 'reason'> | null> {
    const own = [...probes].filter(([, list]) => list.length > 0 && getStatus(list) !== 'core');
    const isContradicted = own.some(([, list]) => getStatus(list) === 'suspended');
    const isComplete = isContradicted || countViolations(own) >= toSequence(own).length;
    const unknown = isComplete ? own.filter(([, list]) => !isKnown(list)) : own;
    if (unknown.length === 0) return null;
    const results = [...(await this.#sendAll(toSequence(unknown)))];
    if (unknown.some(([, list]) => getStatus(list) === 'suspended')) {
      // The site applies the rule at some endpoints at most, so each one needs evidence of its own.
      for (const [, list] of unknown.slice(0, MAX_SINGLE_ENDPOINTS)) {
        if (!isKnown(list)) results.push(...(await this.#sendAll(list.slice(0, PROBES_PER_ENDPOINT))));
      }
    }
    const statuses = unknown.map(([{ lookup }, [probe]]) =>
      probe === undefined ? 'unknown' : lookup.getStatus(probe.rule),
    );
    if (statuses.includes('suspended')) {
      return { outcome: statuses.includes('confirmed') ? 'mixed' : 'overruled' };
    }
    if (statuses.includes('confirmed')) return { outcome: 'confirmed' };
    return { outcome: 'open', reason: results.find(isOpenReason) ?? 'no-verdict' };
  }

  /** Sends probes until one is contradicted. */
  async #sendAll(probes: readonly Probe[]): Promise<readonly ProbeResult[]> {
    const results: ProbeResult[] = [];
    for (const probe of probes) {
      const result = await this.#send(probe);
      results.push(result);
      if (result === 'contradicted' || result === 'interrupted' || result === 'unreachable') break;
    }
    return results;
  }

  async #send(probe: Probe): Promise<ProbeResult> {
    const { endpoint, request, result, rule } = probe;
    const outcome = await this.#context.client.send(request);
    if (outcome.kind === 'failure') return outcome.reason;
    const { status, verdict } = outcome;
    const comparison = compareWithOrigin(result, verdict);
    const compared = comparison.rules.find(({ rule: each }) => each.param === rule.param);
    if (compared === undefined || compared.agreement === 'undecided') return 'refused-otherwise';
    if (compared.agreement === 'agreed' && (await this.#isRefusedAnyway(endpoint, rule.param, verdict))) {
      return 'refused-otherwise';
    }
    endpoint.stats.validated += 1;
    recordComparison(endpoint.stats, comparison, {
      status,
      describeValue: (param) => describeShape(findValue(request.parameters, param)),
      getFingerprint: (param) => endpoint.lookup.getDefinition(param).fingerprint,
    });
    const ruleStats = endpoint.stats.rules.get(toRuleKey(rule));
    if (ruleStats !== undefined)
      this.#context.knowledge.learn(endpoint.lookup.getDefinition(rule.param), ruleStats);
    this.#context.onEvidence();
    if (compared.agreement === 'disagreed') return 'contradicted';
    return compared.isConfirmed ? 'confirmed' : 'own-check';
  }

  /**
   * Whether the site refuses the parameter without a violation too. A write is not sent without a violation if the site
   * states the rule by its code, because the site may execute it.
   */
  async #isRefusedAnyway(endpoint: ProbeEndpoint, param: string, verdict: OriginVerdict): Promise<boolean> {
    if (verdict.kind !== 'refused' || verdict.stage === 'rest_missing_callback_param') return false;
    if (endpoint.operation.method !== 'GET' && verdict.codes?.has(param)) return false;
    const control = await this.#getControl(endpoint);
    return control?.kind === 'refused' && control.params.includes(param);
  }

  /** Returns the site's verdict on a request that violates nothing; `null` when there is none. */
  #getControl(endpoint: ProbeEndpoint): Promise<OriginVerdict | null> {
    const known = this.#controls.get(endpoint);
    if (known !== undefined) return known;
    const control = this.#getBase(endpoint).then(async (base) =>
      typeof base === 'string' ? null : this.#sendControl(endpoint, base),
    );
    this.#controls.set(endpoint, control);
    return control;
  }

  async #sendControl(
    { operation }: ProbeEndpoint,
    { path, values }: Pick<ProbeBase, 'path' | 'values'>,
  ): Promise<OriginVerdict | null> {
    const request = createProbeRequest(operation, path, values);
    if (request === null) return null;
    const outcome = await this.#context.client.send(request);
    return outcome.kind === 'verdict' ? outcome.verdict : null;
  }

  #getBase(endpoint: ProbeEndpoint): Promise<ProbeBase | OpenReason> {
    const known = this.#bases.get(endpoint);
    if (known !== undefined) return known;
    const created = this.#createBase(endpoint);
    this.#bases.set(endpoint, created);
    return created;
  }

  async #createBase(endpoint: ProbeEndpoint): Promise<ProbeBase | OpenReason> {
    const { resolve } = this.#context;
    const path = await this.#findPath(endpoint);
    if (path === null) return 'needs-existing-item';
    const values = findRequiredValues(endpoint, path, resolve);
    return values === null ? 'needs-valid-values' : { path, values, resolve };
  }

  /** Returns the path of an item that does not exist, or of an existing one if a read refuses the other. */
  async #findPath(endpoint: ProbeEndpoint): Promise<ProbePath | null> {
    const { operation, path } = endpoint;
    const hasGroups = operation.path.includes('{');
    if (operation.method !== 'GET' || !hasGroups) return path;
    if (path === null) return this.#findExistingPath(endpoint);
    const values = findRequiredValues(endpoint, path, this.#context.resolve);
    const verdict = values === null ? null : await this.#sendControl(endpoint, { path, values });
    const refusesGroup =
      verdict?.kind === 'refused' && verdict.params.some((name) => Object.hasOwn(path.groups, name));
    return refusesGroup ? this.#findExistingPath(endpoint) : path;
  }

  /** Reads the collection above an item, and returns the path of its first item. */
  #findExistingPath(endpoint: ProbeEndpoint): Promise<ProbePath | null> {
    const known = this.#existingPaths.get(endpoint);
    if (known !== undefined) return known;
    const created = this.#readCollection(endpoint);
    this.#existingPaths.set(endpoint, created);
    return created;
  }

  async #readCollection({ operation }: ProbeEndpoint): Promise<ProbePath | null> {
    const { client, matcher } = this.#context;
    const collection = operation.path.slice(0, operation.path.indexOf('{')).replace(/\/+$/, '');
    const outcome = await client.send({ method: 'GET', path: collection, query: '', body: null });
    if (outcome.kind === 'failure' || outcome.body === undefined) return null;
    const expander = createPathExpander();
    expander.addResponse(collection, outcome.body);
    const [path] = expander.expand(operation.path, 1);
    return path === undefined ? null : matchPath(operation, path, matcher);
  }
}

function getStatus([probe]: readonly Probe[]): RuleStatus {
  return probe === undefined ? 'unknown' : probe.endpoint.lookup.getStatus(probe.rule);
}

/** Counts the requests that have violated the rule of these probes, at all their endpoints. */
function countViolations(probes: readonly EndpointProbes[]): number {
  const counts = probes.map(([{ stats }, [probe]]) =>
    probe === undefined ? 0 : (stats.rules.get(toRuleKey(probe.rule))?.broken ?? 0),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Whether nothing remains to be found out about the rule of these probes at their endpoint. */
function isKnown(probes: readonly Probe[]): boolean {
  const [probe] = probes;
  const status = getStatus(probes);
  if (probe === undefined || status !== 'suspended') return status !== 'unknown';
  // The rule was contradicted at another endpoint of the definition, and is not yet confirmed at this one.
  return (probe.endpoint.stats.rules.get(toRuleKey(probe.rule))?.disagreed ?? 0) > 0;
}

type EndpointProbes = readonly [endpoint: ProbeEndpoint, probes: readonly Probe[]];

/** Selects probes of endpoints that read, and of endpoints that write. */
function toSequence(endpoints: readonly EndpointProbes[]): readonly Probe[] {
  return (['read', 'write'] as const).flatMap((use) =>
    takeInTurn(
      endpoints
        .filter(([{ operation }]) => getUse(operation.method) === use)
        .slice(0, MAX_ENDPOINTS)
        .map(([, probes]) => probes),
    ),
  );
}

/** Takes one probe of each list in turn, with different values, until each list and enough values are included. */
function takeInTurn(lists: readonly (readonly Probe[])[]): readonly Probe[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  const count = Math.max(lists.length, Math.min(PROBES_PER_RULE, longest));
  const sequence = new Set<Probe>();
  for (let at = 0; at < count; at += 1) {
    const list = lists[at % lists.length] ?? [];
    const probe = list[at % list.length];
    if (probe !== undefined) sequence.add(probe);
  }
  return [...sequence];
}

/** Orders endpoints so that the first ones differ in route and method. */
function spread(endpoints: readonly ProbeEndpoint[]): readonly ProbeEndpoint[] {
  const seen = new Set<string>();
  const isNew = ({ operation, route }: ProbeEndpoint): boolean => {
    const resource = route.pattern.replaceAll(/\(.*$/g, '');
    const key = `${getUse(operation.method)} ${resource}`;
    const isFirst = !seen.has(key);
    seen.add(key);
    return isFirst;
  };
  const first = endpoints.filter(isNew);
  return [...new Set([...first, ...endpoints])];
}

function findValue(
  { json, query }: { readonly json: ReadonlyMap<string, Json>; readonly query: ReadonlyMap<string, Json> },
  param: string,
): Json | undefined {
  return json.get(param) ?? query.get(param);
}

function isOpenReason(result: ProbeResult): result is OpenReason {
  return result !== 'confirmed' && result !== 'contradicted';
}
