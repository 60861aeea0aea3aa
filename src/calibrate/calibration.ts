import { getOrCreate } from '../memoize.ts';
import { describeShape } from '../validation/evidence/argument-definition.ts';
import {
  compareWithOrigin,
  type OriginVerdict,
  type RuleAgreement,
} from '../validation/evidence/origin-verdict.ts';
import type { ProbeClient, ProbeFailure, ProbeOutcome, SentRequest } from './probe-client.ts';
import type { MissingBase, Probe, ProbedDefinition, ProbeEndpoint } from './probes.ts';

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
  readonly outcome: 'confirmed' | 'overruled' | 'open';
  /** Present when the outcome is `open`. */
  readonly reason?: OpenReason;
}

/** Maximum number of endpoints whose arguments are probed for one definition. */
const MAX_ENDPOINTS = 6;
/** Number of probes of one rule, if the definition has so many values or endpoints. */
const PROBES_PER_RULE = 4;

interface ProbeVerdict {
  readonly agreement: RuleAgreement;
  readonly status: number;
}

/** Probes the arguments of one site, and records the site's verdicts in its ledger. */
export class Calibration {
  readonly #client: ProbeClient;
  /** Paths of operations that have failed. They get no further request, which would fill the log of the site. */
  readonly #failed = new Set<string>();
  /** The last request to each path: one at a time, so that none is on its way when another fails. */
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #controls = new Map<ProbeEndpoint, Promise<OriginVerdict | null>>();

  constructor(client: ProbeClient) {
    this.#client = client;
  }

  async probeDefinition({ endpoints, name, namespace }: ProbedDefinition): Promise<readonly RuleFinding[]> {
    const findings: RuleFinding[] = [];
    const byRule = new Map<string, (readonly Probe[])[]>();
    let missing: MissingBase | undefined;
    for (const endpoint of spread(endpoints).slice(0, MAX_ENDPOINTS)) {
      const control = endpoint.createControl();
      if (typeof control === 'string') missing ??= control;
      for (const [rule, probes] of endpoint.drawProbes(name)) {
        byRule.set(rule, [...(byRule.get(rule) ?? []), probes]);
      }
    }
    for (const [rule, lists] of byRule) {
      const probes = takeInTurn(lists);
      if (probes[0]?.entry.status !== 'unknown') continue;
      const operations = [...new Set(probes.map(({ endpoint }) => endpoint.entries.name))];
      findings.push({ namespace, param: name, rule, operations, ...(await this.#probeRule(probes)) });
    }
    if (byRule.size > 0 || missing === undefined) return findings;
    return [{ namespace, param: name, rule: '', operations: [], outcome: 'open', reason: missing }];
  }

  /** Sends probes of one rule until one is contradicted. Their evidence is recorded when it is complete. */
  async #probeRule(probes: readonly Probe[]): Promise<Pick<RuleFinding, 'outcome' | 'reason'>> {
    const verdicts: [Probe, ProbeVerdict][] = [];
    let reason: OpenReason | undefined;
    for (const probe of probes) {
      const verdict = await this.#send(probe);
      if (typeof verdict === 'string') {
        reason ??= verdict;
        if (verdict === 'interrupted' || verdict === 'unreachable')
          return { outcome: 'open', reason: verdict };
        continue;
      }
      verdicts.push([probe, verdict]);
      if (verdict.agreement === 'disagreed') break;
    }
    for (const [{ entry, request }, { agreement, status }] of verdicts) {
      const { json, query } = request.parameters;
      const { param } = entry.key;
      const toExample = () => ({ value: describeShape(json.get(param) ?? query.get(param)), status });
      entry.learn(agreement, 'calibration', toExample);
    }
    const status = probes[0]?.entry.status;
    if (status === 'suspended') return { outcome: 'overruled' };
    if (status === 'confirmed') return { outcome: 'confirmed' };
    return { outcome: 'open', reason: reason ?? (verdicts.length > 0 ? 'own-check' : 'no-verdict') };
  }

  async #send({ endpoint, request, result, rule }: Probe): Promise<ProbeVerdict | OpenReason> {
    const outcome = await this.#request(endpoint, request);
    if (typeof outcome === 'string') return outcome;
    const { status, verdict } = outcome;
    const agreement = compareWithOrigin(result, verdict).rules[0]?.agreement ?? 'undecided';
    if (agreement === 'disagreed') return { agreement, status };
    const isOther = agreement === 'undecided' || (await this.#isRefusedAnyway(endpoint, rule.param, verdict));
    return isOther ? 'refused-otherwise' : { agreement, status };
  }

  /**
   * Whether the site refuses the parameter without a violation too. A write is not sent without a violation if the site
   * states the rule by its code, because the site may execute it.
   */
  async #isRefusedAnyway(endpoint: ProbeEndpoint, param: string, verdict: OriginVerdict): Promise<boolean> {
    if (verdict.kind !== 'refused' || verdict.stage === 'rest_missing_callback_param') return false;
    if (endpoint.operation.method !== 'GET' && verdict.codes?.has(param)) return false;
    const control = await getOrCreate(this.#controls, endpoint, () => this.#sendControl(endpoint));
    return control?.kind === 'refused' && control.params.includes(param);
  }

  async #sendControl(endpoint: ProbeEndpoint): Promise<OriginVerdict | null> {
    const control = endpoint.createControl();
    if (typeof control === 'string') return null;
    const outcome = await this.#request(endpoint, control);
    return typeof outcome === 'string' ? null : outcome.verdict;
  }

  #request({ operation: { path } }: ProbeEndpoint, request: SentRequest): Promise<ProbeOutcome> {
    const send = async (): Promise<ProbeOutcome> => {
      if (this.#failed.has(path)) return 'server-error';
      const outcome = await this.#client.send(request);
      if (outcome === 'server-error') this.#failed.add(path);
      return outcome;
    };
    const turn = (this.#turns.get(path) ?? Promise.resolve()).then(send);
    this.#turns.set(path, turn);
    return turn;
  }
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

/** Orders endpoints so that the first ones are of different resources. */
function spread(endpoints: readonly ProbeEndpoint[]): readonly ProbeEndpoint[] {
  const byResource = new Map(
    [...endpoints].reverse().map((each) => [each.entries.name.replaceAll(/\(.*$/g, ''), each]),
  );
  return [...new Set([...[...byResource.values()].reverse(), ...endpoints])];
}
