import type { BrokenRule } from '../request/result.ts';
import type { Comparison, Opinion } from './compare.ts';
import { isStage } from './origin-verdict.ts';

type Outcome = Comparison['outcome'];

/** What was seen of one operation: one method of one route. */
export interface Tally {
  /** Requests that were judged. */
  seen: number;
  /** …that would be refused, by rules that are not set aside. */
  wouldRefuse: number;
  /** …of these, those that the gateway refused without asking the site. */
  refused: number;
  /** Of those that the site answered, by what its answer says of the verdict ({@link Comparison}). */
  readonly outcomes: Record<Outcome, number>;
  /** Verdicts in a row that the site agreed with, since the last that it did not. */
  streak: number;
  /** By {@link ruleKey}. */
  readonly rules: Map<string, RuleTally>;
  /** Parameters that the site refused and no rule did: by name, how often. */
  readonly missed: Map<string, MissedTally>;
}

/** What was seen of one rule of one parameter. */
export interface RuleTally extends BrokenRule {
  /** What the document said of the parameter then ({@link fingerprint}). */
  fingerprint: string;
  /** Requests that broke it and went to the site. */
  broken: number;
  /** Requests that were to be refused for it. */
  refused: number;
  agreed: number;
  disagreed: number;
  /** A few of the requests that it would have refused and the site did not. */
  readonly examples: Example[];
}

export interface MissedTally {
  count: number;
  readonly examples: Example[];
}

export interface Example {
  /** What the value was like ({@link shapeOf}), never what it was. */
  readonly value: string;
  /** The status of the site's answer. */
  readonly status: number;
}

/** Callers cannot make names, but a site can, and neither shall fill the memory. */
export const MOST_RULES = 500;
export const MOST_EXAMPLES = 3;

export function createTally(): Tally {
  return {
    seen: 0,
    wouldRefuse: 0,
    refused: 0,
    outcomes: { accepted: 0, refused: 0, disagreed: 0, missed: 0, undecided: 0 },
    streak: 0,
    rules: new Map(),
    missed: new Map(),
  };
}

export function ruleKey({ param, rule }: BrokenRule): string {
  return `${rule} ${param}`;
}

/** The site took what the rule would refuse, once at least. A limit of the gateway's own is no claim on the site. */
export function isWrong(rule: RuleTally): boolean {
  return rule.disagreed > 0 && (rule.param !== '' || isStage(rule.rule));
}

/** What the tally is to know of a request beside the comparison. */
export interface Seen {
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
export function count(
  tally: Tally,
  { outcome, rules, missed }: Comparison,
  { status, shapeOf, fingerprintOf }: Seen,
): readonly RuleTally[] {
  const fallen: RuleTally[] = [];
  const standing: Opinion[] = [];
  for (const { rule, opinion } of rules) {
    const known = ruleOf(tally, rule, fingerprintOf);
    const stood = known === undefined || !isWrong(known);
    if (stood) standing.push(opinion);
    if (known === undefined) continue;
    known.broken += 1;
    if (opinion === 'agreed') known.agreed += 1;
    if (opinion !== 'disagreed') continue;
    known.disagreed += 1;
    addExample(known.examples, { value: shapeOf(rule.param), status });
    if (stood && isWrong(known)) fallen.push(known);
  }
  for (const name of missed) addMissed(tally, name, { value: shapeOf(name), status });
  const effective =
    standing.length > 0 ? strongest(standing) : rules.length > 0 ? withoutRules(outcome) : outcome;
  tally.outcomes[effective] += 1;
  if (effective === 'accepted' || effective === 'refused') tally.streak += 1;
  if (effective === 'disagreed') tally.streak = 0;
  return fallen;
}

function strongest(opinions: readonly Opinion[]): Outcome {
  if (opinions.includes('disagreed')) return 'disagreed';
  return opinions.includes('agreed') ? 'refused' : 'undecided';
}

/** What becomes of a verdict when all that it rests on is set aside: the request passes, and the site is right. */
function withoutRules(outcome: Outcome): Outcome {
  if (outcome === 'disagreed') return 'accepted';
  return outcome === 'refused' ? 'missed' : outcome;
}

/** Undefined where there are as many as are kept. */
export function ruleOf(
  { rules }: Tally,
  rule: BrokenRule,
  fingerprintOf: (param: string) => string,
): RuleTally | undefined {
  const key = ruleKey(rule);
  const known = rules.get(key);
  if (known !== undefined || rules.size >= MOST_RULES) return known;
  const made: RuleTally = {
    param: rule.param,
    rule: rule.rule,
    fingerprint: fingerprintOf(rule.param),
    broken: 0,
    refused: 0,
    agreed: 0,
    disagreed: 0,
    examples: [],
  };
  rules.set(key, made);
  return made;
}

function addMissed({ missed }: Tally, name: string, example: Example): void {
  const known = missed.get(name) ?? { count: 0, examples: [] };
  if (missed.size >= MOST_RULES && known.count === 0) return;
  known.count += 1;
  addExample(known.examples, example);
  missed.set(name, known);
}

/** The first of each kind: the same value twice shows nothing new. */
function addExample(examples: Example[], example: Example): void {
  if (examples.length >= MOST_EXAMPLES) return;
  if (examples.some(({ value, status }) => value === example.value && status === example.status)) return;
  examples.push(example);
}
