import type { NamingInput, OperationPhrase, ParsedPath, PathStep } from './phrase.ts';
import { criterionWords } from './phrase.ts';
import { isOneOf, isParticiple, lookUp } from './vocabulary.ts';
import { isInParameterNames, isPlural, singularizeLastWord, toPlural, toSingular } from './words.ts';

interface TitleSubject {
  readonly input: NamingInput;
  readonly argumentNames: readonly string[];
  /** Whether a route has this template followed by a parameter. */
  readonly hasItems: boolean;
}

/** A phrase with its object, which is the last of its nouns, and the path with its last two literals. */
interface TitleDraft extends OperationPhrase, Pick<ParsedPath, 'steps'> {
  readonly object: readonly string[];
  /** The nouns before the object, in singular. */
  readonly owners: readonly (readonly string[])[];
  readonly before: PathStep | undefined;
  readonly last: PathStep;
}

/** Changes the phrase of an operation for its title. Returns `undefined` for a phrase that the rule does not concern. */
type TitleRule = (draft: TitleDraft, subject: TitleSubject) => Partial<OperationPhrase> | undefined;

/**
 * Rewrites the phrase of an operation for its title. The name of an operation is not affected, so titles can improve while
 * names stay. Rules apply in their order, each to the result of those before it.
 */
export function rewriteForTitle(subject: TitleSubject): OperationPhrase {
  const { path, phrase } = subject.input;
  const { steps } = path;
  const last = steps.at(-1) ?? { words: [], params: [] };
  const toDraft = (current: OperationPhrase): TitleDraft => {
    const object = current.nouns.at(-1) ?? [];
    const owners = current.nouns.slice(0, -1).map(singularizeLastWord);
    return { ...current, object, owners, steps, before: steps.at(-2), last };
  };
  let draft = toDraft(phrase);
  for (const rule of TITLE_RULES) {
    const change = rule(draft, subject);
    if (change !== undefined) draft = toDraft({ ...draft, ...change });
  }
  return draft;
}

/** Whether a literal is a list, none of whose items a parameter selects. */
function isList(step: PathStep | undefined): step is PathStep {
  return step?.params.length === 0 && isPlural(step.words.at(-1) ?? '');
}

/** `/settings/general` → general settings; `/reports/orders/totals` → the order totals report */
const nameCategoryLast: TitleRule = ({ nouns, steps, verb }, { input }) => {
  const at = steps.findIndex(({ words }) => words.length === 1 && isOneOf('categoryNouns', words[0] ?? ''));
  const members = steps.slice(at + 1);
  const isCategory =
    at >= 0 && members.length > 0 && steps.slice(at).every(({ params }) => params.length === 0);
  if (!isCategory || nouns.length !== steps.length || input.action !== undefined) return undefined;
  const [category = ''] = steps[at]?.words ?? [];
  const isPair = category === 'settings' || category === 'preferences' || category === 'options';
  const words = members.flatMap((member, index) =>
    index < members.length - 1 || isPair ? singularizeLastWord(member.words) : member.words,
  );
  return {
    verb: input.method === 'GET' ? ['get'] : verb,
    nouns: [...nouns.slice(0, at), [...words, isPair ? category : toSingular(category)]],
    grammaticalNumber: isPair ? 'many' : 'the',
  };
};

/** `/data/countries` → countries */
const omitDataContainer: TitleRule = ({ nouns, steps: [first, ...others] }) => {
  const isContainer = others.length > 0 && first?.words.join(' ') === 'data' && first.params.length === 0;
  return isContainer && nouns.length > 1 ? { nouns: nouns.slice(1) } : undefined;
};

/** `/day-wise-ideas` → ideas by day */
const nameCriterionLast: TitleRule = ({ nouns, object, wordsAfterObject }) =>
  object[1] === 'wise' && object.length > 2
    ? {
        nouns: nouns.with(-1, object.slice(2)),
        wordsAfterObject: ['by', ...object.slice(0, 1), ...wordsAfterObject],
      }
    : undefined;

/** `/tasks/table` → tasks as a table */
const nameViewLast: TitleRule = ({ before, last, nouns, object }, { input }) => {
  const [word = ''] = object;
  const isView = input.method === 'GET' && isOneOf('views', word) && object.length === 1;
  if (!isView || last.params.length > 0 || !isList(before)) return undefined;
  const wordsAfterObject = ['as', word];
  return { verb: ['list'], nouns: nouns.slice(0, -1), wordsAfterObject, grammaticalNumber: 'many' };
};

/** `/tasks/top-in-boards` → top tasks in boards; `/users/admin-in-boards` → user admins in boards */
const namePlaceLast: TitleRule = ({ nouns, object, verb, wordsAfterObject }) => {
  const at = object.findIndex((word) => isOneOf('prepositions', word));
  if (at < 1 || verb[0] !== 'list') return undefined;
  const named = object.slice(0, at);
  const owner = nouns.at(-2) ?? [];
  const isAdjective = named.every((word) => isOneOf('adjectives', word)) && owner.length > 0;
  return {
    nouns: isAdjective ? [...nouns.slice(0, -2), [...named, ...owner]] : nouns.with(-1, named),
    wordsAfterObject: [...object.slice(at), ...wordsAfterObject],
  };
};

/** `/tasks/archived` → archived tasks */
const nameParticipleFirst: TitleRule = ({ nouns, object, wordsAfterObject: [word = '', ...others] }) =>
  others.length === 0 && isParticiple(word) && object.length > 0
    ? { nouns: nouns.with(-1, [word, ...object]), wordsAfterObject: [] }
    : undefined;

/** `/stage-positions/{stage_id}` → positions of a stage; `/tasks/stage/{task_id}` → the stage of a task */
const nameOwnerLast: TitleRule = ({ last: { params, words }, owners, verb }, { input }) => {
  if (params.length !== 1 || input.action !== undefined) return undefined;
  const criterion = criterionWords(params).map(toSingular).join(' ');
  if (criterion === '' || toSingular(words.at(-1) ?? '') === criterion || criterion === 'id')
    return undefined;
  const named = toSingular(words[0] ?? '') === criterion;
  if (!named && owners.at(-1)?.join(' ') !== criterion) return undefined;
  const object = named ? words.slice(1) : words;
  const isMany = isPlural(object.at(-1) ?? '');
  return {
    verb: isMany && input.method === 'GET' ? ['list'] : verb,
    nouns: [object],
    wordsAfterObject: ['of', ...owners.flat(), ...(named ? [criterion] : [])],
    grammaticalNumber: isMany ? 'many' : 'the',
  };
};

/** `/font-families/{id}/font-faces` → font faces of a font family */
const nameNamesakeLast: TitleRule = ({ nouns, object, owners, wordsAfterObject }, { input }) => {
  const [owner = []] = nouns.slice(-2, -1);
  const isNamesake = owner.length > 1 && object.length > 1 && owner[0] === object[0];
  return isNamesake && input.action === undefined && wordsAfterObject.length === 0
    ? { nouns: [object], wordsAfterObject: ['of', ...owners.flat()] }
    : undefined;
};

/** `/block-renderer/{name}` → render a block */
const nameAgentByVerb: TitleRule = ({ last: { words }, nouns }) => {
  const verb = lookUp('agentVerbs', words.at(-1) ?? '');
  if (verb === undefined || words.length < 2) return undefined;
  return { verb: [verb], nouns: [...nouns.slice(0, -1), words.slice(0, -1)], grammaticalNumber: 'one' };
};

/** `POST /folders/{id}/add-board` → add a board to a folder */
const nameContainerLast: TitleRule = ({ object, owners, steps, verb, wordsAfterObject }) => {
  const preposition = lookUp('containmentVerbs', verb[0] ?? '');
  const isOwned = steps.some(({ params }) => params.length > 0) && wordsAfterObject.length === 0;
  return preposition === undefined || owners.length === 0 || !isOwned || object[0] === 'yourself'
    ? undefined
    : { nouns: [object], wordsAfterObject: [preposition, ...owners.flat()] };
};

/** `PUT /drag-stage` with the argument `stage_id` → drag a stage */
const articleByArgument: TitleRule = ({ grammaticalNumber, object, verb }, { argumentNames }) => {
  if (['change', 'set', 'switch', 'update'].includes(verb[0] ?? '')) return undefined;
  const ids = argumentNames.filter((name) => /[_-]?id$/i.test(name));
  return grammaticalNumber === 'the' && isInParameterNames(object.at(-1) ?? '', ids)
    ? { grammaticalNumber: 'one' }
    : undefined;
};

/** `POST /labels/task` with the argument `task_id` → add a label to a task */
const attachByArgument: TitleRule = ({ before, last, nouns, owners, verb }, { argumentNames, input }) => {
  const word = last.words.length === 1 ? (last.words[0] ?? '') : '';
  const isRelation = verb[0] === 'create' && last.params.length === 0 && isList(before);
  if (!isRelation || input.routeMethods.includes('GET') || !argumentNames.includes(`${word}_id`))
    return undefined;
  const attached = [...nouns.slice(0, -2), ...owners.slice(-1)];
  return { verb: ['add'], nouns: attached, wordsAfterObject: ['to', word], grammaticalNumber: 'one' };
};

/** `PUT /sort-task` → sort tasks; `GET /templates/lookup` → look up a template */
const numberByVerb: TitleRule = ({ nouns, object, verb: [verb = ''] }) => {
  const last = object.at(-1) ?? '';
  if (last === '') return undefined;
  if (isOneOf('orderingVerbs', verb)) {
    const plural = isPlural(last) ? last : toPlural(last);
    return { nouns: nouns.with(-1, object.with(-1, plural)), grammaticalNumber: 'many' };
  }
  if (!isOneOf('findingVerbs', verb)) return undefined;
  return { nouns: nouns.with(-1, singularizeLastWord(object)), grammaticalNumber: 'one' };
};

/** `POST /admin/modules`, whose modules have no path of their own → update modules */
const updateOfSwitches: TitleRule = ({ last, nouns, steps, verb }, { hasItems, input }) => {
  const isSwitch =
    verb[0] === 'create' &&
    input.routeMethods.includes('GET') &&
    !hasItems &&
    steps.length > 1 &&
    ['admin', 'settings', 'options'].includes(steps[0]?.words.at(-1) ?? '');
  if (isSwitch) return { verb: ['update'], nouns: nouns.with(-1, last.words), grammaticalNumber: 'many' };
  return undefined;
};

/** `POST /model-step`, which has no GET → run a model step; `POST /{id}/dates` → set dates */
const postByNoun: TitleRule = ({ last: { words }, owners, verb }, { input }) => {
  const posted = lookUp('postingVerbs', words.at(-1) ?? '');
  if (posted === undefined || verb[0] !== 'create' || input.routeMethods.includes('GET')) return undefined;
  if (posted !== 'set') return { verb: [posted] };
  return {
    verb: [posted],
    nouns: [words],
    wordsAfterObject: owners.length === 0 ? [] : ['of', ...owners.flat()],
    grammaticalNumber: isPlural(words.at(-1) ?? '') ? 'many' : 'the',
  };
};

/** `GET /calendar`, a list by its arguments → get the calendar; `/tasks/stage-page` → the stage page of tasks */
const singularResource: TitleRule = (draft, { hasItems, input }) => {
  const { before, nouns, object, owners, verb, wordsAfterObject } = draft;
  const { params, words } = draft.last;
  const last = words.at(-1) ?? '';
  const isSingular =
    verb[0] === 'list' &&
    object.at(-1) === last &&
    !isPlural(last) &&
    params.length === 0 &&
    !hasItems &&
    input.routeMethods.every((method) => method === 'GET');
  if (!isSingular) return undefined;
  if (isOneOf('uncountable', last)) return { verb: ['get'] };
  if (toPlural(last) === last) return undefined;
  if (last === 'search') return { verb: ['run'], grammaticalNumber: 'one' };
  if (wordsAfterObject.length > 0) return undefined;
  if (!isList(before) || words.length < 2) return { verb: ['get'], grammaticalNumber: 'the' };
  const owner = [...owners.slice(0, -1), ...nouns.slice(-2, -1)].flat();
  return { verb: ['get'], nouns: [words], wordsAfterObject: ['of', ...owner], grammaticalNumber: 'the' };
};

/** `GET /embed` with the argument `url` → get the embed of a URL */
const nameUrlLast: TitleRule = ({ grammaticalNumber, last, steps }, { input }) => {
  const isPlain = steps.length === 1 && last.params.length === 0 && input.method === 'GET';
  const isOfUrl = isPlain && grammaticalNumber === 'the' && input.argumentNamesOfGet.includes('url');
  const [word = ''] = last.words;
  if (!isOfUrl || word === 'url') return undefined;
  if (word === 'proxy') return { verb: ['proxy'], nouns: [['url']], grammaticalNumber: 'one' };
  return { wordsAfterObject: ['of', 'url'] };
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
