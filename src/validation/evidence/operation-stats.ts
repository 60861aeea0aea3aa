import type { ParameterRule } from '../request/result.ts';
import { isValidationStage, type RuleAgreement, type VerdictComparison } from './origin-verdict.ts';

type Outcome = VerdictComparison['outcome'];

/** Counts of the requests to one operation. */
export interface OperationStats {
  /** Requests that were validated. */
  validated: number;
  /** Requests that active rules would reject. */
  wouldRefuse: number;
  /** Requests that the gateway rejected without forwarding. */
  refused: number;
  /** Forwarded requests by the outcome of the comparison ({@link VerdictComparison}). */
  readonly outcomes: Record<Outcome, number>;
  /** Agreements since the last disagreement. */
  streak: number;
  /** Keyed by {@link toRuleKey}. */
  readonly rules: Map<string, RuleStats>;
  /** Parameters that the origin refused and no rule did, by name. */
  readonly missed: Map<string, MissedParamStats>;
}

interface MissedParamStats {
  count: number;
  readonly examples: EvidenceExample[];
}

/** Limits of memory. Clients cannot choose the names of parameters, but a site can. */
export const MAX_RULES = 500;
export const MAX_EXAMPLES = 3;

export function createOperationStats(): OperationStats {
  return {
    validated: 0,
    wouldRefuse: 0,
    refused: 0,
    outcomes: { accepted: 0, refused: 0, disagreed: 0, missed: 0, undecided: 0 },
    streak: 0,
    rules: new Map(),
    missed: new Map(),
  };
}

function isActive(rule: RuleStats): boolean {
  return rule.decision === undefined ? !isSuspended(rule) : rule.decision === 'confirmed';
}

/** The facts about a request that {@link recordComparison} records besides the comparison. */
interface ComparisonContext {
  /** Status of the origin's response. */
  readonly status: number;
  readonly describeValue: (param: string) => string;
  readonly getFingerprint: (param: string) => string;
}

/**
 * Counts a forwarded request.
 *
 * @returns the rules that this request suspends
 */
export function recordComparison(
  stats: OperationStats,
  { outcome, rules, missed }: VerdictComparison,
  { status, describeValue, getFingerprint }: ComparisonContext,
): readonly RuleStats[] {
  const newlySuspended: RuleStats[] = [];
  const activeAgreements: RuleAgreement[] = [];
  for (const { rule, agreement, isConfirmed } of rules) {
    const known = getRuleStats(stats, rule, getFingerprint);
    const wasActive = known === undefined || isActive(known);
    if (wasActive) activeAgreements.push(agreement);
    if (known === undefined) continue;
    known.broken += 1;
    if (agreement === 'agreed') known.agreed += 1;
    if (isConfirmed) known.confirmed += 1;
    if (agreement !== 'disagreed') continue;
    known.disagreed += 1;
    known.confirmed = 0;
    // The gateway must not refuse what the site accepts, whoever has decided so.
    if (known.decision === 'confirmed') known.decision = undefined;
    addExample(known.examples, { value: describeValue(rule.param), status });
    if (wasActive && !isActive(known)) newlySuspended.push(known);
  }
  for (const name of missed) addMissed(stats, name, { value: describeValue(name), status });
  const effective =
    activeAgreements.length > 0
      ? selectStrongestOutcome(activeAgreements)
      : rules.length > 0
        ? toOutcomeWithoutRules(outcome)
        : outcome;
  stats.outcomes[effective] += 1;
  if (effective === 'accepted' || effective === 'refused') stats.streak += 1;
  if (effective === 'disagreed') stats.streak = 0;
  return newlySuspended;
}

function selectStrongestOutcome(opinions: readonly RuleAgreement[]): Outcome {
  if (opinions.includes('disagreed')) return 'disagreed';
  return opinions.includes('agreed') ? 'refused' : 'undecided';
}

/** Converts the outcome of a request that violates suspended rules only, as if validation had found it valid. */
function toOutcomeWithoutRules(outcome: Outcome): Outcome {
  if (outcome === 'disagreed') return 'accepted';
  return outcome === 'refused' ? 'missed' : outcome;
}

/** Returns the stats of a rule, created if necessary; `undefined` at the maximum number of rules. */
export function getRuleStats(
  { rules }: OperationStats,
  rule: ParameterRule,
  getFingerprint: (param: string) => string,
): RuleStats | undefined {
  const key = toRuleKey(rule);
  const known = rules.get(key);
  if (known !== undefined || rules.size >= MAX_RULES) return known;
  const created: RuleStats = {
    param: rule.param,
    rule: rule.rule,
    fingerprint: getFingerprint(rule.param),
    broken: 0,
    refused: 0,
    agreed: 0,
    confirmed: 0,
    disagreed: 0,
    examples: [],
  };
  rules.set(key, created);
  return created;
}

function addMissed({ missed }: OperationStats, name: string, example: EvidenceExample): void {
  const known = missed.get(name) ?? { count: 0, examples: [] };
  if (missed.size >= MAX_RULES && known.count === 0) return;
  known.count += 1;
  addExample(known.examples, example);
  missed.set(name, known);
}

/** Adds an example unless the list is full or has an equal one. */
function addExample(examples: EvidenceExample[], example: EvidenceExample): void {
  if (examples.length >= MAX_EXAMPLES) return;
  if (examples.some(({ value, status }) => value === example.value && status === example.status)) return;
  examples.push(example);
}

/** Counts of the requests that violate one rule of one parameter. */
export interface RuleStats extends ParameterRule {
  /** Fingerprint of the parameter's declaration ({@link fingerprintDefinition}). */
  fingerprint: string;
  /** Forwarded requests that violated it. */
  broken: number;
  /** Requests to be rejected for it. Some of them were forwarded to retest the rule. */
  refused: number;
  /** Forwarded requests whose parameter the origin refused too, for whatever reason. */
  agreed: number;
  /**
   * Forwarded requests that the origin refused by this rule, since an origin last accepted a request that violates the
   * rule of this definition (`rule-knowledge.ts`).
   */
  confirmed: number;
  disagreed: number;
  /** Examples of violations that the origin accepted. */
  readonly examples: EvidenceExample[];
  /** What the operator has decided. A contradiction by the origin ends a confirmation. @default nothing */
  decision?: OperatorDecision | undefined;
}

/** An operator's decision about a rule at one operation. It precedes the evidence. */
export type OperatorDecision = 'confirmed' | 'suspended';

export interface EvidenceExample {
  /** Shape of the value ({@link describeShape}), never the value itself. */
  readonly value: string;
  /** Status of the origin's response. */
  readonly status: number;
}

export function toRuleKey({ param, rule }: ParameterRule): string {
  return `${rule} ${param}`;
}

/**
 * Whether a rule is suspended, because the origin accepted at least one request that violates it. Limits of the gateway
 * are never suspended.
 */
export function isSuspended(rule: RuleStats): boolean {
  return rule.disagreed > 0 && (rule.param !== '' || isValidationStage(rule.rule));
}
