/** The name, summary and severity of a rule that the traversal or the normalizer applies itself. */
export interface RuleDescriptor {
  readonly name: string;
  readonly summary: string;
  readonly severity: 'info' | 'warning';
}

export const REFERENCE_LOCAL_RULE: RuleDescriptor = {
  name: 'reference-local',
  summary: 'A reference within the schema is replaced by its target.',
  severity: 'info',
};

export const REFERENCE_NOT_USABLE_RULE: RuleDescriptor = {
  name: 'reference-not-usable',
  summary:
    'A reference that is external, circular, without a target or beyond 50,000 schemas is dropped; nothing is fetched.',
  severity: 'warning',
};

export const DEPTH_BOUND_RULE: RuleDescriptor = {
  name: 'depth-bound',
  summary: 'A schema nested deeper than 64 levels is left open.',
  severity: 'warning',
};

export const SIZE_BOUND_RULE: RuleDescriptor = {
  name: 'size-bound',
  summary: 'Schemas beyond the first 10,000 in one schema are left open.',
  severity: 'warning',
};

export const REQUIRED_NOT_BOOLEAN_RULE: RuleDescriptor = {
  name: 'required-not-boolean',
  summary: 'An argument whose `required` is not a boolean or a list is optional.',
  severity: 'info',
};

export const NEGATION_OPEN_RULE: RuleDescriptor = {
  name: 'negation-open',
  summary: 'A `not` whose schema became open is dropped: it would reject every value.',
  severity: 'warning',
};

/** The descriptors of all rules that are applied outside the rule tables. */
export const RULE_DESCRIPTORS: readonly RuleDescriptor[] = [
  REFERENCE_LOCAL_RULE,
  REFERENCE_NOT_USABLE_RULE,
  DEPTH_BOUND_RULE,
  SIZE_BOUND_RULE,
  REQUIRED_NOT_BOOLEAN_RULE,
  NEGATION_OPEN_RULE,
];
