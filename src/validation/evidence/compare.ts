import type { ParameterRule, ValidationResult } from '../request/result.ts';
import {
  isValidationStage,
  type OriginVerdict,
  VALIDATION_STAGES,
  type ValidationStage,
} from './origin-verdict.ts';

/** What one answer of the site says of one verdict. */
export interface VerdictComparison {
  /**
   * `accepted` and `refused`: both said so. `disagreed`: the site took what we would refuse. `missed`: it refused what
   * we would pass. `undecided`: the answer says nothing.
   */
  readonly outcome: 'accepted' | 'refused' | 'disagreed' | 'missed' | 'undecided';
  /** What it says of each rule that was broken. */
  readonly rules: readonly RuleComparison[];
  /** The parameters that the site refused and we did not. */
  readonly missed: readonly string[];
}

export interface RuleComparison {
  readonly rule: ParameterRule;
  readonly agreement: RuleAgreement;
}

export type RuleAgreement = 'agreed' | 'disagreed' | 'undecided';

/**
 * A verdict without a rule of a parameter, such as malformed JSON or no route, is counted as one rule of the request
 * itself: without a parameter, named by its code.
 */
export function getBrokenRules(verdict: ValidationResult): readonly ParameterRule[] {
  if (verdict.kind === 'valid') return [];
  return verdict.brokenRules.length > 0 ? verdict.brokenRules : [{ param: '', rule: verdict.code }];
}

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

/** The site gives the faults of one check only, the first that finds any: of later ones it has said nothing. */
function compareRule(rule: ParameterRule, said: OriginVerdict): RuleAgreement {
  if (said.kind === 'undecided') return 'undecided';
  if (said.kind === 'accepted') return 'disagreed';
  const own = VALIDATION_STAGES.indexOf(getRuleStage(rule));
  const theirs = VALIDATION_STAGES.indexOf(said.stage);
  if (own !== theirs) return own < theirs ? 'disagreed' : 'undecided';
  if (rule.param === '' || said.params.includes(rule.param)) return 'agreed';
  // All that is missing is named at once. Of values, those that only a sanitiser judges are not reached where a
  // validator refused another (`has_valid_params()`, then `sanitize_params()`).
  return said.stage === 'rest_missing_callback_param' ? 'disagreed' : 'undecided';
}

function getRuleStage({ param, rule }: ParameterRule): ValidationStage {
  if (param === '') return isValidationStage(rule) ? rule : 'rest_invalid_param';
  return rule === 'required' ? 'rest_missing_callback_param' : 'rest_invalid_param';
}
