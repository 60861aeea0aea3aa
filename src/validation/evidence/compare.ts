import type { BrokenRule, Verdict } from '../request/result.ts';
import { isStage, type Said, STAGES, type Stage } from './origin-verdict.ts';

/** What one answer of the site says of one verdict. */
export interface Comparison {
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
  readonly rule: BrokenRule;
  readonly opinion: Opinion;
}

export type Opinion = 'agreed' | 'disagreed' | 'undecided';

/**
 * A verdict without a rule of a parameter, such as malformed JSON or no route, is counted as one rule of the request
 * itself: without a parameter, named by its code.
 */
export function rulesOf(verdict: Verdict): readonly BrokenRule[] {
  if (verdict.kind === 'valid') return [];
  return verdict.broken.length > 0 ? verdict.broken : [{ param: '', rule: verdict.code }];
}

export function compare(verdict: Verdict, said: Said): Comparison {
  if (verdict.kind === 'valid') {
    if (said.kind !== 'refused') return { outcome: said.kind, rules: [], missed: [] };
    return { outcome: 'missed', rules: [], missed: said.params.length > 0 ? said.params : [''] };
  }
  const rules = rulesOf(verdict).map((rule) => ({ rule, opinion: opinionOf(rule, said) }));
  const has = (wanted: Opinion): boolean => rules.some(({ opinion }) => opinion === wanted);
  const names = new Set(rules.map(({ rule }) => rule.param));
  return {
    outcome: has('disagreed') ? 'disagreed' : has('agreed') ? 'refused' : 'undecided',
    rules,
    missed: said.kind === 'refused' ? said.params.filter((name) => !names.has(name)) : [],
  };
}

/** The site gives the faults of one check only, the first that finds any: of later ones it has said nothing. */
function opinionOf(rule: BrokenRule, said: Said): Opinion {
  if (said.kind === 'undecided') return 'undecided';
  if (said.kind === 'accepted') return 'disagreed';
  const own = STAGES.indexOf(stageOf(rule));
  const theirs = STAGES.indexOf(said.stage);
  if (own !== theirs) return own < theirs ? 'disagreed' : 'undecided';
  if (rule.param === '' || said.params.includes(rule.param)) return 'agreed';
  // All that is missing is named at once. Of values, those that only a sanitiser judges are not reached where a
  // validator refused another (`has_valid_params()`, then `sanitize_params()`).
  return said.stage === 'rest_missing_callback_param' ? 'disagreed' : 'undecided';
}

function stageOf({ param, rule }: BrokenRule): Stage {
  if (param === '') return isStage(rule) ? rule : 'rest_invalid_param';
  return rule === 'required' ? 'rest_missing_callback_param' : 'rest_invalid_param';
}
