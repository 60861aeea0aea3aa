import { decodeByteString, rawUrlDecode } from '../../../base/php/request.ts';
import {
  isInParameterNames,
  isOneOf,
  isPlural,
  singularizeLastWord,
  splitLetters,
  splitWords,
  toSingular,
} from './words.ts';

export interface NamingFacts {
  readonly namespace: string;
  readonly template: string;
  readonly method: string;
  readonly routeMethods: readonly string[];
  readonly endpointMethods: readonly string[];
  readonly argumentNamesOfGet: readonly string[];
}

export interface NamingInput extends NamingFacts {
  readonly path: ParsedPath;
  readonly phrase: OperationPhrase;
}

interface OperationPhrase {
  readonly verb: readonly string[];
  readonly isAction: boolean;
  /** Another method does the same and has the plain name: `PUT` beside `POST`. */
  readonly isOther: boolean;
  /** From the outermost to the object: `post`, `revisions`. */
  readonly nouns: readonly (readonly string[])[];
  readonly wordsAfterObject: readonly string[];
  readonly grammaticalNumber: 'one' | 'the' | 'many';
}

interface PathStep {
  readonly words: readonly string[];
  readonly params: readonly string[];
}

interface ParsedPath {
  readonly leadingParams: readonly string[];
  readonly steps: readonly PathStep[];
}

export function toNamingInput(facts: NamingFacts): NamingInput {
  const path = parsePath(facts);
  return { ...facts, path, phrase: toPhrase(facts, path) };
}

/** A method can be no identifier: `M-SEARCH`, `1X`. */
export function toVerbWords(declared: readonly string[]): readonly string[] {
  const words = declared.flatMap((word) => splitWords(word.toLowerCase()));
  return /^[a-z]/.test(words[0] ?? '') ? words : ['run', ...words];
}

/** From the end of the path. The time for hostile longer ones can grow with the square of the length. */
const MAX_PARTS = 64;

function parsePath({ namespace, template }: NamingFacts): ParsedPath {
  const below = `${template}/`.startsWith(`/${namespace}/`) && namespace !== '';
  const tail = below ? template.slice(namespace.length + 1) : template;
  const leadingParams: string[] = [];
  const steps: { words: readonly string[]; params: string[] }[] = [];
  const parts = tail
    .replace(/^\/batch\/v1$/, '/batch')
    .split(/(\{[^{}]*\}|\/)/)
    .filter((part) => part !== '' && part !== '/');
  for (const part of parts.slice(-MAX_PARTS)) {
    const param = /^\{(.*)\}$/s.exec(part)?.[1];
    const words = param === undefined ? splitLetters(decodeByteString(rawUrlDecode(part))) : [];
    if (param !== undefined) (steps.at(-1)?.params ?? leadingParams).push(param);
    else if (words.length > 0) steps.push({ words, params: [] });
  }
  return { leadingParams, steps };
}

function toPhrase(facts: NamingFacts, { leadingParams, steps }: ParsedPath): OperationPhrase {
  if (steps.length > 0) return phraseForAction(facts, steps) ?? phraseForMethod(facts, steps);
  const isIndex = leadingParams.length === 0;
  return {
    verb: toVerbWords([facts.method]),
    isAction: false,
    isOther: false,
    nouns: [[isIndex ? 'index' : 'item']],
    wordsAfterObject: leadingParams.flatMap((param, at) => [at === 0 ? 'by' : 'and', ...splitWords(param)]),
    grammaticalNumber: isIndex ? 'the' : 'one',
  };
}

/** By precedence: the first of an endpoint has the plain name. */
const METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];

/** The last literal begins or ends with a verb: `/projects/{id}/archive-board`. */
function phraseForAction(facts: NamingFacts, steps: readonly PathStep[]): OperationPhrase | undefined {
  const { endpointMethods, method, routeMethods } = facts;
  const { words = [], params = [] } = steps.at(-1) ?? {};
  const [first = ''] = words;
  const leader = METHODS.find((each) => endpointMethods.includes(each)) ?? method;
  const isNamed = METHODS.find((each) => routeMethods.includes(each)) === leader;
  // A word that a parameter repeats is a noun: `/reply/{reply_id}`.
  if (!isNamed || isInParameterNames(first, params)) return undefined;
  const isVerb = (word: string): boolean => isOneOf(leader === 'GET' ? 'readingVerbs' : 'verbs', word);
  const isTrailing = (word: string): boolean => leader !== 'GET' && isOneOf('trailingVerbs', word);
  const at = isVerb(first) ? 0 : words.findLastIndex(isTrailing);
  if (at < 0) {
    // `/upload/background-image` reads as `/upload-background-image`.
    const { words: verb = [], params: others = [] } = steps.at(-2) ?? {};
    const isSplit = verb.length === 1 && isVerb(verb[0] ?? '') && others.length + params.length === 0;
    if (!isSplit) return undefined;
    return phraseForAction(facts, [...steps.slice(0, -2), { words: [...verb, ...words], params }]);
  }
  const owners = toNouns(steps.slice(0, -1));
  const object = words.toSpliced(at, 1);
  const owner = singularizeLastWord(owners.at(-1) ?? []);
  // `/tasks/{id}/clone-task` repeats the noun.
  const isRepeated = owner.length > 0 && object.slice(0, owner.length).join() === owner.join();
  const rest = isRepeated ? object.slice(owner.length) : object;
  const isObject = rest.length > 0 && !isOneOf('prepositions', rest[0] ?? '');
  const isItem = isRepeated || params.length > 0 || (object.length === 0 && hasParams(steps.at(-2)));
  const nouns = isItem && !isObject && owner.length > 0 ? owners.with(-1, owner) : owners;
  const last = (isObject ? rest : (nouns.at(-1) ?? [])).at(-1) ?? '';
  const isNew = isOneOf('creatingVerbs', words[at] ?? '');
  const allParams = steps.flatMap((step) => step.params);
  const isOne = isItem || isNew || isInParameterNames(last, allParams);
  return {
    verb: toVerbWords([words[at] ?? '']),
    isAction: true,
    isOther: leader !== method,
    nouns: isObject ? [...nouns, rest] : nouns,
    wordsAfterObject: isObject ? [] : rest,
    grammaticalNumber: !isItem && namesSeveral(last) ? 'many' : isOne ? 'one' : 'the',
  };
}

function hasParams(step: PathStep | undefined): boolean {
  return step !== undefined && step.params.length > 0;
}

function phraseForMethod(facts: NamingFacts, steps: readonly PathStep[]): OperationPhrase {
  const last = steps.at(-1) ?? { words: [], params: [] };
  const [first = '', second] = last.words;
  // `/tasks/by-stage`, `/plugins/installed`
  const isQualifier = isOneOf('prepositions', first) || (/..ed$/.test(first) && second === undefined);
  if (isQualifier && !hasParams(last) && steps.at(-2)?.params.length === 0) {
    const phrase = phraseForMethod(facts, steps.slice(0, -1));
    return { ...phrase, wordsAfterObject: [...phrase.wordsAfterObject, ...last.words] };
  }
  const role = classifyPath(facts, steps);
  const { isOther, verb } = chooseVerb(facts, role, !hasParams(last) && last.words.at(-1) === 'batch');
  const nouns = toNouns(steps);
  const common = { verb: toVerbWords([verb]), isAction: false, isOther };
  if (role !== 'list') {
    const isMany = role === 'single' && namesSeveral(nouns.at(-1)?.at(-1));
    const isOne = role === 'item' || verb === 'run' || verb === 'create';
    return {
      ...common,
      nouns,
      wordsAfterObject: [],
      grammaticalNumber: isMany ? 'many' : isOne ? 'one' : 'the',
    };
  }
  const isNew = verb === 'create';
  const criterion = last.params.flatMap(splitWords).filter((word, at) => at === 0 || word !== 'id');
  return {
    ...common,
    nouns: nouns.with(-1, isNew ? singularizeLastWord(last.words) : last.words),
    wordsAfterObject: criterion.length === 0 ? [] : ['by', ...criterion],
    grammaticalNumber: isNew ? 'one' : 'many',
  };
}

function chooseVerb(
  { method, routeMethods, endpointMethods }: NamingFacts,
  role: PathRole,
  isBatch: boolean,
): { readonly verb: string; readonly isOther: boolean } {
  // With GET in one endpoint, a POST is a GET with its parameters in the body.
  if (endpointMethods.includes('GET'))
    return { verb: role === 'list' ? 'list' : 'get', isOther: method !== 'GET' };
  if (!WRITES.includes(method)) return { verb: method, isOther: false };
  // A POST to a single resource updates it, if there is a GET, or PUT or PATCH in the endpoint.
  const creates =
    role === 'list' ||
    (role === 'single' && !routeMethods.includes('GET') && !isUpdateEndpoint(endpointMethods));
  const [updater] = WRITES.filter((each) => routeMethods.includes(each) && !(creates && each === 'POST'));
  const verb = method === 'POST' && creates ? 'create' : 'update';
  return { verb: isBatch ? 'run' : verb, isOther: verb === 'update' && method !== updater };
}

const WRITES = ['POST', 'PUT', 'PATCH'];

/** Also by POST (WP_REST_Server::EDITABLE). */
function isUpdateEndpoint(methods: readonly string[]): boolean {
  return methods.includes('PUT') || methods.includes('PATCH');
}

type PathRole = 'item' | 'list' | 'single';

function classifyPath(
  { endpointMethods, argumentNamesOfGet, routeMethods }: NamingFacts,
  steps: readonly PathStep[],
): PathRole {
  const { words = [], params = [] } = steps.at(-1) ?? {};
  const word = words.at(-1) ?? '';
  // Part of a collection: `/icons/{collection}`.
  const isScope =
    params.length === 1 && isOneOf('scopeParameters', params[0] ?? '') && !isInParameterNames(word, params);
  if (isScope && routeMethods.join() === 'GET') return 'list';
  if (params.length > 0 || endsInSelector(steps)) return 'item';
  const isUpdated = endpointMethods.includes('POST') && isUpdateEndpoint(endpointMethods);
  if (isUpdated || isOneOf('singletonWords', word)) return 'single';
  if (argumentNamesOfGet.some((name) => isOneOf('pagingArguments', name))) return 'list';
  return isPlural(word) && !isContainer(steps.at(-2)) ? 'list' : 'single';
}

/** `/reports/orders` is one report. */
function isContainer(step: PathStep | undefined): boolean {
  return step?.params.length === 0 && isOneOf('containerWords', step.words.at(-1) ?? '');
}

function endsInSelector(steps: readonly PathStep[]): boolean {
  const { words = [], params = [] } = steps.at(-1) ?? {};
  const collection = steps.at(-2);
  if (words.length !== 1 || params.length > 0 || collection?.params.length !== 0) return false;
  return isOneOf('selectorWords', words[0] ?? '') && isPlural(collection.words.at(-1) ?? '');
}

function toNouns(steps: readonly PathStep[]): readonly (readonly string[])[] {
  return steps.map((step, at) => {
    const { words, params } = step;
    const next = steps[at + 1]?.words ?? [];
    const selects = at === steps.length - 2 && endsInSelector(steps);
    const isRepeated = next.some((word) => toSingular(word) === toSingular(words.at(-1) ?? ''));
    const qualifies = isPlural(next.at(-1) ?? '') && !isContainer({ words, params: [] }) && !isRepeated;
    return params.length > 0 || selects || qualifies ? singularizeLastWord(words) : words;
  });
}

function namesSeveral(word = ''): boolean {
  return isPlural(word) || isOneOf('singletonWords', word);
}
