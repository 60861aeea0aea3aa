import { memoizeByString } from '../../memoize.ts';
import { toSingular as inflectToSingular, splitWords } from '../../model/naming/words.ts';

/** Paths repeat a few words. Inflection runs a hundred patterns for each. */
const toSingular = memoizeByString((word) => ({ singular: inflectToSingular(word) }));

/** A literal of a path below its namespace, with the parameters that follow it. */
export interface ReferenceStep {
  /** `time-tracks` */
  readonly literal: string;
  readonly words: readonly string[];
  readonly params: readonly string[];
}

/** Further steps are left out: they would make the tree deep, and no known site has as many. */
const MAX_STEPS = 10;

/** Splits the path of an operation below its namespace: `/projects/{id}/tasks` → `projects` with `id`, `tasks`. */
export function splitPath(path: string, namespace: string): readonly ReferenceStep[] {
  const tail = namespace === '' ? path : path.slice(namespace.length + 1);
  const steps: { literal: string; words: readonly string[]; params: string[] }[] = [];
  for (const segment of tail.split('/')) {
    const params = Array.from(segment.matchAll(/\{([^{}]*)\}/g), ([, name = '']) => name);
    const literal = segment.replace(/\{[^{}]*\}/g, '');
    const words = splitWords(literal);
    if (words.length > 0 && steps.length < MAX_STEPS) steps.push({ literal, words, params });
    else steps.at(-1)?.params.push(...params);
  }
  return steps;
}

/** Key of a noun: equal for singular and plural, `time-tracks` and `timeTrack`. */
export function toNounKey(words: readonly string[]): string {
  const last = words.at(-1);
  return last === undefined ? '' : [...words.slice(0, -1), toSingular(last).singular].join('-');
}

/** The noun that a parameter names: `board` for `board_id`; empty for `id`. */
export function toParameterNoun(name: string): string {
  const words = splitWords(name);
  const last = words.at(-1) ?? '';
  return toNounKey(/^(?:ids?|slug|key|uuid|name)$/.test(last) ? words.slice(0, -1) : words);
}

/** Words that are no part of a noun at its beginning or end. */
const STOP_WORDS: ReadonlySet<string> = new Set(['a', 'all', 'an', 'from', 'in', 'of', 'the', 'to', 'with']);

/**
 * Removes the verb of an operation from the words of a literal: `archive-board` without `archive`.
 *
 * @param verb lower case
 * @returns the other words; `undefined` if the literal does not begin or end with the verb
 */
export function removeVerb(words: readonly string[], verb: string): readonly string[] | undefined {
  let nouns: readonly string[];
  if (words[0] === verb || (words[0] === 'bulk' && words[1] === verb)) {
    nouns = words.slice(words[0] === verb ? 1 : 2);
  } else if (`${words[0]}${words[1]}` === verb) nouns = words.slice(2);
  else if (words.at(-1) === verb) nouns = words.slice(0, -1);
  else if (words.length > 1 && words.includes(verb)) nouns = words.slice(0, words.indexOf(verb));
  else return undefined;
  let start = 0;
  let end = nouns.length;
  while (start < end && STOP_WORDS.has(nouns[start] ?? '')) start += 1;
  while (end > start && STOP_WORDS.has(nouns[end - 1] ?? '')) end -= 1;
  return nouns.slice(start, end);
}

/** Whether a noun contains another one, word by word: `stage-property` contains `stage`. */
export function containsNoun(words: readonly string[], noun: string): boolean {
  const parts = noun.split('-');
  return words.some((_, at) => toNounKey(words.slice(at, at + parts.length)) === noun);
}
