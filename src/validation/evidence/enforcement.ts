import type { RouteValidationMode } from '../../../generated/option-types.d.ts';
import { createRouteSelector } from '../../discovery/route-selection.ts';
import type { ParameterRule } from '../request/result.ts';
import { type OperationStats, toRuleKey } from './evidence.ts';
import type { RuleStatus } from './rule-knowledge.ts';

/**
 * Whether requests are validated, and which invalid ones are rejected:
 * - `off`: no request is validated.
 * - `observe`: invalid requests are forwarded, and the result is compared with the site's response.
 * - `enforce`: a request is rejected if every rule that it violates is known to hold at the site ({@link RuleStatus}).
 * - `strict`: a request is rejected by every rule of the document that the site has not contradicted.
 */
export type ValidationMode = 'off' | 'observe' | 'enforce' | 'strict';

export function rejectsRequests(mode: ValidationMode): boolean {
  return mode === 'enforce' || mode === 'strict';
}

/** Whether a mode rejects requests that violate a rule of this status. */
export function isEnforcedRule(mode: ValidationMode, status: RuleStatus): boolean {
  if (mode === 'strict') return status !== 'suspended';
  return mode === 'enforce' && (status === 'core' || status === 'confirmed');
}

/** Agreements in a row after which a report calls an operation ready, unless the configuration says otherwise. */
export const DEFAULT_AGREEMENT_STREAK = 100;

/** Whether the origin has agreed with so many validation results in a row. */
export function hasAgreementStreak({ streak }: OperationStats, required: number): boolean {
  return streak >= required;
}

/**
 * Whether a request that violates an enforced rule is forwarded nevertheless, to retest the rule: at its 50th refusal and
 * at each 500th. Rejected requests yield no evidence, and the origin may have changed. A rule of WordPress itself that this
 * site has not confirmed is tested at its 5th refusal too: a plugin may change parameters before WordPress validates them
 * (`rest_pre_dispatch`).
 *
 * @param refusals number of refusals of the rule, including this one
 * @param isUntested whether it is a rule of WordPress itself by which the site has refused no request
 */
export function isRetestDue(refusals: number, isUntested: boolean): boolean {
  return refusals === 50 || (refusals > 0 && refusals % 500 === 0) || (refusals === 5 && isUntested);
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
  return brokenRules.every((rule) => {
    const known = stats.rules.get(toRuleKey(rule));
    return known !== undefined && (known.agreed > 0 || known.decision === 'confirmed');
  });
}

interface ValidationModeRules {
  /** Mode of every route that no entry of `routes` matches. */
  readonly mode: ValidationMode;
  /** The first entry that matches an operation decides. */
  readonly routes?: readonly RouteValidationMode[] | undefined;
}

interface RouteName {
  readonly pattern: string;
  readonly namespace: string;
}

export function createModeResolver({
  mode,
  routes = [],
}: ValidationModeRules): (route: RouteName, method: string) => ValidationMode {
  const entries = routes.map((entry) => ({
    mode: entry.mode,
    methods: entry.methods?.map((name) => name.toUpperCase()),
    selector: createRouteSelector({ include: [entry.match] }, () => {}),
  }));
  return ({ pattern, namespace }, method) => {
    const entry = entries.find(
      ({ methods, selector }) =>
        (methods === undefined || methods.includes(method)) && selector.matches(pattern, namespace),
    );
    return entry?.mode ?? mode;
  };
}
