import type { ParameterRule } from '../request/result.ts';
import {
  addExample,
  type Evidence,
  type EvidenceExample,
  getMissedStats,
  getRuleStats,
  type OperationKey,
  type OperationStats,
  type OperatorDecision,
  OUTCOMES,
  RULE_COUNTS,
  type RuleStats,
} from './evidence.ts';
import { getSeenError, type SeenErrorStats } from './seen-errors.ts';

/** The counts of one object that have changed since the last report. */
type CountChanges<Name extends string> = ReadonlyMap<
  Name,
  {
    readonly amount: number;
    /** Whether the count has begun anew, so that the amount is all of it. */
    readonly isAnew: boolean;
  }
>;

/** What one process has observed of an operation since its last report. */
export interface OperationChanges extends OperationKey {
  readonly requests: CountChanges<RequestCount>;
  readonly outcomes: CountChanges<keyof OperationStats['outcomes']>;
  /** Begins anew with a disagreement. */
  readonly streak: CountChanges<'streak'>;
  readonly rules: readonly RuleChanges[];
  readonly missed: readonly {
    readonly param: string;
    readonly count: number;
    readonly examples: readonly EvidenceExample[];
  }[];
  readonly errors: readonly SeenErrorStats[];
}

interface RuleChanges extends ParameterRule {
  readonly fingerprint: string;
  readonly counts: CountChanges<(typeof RULE_COUNTS)[number]>;
  readonly examples: readonly EvidenceExample[];
  readonly decision: OperatorDecision | undefined;
}

const REQUEST_COUNTS = ['validated', 'wouldRefuse', 'refused'] as const;
type RequestCount = (typeof REQUEST_COUNTS)[number];
const STREAK = ['streak'] as const;

/** Exchanges the evidence of one site between the processes of a gateway, so that each has the sum. */
export class EvidenceExchange {
  readonly #evidence: Evidence;
  /** The counts that the other processes know, by the object that has them. */
  readonly #reported = new WeakMap<object, Map<string, number>>();
  readonly #decisions = new WeakMap<RuleStats, OperatorDecision | undefined>();

  constructor(evidence: Evidence) {
    this.#evidence = evidence;
  }

  /** Returns what this process has observed since the last call. */
  take(): readonly OperationChanges[] {
    return this.#evidence.entries().flatMap(([key, stats]) => this.#takeOperation(key, stats) ?? []);
  }

  /** Returns everything that was observed, for a process that knows nothing yet. */
  list(): readonly OperationChanges[] {
    return new EvidenceExchange(this.#evidence).take();
  }

  /**
   * Adds what another process has observed. It is not among the changes of this process.
   *
   * @returns the stats of the rules that have changed
   */
  add(changes: readonly OperationChanges[]): readonly (readonly [OperationKey, RuleStats])[] {
    return changes.flatMap(({ errors, method, missed, outcomes, requests, route, rules, streak }) => {
      const key = { method, route };
      const stats = this.#evidence.getStats(key);
      this.#addCounts(stats, requests);
      this.#addCounts(stats.outcomes, outcomes);
      this.#addCounts(stats, streak);
      for (const { count, examples, param } of missed) {
        const known = getMissedStats(stats, param);
        if (known === undefined) continue;
        this.#addCount(known, count);
        for (const example of examples) addExample(known.examples, example);
      }
      for (const { count, ...error } of errors) {
        const known = getSeenError(stats.errors, error);
        if (known !== undefined) this.#addCount(known, count);
      }
      return rules.flatMap((rule) => {
        const known = getRuleStats(stats, rule, () => rule.fingerprint);
        // The processes have different documents for a moment.
        if (known === undefined || known.fingerprint !== rule.fingerprint) return [];
        this.#addCounts(known, rule.counts);
        for (const example of rule.examples) addExample(known.examples, example);
        known.decision = rule.decision;
        this.#decisions.set(known, rule.decision);
        return [[key, known] as const];
      });
    });
  }

  #takeOperation(key: OperationKey, stats: OperationStats): OperationChanges | null {
    const rules = Array.from(stats.rules.values()).flatMap((rule) => this.#takeRule(rule) ?? []);
    const missed = Array.from(stats.missed).flatMap(([param, known]) => {
      const count = this.#takeCount(known);
      return count === 0 ? [] : [{ param, count, examples: known.examples }];
    });
    const errors = Array.from(stats.errors.values()).flatMap((known) => {
      const count = this.#takeCount(known);
      return count === 0 ? [] : [{ ...known, count }];
    });
    const requests = this.#takeCounts(stats, REQUEST_COUNTS);
    const outcomes = this.#takeCounts(stats.outcomes, OUTCOMES);
    const streak = this.#takeCounts(stats, STREAK, outcomes.has('disagreed') ? 'streak' : undefined);
    const listed = rules.length + missed.length + errors.length;
    const isSame = listed + requests.size + outcomes.size + streak.size === 0;
    return isSame ? null : { ...key, requests, outcomes, streak, rules, missed, errors };
  }

  #takeRule(rule: RuleStats): RuleChanges | null {
    const { decision, examples, fingerprint, param } = rule;
    const isContradicted = rule.disagreed > (this.#getReported(rule).get('disagreed') ?? 0);
    const counts = this.#takeCounts(rule, RULE_COUNTS, isContradicted ? 'confirmed' : undefined);
    const isSame = counts.size === 0 && this.#decisions.get(rule) === decision;
    this.#decisions.set(rule, decision);
    return isSame ? null : { param, rule: rule.rule, fingerprint, counts, examples, decision };
  }

  /** @param begun name of the count that has begun anew. A count that is smaller than the last time has, too. */
  #takeCounts<Name extends string>(
    owner: Readonly<Record<Name, number>>,
    names: readonly Name[],
    begun?: Name,
  ): CountChanges<Name> {
    const reported = this.#getReported(owner);
    const changes = new Map<Name, { amount: number; isAnew: boolean }>();
    for (const name of names) {
      const [before, count] = [reported.get(name) ?? 0, owner[name]];
      const isAnew = name === begun || count < before;
      if (isAnew || count > before) changes.set(name, { amount: isAnew ? count : count - before, isAnew });
      reported.set(name, count);
    }
    return changes;
  }

  #takeCount(owner: { readonly count: number }): number {
    return this.#takeCounts(owner, ['count']).get('count')?.amount ?? 0;
  }

  #addCount(owner: { count: number }, amount: number): void {
    this.#addCounts(owner, new Map([['count', { amount, isAnew: false }]]));
  }

  #addCounts<Name extends string>(owner: Record<Name, number>, changes: CountChanges<Name>): void {
    const reported = this.#getReported(owner);
    for (const [name, { amount, isAnew }] of changes) {
      reported.set(name, isAnew ? amount : (reported.get(name) ?? 0) + amount);
      owner[name] = isAnew ? amount : owner[name] + amount;
    }
  }

  #getReported(owner: object): Map<string, number> {
    const known = this.#reported.get(owner);
    if (known !== undefined) return known;
    const created = new Map<string, number>();
    this.#reported.set(owner, created);
    return created;
  }
}
