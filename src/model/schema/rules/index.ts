import type { SchemaRule } from '../mutable-schema.ts';
import { annotationRules, unknownKeywordRules } from './annotations.ts';
import { arrayRules, missingItemsRules } from './arrays.ts';
import { boundRules } from './bounds.ts';
import { combinedTypeRules, typeKeywordRules } from './combined-types.ts';
import { defaultCheckRules, defaultRules } from './defaults.ts';
import { enumRules, enumTypeRules } from './enums.ts';
import { legacyKeywordRules } from './legacy-keywords.ts';
import { NON_OBJECT_RULES } from './non-object-schemas.ts';
import { objectRules } from './objects.ts';
import { patternRules } from './patterns.ts';
import { RULE_DESCRIPTORS } from './rule-descriptors.ts';
import { missingTypeRules, typeRules } from './types.ts';

/** Rules that run before the subschemas are visited. The order matters: later rules rely on earlier ones. */
export const RULES_BEFORE_SUBSCHEMAS: readonly SchemaRule[] = [
  ...legacyKeywordRules,
  ...annotationRules,
  ...objectRules,
  ...arrayRules,
  ...typeRules,
  ...enumRules,
  ...missingTypeRules,
  ...enumTypeRules,
  ...boundRules,
  ...patternRules,
  ...unknownKeywordRules,
  ...typeKeywordRules,
  ...missingItemsRules,
  ...defaultRules,
];

/** Rules that run after the subschemas have been normalized. */
export const RULES_AFTER_SUBSCHEMAS: readonly SchemaRule[] = [...defaultCheckRules, ...combinedTypeRules];

/** The summary of every rule, by name. */
export const RULE_SUMMARIES: ReadonlyMap<string, string> = new Map(
  [...NON_OBJECT_RULES, ...RULE_DESCRIPTORS, ...RULES_BEFORE_SUBSCHEMAS, ...RULES_AFTER_SUBSCHEMAS].map(
    ({ name, summary }) => [name, summary],
  ),
);
