import { criterionWords } from './path-role.ts';
import type { TitleRule } from './title-rule.ts';
import { ADJECTIVES, CATEGORY_NOUNS, isParticiple, VIEWS } from './title-vocabulary.ts';
import { PREPOSITIONS } from './vocabulary.ts';
import { isPlural, singularizeLastWord, toSingular } from './words.ts';

/** `/settings/general` → general settings; `/reports/orders/totals` → the order totals report */
export const nameCategoryLast: TitleRule = (phrase, { hasPathVerb, input, path }) => {
  const { steps } = path;
  const at = steps.findIndex(({ words }) => words.length === 1 && CATEGORY_NOUNS.has(words[0] ?? ''));
  const members = steps.slice(at + 1);
  const isCategory =
    at >= 0 && members.length > 0 && steps.slice(at).every(({ params }) => params.length === 0);
  if (!isCategory || phrase.nouns.length !== steps.length || hasPathVerb) return undefined;
  const [category = ''] = steps[at]?.words ?? [];
  const isPair = category === 'settings' || category === 'preferences' || category === 'options';
  const words = members.flatMap((member, index) =>
    index < members.length - 1 || isPair ? singularizeLastWord(member.words) : member.words,
  );
  const noun = [...words, isPair ? category : toSingular(category)];
  return {
    verb: input.method === 'GET' ? ['get'] : phrase.verb,
    nouns: [...phrase.nouns.slice(0, at), noun],
    grammaticalNumber: isPair ? 'many' : 'the',
  };
};

/** `/data/countries` → countries */
export const omitDataContainer: TitleRule = ({ nouns }, { path }) => {
  const isContainer = path.steps.length > 1 && path.steps[0]?.words.join(' ') === 'data';
  return isContainer && path.steps[0]?.params.length === 0 && nouns.length > 1
    ? { nouns: nouns.slice(1) }
    : undefined;
};

/** `/day-wise-ideas` → ideas by day */
export const nameCriterionLast: TitleRule = ({ nouns, wordsAfterObject }) => {
  const words = nouns.at(-1) ?? [];
  if (words[1] !== 'wise' || words.length < 3) return undefined;
  return {
    nouns: [...nouns.slice(0, -1), words.slice(2)],
    wordsAfterObject: ['by', ...words.slice(0, 1), ...wordsAfterObject],
  };
};

/** `/tasks/table` → tasks as a table */
export const nameViewLast: TitleRule = ({ nouns }, { input, path }) => {
  const [word = ''] = nouns.at(-1) ?? [];
  const [before, last] = path.steps.slice(-2);
  const isView =
    input.method === 'GET' && VIEWS.has(word) && nouns.at(-1)?.length === 1 && last?.params.length === 0;
  if (!isView || before?.params.length !== 0 || !isPlural(before.words.at(-1) ?? '')) return undefined;
  return {
    verb: ['list'],
    nouns: nouns.slice(0, -1),
    wordsAfterObject: ['as', word],
    grammaticalNumber: 'many',
  };
};

/** `/tasks/top-in-boards` → top tasks in boards; `/users/admin-in-boards` → user admins in boards */
export const namePlaceLast: TitleRule = ({ grammaticalNumber, nouns, verb, wordsAfterObject }) => {
  const words = nouns.at(-1) ?? [];
  const at = words.findIndex((word) => PREPOSITIONS.has(word));
  if (at < 1 || verb[0] !== 'list') return undefined;
  const after = [...words.slice(at), ...wordsAfterObject];
  const object = words.slice(0, at);
  const owner = nouns.at(-2) ?? [];
  if (object.every((word) => ADJECTIVES.has(word)) && owner.length > 0) {
    return { nouns: [...nouns.slice(0, -2), [...object, ...owner]], wordsAfterObject: after };
  }
  return { nouns: [...nouns.slice(0, -1), object], wordsAfterObject: after, grammaticalNumber };
};

/** `/tasks/archived` → archived tasks */
export const nameParticipleFirst: TitleRule = ({ nouns, wordsAfterObject }) => {
  const [word = ''] = wordsAfterObject;
  const object = nouns.at(-1) ?? [];
  if (wordsAfterObject.length !== 1 || !isParticiple(word) || object.length === 0) return undefined;
  return { nouns: [...nouns.slice(0, -1), [word, ...object]], wordsAfterObject: [] };
};

/** `/stage-positions/{stage_id}` → positions of a stage; `/tasks/stage/{task_id}` → the stage of a task */
export const nameOwnerLast: TitleRule = (phrase, { hasPathVerb, input, path }) => {
  const step = path.steps.at(-1);
  if (step?.params.length !== 1 || hasPathVerb) return undefined;
  const criterion = criterionWords(step.params).map(toSingular).join(' ');
  const { words } = step;
  if (criterion === '' || toSingular(words.at(-1) ?? '') === criterion || criterion === 'id')
    return undefined;
  const parents = phrase.nouns.slice(0, -1).map(singularizeLastWord);
  const named = toSingular(words[0] ?? '') === criterion;
  const isParent = parents.at(-1)?.join(' ') === criterion;
  const object = named ? words.slice(1) : words;
  if (!named && !isParent) return undefined;
  const isMany = isPlural(object.at(-1) ?? '');
  return {
    verb: isMany && input.method === 'GET' ? ['list'] : phrase.verb,
    nouns: [object],
    wordsAfterObject: ['of', ...parents.flat(), ...(named ? [criterion] : [])],
    grammaticalNumber: isMany ? 'many' : 'the',
  };
};

/** `/font-families/{id}/font-faces` → font faces of a font family */
export const nameNamesakeLast: TitleRule = ({ nouns, wordsAfterObject }, { hasPathVerb }) => {
  const [owner = [], object = []] = nouns.slice(-2);
  const isNamesake = nouns.length > 1 && owner.length > 1 && object.length > 1 && owner[0] === object[0];
  if (!isNamesake || hasPathVerb || wordsAfterObject.length > 0) return undefined;
  return { nouns: [object], wordsAfterObject: ['of', ...nouns.slice(0, -1).flatMap(singularizeLastWord)] };
};
