import type { OperationPhrase } from './phrase.ts';
import {
  ABBREVIATIONS,
  ADJECTIVE_ENDINGS,
  ADJECTIVES,
  CONTAINMENT_VERBS,
  isParticiple,
  UNCOUNTABLE,
} from './title-vocabulary.ts';
import { chooseArticle } from './title-wording.ts';
import { SELECTOR_WORDS } from './vocabulary.ts';
import { isPlural, singularizeLastWord, toPlural, toSingular } from './words.ts';

/** Describes the object with its article: `a post revision`, `the current user`, `block pattern categories`. */
export function describeObject({
  grammaticalNumber,
  nouns: stated,
  verb,
}: OperationPhrase): readonly string[] {
  const nouns = stated.map(withoutAbbreviations);
  const isList = verb[0] === 'list';
  const object = nouns.at(-1) ?? [];
  const last = object.at(-1) ?? '';
  if (last === '') return [];
  const parents = parentWords(nouns);
  if (last === 'yourself') {
    return [last, CONTAINMENT_VERBS.get(verb[0] ?? '') ?? 'to', ...withArticle(parents)];
  }
  // `/stage-move-all-task`
  const all = object.indexOf('all');
  if (all >= 0 && all < object.length - 1) {
    const members = object.with(-1, isPlural(last) ? last : toPlural(last)).toSpliced(all, 1);
    return ['all', ...parents, ...members];
  }
  if (object.length === 1 && SELECTOR_WORDS.has(last) && parents.length > 0) {
    return ['the', SELECTOR_ADJECTIVES.get(last) ?? last, ...parents];
  }
  const needsPlural = isList && !isPlural(last) && !UNCOUNTABLE.has(last);
  const counted = needsPlural ? object.with(-1, toPlural(last)) : object;
  const { adjectives, noun } = splitAdjectives(counted);
  const thing = [...adjectives, ...withoutRepeated(parents, noun), ...noun];
  if (grammaticalNumber === 'many' || isList || verb[0] === 'has' || UNCOUNTABLE.has(last)) return thing;
  return grammaticalNumber === 'the' ? ['the', ...thing] : withArticle(thing);
}

/** Lists the words of the nouns before the object, without those that a later noun repeats: `/tasks/task-tabs/config`. */
function parentWords(nouns: OperationPhrase['nouns']): readonly string[] {
  return nouns.slice(0, -1).flatMap((words, at) => {
    const singular = singularizeLastWord(words);
    const later = nouns.slice(at + 1).flatMap((noun) => noun.flatMap((word) => singularizeLastWord([word])));
    return singular.every((word) => later.includes(word)) ? [] : singular;
  });
}

/** `/block-patterns/patterns` → block patterns */
function withoutRepeated(parents: readonly string[], noun: readonly string[]): readonly string[] {
  const [word = ''] = noun;
  return noun.length === 1 && parents.length === 2
    ? parents.filter((parent) => parent !== toSingular(word))
    : parents;
}

/** Separates the adjectives that stand before the nouns of the parents: `crm associated boards` → `crm-associated`, `boards`. */
function splitAdjectives(object: readonly string[]): {
  readonly adjectives: readonly string[];
  readonly noun: readonly string[];
} {
  const [first = '', second = ''] = object;
  if (object.length > 2 && ADJECTIVE_ENDINGS.has(second)) {
    return { adjectives: [`${first}-${second}`], noun: object.slice(2) };
  }
  // `/stage-task-available-positions/{stage_id}`
  const at = object
    .slice(0, -1)
    .findIndex((word, index) => ADJECTIVES.has(word) || (index === 0 && isParticiple(word)));
  const adjective = object[at];
  return adjective === undefined
    ? { adjectives: [], noun: object }
    : { adjectives: [adjective], noun: object.toSpliced(at, 1) };
}

/** `product cat` → `product category`; `wp pattern category` → `pattern category` */
function withoutAbbreviations(words: readonly string[]): readonly string[] {
  const named = words[0] === 'wp' && words.length > 1 ? words.slice(1) : words;
  const last = ABBREVIATIONS.get(named.at(-1) ?? '');
  return last === undefined || named.length < 2 ? named : named.with(-1, last);
}

function withArticle(thing: readonly string[]): readonly string[] {
  return [chooseArticle(thing[0] ?? ''), ...thing];
}

const SELECTOR_ADJECTIVES: ReadonlyMap<string, string> = new Map([
  ['me', 'current'],
  ['self', 'current'],
  ['mine', 'current'],
]);
