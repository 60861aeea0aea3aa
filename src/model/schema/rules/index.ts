import type { Rule } from '../draft.ts';
import { annotationRules, vocabularyRules } from './annotations.ts';
import { arrayRules, openArrayRules } from './arrays.ts';
import { boundRules } from './bounds.ts';
import { closingRules, defaultRules } from './defaults.ts';
import { enumRules, enumTypeRules } from './enums.ts';
import { legacyRules } from './legacy.ts';
import { objectRules } from './objects.ts';
import { patternRules } from './patterns.ts';
import { SHAPE_RULES } from './shapes.ts';
import { STRUCTURE_RULES } from './structure.ts';
import { missingTypeRules, typeRules } from './types.ts';

/** What is done to a schema before its sub-schemas are looked at, in this order: later rules rely on earlier ones. */
export const OPENING_RULES: readonly Rule[] = [
  ...legacyRules,
  ...annotationRules,
  ...objectRules,
  ...arrayRules,
  ...typeRules,
  ...enumRules,
  ...missingTypeRules,
  ...enumTypeRules,
  ...boundRules,
  ...patternRules,
  ...vocabularyRules,
  ...openArrayRules,
  ...defaultRules,
];

/** What is done once the sub-schemas stand as they will. */
export const CLOSING_RULES: readonly Rule[] = closingRules;

/** What each rule of the report does, by its name. */
export const RULE_SENTENCES: ReadonlyMap<string, string> = new Map(
  [...SHAPE_RULES, ...STRUCTURE_RULES, ...OPENING_RULES, ...CLOSING_RULES].map(({ name, sentence }) => [
    name,
    sentence,
  ]),
);
