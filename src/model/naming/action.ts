import type { PathStep } from './parse-path.ts';
import {
  AMBIGUOUS_VERBS,
  COMPOUND_VERBS,
  LEADING_VERBS,
  READING_VERBS,
  TRAILING_VERBS,
} from './vocabulary.ts';
import { isInParameterNames } from './words.ts';

/** A path that contains a verb: `/projects/{id}/archive-board`. */
export interface PathAction {
  readonly verb: readonly string[];
  /** The steps before the literal with the verb. They name the object of the action. */
  readonly objectSteps: readonly PathStep[];
  /** The other words of the literal that contains the verb. If there are none, the words of the next literal. */
  readonly otherWords: readonly string[];
  /** The parameters after the verb. */
  readonly params: readonly string[];
}

interface VerbMatch {
  readonly verb: readonly string[];
  readonly otherWords: readonly string[];
}

/**
 * Finds the verb of a path in its last literal, or in the literal before that if it consists of a verb only. Returns
 * `undefined` for a path without a verb.
 *
 * @param isReadable Whether the route has an operation for GET.
 */
export function findAction(
  steps: readonly PathStep[],
  method: string,
  isReadable: boolean,
): PathAction | undefined {
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
  if (method === 'GET') {
    return READING_VERBS.has(first) ? { verb: [first], otherWords: wordsAfterVerb(words) } : undefined;
  }
  const compound = COMPOUND_VERBS.get(`${first} ${second}`);
  if (compound !== undefined) return { verb: compound, otherWords: words.slice(2) };
  if (first === 'bulk') return matchBulkVerb(words);
  if (LEADING_VERBS.has(first)) return { verb: [first], otherWords: wordsAfterVerb(words) };
  const last = words.at(-1) ?? '';
  if (TRAILING_VERBS.has(last)) return { verb: [last], otherWords: words.slice(0, -1) };
  // `vote` is a verb in `/vote-idea/{idea_id}`; `block` in `/block-renderer/{name}`, which also has a GET, is not.
  const isVerb = !isReadable && (params.length === 0 || isInParameterNames(last, params));
  if (AMBIGUOUS_VERBS.has(first) && isVerb) return { verb: [first], otherWords: wordsAfterVerb(words) };
  const at = words.findLastIndex((word) => TRAILING_VERBS.has(word));
  const verb = words[at];
  return verb === undefined
    ? undefined
    : { verb: [verb], otherWords: [...words.slice(0, at), ...words.slice(at + 1)] };
}

/** Returns the words after the verb; of `list-of-boards`, `boards`. */
function wordsAfterVerb(words: readonly string[]): readonly string[] {
  return words[1] === 'of' ? words.slice(2) : words.slice(1);
}

/** Matches `bulk-restore-tasks` as `bulk restore`, and `bulk-actions` as `run`. */
function matchBulkVerb(words: readonly string[]): VerbMatch {
  const [, second = ''] = words;
  return LEADING_VERBS.has(second)
    ? { verb: ['bulk', second], otherWords: words.slice(2) }
    : { verb: ['run'], otherWords: words };
}
