import type { NamingInput } from './parse-path.ts';
import { parsePath } from './parse-path.ts';
import { hasPathVerb, toPhrase, toVerbMethod } from './phrase.ts';
import { describeObject } from './title-object.ts';
import { rewriteForTitle } from './title-rules.ts';
import { IMPLIED_OBJECTS } from './title-vocabulary.ts';
import { toTitleCase, withArticles } from './title-wording.ts';

/** Properties of an operation that only its title depends on. */
export interface TitleFacts {
  /** Names of the arguments of the endpoint. */
  readonly argumentNames: readonly string[];
  /** Whether the site has a route of this template followed by a parameter: items of a collection. */
  readonly hasItems: boolean;
}

const NO_FACTS: TitleFacts = { argumentNames: [], hasItems: false };

/**
 * Creates the summary of an operation: `List posts`, `Update a post`, `Archive a project board`. It does not contain the
 * namespace, because documentation groups operations by namespace.
 */
export function createOperationSummary(input: NamingInput, facts: TitleFacts = NO_FACTS): string {
  // One endpoint for several methods does the same for each: `Run an ability (GET)`.
  const verbMethod = toVerbMethod(input);
  const verbInput = verbMethod === input.method ? input : { ...input, method: verbMethod };
  const named = toPhrase(verbInput);
  const phrase = rewriteForTitle(named, {
    input: verbInput,
    path: parsePath(verbInput),
    hasPathVerb: hasPathVerb(verbInput),
    ...facts,
  });
  const [first = ''] = phrase.verb;
  const verb = PHRASAL_VERBS.get(phrase.verb.join(' ')) ?? phrase.verb;
  const object = describeObject(phrase);
  const implied = object.length === 0 ? (IMPLIED_OBJECTS.get(first) ?? []) : [];
  const words = [...verb, ...object, ...implied, ...withArticles(phrase.wordsAfterObject)];
  const index =
    phrase.nouns.at(-1)?.[0] === 'index' && input.namespace !== '' ? ` of ${input.namespace}` : '';
  const isOtherMethod =
    verbMethod !== input.method || (named.verb.length === 1 && EQUIVALENT_METHODS.has(named.verb[0] ?? ''));
  return toTitleCase(words) + index + (isOtherMethod ? ` (${input.method})` : '');
}

/** Methods as verbs. Another operation of the path has the plain title. */
const EQUIVALENT_METHODS: ReadonlySet<string> = new Set(['put', 'patch', 'post']);

/** Verbs that are written differently in a sentence. */
const PHRASAL_VERBS: ReadonlyMap<string, readonly string[]> = new Map([
  ['put', ['update']],
  ['patch', ['update']],
  ['post', ['get']],
  ['lookup', ['look', 'up']],
  ['post process', ['post-process']],
  ['has', ['tell', 'whether']],
  ['is', ['tell', 'whether']],
  ['can', ['tell', 'whether']],
  ['login', ['log', 'in']],
  ['logout', ['log', 'out']],
  ['vote', ['vote', 'for']],
]);
