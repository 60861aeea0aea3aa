import { type Action, actionIn } from './action.ts';
import type { OperationFacts } from './facts.ts';
import { type PathShape, type Step, shapeOf } from './path.ts';
import { isSelector, type Role, roleOf, scopeOf } from './role.ts';
import { PREPOSITIONS, SINGLE_THINGS } from './vocabulary.ts';
import { isMentioned, isPlural, singularOf, wordsOf } from './words.ts';

/** An operation in words, from which its name and its summary are made. */
export interface Phrase {
  readonly verb: readonly string[];
  /** The words of the namespace; empty for the site's own. */
  readonly prefix: readonly string[];
  /** What it is about, the last being the thing itself: `post`, `revisions`. */
  readonly nouns: readonly (readonly string[])[];
  /** What follows the thing: `to next stage`, `by namespace`. */
  readonly rest: readonly string[];
  /** `one`: an item of a kind. `the`: the only one. `many`: a list, or what is spoken of in the plural. */
  readonly number: 'one' | 'the' | 'many';
}

/** Reads an operation's method and path as a sentence: `GET /posts/{id}` is to get a post. */
export function phraseOf(facts: OperationFacts): Phrase {
  const special = SPECIAL.get(`${facts.method} ${facts.template}`);
  if (special !== undefined) return special;
  const shape = shapeOf(facts);
  if (shape.steps.length === 0) return withoutLiterals(facts, shape);
  const reads = facts.methods.includes('GET');
  const action = speaks(facts) ? actionIn(shape.steps, facts.method, reads) : undefined;
  return action === undefined ? plain(facts, shape) : acting(action, shape);
}

const SPECIAL: ReadonlyMap<string, Phrase> = new Map([
  ['GET /', { verb: ['get'], prefix: [], nouns: [['index']], rest: [], number: 'the' }],
  ['POST /batch/v1', { verb: ['run'], prefix: [], nouns: [['batch']], rest: [], number: 'one' }],
]);

/** The index of a namespace, or an item that has only its parameters for a name. */
function withoutLiterals({ namespace, method }: OperationFacts, { prefix, leading }: PathShape): Phrase {
  const own = prefix.length > 0 ? prefix : wordsOf(namespace);
  const verb = [method.toLowerCase()];
  if (leading.length === 0) return { verb, prefix: own, nouns: [['index']], rest: [], number: 'the' };
  const by = leading.flatMap((param, at) => [at === 0 ? 'by' : 'and', ...wordsOf(param)]);
  return { verb, prefix: own, nouns: [['item']], rest: by, number: 'one' };
}

/** Of the methods of one route, one alone is named by the verb in the path: the first of these. */
const SPEAKERS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];

function speaks({ method, methods }: OperationFacts): boolean {
  return SPEAKERS.find((speaker) => methods.includes(speaker)) === method;
}

/** Verbs whose object is new, so that it is one of its kind and not the one that is known. */
const MAKING: ReadonlySet<string> = new Set([
  'add',
  'create',
  'generate',
  'import',
  'insert',
  'register',
  'upload',
]);

function acting({ verb, nouns, rest, params }: Action, { prefix }: PathShape): Phrase {
  const before = nounsOf(nouns);
  const last = before.at(-1) ?? [];
  // `/tasks/{id}/clone-task`: the literal says again what the path has said.
  const repeats = startsWith(rest, singularOf(last));
  const own = repeats ? rest.slice(last.length) : rest;
  const picked = repeats || (params.length > 0 && rest.length === 0);
  const things = picked ? [...before.slice(0, -1), singularOf(last)] : before;
  const known = [...params, ...nouns.flatMap((noun) => noun.params)];
  if (own.length === 0 || PREPOSITIONS.has(own[0] ?? '')) {
    const one = picked || (nouns.at(-1)?.params.length ?? 0) > 0;
    return {
      verb,
      prefix,
      nouns: things,
      rest: own,
      number: one ? 'one' : isMany(last.at(-1)) ? 'many' : 'the',
    };
  }
  const object = own.at(-1) ?? '';
  const one = MAKING.has(verb.at(-1) ?? '') || isMentioned(object, known);
  return {
    verb,
    prefix,
    nouns: [...things, own],
    rest: [],
    number: isMany(object) ? 'many' : one ? 'one' : 'the',
  };
}

function plain(facts: OperationFacts, { prefix, steps }: PathShape): Phrase {
  const { subject, rest } = qualified(steps);
  const role = roleOf(facts, subject);
  const last = subject.at(-1) ?? { words: [], params: [] };
  const stated = verbOf(facts, role);
  // A batch is neither there to be changed nor kept when it is done.
  const runs =
    last.words.at(-1) === 'batch' && last.params.length === 0 && ['create', 'update'].includes(stated);
  const verb = [runs ? 'run' : stated];
  const before = nounsOf(subject).slice(0, -1);
  if (role === 'list' && verb[0] === 'create')
    return { verb, prefix, nouns: [...before, singularOf(last.words)], rest, number: 'one' };
  if (role === 'list') {
    const scope = scopeOf(last.params);
    const said = scope.every((word) => last.words.includes(word)) || last.words.includes('associated');
    const by = scope.length === 0 || said ? [] : ['by', ...scope];
    return { verb, prefix, nouns: [...before, last.words], rest: [...rest, ...by], number: 'many' };
  }
  const nouns = nounsOf(subject);
  const many = role === 'single' && isMany(nouns.at(-1)?.at(-1));
  const one = role === 'item' || runs || stated === 'create';
  return { verb, prefix, nouns, rest, number: many ? 'many' : one ? 'one' : 'the' };
}

/** Takes the last literal for a remark on the one before: `/tasks/by-stage`, `/tasks/archived`. */
function qualified(steps: readonly Step[]): {
  readonly subject: readonly Step[];
  readonly rest: readonly string[];
} {
  const last = steps.at(-1) ?? { words: [], params: [] };
  const before = steps.at(-2);
  const [first = '', second = ''] = last.words;
  const participle = /..ed$/.test(first) && (second === '' || PREPOSITIONS.has(second));
  const remarks =
    (participle || PREPOSITIONS.has(first)) && last.params.length === 0 && before?.params.length === 0;
  return remarks ? { subject: steps.slice(0, -1), rest: last.words } : { subject: steps, rest: [] };
}

function verbOf({ method, methods, endpointMethods }: OperationFacts, role: Role): string {
  if (method === 'GET') return role === 'list' ? 'list' : 'get';
  // Where one endpoint reads and writes alike, a POST is only a GET whose question has a body.
  if (endpointMethods.includes('GET')) return method.toLowerCase();
  const shared = endpointMethods.some((its) => its === 'PUT' || its === 'PATCH');
  // A single thing that can be read, or that an editing endpoint answers, is changed by a POST and not created.
  const creates = role === 'list' || (role === 'single' && !methods.includes('GET') && !shared);
  if (method === 'POST' && creates) return 'create';
  const updater = ['POST', 'PUT', 'PATCH'].find(
    (its) => methods.includes(its) && !(its === 'POST' && creates),
  );
  return method === updater ? 'update' : method.toLowerCase();
}

/** The literals as nouns: singular where a parameter picks one of them. */
function nounsOf(steps: readonly Step[]): readonly (readonly string[])[] {
  return steps.map(({ words, params }, at) => {
    const selects = at === steps.length - 2 && isSelector(steps);
    return params.length > 0 || selects ? singularOf(words) : words;
  });
}

function isMany(word = ''): boolean {
  return isPlural(word) || SINGLE_THINGS.has(word);
}

function startsWith(words: readonly string[], start: readonly string[]): boolean {
  return start.length > 0 && start.length <= words.length && start.every((word, at) => words[at] === word);
}
