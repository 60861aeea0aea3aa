import type { NamingInput, OperationPhrase, ParsedPath } from './phrase.ts';
import { criterionWords } from './phrase.ts';
import { isOneOf, isParticiple, lookUp } from './vocabulary.ts';
import { isInParameterNames, isPlural, singularizeLastWord, toPlural, toSingular } from './words.ts';

/** What a title is derived from. */
interface TitleSubject {
  readonly input: NamingInput;
  readonly path: ParsedPath;
  /** Names of the arguments of the endpoint. */
  readonly argumentNames: readonly string[];
  /** Whether a route has this template followed by a parameter. */
  readonly hasItems: boolean;
  /** Whether the path contains a verb: `/archive-board`. */
  readonly hasPathVerb: boolean;
}

/** Changes the phrase of an operation for its title. Returns `undefined` for a phrase that the rule does not concern. */
type TitleRule = (phrase: OperationPhrase, subject: TitleSubject) => Partial<OperationPhrase> | undefined;

/**
 * Rewrites the phrase of an operation for its title. The name of an operation is not affected, so titles can improve while
 * names stay. Rules apply in their order, each to the result of those before it.
 */
export function rewriteForTitle(phrase: OperationPhrase, subject: TitleSubject): OperationPhrase {
  let current = phrase;
  for (const rule of TITLE_RULES) {
    const change = rule(current, subject);
    if (change !== undefined) current = { ...current, ...change };
  }
  return current;
}

/** `/settings/general` → general settings; `/reports/orders/totals` → the order totals report */
const nameCategoryLast: TitleRule = (phrase, { hasPathVerb, input, path }) => {
  const { steps } = path;
  const at = steps.findIndex(({ words }) => words.length === 1 && isOneOf('categoryNouns', words[0] ?? ''));
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
const omitDataContainer: TitleRule = ({ nouns }, { path }) => {
  const isContainer = path.steps.length > 1 && path.steps[0]?.words.join(' ') === 'data';
  return isContainer && path.steps[0]?.params.length === 0 && nouns.length > 1
    ? { nouns: nouns.slice(1) }
    : undefined;
};

/** `/day-wise-ideas` → ideas by day */
const nameCriterionLast: TitleRule = ({ nouns, wordsAfterObject }) => {
  const words = nouns.at(-1) ?? [];
  if (words[1] !== 'wise' || words.length < 3) return undefined;
  return {
    nouns: [...nouns.slice(0, -1), words.slice(2)],
    wordsAfterObject: ['by', ...words.slice(0, 1), ...wordsAfterObject],
  };
};

/** `/tasks/table` → tasks as a table */
const nameViewLast: TitleRule = ({ nouns }, { input, path }) => {
  const [word = ''] = nouns.at(-1) ?? [];
  const [before, last] = path.steps.slice(-2);
  const isView =
    input.method === 'GET' &&
    isOneOf('views', word) &&
    nouns.at(-1)?.length === 1 &&
    last?.params.length === 0;
  if (!isView || before?.params.length !== 0 || !isPlural(before.words.at(-1) ?? '')) return undefined;
  return {
    verb: ['list'],
    nouns: nouns.slice(0, -1),
    wordsAfterObject: ['as', word],
    grammaticalNumber: 'many',
  };
};

/** `/tasks/top-in-boards` → top tasks in boards; `/users/admin-in-boards` → user admins in boards */
const namePlaceLast: TitleRule = ({ grammaticalNumber, nouns, verb, wordsAfterObject }) => {
  const words = nouns.at(-1) ?? [];
  const at = words.findIndex((word) => isOneOf('prepositions', word));
  if (at < 1 || verb[0] !== 'list') return undefined;
  const after = [...words.slice(at), ...wordsAfterObject];
  const object = words.slice(0, at);
  const owner = nouns.at(-2) ?? [];
  if (object.every((word) => isOneOf('adjectives', word)) && owner.length > 0) {
    return { nouns: [...nouns.slice(0, -2), [...object, ...owner]], wordsAfterObject: after };
  }
  return { nouns: [...nouns.slice(0, -1), object], wordsAfterObject: after, grammaticalNumber };
};

/** `/tasks/archived` → archived tasks */
const nameParticipleFirst: TitleRule = ({ nouns, wordsAfterObject }) => {
  const [word = ''] = wordsAfterObject;
  const object = nouns.at(-1) ?? [];
  if (wordsAfterObject.length !== 1 || !isParticiple(word) || object.length === 0) return undefined;
  return { nouns: [...nouns.slice(0, -1), [word, ...object]], wordsAfterObject: [] };
};

/** `/stage-positions/{stage_id}` → positions of a stage; `/tasks/stage/{task_id}` → the stage of a task */
const nameOwnerLast: TitleRule = (phrase, { hasPathVerb, input, path }) => {
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
const nameNamesakeLast: TitleRule = ({ nouns, wordsAfterObject }, { hasPathVerb }) => {
  const [owner = [], object = []] = nouns.slice(-2);
  const isNamesake = nouns.length > 1 && owner.length > 1 && object.length > 1 && owner[0] === object[0];
  if (!isNamesake || hasPathVerb || wordsAfterObject.length > 0) return undefined;
  return { nouns: [object], wordsAfterObject: ['of', ...nouns.slice(0, -1).flatMap(singularizeLastWord)] };
};

/** `/block-renderer/{name}` → render a block */
const nameAgentByVerb: TitleRule = ({ nouns }, { path }) => {
  const words = path.steps.at(-1)?.words ?? [];
  const verb = lookUp('agentVerbs', words.at(-1) ?? '');
  if (verb === undefined || words.length < 2) return undefined;
  return { verb: [verb], nouns: [...nouns.slice(0, -1), words.slice(0, -1)], grammaticalNumber: 'one' };
};

/** `POST /folders/{id}/add-board` → add a board to a folder */
const nameContainerLast: TitleRule = ({ nouns, verb, wordsAfterObject }, { path }) => {
  const preposition = lookUp('containmentVerbs', verb[0] ?? '');
  const object = nouns.at(-1) ?? [];
  const owner = nouns.slice(0, -1).map(singularizeLastWord);
  const isOwned = path.steps.some(({ params }) => params.length > 0) && wordsAfterObject.length === 0;
  if (preposition === undefined || owner.length === 0 || !isOwned || object[0] === 'yourself')
    return undefined;
  return { nouns: [object], wordsAfterObject: [preposition, ...owner.flat()] };
};

/** `PUT /drag-stage` with the argument `stage_id` → drag a stage */
const articleByArgument: TitleRule = ({ grammaticalNumber, nouns, verb }, { argumentNames }) => {
  if (['change', 'set', 'switch', 'update'].includes(verb[0] ?? '')) return undefined;
  const object = nouns.at(-1)?.at(-1) ?? '';
  const ids = argumentNames.filter((name) => /[_-]?id$/i.test(name));
  return grammaticalNumber === 'the' && isInParameterNames(object, ids)
    ? { grammaticalNumber: 'one' }
    : undefined;
};

/** `POST /labels/task` with the argument `task_id` → add a label to a task */
const attachByArgument: TitleRule = ({ nouns, verb }, { argumentNames, input, path }) => {
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
const numberByVerb: TitleRule = ({ nouns, verb }) => {
  const [first = ''] = verb;
  const object = nouns.at(-1) ?? [];
  const last = object.at(-1) ?? '';
  if (last === '') return undefined;
  if (isOneOf('orderingVerbs', first)) {
    const plural = isPlural(last) ? last : toPlural(last);
    return { nouns: nouns.with(-1, object.with(-1, plural)), grammaticalNumber: 'many' };
  }
  if (!isOneOf('findingVerbs', first)) return undefined;
  return { nouns: nouns.with(-1, singularizeLastWord(object)), grammaticalNumber: 'one' };
};

/** `POST /admin/modules`, whose modules have no path of their own → update modules */
const updateOfSwitches: TitleRule = ({ nouns, verb }, { hasItems, input, path }) => {
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
const postByNoun: TitleRule = ({ nouns, verb }, { input, path }) => {
  const words = path.steps.at(-1)?.words ?? [];
  const posted = lookUp('postingVerbs', words.at(-1) ?? '');
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
const singularResource: TitleRule = ({ nouns, verb, wordsAfterObject }, { hasItems, input, path }) => {
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
  if (isOneOf('uncountable', last)) return { verb: ['get'] };
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
const nameUrlLast: TitleRule = (phrase, { input, path }) => {
  const isPlain = path.steps.length === 1 && path.steps[0]?.params.length === 0 && input.method === 'GET';
  const isOfUrl = isPlain && phrase.grammaticalNumber === 'the' && input.argumentNamesOfGet.includes('url');
  const [word = ''] = path.steps[0]?.words ?? [];
  if (!isOfUrl || word === 'url') return undefined;
  return word === 'proxy'
    ? { verb: ['proxy'], nouns: [['url']], grammaticalNumber: 'one' }
    : { wordsAfterObject: ['of', 'url'] };
};

/** `POST /projects/{id}/import-from-board` → import into a project from a board */
const nameTargetOfImport: TitleRule = ({ verb, wordsAfterObject }) =>
  verb[0] === 'import' && wordsAfterObject[0] === 'from' ? { verb: ['import', 'into'] } : undefined;

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
