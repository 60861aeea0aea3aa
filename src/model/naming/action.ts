import type { Step } from './path.ts';
import {
  COMPOUND_VERBS,
  DOUBTFUL_VERBS,
  LEADING_VERBS,
  READING_VERBS,
  TRAILING_VERBS,
} from './vocabulary.ts';
import { isMentioned } from './words.ts';

/** A path that says what is done: `/projects/{id}/archive-board`. */
export interface Action {
  readonly verb: readonly string[];
  /** To what: the literals before the one with the verb. */
  readonly nouns: readonly Step[];
  /** The other words of that literal, and those of one after it. */
  readonly rest: readonly string[];
  /** The parameters after the verb. */
  readonly params: readonly string[];
}

interface Verb {
  readonly verb: readonly string[];
  readonly rest: readonly string[];
}

/**
 * The verb of a path, looked for in its last literal, and in the one before where that is a verb and nothing else.
 *
 * @param reads whether the operation, or another of its route, is a GET
 */
export function actionIn(steps: readonly Step[], method: string, reads: boolean): Action | undefined {
  const last = steps.at(-1);
  if (last === undefined) return undefined;
  const found = verbIn(last, method, reads);
  if (found !== undefined) return { ...found, nouns: steps.slice(0, -1), params: last.params };
  const before = steps.at(-2);
  if (before === undefined || before.params.length > 0 || last.params.length > 0) return undefined;
  const lone = verbIn(before, method, reads);
  if (lone === undefined || lone.rest.length > 0) return undefined;
  return { verb: lone.verb, nouns: steps.slice(0, -2), rest: last.words, params: [] };
}

function verbIn({ words, params }: Step, method: string, reads: boolean): Verb | undefined {
  const [first = '', second = ''] = words;
  // `/reply/{reply_id}`: what has an id is a thing.
  if (isMentioned(first, params)) return undefined;
  if (method === 'GET')
    return READING_VERBS.has(first) ? { verb: [first], rest: objectOf(words) } : undefined;
  const compound = COMPOUND_VERBS.get(`${first} ${second}`);
  if (compound !== undefined) return { verb: compound, rest: words.slice(2) };
  if (first === 'bulk') return bulk(words);
  if (LEADING_VERBS.has(first)) return { verb: [first], rest: objectOf(words) };
  const last = words.at(-1) ?? '';
  if (TRAILING_VERBS.has(last)) return { verb: [last], rest: words.slice(0, -1) };
  // `/vote-idea/{idea_id}` votes; `/block-renderer/{name}`, which is also read, is a thing.
  const spoken = !reads && (params.length === 0 || isMentioned(last, params));
  if (DOUBTFUL_VERBS.has(first) && spoken) return { verb: [first], rest: objectOf(words) };
  const at = words.findLastIndex((word) => TRAILING_VERBS.has(word));
  const verb = words[at];
  return verb === undefined
    ? undefined
    : { verb: [verb], rest: [...words.slice(0, at), ...words.slice(at + 1)] };
}

/** `list-of-boards` lists boards. */
function objectOf(words: readonly string[]): readonly string[] {
  return words[1] === 'of' ? words.slice(2) : words.slice(1);
}

/** `bulk-restore-tasks` restores in bulk; `bulk-actions` are run. */
function bulk(words: readonly string[]): Verb {
  const [, second = ''] = words;
  return LEADING_VERBS.has(second)
    ? { verb: ['bulk', second], rest: words.slice(2) }
    : { verb: ['run'], rest: words };
}
