import type { TitleRule } from './title-rule.ts';
import {
  AGENT_VERBS,
  CONTAINMENT_VERBS,
  FINDING_VERBS,
  ORDERING_VERBS,
  POSTING_VERBS,
  UNCOUNTABLE,
} from './title-vocabulary.ts';
import { isInParameterNames, isPlural, singularizeLastWord, toPlural } from './words.ts';

/** `/block-renderer/{name}` → render a block */
export const nameAgentByVerb: TitleRule = ({ nouns }, { path }) => {
  const words = path.steps.at(-1)?.words ?? [];
  const verb = AGENT_VERBS.get(words.at(-1) ?? '');
  if (verb === undefined || words.length < 2) return undefined;
  return { verb: [verb], nouns: [...nouns.slice(0, -1), words.slice(0, -1)], grammaticalNumber: 'one' };
};

/** `POST /folders/{id}/add-board` → add a board to a folder */
export const nameContainerLast: TitleRule = ({ nouns, verb, wordsAfterObject }, { path }) => {
  const preposition = CONTAINMENT_VERBS.get(verb[0] ?? '');
  const object = nouns.at(-1) ?? [];
  const owner = nouns.slice(0, -1).map(singularizeLastWord);
  const isOwned = path.steps.some(({ params }) => params.length > 0) && wordsAfterObject.length === 0;
  if (preposition === undefined || owner.length === 0 || !isOwned || object[0] === 'yourself')
    return undefined;
  return { nouns: [object], wordsAfterObject: [preposition, ...owner.flat()] };
};

/** `PUT /drag-stage` with the argument `stage_id` → drag a stage */
export const articleByArgument: TitleRule = ({ grammaticalNumber, nouns, verb }, { argumentNames }) => {
  if (['change', 'set', 'switch', 'update'].includes(verb[0] ?? '')) return undefined;
  const object = nouns.at(-1)?.at(-1) ?? '';
  const ids = argumentNames.filter((name) => /[_-]?id$/i.test(name));
  return grammaticalNumber === 'the' && isInParameterNames(object, ids)
    ? { grammaticalNumber: 'one' }
    : undefined;
};

/** `POST /labels/task` with the argument `task_id` → add a label to a task */
export const attachByArgument: TitleRule = ({ nouns, verb }, { argumentNames, input, path }) => {
  const [before, last] = path.steps.slice(-2);
  const word = last?.words.length === 1 ? (last.words[0] ?? '') : '';
  const isRelation =
    verb[0] === 'create' &&
    last?.params.length === 0 &&
    before?.params.length === 0 &&
    isPlural(before.words.at(-1) ?? '') &&
    !input.routeMethods.includes('GET');
  if (!isRelation || !argumentNames.includes(`${word}_id`)) return undefined;
  return {
    verb: ['add'],
    nouns: nouns.slice(0, -1).with(-1, singularizeLastWord(nouns.at(-2) ?? [])),
    wordsAfterObject: ['to', word],
    grammaticalNumber: 'one',
  };
};

/** `PUT /sort-task` → sort tasks; `GET /templates/lookup` → look up a template */
export const numberByVerb: TitleRule = ({ nouns, verb }) => {
  const [first = ''] = verb;
  const object = nouns.at(-1) ?? [];
  const last = object.at(-1) ?? '';
  if (last === '') return undefined;
  if (ORDERING_VERBS.has(first)) {
    const plural = isPlural(last) ? last : toPlural(last);
    return { nouns: nouns.with(-1, object.with(-1, plural)), grammaticalNumber: 'many' };
  }
  if (!FINDING_VERBS.has(first)) return undefined;
  return { nouns: nouns.with(-1, singularizeLastWord(object)), grammaticalNumber: 'one' };
};

/** `POST /admin/modules`, whose modules have no path of their own → update modules */
export const updateOfSwitches: TitleRule = ({ nouns, verb }, { hasItems, input, path }) => {
  const isSwitch =
    verb[0] === 'create' &&
    input.routeMethods.includes('GET') &&
    !hasItems &&
    path.steps.length > 1 &&
    ['admin', 'settings', 'options'].includes(path.steps[0]?.words.at(-1) ?? '');
  return isSwitch
    ? { verb: ['update'], nouns: nouns.with(-1, path.steps.at(-1)?.words ?? []), grammaticalNumber: 'many' }
    : undefined;
};

/** `POST /model-step`, which has no GET → run a model step; `POST /{id}/dates` → set dates */
export const postByNoun: TitleRule = ({ nouns, verb }, { input, path }) => {
  const words = path.steps.at(-1)?.words ?? [];
  const posted = POSTING_VERBS.get(words.at(-1) ?? '');
  if (posted === undefined || verb[0] !== 'create' || input.routeMethods.includes('GET')) return undefined;
  if (posted !== 'set') return { verb: [posted] };
  const owner = nouns.slice(0, -1).map(singularizeLastWord);
  return {
    verb: [posted],
    nouns: [words],
    wordsAfterObject: owner.length === 0 ? [] : ['of', ...owner.flat()],
    grammaticalNumber: isPlural(words.at(-1) ?? '') ? 'many' : 'the',
  };
};

/** `GET /calendar`, a list by its arguments → get the calendar; `/tasks/stage-page` → the stage page of tasks */
export const singularResource: TitleRule = ({ nouns, verb, wordsAfterObject }, { hasItems, input, path }) => {
  const { words = [], params = [] } = path.steps.at(-1) ?? {};
  const last = words.at(-1) ?? '';
  const isSingular =
    verb[0] === 'list' &&
    nouns.at(-1)?.at(-1) === last &&
    !isPlural(last) &&
    params.length === 0 &&
    !hasItems &&
    input.routeMethods.every((method) => method === 'GET');
  if (!isSingular) return undefined;
  if (UNCOUNTABLE.has(last)) return { verb: ['get'] };
  if (toPlural(last) === last) return undefined;
  if (last === 'search') return { verb: ['run'], grammaticalNumber: 'one' };
  const before = path.steps.at(-2);
  const isOfList = before?.params.length === 0 && isPlural(before.words.at(-1) ?? '') && words.length > 1;
  if (wordsAfterObject.length > 0) return undefined;
  if (!isOfList) return { verb: ['get'], grammaticalNumber: 'the' };
  const owner = nouns
    .slice(0, -1)
    .flatMap((noun, at, all) => (at < all.length - 1 ? singularizeLastWord(noun) : noun));
  return { verb: ['get'], nouns: [words], wordsAfterObject: ['of', ...owner], grammaticalNumber: 'the' };
};

/** `GET /embed` with the argument `url` → get the embed of a URL */
export const nameUrlLast: TitleRule = (phrase, { input, path }) => {
  const isPlain = path.steps.length === 1 && path.steps[0]?.params.length === 0 && input.method === 'GET';
  const isOfUrl = isPlain && phrase.grammaticalNumber === 'the' && input.argumentNamesOfGet.includes('url');
  const [word = ''] = path.steps[0]?.words ?? [];
  if (!isOfUrl || word === 'url') return undefined;
  return word === 'proxy'
    ? { verb: ['proxy'], nouns: [['url']], grammaticalNumber: 'one' }
    : { wordsAfterObject: ['of', 'url'] };
};

/** `POST /projects/{id}/import-from-board` → import into a project from a board */
export const nameTargetOfImport: TitleRule = ({ verb, wordsAfterObject }) =>
  verb[0] === 'import' && wordsAfterObject[0] === 'from' ? { verb: ['import', 'into'] } : undefined;
