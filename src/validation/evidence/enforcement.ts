import type { ParameterRule, SuspensionTest } from '../request/result.ts';
import { isSuspended, type OperationStats, toRuleKey } from './stats.ts';

/** Whether requests are judged, and what becomes of those that are found wrong. */
export type ValidationMode = 'off' | 'observe' | 'enforce';

export const VALIDATION_MODES: readonly ValidationMode[] = ['off', 'observe', 'enforce'];

/** Agreements that a report asks for where nobody has said how many. */
export const DEFAULT_AGREEMENT = 100;

/** A rule that the site was seen to break does not count for this operation. */
export function createSuspensionTest({ rules }: OperationStats): SuspensionTest {
  return (param, rule) => {
    const known = rules.get(toRuleKey({ param, rule }));
    return known !== undefined && isSuspended(known);
  };
}

/** Whether the site has agreed with so many verdicts in a row on this operation. */
export function hasAgreement({ streak }: OperationStats, required: number): boolean {
  return streak >= required;
}

/**
 * Whether a request is left to the site although a rule refuses it: of a rule's refusals the fiftieth, and each five
 * hundredth. A rule that refuses learns nothing, and a site may have changed its mind, or never have been of this one.
 *
 * @param refusals how many there were of the rule, with this one
 */
export function isRetestDue(refusals: number): boolean {
  return refusals === 50 || (refusals > 0 && refusals % 500 === 0);
}

/**
 * Whether an operation that is promoted by agreement refuses a request that broke these rules. A hundred good requests
 * say nothing of a rule that none of them broke, so each rule is first held against the site: until it has agreed once,
 * the request passes, and its answer is the evidence.
 *
 * @param often verdicts in a row that the site has to agree with; `undefined` asks for no agreement at all
 */
export function canEnforce(
  stats: OperationStats,
  brokenRules: readonly ParameterRule[],
  required: number | undefined,
): boolean {
  if (required === undefined) return true;
  if (!hasAgreement(stats, required)) return false;
  return brokenRules.every((rule) => (stats.rules.get(toRuleKey(rule))?.agreed ?? 0) > 0);
}
