import { type Action, actionIn } from './action.ts';
import type { OperationFacts } from './facts.ts';
import { type PathShape, type Step, shapeOf } from './path.ts';
import { CONTAINERS, PAGING, PREPOSITIONS, SCOPES, SELECTORS, SINGLE_THINGS } from './vocabulary.ts';
import { isPlural, singularOf } from './words.ts';

/** An operation in words, from which its name and its summary are made. */
export interface Phrase {
  readonly verb: readonly string[];
  /** The words of the namespace; empty for the site's own. */
  readonly prefix: readonly string[];
  /** What it is about, the last being the thing itself: `post`, `revisions`. */
  readonly nouns: readonly (readonly string[])[];
  /** What follows the thing: `to next stage`, `by namespace`. */
  readonly rest: readonly string[];
  /** Whether the thing is one thing of its kind, as an item of a collection is. */
  readonly one: boolean;
}

/** What the last literal of a path is. */
type Role = 'item' | 'list' | 'single';

/** Reads an operation's method and path as a sentence: `GET /posts/{id}` is to get a post. */
export function phraseOf(facts: OperationFacts): Phrase {
  const shape = shapeOf(facts);
  const special = SPECIAL.get(`${facts.method} ${facts.template}`);
  if (special !== undefined) return special;
  if (shape.steps.length === 0) return withoutLiterals(facts, shape);
  const action = speaksFirst(facts) ? actionIn(shape.steps, facts.method) : undefined;
  return action === undefined ? plain(facts, shape) : acting(action, shape);
}

const SPECIAL: ReadonlyMap<string, Phrase> = new Map([
  ['GET /', { verb: ['get'], prefix: [], nouns: [['index']], rest: [], one: false }],
  ['POST /batch/v1', { verb: ['run'], prefix: [], nouns: [['batch']], rest: [], one: true }],
]);

/** The index of a namespace, or an item that has only its parameters for a name. */
function withoutLiterals({ namespace, method }: OperationFacts, { prefix, leading }: PathShape): Phrase {
  const own = prefix.length > 0 ? prefix : namespace.split('/').filter((word) => word !== '');
  const verb = [method.toLowerCase()];
  if (leading.length === 0) return { verb, prefix: own, nouns: [['index']], rest: [], one: false };
  const by = leading.flatMap((param, at) => [
    at === 0 ? 'by' : 'and',
    ...param.toLowerCase().split(/[^a-z\d]+/),
  ]);
  return { verb, prefix: own, nouns: [['item']], rest: by.filter((word) => word !== ''), one: true };
}

/** Of the methods of one route, one alone may be named by the verb in the path: the first of these. */
const SPEAKERS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];

function speaksFirst({ method, methods }: OperationFacts): boolean {
  return SPEAKERS.find((speaker) => methods.includes(speaker)) === method;
}

function acting({ verb, nouns, rest }: Action, { prefix }: PathShape): Phrase {
  const things = nounsOf(nouns);
  const last = things.at(-1) ?? [];
  const own = startsWith(rest, singularOf(last)) ? rest.slice(last.length) : rest;
  const phrase = PREPOSITIONS.has(own[0] ?? '') || own.length === 0;
  const one =
    (phrase ? (nouns.at(-1)?.params.length ?? 0) > 0 : !isPlural(own.at(-1) ?? '')) ||
    rest.length > own.length;
  return phrase
    ? { verb, prefix, nouns: things, rest: own, one }
    : { verb, prefix, nouns: [...things, own], rest: [], one };
}

function plain(facts: OperationFacts, shape: PathShape): Phrase {
  const { prefix, steps } = shape;
  const { subject, rest } = qualified(steps);
  const role = roleOf(facts, steps, subject);
  const verb = [verbOf(facts, role)];
  const things = nounsOf(subject);
  const last = subject.at(-1);
  const scope = role === 'list' ? (last?.params[0] ?? '') : '';
  if (scope !== '') {
    const nouns = [...things.slice(0, -1), last?.words ?? []];
    return { verb, prefix, nouns, rest: ['by', ...scope.toLowerCase().split('_')], one: false };
  }
  const creates = role === 'list' && verb[0] === 'create' && rest.length === 0;
  const nouns = creates ? [...things.slice(0, -1), singularOf(last?.words ?? [])] : things;
  const lastWord = nouns.at(-1)?.at(-1) ?? '';
  return {
    verb,
    prefix,
    nouns,
    rest,
    one: creates || role === 'item' || (role === 'single' && !isMany(lastWord)),
  };
}

/** Takes the last literal for a remark on the one before where it begins as one: `/tasks/by-stage`, `/tasks/archived`. */
function qualified(steps: readonly Step[]): {
  readonly subject: readonly Step[];
  readonly rest: readonly string[];
} {
  const last = steps.at(-1);
  const before = steps.at(-2);
  const [first = ''] = last?.words ?? [];
  const remark = PREPOSITIONS.has(first) || /..ed$/.test(first);
  const adjective =
    /..ed$/.test(first) && (last?.words.length ?? 0) > 1 && !PREPOSITIONS.has(last?.words[1] ?? '');
  const fits = remark && !adjective && last?.params.length === 0 && before?.params.length === 0;
  return fits ? { subject: steps.slice(0, -1), rest: last.words } : { subject: steps, rest: [] };
}

function roleOf(
  { methods, endpointMethods, readArguments }: OperationFacts,
  all: readonly Step[],
  subject: readonly Step[],
): Role {
  const last = subject.at(-1);
  const word = last?.words.at(-1) ?? '';
  const [param] = last?.params ?? [];
  const scoped = last?.params.length === 1 && SCOPES.has(param ?? '') && singularOf([word])[0] !== param;
  if (scoped && methods.every((method) => method === 'GET')) return 'list';
  if ((last?.params.length ?? 0) > 0 || isSelector(subject)) return 'item';
  // One endpoint that takes POST and PUT alike changes what is there (WP_REST_Server::EDITABLE).
  const edits =
    endpointMethods.includes('POST') && endpointMethods.some((its) => its === 'PUT' || its === 'PATCH');
  if (edits || SINGLE_THINGS.has(word)) return 'single';
  if (readArguments.some((name) => PAGING.has(name))) return 'list';
  const container = subject.at(-2);
  const contained = container?.params.length === 0 && CONTAINERS.has(container.words.at(-1) ?? '');
  return isPlural(word) && !contained && all.length > 0 ? 'list' : 'single';
}

/** `/users/me`: one of the collection before. */
function isSelector(steps: readonly Step[]): boolean {
  const before = steps.at(-2)?.words.at(-1) ?? '';
  const words = steps.at(-1)?.words ?? [];
  return words.length === 1 && SELECTORS.has(words[0] ?? '') && isPlural(before);
}

function verbOf({ method, methods, endpointMethods }: OperationFacts, role: Role): string {
  // Where one endpoint reads and writes alike, a POST is only a GET whose question has a body.
  if (method !== 'GET' && endpointMethods.includes('GET')) return method.toLowerCase();
  const creates = methods.includes('POST') && role === 'list';
  const updater = ['POST', 'PUT', 'PATCH'].find(
    (its) => methods.includes(its) && !(its === 'POST' && creates),
  );
  if (method === 'GET') return role === 'list' ? 'list' : 'get';
  if (method === 'POST' && creates) return 'create';
  if (method === 'POST' && role === 'single' && !changes(methods, endpointMethods)) return 'create';
  return method === updater ? 'update' : method.toLowerCase();
}

/** A single thing that can be read, or that an editing endpoint answers, is changed by a POST and not created. */
function changes(methods: readonly string[], endpointMethods: readonly string[]): boolean {
  return methods.includes('GET') || endpointMethods.length > 1;
}

/** The literals as nouns: singular where a parameter picks one of them. */
function nounsOf(steps: readonly Step[]): readonly (readonly string[])[] {
  return steps.map(({ words, params }, at) => {
    const selects = at === steps.length - 2 && isSelector(steps);
    return params.length > 0 || selects ? singularOf(words) : words;
  });
}

function isMany(word: string): boolean {
  return isPlural(word) || SINGLE_THINGS.has(word);
}

function startsWith(words: readonly string[], start: readonly string[]): boolean {
  return start.length > 0 && start.length <= words.length && start.every((word, at) => words[at] === word);
}
