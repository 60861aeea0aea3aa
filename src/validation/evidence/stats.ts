import type { ParameterRule } from '../request/result.ts';
import type { RuleAgreement, VerdictComparison } from './compare.ts';
import { isValidationStage } from './origin-verdict.ts';

type Outcome = VerdictComparison['outcome'];

/** What was seen of one operation: one method of one route. */
export interface OperationStats {
  /** Requests that were judged. */
  validated: number;
  /** …that would be refused, by rules that are not set aside. */
  wouldRefuse: number;
  /** …of these, those that the gateway refused without asking the site. */
  refused: number;
  /** Of those that the site answered, by what its answer says of the verdict ({@link VerdictComparison}). */
  readonly outcomes: Record<Outcome, number>;
  /** Verdicts in a row that the site agreed with, since the last that it did not. */
  streak: number;
  /** By {@link toRuleKey}. */
  readonly rules: Map<string, RuleStats>;
  /** Parameters that the site refused and no rule did: by name, how often. */
  readonly missed: Map<string, MissedParamStats>;
}

/** What was seen of one rule of one parameter. */
export interface RuleStats extends ParameterRule {
  /** What the document said of the parameter then ({@link fingerprint}). */
  fingerprint: string;
  /** Requests that broke it and went to the site. */
  broken: number;
  /** Requests that were to be refused for it. */
  refused: number;
  agreed: number;
  disagreed: number;
  /** A few of the requests that it would have refused and the site did not. */
  readonly examples: EvidenceExample[];
}

export interface MissedParamStats {
  count: number;
  readonly examples: EvidenceExample[];
}

export interface EvidenceExample {
  /** What the value was like ({@link shapeOf}), never what it was. */
  readonly value: string;
  /** The status of the site's answer. */
  readonly status: number;
}

/** Callers cannot make names, but a site can, and neither shall fill the memory. */
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

export function toRuleKey({ param, rule }: ParameterRule): string {
  return `${rule} ${param}`;
}

/** The site took what the rule would refuse, once at least. A limit of the gateway's own is no claim on the site. */
export function isSuspended(rule: RuleStats): boolean {
  return rule.disagreed > 0 && (rule.param !== '' || isValidationStage(rule.rule));
}

/** What the tally is to know of a request beside the comparison. */
export interface ComparisonContext {
  /** The site's status. */
  readonly status: number;
  readonly shapeOf: (param: string) => string;
  readonly fingerprintOf: (param: string) => string;
}

/**
 * Counts one answer of the site.
 *
 * @returns the rules that are set aside from now on
 */
export function recordComparison(
  stats: OperationStats,
  { outcome, rules, missed }: VerdictComparison,
  { status, shapeOf, fingerprintOf }: ComparisonContext,
): readonly RuleStats[] {
  const newlySuspended: RuleStats[] = [];
  const activeAgreements: RuleAgreement[] = [];
  for (const { rule, agreement } of rules) {
    const known = getRuleStats(stats, rule, fingerprintOf);
    const wasActive = known === undefined || !isSuspended(known);
    if (wasActive) activeAgreements.push(agreement);
    if (known === undefined) continue;
    known.broken += 1;
    if (agreement === 'agreed') known.agreed += 1;
    if (agreement !== 'disagreed') continue;
    known.disagreed += 1;
    addExample(known.examples, { value: shapeOf(rule.param), status });
    if (wasActive && isSuspended(known)) newlySuspended.push(known);
  }
  for (const name of missed) addMissed(stats, name, { value: shapeOf(name), status });
  const effective =
    activeAgreements.length > 0
      ? strongestOutcome(activeAgreements)
      : rules.length > 0
        ? outcomeWithoutRules(outcome)
        : outcome;
  stats.outcomes[effective] += 1;
  if (effective === 'accepted' || effective === 'refused') stats.streak += 1;
  if (effective === 'disagreed') stats.streak = 0;
  return newlySuspended;
}

function strongestOutcome(opinions: readonly RuleAgreement[]): Outcome {
  if (opinions.includes('disagreed')) return 'disagreed';
  return opinions.includes('agreed') ? 'refused' : 'undecided';
}

/** What becomes of a verdict when all that it rests on is set aside: the request passes, and the site is right. */
function outcomeWithoutRules(outcome: Outcome): Outcome {
  if (outcome === 'disagreed') return 'accepted';
  return outcome === 'refused' ? 'missed' : outcome;
}

/** Undefined where there are as many as are kept. */
export function getRuleStats(
  { rules }: OperationStats,
  rule: ParameterRule,
  fingerprintOf: (param: string) => string,
): RuleStats | undefined {
  const key = toRuleKey(rule);
  const known = rules.get(key);
  if (known !== undefined || rules.size >= MAX_RULES) return known;
  const created: RuleStats = {
    param: rule.param,
    rule: rule.rule,
    fingerprint: fingerprintOf(rule.param),
    broken: 0,
    refused: 0,
    agreed: 0,
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

/** The first of each kind: the same value twice shows nothing new. */
function addExample(examples: EvidenceExample[], example: EvidenceExample): void {
  if (examples.length >= MAX_EXAMPLES) return;
  if (examples.some(({ value, status }) => value === example.value && status === example.status)) return;
  examples.push(example);
}
