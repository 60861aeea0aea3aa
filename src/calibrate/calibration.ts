import { describeShape } from '../validation/evidence/argument-definition.ts';
import { recordComparison, toRuleKey } from '../validation/evidence/evidence.ts';
import { compareWithOrigin, type OriginVerdict } from '../validation/evidence/origin-verdict.ts';
import { getUse, type RuleKnowledge, type RuleStatus } from '../validation/evidence/rule-knowledge.ts';
import type { ProbeFailure } from './probe-client.ts';
import {
  drawProbes,
  EndpointRequests,
  type EndpointRequestsContext,
  type MissingBase,
  type Probe,
  type ProbedDefinition,
  type ProbeEndpoint,
} from './probes.ts';

/** Why a rule stayed open. */
export type OpenReason =
  | ProbeFailure
  | MissingBase
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

interface CalibrationContext extends EndpointRequestsContext {
  readonly knowledge: RuleKnowledge;
  readonly onEvidence: () => void;
}

/** Maximum number of endpoints that are probed one by one after a contradiction. */
const MAX_SINGLE_ENDPOINTS = 60;
/** Number of probes of one rule at one endpoint after a contradiction. */
const PROBES_PER_ENDPOINT = 3;

type ProbeResult = 'confirmed' | 'contradicted' | OpenReason;

/** Probes the arguments of one site, and records the site's verdicts as evidence. */
export class Calibration {
  readonly #context: CalibrationContext;
  readonly #requests: EndpointRequests;

  constructor(context: CalibrationContext) {
    this.#context = context;
    this.#requests = new EndpointRequests(context);
  }

  /** Probes the rules of one definition that are not known yet. */
  async probeDefinition(definition: ProbedDefinition): Promise<readonly RuleFinding[]> {
    const { name, namespace } = definition;
    const endpoints = spread(definition.endpoints);
    const findings: RuleFinding[] = [];
    const drawn = new Map<ProbeEndpoint, ReadonlyMap<string, readonly Probe[]>>();
    let reason: OpenReason | undefined;
    for (const endpoint of endpoints) {
      const base = await this.#requests.getBase(endpoint);
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
    const { json, query } = request.parameters;
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
      describeValue: (param) => describeShape(json.get(param) ?? query.get(param)),
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
    const control = await this.#requests.getControl(endpoint);
    return control?.kind === 'refused' && control.params.includes(param);
  }
}

function isOpenReason(result: ProbeResult): result is OpenReason {
  return result !== 'confirmed' && result !== 'contradicted';
}

/** Probes of one rule, and the endpoint that they are sent to. */
type EndpointProbes = readonly [endpoint: ProbeEndpoint, probes: readonly Probe[]];

/** Maximum number of endpoints that read or write, whose arguments are probed for one definition before a contradiction. */
const MAX_ENDPOINTS = 6;
/** Number of probes of one rule, if the definition has so many values or endpoints. */
const PROBES_PER_RULE = 4;

/** Returns what is known of the rule of these probes. */
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
