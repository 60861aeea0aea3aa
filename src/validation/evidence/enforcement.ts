import type { IsRuleSuspended, ParameterRule } from '../request/result.ts';
import { isSuspended, type OperationStats, toRuleKey } from './operation-stats.ts';

/** Whether requests are validated, and whether invalid ones are rejected (`enforce`) or forwarded (`observe`). */
export type ValidationMode = 'off' | 'observe' | 'enforce';

export const VALIDATION_MODES: readonly ValidationMode[] = ['off', 'observe', 'enforce'];

/** Agreements in a row after which a report calls an operation ready, unless the configuration says otherwise. */
export const DEFAULT_AGREEMENT_STREAK = 100;

/** Creates the test of whether a rule of an operation is suspended. */
export function createSuspensionTest({ rules }: OperationStats): IsRuleSuspended {
  return (param, rule) => {
    const known = rules.get(toRuleKey({ param, rule }));
    return known !== undefined && isSuspended(known);
  };
}

/** Whether the origin has agreed with so many validation results in a row. */
export function hasAgreementStreak({ streak }: OperationStats, required: number): boolean {
  return streak >= required;
}

/**
 * Whether a request that violates an enforced rule is forwarded nevertheless, to retest the rule: at its 50th refusal and
 * at each 500th. Rejected requests yield no evidence, and the origin may have changed.
 *
 * @param refusals number of refusals of the rule, including this one
 */
export function isRetestDue(refusals: number): boolean {
  return refusals === 50 || (refusals > 0 && refusals % 500 === 0);
}

/**
 * Whether an operation rejects a request that violates these rules. Valid requests say nothing about a rule that none of
 * them violates, so the origin has to agree with each rule once before it is enforced.
 *
 * @param required agreements in a row that enforcement requires; `undefined` requires none
 */
export function canEnforce(
  stats: OperationStats,
  brokenRules: readonly ParameterRule[],
  required: number | undefined,
): boolean {
  if (required === undefined) return true;
  if (!hasAgreementStreak(stats, required)) return false;
  return brokenRules.every((rule) => (stats.rules.get(toRuleKey(rule))?.agreed ?? 0) > 0);
}
