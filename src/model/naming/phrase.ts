import { isLeadingVerb, isOneOf, lookUp } from './vocabulary.ts';
import { isInParameterNames, isPlural, singularizeLastWord, splitWords } from './words.ts';

export interface NamingFacts {
  /** The route's namespace, `wp/v2`; empty for `/` and `/batch/v1`. */
  readonly namespace: string;
  /** The path template, including the namespace: `/wp/v2/posts/{parent}/revisions`. */
  readonly template: string;
  /** Upper case. */
  readonly method: string;
  /** All methods of the route, upper case. */
  readonly routeMethods: readonly string[];
  /** All methods of the operation's endpoint, upper case. One callback handles them. */
  readonly endpointMethods: readonly string[];
  /** Names of the arguments that the route declares for GET. `page` and `per_page` indicate a list. */
  readonly argumentNamesOfGet: readonly string[];
}

/**
 * The operation that is named, with its path in words. All facts belong to its own route, so no other route can change the
 * name.
 */
export interface NamingInput extends NamingFacts {
  readonly path: ParsedPath;
  /** The verb that the path contains, if it names this operation: `/archive-board`. */
  readonly action: PathAction | undefined;
  /** The method and the path as a phrase: `GET /posts/{id}` → get, post. */
  readonly phrase: OperationPhrase;
}

export function toNamingInput(facts: NamingFacts): NamingInput {
  const { method, namespace, routeMethods, template } = facts;
  const path = parsePath(namespace, template);
  const isNamedByPath = findVerbMethod(routeMethods) === method;
  const action = isNamedByPath ? findAction(path.steps, method, routeMethods.includes('GET')) : undefined;
  const phrase = toPhrase(facts, path, action);
  return { ...facts, path, action, phrase: { ...phrase, verb: toVerbWords(phrase.verb) } };
}

/** Converts words to those of an identifier. The first may be a method that is none: `M-SEARCH`, `1X`. */
export function toVerbWords(stated: readonly string[]): readonly string[] {
  const words = stated.flatMap((word) => splitWords(word.toLowerCase()));
  return /^[a-z]/.test(words[0] ?? '') ? words : ['run', ...words];
}

/** The same route's operation of another method. */
export function withMethod(input: NamingInput, method: string): NamingInput {
  return method === input.method ? input : toNamingInput({ ...input, method });
}

/** A literal segment of a path, as words, with the parameters that follow it. */
export interface PathStep {
  readonly words: readonly string[];
  readonly params: readonly string[];
}

/** A path template without its namespace, split into steps. */
export interface ParsedPath {
  /** Parameters before the first literal. */
  readonly leadingParams: readonly string[];
  readonly steps: readonly PathStep[];
}

/**
 * Maximum number of literals and parameters from which a name is derived, counted from the end of the path. Longer paths
 * are hostile: the time to name one may grow with the square of its length.
 */
const MAX_PARTS = 64;

/** Splits the template of an operation into namespace, literals and parameters. */
function parsePath(namespace: string, template: string): ParsedPath {
  const below = `${template}/`.startsWith(`/${namespace}/`) && namespace !== '';
  const tail = below ? template.slice(namespace.length + 1) : template;
  const leadingParams: string[] = [];
  const steps: { words: readonly string[]; params: string[] }[] = [];
  const parts = tail.split(/(\{[^{}]*\}|\/)/).filter((part) => part !== '' && part !== '/');
  for (const part of parts.slice(-MAX_PARTS)) {
    const param = /^\{(.*)\}$/s.exec(part)?.[1];
    const step = steps.at(-1);
    if (param !== undefined) (step?.params ?? leadingParams).push(param);
    else {
      const words = splitWords(part);
      if (words.length > 0) steps.push({ words, params: [] });
    }
  }
  return { leadingParams, steps };
}

/** An operation in words, from which its name and its summary are built. */
export interface OperationPhrase {
  readonly verb: readonly string[];
  /** Whether nothing but the namespace tells what the operation is about, so that its words are part of the name. */
  readonly isNamedByNamespace?: boolean;
  /** The nouns from the outermost to the object of the operation: `post`, `revisions`. */
  readonly nouns: readonly (readonly string[])[];
  /** The words after the object: `to next stage`, `by namespace`. */
  readonly wordsAfterObject: readonly string[];
  /** Determines the article of the object. `one`: a/an. `the`: the. `many`: plural without an article. */
  readonly grammaticalNumber: 'one' | 'the' | 'many';
}

function toPhrase(facts: NamingFacts, path: ParsedPath, action: PathAction | undefined): OperationPhrase {
  const fixed = FIXED_PHRASES.get(`${facts.method} ${facts.template}`);
  if (fixed !== undefined) return fixed;
  if (path.steps.length === 0) return phraseWithoutLiterals(facts, path);
  return action === undefined ? phraseForMethod(facts, path) : phraseForAction(action);
}

const FIXED_PHRASES: ReadonlyMap<string, OperationPhrase> = new Map([
  ['GET /', { verb: ['get'], nouns: [['index']], wordsAfterObject: [], grammaticalNumber: 'the' }],
  ['POST /batch/v1', { verb: ['run'], nouns: [['batch']], wordsAfterObject: [], grammaticalNumber: 'one' }],
]);

/** Creates the phrase of a path without literals: the index of a namespace, or an item named by its parameters. */
function phraseWithoutLiterals({ method }: NamingFacts, { leadingParams }: ParsedPath): OperationPhrase {
  const isIndex = leadingParams.length === 0;
  return {
    verb: [method.toLowerCase()],
    isNamedByNamespace: true,
    nouns: [[isIndex ? 'index' : 'item']],
    wordsAfterObject: leadingParams.flatMap((param, at) => [at === 0 ? 'by' : 'and', ...splitWords(param)]),
    grammaticalNumber: isIndex ? 'the' : 'one',
  };
}

/** Methods in order of precedence. The verb of the path names the operation of the first method that the route has. */
const VERB_METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];

function findVerbMethod(routeMethods: readonly string[]): string | undefined {
  return VERB_METHODS.find((candidate) => routeMethods.includes(candidate));
}

/**
 * Returns the method whose operation states what an operation does: its own, or the method that has the verb of the path, if
 * the same endpoint handles both. `GET /abilities/{name}/run` runs an ability as its `POST` does.
 */
export function toVerbMethod(input: NamingInput): string {
  const { endpointMethods, method, routeMethods } = input;
  const verbMethod = findVerbMethod(routeMethods);
  if (verbMethod === undefined || verbMethod === method || !endpointMethods.includes(verbMethod))
    return method;
  return withMethod(input, verbMethod).action !== undefined ? verbMethod : method;
}

function phraseForAction({ verb, objectSteps, otherWords, params }: PathAction): OperationPhrase {
  const nounWords = toNouns(objectSteps);
  const last = nounWords.at(-1) ?? [];
  // `/tasks/{id}/clone-task`: the literal repeats the noun before it.
  const noun = singularizeLastWord(last);
  const repeats = noun.length > 0 && otherWords.slice(0, noun.length).join() === noun.join();
  const words = repeats ? otherWords.slice(last.length) : otherWords;
  const isOneMember = repeats || (params.length > 0 && otherWords.length === 0);
  const objects = isOneMember ? [...nounWords.slice(0, -1), noun] : nounWords;
  const parameters = [...params, ...objectSteps.flatMap((noun) => noun.params)];
  if (words.length === 0 || isOneOf('prepositions', words[0] ?? '')) {
    const isIndefinite = isOneMember || (objectSteps.at(-1)?.params.length ?? 0) > 0;
    return {
      verb,
      nouns: objects,
      wordsAfterObject: words,
      grammaticalNumber: isIndefinite ? 'one' : namesSeveral(last.at(-1)) ? 'many' : 'the',
    };
  }
  const object = words.at(-1) ?? '';
  const isIndefinite = isOneOf('creatingVerbs', verb.at(-1) ?? '') || isInParameterNames(object, parameters);
  return {
    verb,
    nouns: [...objects, words],
    wordsAfterObject: [],
    grammaticalNumber: namesSeveral(object) ? 'many' : isIndefinite ? 'one' : 'the',
  };
}

function phraseForMethod(input: NamingFacts, { steps }: ParsedPath): OperationPhrase {
  const { subject, rest: wordsAfterObject } = splitQualifier(steps);
  const role = classifyPath(input, subject);
  const last = subject.at(-1) ?? { words: [], params: [] };
  const defaultVerb = chooseVerb(input, role);
  // A batch is executed; it is not a resource that is created or updated.
  const isBatchRun =
    last.words.at(-1) === 'batch' && last.params.length === 0 && ['create', 'update'].includes(defaultVerb);
  const verb = [isBatchRun ? 'run' : defaultVerb];
  const nouns = toNouns(subject);
  if (role === 'list') {
    const creates = verb[0] === 'create';
    const scope = criterionWords(last.params);
    const isImplied = scope.every((word) => last.words.includes(word)) || last.words.includes('associated');
    const criterion = creates || isImplied ? [] : ['by', ...scope];
    return {
      verb,
      nouns: [...nouns.slice(0, -1), creates ? singularizeLastWord(last.words) : last.words],
      wordsAfterObject: [...wordsAfterObject, ...criterion],
      grammaticalNumber: creates ? 'one' : 'many',
    };
  }
  const isPluralPhrase = role === 'single' && namesSeveral(nouns.at(-1)?.at(-1));
  const isIndefinite = role === 'item' || isBatchRun || defaultVerb === 'create';
  const grammaticalNumber = isPluralPhrase ? 'many' : isIndefinite ? 'one' : 'the';
  return { verb, nouns, wordsAfterObject, grammaticalNumber };
}

/** Separates a last literal that qualifies the one before: `/tasks/by-stage`, `/tasks/archived`. */
function splitQualifier(steps: readonly PathStep[]): {
  readonly subject: readonly PathStep[];
  readonly rest: readonly string[];
} {
  const last = steps.at(-1) ?? { words: [], params: [] };
  const before = steps.at(-2);
  const [first = '', second = ''] = last.words;
  const isParticiple = /..ed$/.test(first) && (second === '' || isOneOf('prepositions', second));
  const isQualifier =
    (isParticiple || isOneOf('prepositions', first)) &&
    last.params.length === 0 &&
    before?.params.length === 0;
  return isQualifier ? { subject: steps.slice(0, -1), rest: last.words } : { subject: steps, rest: [] };
}

function chooseVerb({ method, routeMethods, endpointMethods }: NamingFacts, role: PathRole): string {
  if (method === 'GET') return role === 'list' ? 'list' : 'get';
  // If one endpoint handles GET and other methods, a POST is a GET with its parameters in the body.
  if (endpointMethods.includes('GET')) return method.toLowerCase();
  const isUpdateEndpoint = endpointMethods.some((candidate) => candidate === 'PUT' || candidate === 'PATCH');
  // A POST to a single resource is an update if the resource has a GET, or if the endpoint also handles PUT or PATCH.
  const creates =
    role === 'list' || (role === 'single' && !routeMethods.includes('GET') && !isUpdateEndpoint);
  if (method === 'POST' && creates) return 'create';
  const updater = ['POST', 'PUT', 'PATCH'].find(
    (candidate) => routeMethods.includes(candidate) && !(candidate === 'POST' && creates),
  );
  return method === updater ? 'update' : method.toLowerCase();
}

/**
 * Converts literals to nouns: singular if a parameter or a selector picks one member, or if the noun qualifies other members,
 * as in `product categories`.
 */
function toNouns(steps: readonly PathStep[]): readonly (readonly string[])[] {
  return steps.map(({ words, params }, at) => {
    const selects = at === steps.length - 2 && endsInSelector(steps);
    return params.length > 0 || selects || qualifies(words.at(-1), steps[at + 1]?.words)
      ? singularizeLastWord(words)
      : words;
  });
}

/** Whether a noun qualifies the next literal: a plural, which neither repeats the noun nor says which of its members are meant. */
function qualifies(noun = '', next: readonly string[] = []): boolean {
  return (
    isPlural(next.at(-1) ?? '') &&
    !isOneOf('containerWords', noun) &&
    !isInParameterNames(noun, next) &&
    !next.some((word) => isOneOf('prepositions', word) || isOneOf('adjectives', word))
  );
}

function namesSeveral(word = ''): boolean {
  return isPlural(word) || isOneOf('singletonWords', word);
}

/** A path that contains a verb: `/projects/{id}/archive-board`. */
interface PathAction {
  readonly verb: readonly string[];
  /** The steps before the literal with the verb. They name the object of the action. */
  readonly objectSteps: readonly PathStep[];
  /** The other words of the literal that contains the verb. If there are none, the words of the next literal. */
  readonly otherWords: readonly string[];
  /** The parameters after the verb. */
  readonly params: readonly string[];
}

type VerbMatch = Pick<PathAction, 'verb' | 'otherWords'>;

/**
 * Finds the verb of a path in its last literal, or in the literal before that if it consists of a verb only. Returns
 * `undefined` for a path without a verb.
 *
 * @param isReadable Whether the route has an operation for GET.
 */
function findAction(steps: readonly PathStep[], method: string, isReadable: boolean): PathAction | undefined {
  const last = steps.at(-1);
  if (last === undefined) return undefined;
  const found = matchVerb(last, method, isReadable);
  if (found !== undefined) return { ...found, objectSteps: steps.slice(0, -1), params: last.params };
  const previous = steps.at(-2);
  if (previous === undefined || previous.params.length > 0 || last.params.length > 0) return undefined;
  const previousVerb = matchVerb(previous, method, isReadable);
  if (previousVerb === undefined || previousVerb.otherWords.length > 0) return undefined;
  return { verb: previousVerb.verb, objectSteps: steps.slice(0, -2), otherWords: last.words, params: [] };
}

function matchVerb({ words, params }: PathStep, method: string, isReadable: boolean): VerbMatch | undefined {
  const [first = '', second = ''] = words;
  // A word that a parameter repeats is a noun: `/reply/{reply_id}`.
  if (isInParameterNames(first, params)) return undefined;
  // Of `list-of-boards` the object is `boards`.
  const leading: VerbMatch = { verb: [first], otherWords: words.slice(second === 'of' ? 2 : 1) };
  if (method === 'GET') return isOneOf('readingVerbs', first) ? leading : undefined;
  const compound = lookUp('compoundVerbs', `${first} ${second}`);
  if (compound !== undefined) return { verb: compound.split(' '), otherWords: words.slice(2) };
  if (first === 'bulk') {
    // `bulk-restore-tasks` is `bulk restore`, and `bulk-actions` is `run`.
    const isVerb = isLeadingVerb(second);
    if (isVerb) return { verb: [first, second], otherWords: words.slice(2) };
    return { verb: ['run'], otherWords: words };
  }
  if (isLeadingVerb(first)) return leading;
  const at = words.findLastIndex((word) => isOneOf('trailingVerbs', word));
  const last = words.at(-1) ?? '';
  // `vote` is a verb in `/vote-idea/{idea_id}`; `block` in `/block-renderer/{name}`, which also has a GET, is not.
  const isVerb = !isReadable && (params.length === 0 || isInParameterNames(last, params));
  if (at < words.length - 1 && isOneOf('ambiguousVerbs', first) && isVerb) return leading;
  return at < 0 ? undefined : { verb: words.slice(at, at + 1), otherWords: words.toSpliced(at, 1) };
}

/** The target of a path: an item of a collection, a collection (`list`), or a resource that exists once (`single`). */
type PathRole = 'item' | 'list' | 'single';

/** Classifies a path by its last literal, the parameters after it, and the methods and GET arguments of its route. */
function classifyPath(facts: NamingFacts, steps: readonly PathStep[]): PathRole {
  const { routeMethods, endpointMethods, argumentNamesOfGet } = facts;
  const { words = [], params = [] } = steps.at(-1) ?? {};
  const word = words.at(-1) ?? '';
  if (selectsByScope({ words, params }) && routeMethods.every((method) => method === 'GET')) return 'list';
  if (params.length > 0 || endsInSelector(steps)) return 'item';
  // An endpoint for both POST and PUT updates an existing resource (WP_REST_Server::EDITABLE).
  const isUpdateEndpoint =
    endpointMethods.includes('POST') && endpointMethods.some((other) => other === 'PUT' || other === 'PATCH');
  if (isUpdateEndpoint || isOneOf('singletonWords', word)) return 'single';
  if (argumentNamesOfGet.some((name) => isOneOf('pagingArguments', name))) return 'list';
  const container = steps.at(-2);
  const isInContainer =
    container?.params.length === 0 && isOneOf('containerWords', container.words.at(-1) ?? '');
  return isPlural(word) && !isInContainer ? 'list' : 'single';
}

/** Whether the parameter selects a part of a collection: `/icons/{collection}`, `/boards-by-type/{type}`. */
function selectsByScope({ words, params }: PathStep): boolean {
  const scope = criterionWords(params);
  if (params.length !== 1) return false;
  if (words.slice(1).some((word) => isOneOf('relationWords', word))) return true;
  return isOneOf('scopeParameters', scope.join(' ')) && !isInParameterNames(words.at(-1) ?? '', params);
}

/** Returns the words that name the criterion of a parameter: `group` for `group_id`. */
export function criterionWords(params: readonly string[]): readonly string[] {
  const words = params.flatMap(splitWords);
  return words.length > 1 && words.at(-1) === 'id' ? words.slice(0, -1) : words;
}

/** Whether the last literal selects one member of the collection before it: `/users/me`. */
function endsInSelector(steps: readonly PathStep[]): boolean {
  const { words = [], params = [] } = steps.at(-1) ?? {};
  const collection = steps.at(-2);
  if (words.length !== 1 || params.length > 0 || collection?.params.length !== 0) return false;
  return isOneOf('selectorWords', words[0] ?? '') && isPlural(collection.words.at(-1) ?? '');
}
