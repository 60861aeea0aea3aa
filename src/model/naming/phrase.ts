import { findAction, type PathAction } from './action.ts';
import type { NamingInput } from './parse-path.ts';
import { type ParsedPath, type PathStep, parsePath } from './parse-path.ts';
import { classifyPath, criterionWords, endsInSelector, type PathRole } from './path-role.ts';
import { PREPOSITIONS, SINGLETON_WORDS } from './vocabulary.ts';
import { isInParameterNames, isPlural, singularizeLastWord, splitWords } from './words.ts';

/** An operation in words, from which its name and its summary are built. */
export interface OperationPhrase {
  readonly verb: readonly string[];
  /** The words of the namespace; empty for the namespaces of the site itself. */
  readonly namespaceWords: readonly string[];
  /** The nouns from the outermost to the object of the operation: `post`, `revisions`. */
  readonly nouns: readonly (readonly string[])[];
  /** The words after the object: `to next stage`, `by namespace`. */
  readonly wordsAfterObject: readonly string[];
  /** Determines the article of the object. `one`: a/an. `the`: the. `many`: plural without an article. */
  readonly grammaticalNumber: 'one' | 'the' | 'many';
}

/** Converts an operation's method and path to a phrase: `GET /posts/{id}` → get, post. */
export function toPhrase(input: NamingInput): OperationPhrase {
  const fixed = FIXED_PHRASES.get(`${input.method} ${input.template}`);
  if (fixed !== undefined) return fixed;
  const path = parsePath(input);
  if (path.steps.length === 0) return phraseWithoutLiterals(input, path);
  const action = findPathAction(input, path);
  return action === undefined ? phraseForMethod(input, path) : phraseForAction(action, path);
}

const FIXED_PHRASES: ReadonlyMap<string, OperationPhrase> = new Map([
  [
    'GET /',
    { verb: ['get'], namespaceWords: [], nouns: [['index']], wordsAfterObject: [], grammaticalNumber: 'the' },
  ],
  [
    'POST /batch/v1',
    { verb: ['run'], namespaceWords: [], nouns: [['batch']], wordsAfterObject: [], grammaticalNumber: 'one' },
  ],
]);

/** Creates the phrase of a path without literals: the index of a namespace, or an item named by its parameters. */
function phraseWithoutLiterals(
  { namespace, method }: NamingInput,
  { namespaceWords, leadingParams }: ParsedPath,
): OperationPhrase {
  const words = namespaceWords.length > 0 ? namespaceWords : splitWords(namespace);
  const verb = [method.toLowerCase()];
  if (leadingParams.length === 0) {
    return {
      verb,
      namespaceWords: words,
      nouns: [['index']],
      wordsAfterObject: [],
      grammaticalNumber: 'the',
    };
  }
  const criterion = leadingParams.flatMap((param, at) => [at === 0 ? 'by' : 'and', ...splitWords(param)]);
  return {
    verb,
    namespaceWords: words,
    nouns: [['item']],
    wordsAfterObject: criterion,
    grammaticalNumber: 'one',
  };
}

/** Whether the path contains the verb of the operation: `/archive-board`. */
export function hasPathVerb(input: NamingInput): boolean {
  return findPathAction(input, parsePath(input)) !== undefined;
}

function findPathAction(input: NamingInput, { steps }: ParsedPath): PathAction | undefined {
  return usesPathVerb(input)
    ? findAction(steps, input.method, input.routeMethods.includes('GET'))
    : undefined;
}

/** Methods in order of precedence. The verb of the path names the operation of the first method that the route has. */
const VERB_METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];

function usesPathVerb({ method, routeMethods }: NamingInput): boolean {
  return VERB_METHODS.find((candidate) => routeMethods.includes(candidate)) === method;
}

/**
 * Returns the method whose operation states what an operation does: its own, or the method that has the verb of the path, if
 * the same endpoint handles both. `GET /abilities/{name}/run` runs an ability as its `POST` does.
 */
export function toVerbMethod(input: NamingInput): string {
  const { endpointMethods, method, routeMethods } = input;
  const verbMethod = VERB_METHODS.find((candidate) => routeMethods.includes(candidate));
  if (verbMethod === undefined || verbMethod === method || !endpointMethods.includes(verbMethod))
    return method;
  return hasPathVerb({ ...input, method: verbMethod }) ? verbMethod : method;
}

/** Verbs that create their object. The object takes the indefinite article. */
const CREATING_VERBS: ReadonlySet<string> = new Set([
  'add',
  'create',
  'generate',
  'import',
  'insert',
  'register',
  'upload',
]);

function phraseForAction(
  { verb, objectSteps, otherWords, params }: PathAction,
  { namespaceWords }: ParsedPath,
): OperationPhrase {
  const nounWords = toNouns(objectSteps);
  const last = nounWords.at(-1) ?? [];
  // `/tasks/{id}/clone-task`: the literal repeats the noun before it.
  const repeats = startsWith(otherWords, singularizeLastWord(last));
  const words = repeats ? otherWords.slice(last.length) : otherWords;
  const isOneMember = repeats || (params.length > 0 && otherWords.length === 0);
  const objects = isOneMember ? [...nounWords.slice(0, -1), singularizeLastWord(last)] : nounWords;
  const parameters = [...params, ...objectSteps.flatMap((noun) => noun.params)];
  if (words.length === 0 || PREPOSITIONS.has(words[0] ?? '')) {
    const isIndefinite = isOneMember || (objectSteps.at(-1)?.params.length ?? 0) > 0;
    return {
      verb,
      namespaceWords,
      nouns: objects,
      wordsAfterObject: words,
      grammaticalNumber: isIndefinite ? 'one' : namesSeveral(last.at(-1)) ? 'many' : 'the',
    };
  }
  const object = words.at(-1) ?? '';
  const isIndefinite = CREATING_VERBS.has(verb.at(-1) ?? '') || isInParameterNames(object, parameters);
  return {
    verb,
    namespaceWords,
    nouns: [...objects, words],
    wordsAfterObject: [],
    grammaticalNumber: namesSeveral(object) ? 'many' : isIndefinite ? 'one' : 'the',
  };
}

function phraseForMethod(input: NamingInput, { namespaceWords, steps }: ParsedPath): OperationPhrase {
  const { subject, rest: wordsAfterObject } = splitQualifier(steps);
  const role = classifyPath(input, subject);
  const last = subject.at(-1) ?? { words: [], params: [] };
  const defaultVerb = chooseVerb(input, role);
  // A batch is executed; it is not a resource that is created or updated.
  const isBatchRun =
    last.words.at(-1) === 'batch' && last.params.length === 0 && ['create', 'update'].includes(defaultVerb);
  const verb = [isBatchRun ? 'run' : defaultVerb];
  const parents = toNouns(subject).slice(0, -1);
  if (role === 'list' && verb[0] === 'create') {
    return {
      verb,
      namespaceWords,
      nouns: [...parents, singularizeLastWord(last.words)],
      wordsAfterObject,
      grammaticalNumber: 'one',
    };
  }
  if (role === 'list') {
    const scope = criterionWords(last.params);
    const isImplied = scope.every((word) => last.words.includes(word)) || last.words.includes('associated');
    const criterion = scope.length === 0 || isImplied ? [] : ['by', ...scope];
    return {
      verb,
      namespaceWords,
      nouns: [...parents, last.words],
      wordsAfterObject: [...wordsAfterObject, ...criterion],
      grammaticalNumber: 'many',
    };
  }
  const nouns = toNouns(subject);
  const isPluralPhrase = role === 'single' && namesSeveral(nouns.at(-1)?.at(-1));
  const isIndefinite = role === 'item' || isBatchRun || defaultVerb === 'create';
  return {
    verb,
    namespaceWords,
    nouns,
    wordsAfterObject,
    grammaticalNumber: isPluralPhrase ? 'many' : isIndefinite ? 'one' : 'the',
  };
}

/** Separates a last literal that qualifies the one before: `/tasks/by-stage`, `/tasks/archived`. */
function splitQualifier(steps: readonly PathStep[]): {
  readonly subject: readonly PathStep[];
  readonly rest: readonly string[];
} {
  const last = steps.at(-1) ?? { words: [], params: [] };
  const before = steps.at(-2);
  const [first = '', second = ''] = last.words;
  const isParticiple = /..ed$/.test(first) && (second === '' || PREPOSITIONS.has(second));
  const isQualifier =
    (isParticiple || PREPOSITIONS.has(first)) && last.params.length === 0 && before?.params.length === 0;
  return isQualifier ? { subject: steps.slice(0, -1), rest: last.words } : { subject: steps, rest: [] };
}

function chooseVerb({ method, routeMethods, endpointMethods }: NamingInput, role: PathRole): string {
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

/** Converts literals to nouns: singular if a parameter or a selector picks one member. */
function toNouns(steps: readonly PathStep[]): readonly (readonly string[])[] {
  return steps.map(({ words, params }, at) => {
    const selects = at === steps.length - 2 && endsInSelector(steps);
    return params.length > 0 || selects ? singularizeLastWord(words) : words;
  });
}

function namesSeveral(word = ''): boolean {
  return isPlural(word) || SINGLETON_WORDS.has(word);
}

function startsWith(words: readonly string[], start: readonly string[]): boolean {
  return start.length > 0 && start.length <= words.length && start.every((word, at) => words[at] === word);
}
