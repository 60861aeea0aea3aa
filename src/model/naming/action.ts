import type { Step } from './path.ts';
import { COMPOUND_VERBS, LEADING_VERBS, READING_VERBS, TRAILING_VERBS } from './vocabulary.ts';

/** A path that says what is done: `/projects/{id}/archive-board`. */
export interface Action {
  readonly verb: readonly string[];
  /** To what: the literals before the one with the verb. */
  readonly nouns: readonly Step[];
  /** The other words of that literal, and of one after it. */
  readonly rest: readonly string[];
}

/** The verb of a path, looked for in its last literal, and in the one before where that is a verb and nothing else. */
export function actionIn(steps: readonly Step[], method: string): Action | undefined {
  const last = steps.at(-1);
  if (last === undefined) return undefined;
  const found = verbIn(last.words, method);
  if (found !== undefined) {
    // `/search/{id}` or `/import/{id}`: with a parameter a lone verb that only reads is rather a thing.
    return { verb: found.verb, nouns: steps.slice(0, -1), rest: found.rest };
  }
  const before = steps.at(-2);
  if (before === undefined || before.params.length > 0 || last.params.length > 0) return undefined;
  const lone = verbIn(before.words, method);
  return lone !== undefined && lone.rest.length === 0
    ? { verb: lone.verb, nouns: steps.slice(0, -2), rest: last.words }
    : undefined;
}

interface Verb {
  readonly verb: readonly string[];
  readonly rest: readonly string[];
}

function verbIn(words: readonly string[], method: string): Verb | undefined {
  const [first = '', second = ''] = words;
  const compound = COMPOUND_VERBS.get(`${first} ${second}`);
  if (compound !== undefined && method !== 'GET') return { verb: compound, rest: words.slice(2) };
  if (first === 'bulk' && method !== 'GET') return bulk(words);
  const leading = method === 'GET' ? READING_VERBS : LEADING_VERBS;
  if (leading.has(first)) return { verb: [first], rest: second === 'of' ? words.slice(2) : words.slice(1) };
  if (method === 'GET') return undefined;
  const at = words.findLastIndex((word) => TRAILING_VERBS.has(word));
  const verb = words[at];
  return verb === undefined
    ? undefined
    : { verb: [verb], rest: [...words.slice(0, at), ...words.slice(at + 1)] };
}

/** `bulk-restore-tasks` restores in bulk; `bulk-actions` are run. */
function bulk(words: readonly string[]): Verb {
  const [, second = ''] = words;
  return LEADING_VERBS.has(second)
    ? { verb: ['bulk', second], rest: words.slice(2) }
    : { verb: ['run'], rest: words };
}
