import { isJsonObject, type Json, type JsonObject } from '../../json.ts';
import type { ParameterRule } from '../request/result.ts';
import {
  combineAgreements,
  isValidationStage,
  type RuleAgreement,
  type VerdictComparison,
} from './origin-verdict.ts';
import { getSeenError, parseSeenErrors, type SeenErrors } from './seen-errors.ts';

/** The key of an operation's evidence. It does not depend on names in the document, such as `operationId`. */
export interface OperationKey {
  readonly method: string;
  /** The site's own route pattern. */
  readonly route: string;
}

/** Looks up the fingerprint ({@link fingerprintDefinition}) of a declared parameter; `undefined` for an undeclared operation or parameter. */
export type FingerprintLookup = (
  operation: OperationKey,
) => ((param: string) => string | undefined) | undefined;

/** Evidence about the operations of one site. Operations without a validated request have none. */
export class Evidence {
  readonly #byOperation = new Map<string, { readonly key: OperationKey; readonly stats: OperationStats }>();

  getStats({ method, route }: OperationKey): OperationStats {
    const name = `${method} ${route}`;
    const known = this.#byOperation.get(name)?.stats;
    if (known !== undefined) return known;
    const stats = createOperationStats();
    this.#byOperation.set(name, { key: { method, route }, stats });
    return stats;
  }

  /** Returns the stats of an operation; `undefined` if none of its requests was validated. */
  findStats({ method, route }: OperationKey): OperationStats | undefined {
    return this.#byOperation.get(`${method} ${route}`)?.stats;
  }

  /** Lists all operations with evidence, in the order of their first request. */
  entries(): readonly (readonly [OperationKey, OperationStats])[] {
    return Array.from(this.#byOperation.values(), ({ key, stats }) => [key, stats]);
  }

  /**
   * Drops the evidence that a new document invalidates: operations that it no longer declares, and rules of parameters
   * that it no longer declares or declares differently. Remaining stats keep their identity.
   *
   * @returns the numbers of dropped operations and rules
   */
  retainDeclared(declared: FingerprintLookup): { readonly operations: number; readonly rules: number } {
    let operations = 0;
    let rules = 0;
    for (const [name, { key, stats }] of this.#byOperation) {
      const getFingerprint = declared(key);
      if (getFingerprint === undefined) {
        this.#byOperation.delete(name);
        operations += 1;
        continue;
      }
      for (const [rule, { param, fingerprint }] of stats.rules) {
        if (getFingerprint(param) === fingerprint) continue;
        stats.rules.delete(rule);
        rules += 1;
      }
    }
    return { operations, rules };
  }

  /** Converts the evidence to the content of a stored state. */
  toJson(): object {
    const known = this.entries().filter(([, { rules, validated }]) => validated > 0 || rules.size > 0);
    const operations = known.map(([{ method, route }, stats]) => ({
      method,
      route,
      ...stats,
      rules: [...stats.rules.values()],
      missed: Array.from(stats.missed, ([param, missed]) => ({ param, ...missed })),
      errors: [...stats.errors.values()],
    }));
    return { operations };
  }

  /**
   * Adds stored evidence to the evidence collected since.
   *
   * @returns false if it is malformed, in which case nothing is added
   */
  restore({ operations }: JsonObject): boolean {
    if (!Array.isArray(operations)) return false;
    for (const stored of operations.filter(isJsonObject)) {
      const { method, route } = stored;
      if (typeof method === 'string' && typeof route === 'string')
        addStored(this.getStats({ method, route }), stored);
    }
    return true;
  }
}

function addStored(stats: OperationStats, stored: JsonObject): void {
  // The stored streak continues unless a disagreement since has ended it.
  if (stats.outcomes.disagreed === 0) stats.streak += toCount(stored['streak']);
  addCounts(stats, ['validated', 'wouldRefuse', 'refused'], stored);
  if (isJsonObject(stored['outcomes'])) addCounts(stats.outcomes, OUTCOMES, stored['outcomes']);
  for (const rule of toObjects(stored['rules'])) addStoredRule(stats, rule);
  for (const missed of toObjects(stored['missed'])) {
    const known = getMissedStats(stats, toText(missed['param']));
    if (known === undefined) continue;
    known.count += toCount(missed['count']);
    addStoredExamples(known.examples, missed['examples']);
  }
  for (const { count, ...error } of parseSeenErrors(stored['errors'])) {
    const known = getSeenError(stats.errors, error);
    if (known !== undefined) known.count += count;
  }
}

function addStoredRule({ rules }: OperationStats, stored: JsonObject): void {
  const [param, rule] = [toText(stored['param']), toText(stored['rule'])];
  const fingerprint = toText(stored['fingerprint']);
  const known = rules.get(toRuleKey({ param, rule })) ?? createRuleStats(param, rule, fingerprint);
  // The parameter's declaration has changed, so the stored stats are of a rule that no longer exists.
  if (known.fingerprint !== fingerprint) return;
  addCounts(known, RULE_COUNTS, stored);
  addStoredExamples(known.examples, stored['examples']);
  const { decision } = stored;
  if (decision === 'confirmed' || decision === 'suspended') known.decision ??= decision;
  rules.set(toRuleKey(known), known);
}

function addCounts<Name extends string>(
  counts: Record<Name, number>,
  names: readonly Name[],
  stored: JsonObject,
): void {
  for (const name of names) counts[name] += toCount(stored[name]);
}

function addStoredExamples(examples: EvidenceExample[], stored: Json | undefined): void {
  const read = toObjects(stored).map(({ value, status }) => ({
    value: toText(value),
    status: toCount(status),
  }));
  examples.unshift(...read);
  examples.length = Math.min(examples.length, MAX_EXAMPLES);
}

function toObjects(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject).slice(0, MAX_RULES) : [];
}

function toCount(value: Json | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function toText(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

export const OUTCOMES = ['accepted', 'refused', 'disagreed', 'missed', 'undecided'] as const;
type Outcome = VerdictComparison['outcome'];

export interface OperationStats {
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
  /** Errors of the origin's responses. */
  readonly errors: SeenErrors;
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
    errors: new Map(),
  };
}

/** The facts about a request that {@link recordComparison} records besides the comparison. */
interface ComparisonContext {
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
  for (const name of missed) {
    const known = getMissedStats(stats, name);
    if (known === undefined) continue;
    known.count += 1;
    addExample(known.examples, { value: describeValue(name), status });
  }
  const effective =
    activeAgreements.length > 0
      ? combineAgreements(activeAgreements)
      : rules.length > 0
        ? toOutcomeWithoutRules(outcome)
        : outcome;
  stats.outcomes[effective] += 1;
  if (effective === 'accepted' || effective === 'refused') stats.streak += 1;
  if (effective === 'disagreed') stats.streak = 0;
  return newlySuspended;
}

/** Converts the outcome of a request that violates suspended rules only, as if validation had found it valid. */
function toOutcomeWithoutRules(outcome: Outcome): Outcome {
  if (outcome === 'disagreed') return 'accepted';
  return outcome === 'refused' ? 'missed' : outcome;
}

function isActive(rule: RuleStats): boolean {
  return rule.decision === undefined ? !isSuspended(rule) : rule.decision === 'confirmed';
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
  const created = createRuleStats(rule.param, rule.rule, getFingerprint(rule.param));
  rules.set(key, created);
  return created;
}

function createRuleStats(param: string, rule: string, fingerprint: string): RuleStats {
  const counts = { broken: 0, refused: 0, agreed: 0, confirmed: 0, disagreed: 0 };
  return { param, rule, fingerprint, ...counts, examples: [] };
}

/** Returns the stats of a missed parameter, created if necessary; `undefined` at the maximum number of parameters. */
export function getMissedStats({ missed }: OperationStats, name: string): MissedParamStats | undefined {
  const known = missed.get(name);
  if (known !== undefined || missed.size >= MAX_RULES) return known;
  const created = { count: 0, examples: [] };
  missed.set(name, created);
  return created;
}

/** Adds an example unless the list is full or has an equal one. */
export function addExample(examples: EvidenceExample[], example: EvidenceExample): void {
  if (examples.length >= MAX_EXAMPLES) return;
  if (examples.some(({ value, status }) => value === example.value && status === example.status)) return;
  examples.push(example);
}

export const RULE_COUNTS = ['broken', 'refused', 'agreed', 'confirmed', 'disagreed'] as const;

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
  /** Inferred schema of the value ({@link describeShape}), never the value itself. */
  readonly value: string;
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
