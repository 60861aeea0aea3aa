import { decodeByteString, rawUrlDecode } from '../../../base/php/request.ts';
import { mapInSteps, type Steps } from '../../../base/steps.ts';
import known from '../conventions/known-responses.json' with { type: 'json' };
import conventions from '../conventions/resource-conventions.json' with { type: 'json' };
import { compareOwners, type NameOwner, NameRegistry, qualifyWords } from './namespaces.ts';
import {
  capitalize,
  isInParameterNames,
  isOneOf,
  isPlural,
  singularizeLastWord,
  splitLetters,
  splitWords,
  toCamelCase,
  toPascalCase,
  toPlural,
  toSingular,
  wordsOf,
} from './words.ts';

const MAX_LENGTH = 80;

/** `listPosts`, `archiveStoreOrder`. Outermost nouns are left out of long names. */
function deriveOperationName({ method, phrase }: NamingInput, qualifier: readonly string[] = []): string {
  const { isAction, isOther, nouns, wordsAfterObject } = phrase;
  const verb = isOther ? [...toVerbWords([method]), ...(isAction ? phrase.verb : [])] : phrase.verb;
  const names = Array.from({ length: Math.max(1, nouns.length) }, (_, dropped) => {
    const words = [...nouns.slice(dropped).flat(), ...wordsAfterObject];
    const things = toPascalCase(qualifyWords(qualifier, words));
    // A single verb can be a reserved word (`delete`) or, as a type, a schema's name: `SearchResult`.
    return things === '' && verb.length === 1 ? `run${toPascalCase(verb)}` : toCamelCase(verb) + things;
  });
  return names.find(({ length }) => length <= MAX_LENGTH) ?? (names[0] ?? '').slice(0, MAX_LENGTH);
}

export interface OperationToName {
  readonly namingInput: NamingInput;
  readonly owner: NameOwner;
}

/** Unique names, in the site's order for each owner, so that what a plugin appends renames nothing. */
export function* assignOperationNames(operations: readonly OperationToName[]): Steps<readonly string[]> {
  const registry = new NameRegistry(wordsOf('globalFunctions'));
  const ranked = operations
    .map((operation, index) => ({ ...operation, index }))
    .sort((a, b) => compareOwners(a.owner, b.owner));
  const names: string[] = new Array(operations.length).fill('');
  yield* mapInSteps(ranked, ({ index, namingInput, owner }) => {
    // Only the namespace tells indexes apart.
    const named =
      namingInput.path.steps.length > 0 ? [] : owner.qualifiers.filter(({ length }) => length > 0);
    const qualifiers = named.length > 0 ? named : owner.qualifiers;
    const name = registry.find({ ...owner, qualifiers }, (qualifier) =>
      deriveCandidates(namingInput, qualifier),
    );
    registry.take(name, owner);
    names[index] = name;
  });
  return names;
}

/** A second operation of a name gets a suffix of parameters (`getAttributeBySlug`), literals or a number. */
function* deriveCandidates(input: NamingInput, qualifier: readonly string[]): Generator<string> {
  const plain = deriveOperationName(input, qualifier);
  yield plain;
  const { leadingParams, steps } = input.path;
  const all = [...leadingParams, ...steps.flatMap((step) => step.params)];
  for (const params of [steps.at(-1)?.params ?? leadingParams, all]) {
    const words = params.map((param) => toPascalCase(splitWords(param)));
    if (params.length > 0 && !/By[A-Z]/.test(plain))
      yield `${plain}By${words.join('And')}`.slice(0, MAX_LENGTH);
  }
  if (all.length > 0) return;
  // `POST /cart/update-item` says what it does: `cartUpdateItem`.
  const verb = input.phrase.isAction ? [] : toVerbWords([input.method]);
  const literals = toVerbWords([...verb, ...qualifier, ...steps.flatMap(({ words }) => words)]);
  yield toCamelCase(literals).slice(0, MAX_LENGTH);
}

export const RESERVED_SCHEMA_NAMES: readonly string[] = [
  ...['AnyFields', 'BatchResult', 'EmbeddedResource', 'Error', 'InvalidParamError', 'Link', 'Links'],
  ...['MissingCallbackParamError', 'SharedQuery'],
  // WordPress's resource has the name of the known response.
  ...known.responses.map(({ name }) => name).filter((name) => name !== 'SearchResult'),
  ...conventions.map(({ kind }) => `${toPascalCase(splitWords(kind))}Links`),
];

/** `search result` → `SearchResult`. Global types, and names that generators derive from operations, always end in `Resource`. */
export function toSchemaName(words: readonly string[]): string {
  const name = toPascalCase(words).slice(0, 120);
  if (/^[0-9]/.test(name)) return `Schema${name}`;
  const [first = ''] = words;
  const isDerived =
    words.length > 2 &&
    (['verbs', 'readingVerbs', 'methods'] as const).some((set) => isOneOf(set, first)) &&
    isOneOf('derivedWords', words.at(-1) ?? '');
  return isDerived || isOneOf('globalTypes', name) ? `${name}Resource` : name;
}

/** `List posts`, `Archive a project board`: without the namespace, by which documentation groups. */
export function createOperationSummary({ method, namespace, path, phrase }: NamingInput): string {
  const { isOther, nouns, verb, wordsAfterObject } = phrase;
  const words = (method === 'GET' ? describeReport(path) : undefined) ?? [
    ...(VERBS.get(verb.join(' ')) ?? verb.join(' ')).split(' '),
    ...describeObject(phrase),
    ...wordsAfterObject,
  ];
  const index = nouns.at(-1)?.[0] === 'index' && namespace !== '' ? ` of ${namespace}` : '';
  return capitalize(words.map(toSpelling).join(' ')) + index + (isOther ? ` (${method})` : '');
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ['lookup', 'look up'],
  ['has', 'tell whether'],
  ['is', 'tell whether'],
]);

function describeReport({ steps }: NamingInput['path']): readonly string[] | undefined {
  const at = steps.findIndex(({ words }) => /^(?:reports|tests)$/.test(words.join()));
  if (at < 0 || at === steps.length - 1 || steps.some(({ params }) => params.length > 0)) return undefined;
  const qualifiers = steps.slice(at + 1, -1).flatMap(({ words }) => singularizeLastWord(words));
  return [
    'get',
    'the',
    ...qualifiers,
    ...(steps.at(-1)?.words ?? []),
    ...singularizeLastWord(steps[at]?.words ?? []),
  ];
}

function describeObject({ grammaticalNumber, nouns, verb }: NamingInput['phrase']): readonly string[] {
  const isList = verb[0] === 'list';
  const object = nouns.at(-1) ?? [];
  const last = object.at(-1) ?? '';
  const owners = nouns.slice(0, -1).map(singularizeLastWord);
  // Without words that a later noun repeats: `/tasks/task-tabs/config`.
  const parents = owners.flatMap((words, at) => {
    const later = new Set([...owners.slice(at + 1), object].flat().map(toSingular));
    return words.every((word) => later.has(word)) || words.join() === 'data' ? [] : words;
  });
  if (object.length === 1 && isOneOf('selectorWords', last) && parents.length > 0)
    return ['the', /^(?:me|self|mine)$/.test(last) ? 'current' : last, ...parents];
  const needsPlural = isList && !isPlural(last) && !/ed$/.test(last) && !isOneOf('uncountable', last);
  const thing = [...parents, ...object.slice(0, -1), needsPlural ? toPlural(last) : last].filter(
    (word, at, all) => word !== '' && !(word === 'wp' && at < all.length - 1),
  );
  if (thing.length === 0 || grammaticalNumber === 'many' || isList || isOneOf('uncountable', last))
    return thing;
  return [grammaticalNumber === 'the' ? 'the' : chooseArticle(thing[0] ?? ''), ...thing];
}

const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['cat', 'category'],
  ['cats', 'categories'],
  ['oembed', 'oEmbed'],
]);

function toSpelling(word: string): string {
  const singular = toSingular(word);
  const upper = isAcronym(singular) ? singular.toUpperCase() + word.slice(singular.length) : word;
  return SPELLINGS.get(word) ?? upper;
}

/** `css`, `fm`, `v2`; not `by`. */
function isAcronym(word: string): boolean {
  return isOneOf('acronyms', word) || /^(?!nth$|vs$)[b-df-hj-np-tv-xz]{2,5}\d*$/.test(word);
}

/** By sound, guessed from spelling: an item, a user, an hour, an RSS feed. */
function chooseArticle(word: string): string {
  // Names of these letters begin with a vowel.
  if (isAcronym(word) && !/^[aeiou]/.test(word)) return /^[fhlmnrsx]/.test(word) ? 'an' : 'a';
  if (/^(?:one|eu|uni(?!n)|us[aei]|uti|url|uri|uuid)/.test(word)) return 'a';
  return /^(?:[aeiou]|hour)/.test(word) ? 'an' : 'a';
}

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
function toVerbWords(declared: readonly string[]): readonly string[] {
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
