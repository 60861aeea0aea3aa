import {
  hasAgreementStreak,
  rejectsRequests,
  type ValidationMode,
} from '../../validation/evidence/enforcement.ts';
import type { OperationStats } from '../../validation/evidence/operation-stats.ts';
import { isSuspended } from '../../validation/evidence/rule-stats.ts';

/**
 * How far the site's responses agree with the validation of one operation. It is public, as the documentation is: it holds
 * magnitudes and shares, no values, no names of rules and no exact counts of requests.
 */
export interface OperationAgreement {
  /** Compared requests, rounded down to one significant digit; 0 for fewer than 10. */
  readonly comparedAtLeast: number;
  /** Share of the compared requests in percent, rounded down: 100 means all. */
  readonly agreedPercent: number;
  /** Rules that are ignored, because the site accepted a request that violates them. */
  readonly suspendedRules: number;
  /** Whether invalid requests are rejected now; `null` in a mode that rejects none. */
  readonly isEnforced: boolean | null;
}

/** @param required agreements in a row that enforcement requires; `undefined` requires none */
export function summarizeAgreement(
  stats: OperationStats,
  mode: ValidationMode,
  required: number | undefined,
): OperationAgreement {
  const { outcomes, rules } = stats;
  const agreed = outcomes.accepted + outcomes.refused;
  const compared = agreed + outcomes.disagreed + outcomes.missed;
  const isReady = required === undefined || hasAgreementStreak(stats, required);
  return {
    comparedAtLeast: roundDown(compared),
    agreedPercent: compared === 0 ? 0 : Math.floor((100 * agreed) / compared),
    suspendedRules: [...rules.values()].filter(isSuspended).length,
    isEnforced: rejectsRequests(mode) ? isReady : null,
  };
}

/** 4,321 → 4,000 */
function roundDown(count: number): number {
  if (count < 10) return 0;
  const magnitude = 10 ** (String(count).length - 1);
  return Math.floor(count / magnitude) * magnitude;
}
