import type { OperationPhrase } from './phrase.ts';
import {
  nameCategoryLast,
  nameCriterionLast,
  nameNamesakeLast,
  nameOwnerLast,
  nameParticipleFirst,
  namePlaceLast,
  nameViewLast,
  omitDataContainer,
} from './title-noun-rules.ts';
import type { TitleRule, TitleSubject } from './title-rule.ts';
import {
  articleByArgument,
  attachByArgument,
  nameAgentByVerb,
  nameContainerLast,
  nameTargetOfImport,
  nameUrlLast,
  numberByVerb,
  postByNoun,
  singularResource,
  updateOfSwitches,
} from './title-verb-rules.ts';

/**
 * Rewrites the phrase of an operation for its title. The name of an operation is not affected, so titles can improve while
 * names stay. Rules apply in their order, each to the result of those before it.
 */
export function rewriteForTitle(phrase: OperationPhrase, subject: TitleSubject): OperationPhrase {
  let current = phrase;
  for (const rule of TITLE_RULES) current = { ...current, ...rule(current, subject) };
  return current;
}

const TITLE_RULES: readonly TitleRule[] = [
  nameAgentByVerb,
  nameCategoryLast,
  omitDataContainer,
  nameCriterionLast,
  nameViewLast,
  namePlaceLast,
  nameParticipleFirst,
  nameOwnerLast,
  nameNamesakeLast,
  articleByArgument,
  nameContainerLast,
  attachByArgument,
  numberByVerb,
  updateOfSwitches,
  postByNoun,
  singularResource,
  nameUrlLast,
  nameTargetOfImport,
];
