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
}

/** Whether the origin agrees that a rule was violated. */
export type RuleAgreement = 'agreed' | 'disagreed' | 'undecided';

/**
 * Returns the violated rules of a result. An error that no parameter causes, such as malformed JSON, counts as a rule of
 * the request as a whole: with an empty parameter and the error's code.
 */
export function getBrokenRules(verdict: ValidationResult): readonly ParameterRule[] {
  if (verdict.kind === 'valid') return [];
  return verdict.brokenRules.length > 0 ? verdict.brokenRules : [{ param: '', rule: verdict.code }];
}

/** Compares a validation result with the origin's verdict. */
export function compareWithOrigin(verdict: ValidationResult, said: OriginVerdict): VerdictComparison {
  if (verdict.kind === 'valid') {
    if (said.kind !== 'refused') return { outcome: said.kind, rules: [], missed: [] };
    return { outcome: 'missed', rules: [], missed: said.params.length > 0 ? said.params : [''] };
  }
  const rules = getBrokenRules(verdict).map((rule) => ({ rule, agreement: compareRule(rule, said) }));
  const has = (wanted: RuleAgreement): boolean => rules.some(({ agreement }) => agreement === wanted);
  const names = new Set(rules.map(({ rule }) => rule.param));
  return {
    outcome: has('disagreed') ? 'disagreed' : has('agreed') ? 'refused' : 'undecided',
    rules,
    missed: said.kind === 'refused' ? said.params.filter((name) => !names.has(name)) : [],
  };
}

/** The origin reports the errors of the first failing stage only, so its verdict on rules of later stages is unknown. */
function compareRule(rule: ParameterRule, said: OriginVerdict): RuleAgreement {
  if (said.kind === 'undecided') return 'undecided';
  if (said.kind === 'accepted') return 'disagreed';
  const own = VALIDATION_STAGES.indexOf(getRuleStage(rule));
  const theirs = VALIDATION_STAGES.indexOf(said.stage);
  if (own !== theirs) return own < theirs ? 'disagreed' : 'undecided';
  if (rule.param === '' || said.params.includes(rule.param)) return 'agreed';
  // Missing parameters are all reported at once. Values that only a sanitiser checks are not reached when a validator
  // refuses another value (`has_valid_params()`, then `sanitize_params()`).
  return said.stage === 'rest_missing_callback_param' ? 'disagreed' : 'undecided';
}

function getRuleStage({ param, rule }: ParameterRule): ValidationStage {
  if (param === '') return isValidationStage(rule) ? rule : 'rest_invalid_param';
  return rule === 'required' ? 'rest_missing_callback_param' : 'rest_invalid_param';
}
