/** A rule that is implemented outside the rule tables, because it concerns more than one schema. */
export interface StructureRule {
  readonly name: string;
  readonly summary: string;
  readonly severity: 'info' | 'warning';
}

export const REFERENCE_LOCAL: StructureRule = {
  name: 'reference-local',
  summary: 'A reference within the schema is replaced by its target.',
  severity: 'info',
};

export const REFERENCE_NOT_USABLE: StructureRule = {
  name: 'reference-not-usable',
  summary: 'A reference that is external, circular or without a target is dropped; nothing is fetched.',
  severity: 'warning',
};

export const DEPTH_BOUND: StructureRule = {
  name: 'depth-bound',
  summary: 'A schema nested deeper than 64 levels is left open.',
  severity: 'warning',
};

export const SIZE_BOUND: StructureRule = {
  name: 'size-bound',
  summary: 'Schemas beyond the first 10,000 in one schema are left open.',
  severity: 'warning',
};

export const REQUIRED_NOT_BOOLEAN: StructureRule = {
  name: 'required-not-boolean',
  summary: 'An argument whose `required` is not a boolean or a list is optional.',
  severity: 'info',
};

export const NEGATION_OPEN: StructureRule = {
  name: 'negation-open',
  summary: 'A `not` whose schema became open is dropped: it would reject every value.',
  severity: 'warning',
};

/** All rules of this file. */
export const STRUCTURE_RULES: readonly StructureRule[] = [
  REFERENCE_LOCAL,
  REFERENCE_NOT_USABLE,
  DEPTH_BOUND,
  SIZE_BOUND,
  REQUIRED_NOT_BOOLEAN,
  NEGATION_OPEN,
];
