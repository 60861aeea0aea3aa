import type { SchemaRule } from '../mutable-schema.ts';
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

/** Rules that run before the subschemas are visited. The order matters: later rules rely on earlier ones. */
export const RULES_BEFORE_SUBSCHEMAS: readonly SchemaRule[] = [
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

/** Rules that run after the subschemas have been normalized. */
export const RULES_AFTER_SUBSCHEMAS: readonly SchemaRule[] = closingRules;

/** The summary of every rule, by name. */
export const RULE_SUMMARIES: ReadonlyMap<string, string> = new Map(
  [...SHAPE_RULES, ...STRUCTURE_RULES, ...RULES_BEFORE_SUBSCHEMAS, ...RULES_AFTER_SUBSCHEMAS].map(
    ({ name, summary }) => [name, summary],
  ),
);
