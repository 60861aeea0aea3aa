/** A rule that the walk itself carries out, because it looks at more than one schema. */
export interface StructureRule {
  readonly name: string;
  readonly summary: string;
  readonly severity: 'info' | 'warning';
}

export const REFERENCE_LOCAL: StructureRule = {
  name: 'reference-local',
  summary: 'A reference within the schema is replaced by what it refers to.',
  severity: 'info',
};

export const REFERENCE_NOT_USABLE: StructureRule = {
  name: 'reference-not-usable',
  summary: 'A reference that leads elsewhere, nowhere or in a circle is dropped, and nothing is fetched.',
  severity: 'warning',
};

export const DEPTH_BOUND: StructureRule = {
  name: 'depth-bound',
  summary: 'What nests deeper than 64 schemas is left open.',
  severity: 'warning',
};

export const SIZE_BOUND: StructureRule = {
  name: 'size-bound',
  summary: 'What exceeds 10,000 schemas in one is left open.',
  severity: 'warning',
};

export const REQUIRED_NOT_BOOLEAN: StructureRule = {
  name: 'required-not-boolean',
  summary: 'An argument whose `required` is neither true, false nor a list is optional.',
  severity: 'info',
};

export const NEGATION_OPEN: StructureRule = {
  name: 'negation-open',
  summary: 'A `not` of a schema that had to be left open is dropped: it would refuse everything.',
  severity: 'warning',
};

export const STRUCTURE_RULES: readonly StructureRule[] = [
  REFERENCE_LOCAL,
  REFERENCE_NOT_USABLE,
  DEPTH_BOUND,
  SIZE_BOUND,
  REQUIRED_NOT_BOOLEAN,
  NEGATION_OPEN,
];
