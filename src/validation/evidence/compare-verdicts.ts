import type { ParameterRule, ValidationResult } from '../request/result.ts';
import {
  isValidationStage,
  type OriginVerdict,
  VALIDATION_STAGES,
  type ValidationStage,
} from './origin-verdict.ts';

/** The comparison of a validation result with the origin's verdict on the same request. */
export interface VerdictComparison {
  /**
   * - `accepted`, `refused`: both agree.
   * - `disagreed`: the origin accepted an invalid request.
   * - `missed`: the origin refused a valid request.
   * - `undecided`: the response does not show the origin's verdict.
   */
  readonly outcome: 'accepted' | 'refused' | 'disagreed' | 'missed' | 'undecided';
  /** The origin's verdict on each violated rule. */
  readonly rules: readonly RuleComparison[];
  /** Parameters that the origin refused and validation did not. */
  readonly missed: readonly string[];
}

/** The comparison for one violated rule. */
export interface RuleComparison {
  readonly rule: ParameterRule;
  readonly agreement: RuleAgreement;
  /**
   * Whether the origin refused the parameter by this rule. False when it refused the parameter for another reason: a
   * custom callback may accept other values that violate the rule.
   */
  readonly isConfirmed: boolean;
}

/** Whether the origin agrees that a rule was violated. */
export type RuleAgreement = 'agreed' | 'disagreed' | 'undecided';

/**
 * Returns the violated rules of a result. An error that no parameter causes, such as malformed JSON, is
 * represented by a rule with an empty parameter and the error's code.
 */
export function getBrokenRules(result: ValidationResult): readonly ParameterRule[] {
  if (result.kind === 'valid') return [];
  return result.brokenRules.length > 0 ? result.brokenRules : [{ param: '', rule: result.code }];
}

/** Compares a validation result with the origin's verdict. */
export function compareWithOrigin(result: ValidationResult, verdict: OriginVerdict): VerdictComparison {
  if (result.kind === 'valid') {
    if (verdict.kind !== 'refused') return { outcome: verdict.kind, rules: [], missed: [] };
    return { outcome: 'missed', rules: [], missed: verdict.params.length > 0 ? verdict.params : [''] };
  }
  const rules = getBrokenRules(result).map((rule) => {
    const agreement = compareRule(rule, verdict);
    return { rule, agreement, isConfirmed: agreement === 'agreed' && isRefusedByRule(rule, verdict) };
  });
  const has = (wanted: RuleAgreement): boolean => rules.some(({ agreement }) => agreement === wanted);
  const names = new Set(rules.map(({ rule }) => rule.param));
  return {
    outcome: has('disagreed') ? 'disagreed' : has('agreed') ? 'refused' : 'undecided',
    rules,
    missed: verdict.kind === 'refused' ? verdict.params.filter((name) => !names.has(name)) : [],
  };
}

/** The origin reports the errors of the first failing stage only, so its verdict on rules of later stages is unknown. */
function compareRule(rule: ParameterRule, verdict: OriginVerdict): RuleAgreement {
  if (verdict.kind === 'undecided') return 'undecided';
  if (verdict.kind === 'accepted') return 'disagreed';
  const ruleIndex = VALIDATION_STAGES.indexOf(getRuleStage(rule));
  const originIndex = VALIDATION_STAGES.indexOf(verdict.stage);
  if (ruleIndex !== originIndex) return ruleIndex < originIndex ? 'disagreed' : 'undecided';
  if (rule.param === '' || verdict.params.includes(rule.param)) return 'agreed';
  // Missing parameters are all reported at once. Values that only a sanitiser checks are not reached when a validator
  // refuses another value (`has_valid_params()`, then `sanitize_params()`).
  return verdict.stage === 'rest_missing_callback_param' ? 'disagreed' : 'undecided';
}

/**
 * Whether the origin states the code of this rule for the parameter, or states no codes at all. The known callbacks of
 * WordPress state others, such as `rest_invalid_param`.
 */
function isRefusedByRule({ hasCallback, param, rule }: ParameterRule, verdict: OriginVerdict): boolean {
  if (verdict.kind !== 'refused') return false;
  if (hasCallback === true) return true;
  if (param === '' || verdict.stage !== 'rest_invalid_param' || verdict.codes === undefined) return true;
  return verdict.codes.get(param) === rule;
}

function getRuleStage({ param, rule }: ParameterRule): ValidationStage {
  if (param === '') return isValidationStage(rule) ? rule : 'rest_invalid_param';
  return rule === 'required' ? 'rest_missing_callback_param' : 'rest_invalid_param';
}
