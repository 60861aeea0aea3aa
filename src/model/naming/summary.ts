import { type NamingInput, type OperationPhrase, toVerbMethod, withMethod } from './phrase.ts';
import { rewriteForTitle } from './title-rules.ts';
import { isOneOf, isParticiple, lookUp } from './vocabulary.ts';
import { capitalize, isPlural, singularizeLastWord, toPlural, toSingular } from './words.ts';

/** Properties of an operation that only its title depends on. */
export interface TitleFacts {
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
  const verbInput = withMethod(input, verbMethod);
  const phrase = rewriteForTitle({ input: verbInput, ...facts });
  const [first = ''] = phrase.verb;
  const verb = lookUp('phrasalVerbs', phrase.verb.join(' '))?.split(' ') ?? phrase.verb;
  const object = describeObject(phrase);
  const implied = object.length === 0 ? (lookUp('impliedObjects', first)?.split(' ') ?? []) : [];
  const words = [...verb, ...object, ...implied, ...withArticles(phrase.wordsAfterObject)];
  const index =
    phrase.nouns.at(-1)?.[0] === 'index' && input.namespace !== '' ? ` of ${input.namespace}` : '';
  const isOtherMethod =
    verbMethod !== input.method || isOneOf('equivalentMethods', verbInput.phrase.verb.join(' '));
  return toTitleCase(words) + index + (isOtherMethod ? ` (${input.method})` : '');
}

/** Describes the object with its article: `a post revision`, `the current user`, `block pattern categories`. */
function describeObject({ grammaticalNumber, nouns: stated, verb }: OperationPhrase): readonly string[] {
  const nouns = stated.map(withoutAbbreviations);
  const isList = verb[0] === 'list';
  const object = nouns.at(-1) ?? [];
  const last = object.at(-1) ?? '';
  if (last === '') return [];
  const parents = parentWords(nouns);
  if (last === 'yourself') {
    return [last, lookUp('containmentVerbs', verb[0] ?? '') ?? 'to', ...withArticle(parents)];
  }
  // `/stage-move-all-task`
  const all = object.indexOf('all');
  if (all >= 0 && all < object.length - 1) {
    const members = object.with(-1, isPlural(last) ? last : toPlural(last)).toSpliced(all, 1);
    return ['all', ...parents, ...members];
  }
  if (object.length === 1 && isOneOf('selectorWords', last) && parents.length > 0) {
    return ['the', lookUp('selectorAdjectives', last) ?? last, ...parents];
  }
  const needsPlural = isList && !isPlural(last) && !isOneOf('uncountable', last);
  const counted = needsPlural ? object.with(-1, toPlural(last)) : object;
  const { adjectives, noun } = splitAdjectives(counted);
  const thing = [...adjectives, ...withoutRepeated(parents, noun), ...noun];
  if (grammaticalNumber === 'many' || isList || verb[0] === 'has' || isOneOf('uncountable', last))
    return thing;
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
  if (object.length > 2 && isOneOf('adjectiveEndings', second)) {
    return { adjectives: [`${first}-${second}`], noun: object.slice(2) };
  }
  // `/stage-task-available-positions/{stage_id}`
  const at = object
    .slice(0, -1)
    .findIndex((word, index) => isOneOf('adjectives', word) || (index === 0 && isParticiple(word)));
  const adjective = object[at];
  if (adjective === undefined) return { adjectives: [], noun: object };
  return { adjectives: [adjective], noun: object.toSpliced(at, 1) };
}

/** `product cat` → `product category`; `wp pattern category` → `pattern category` */
function withoutAbbreviations(words: readonly string[]): readonly string[] {
  const named = words[0] === 'wp' && words.length > 1 ? words.slice(1) : words;
  const last = lookUp('abbreviations', named.at(-1) ?? '');
  return last === undefined || named.length < 2 ? named : named.with(-1, last);
}

function withArticle(thing: readonly string[]): readonly string[] {
  return [chooseArticle(thing[0] ?? ''), ...thing];
}

/** Joins the words of a title: a capital at its start, acronyms in capitals. */
function toTitleCase(words: readonly string[]): string {
  return capitalize(words.map(toSpelling).join(' '));
}

function toSpelling(word: string): string {
  const parts = word.split('-');
  if (parts.length > 1) return parts.map(toSpelling).join('-');
  const singular = toSingular(word);
  const special = lookUp('spellings', singular);
  if (special !== undefined) return special;
  if (!isAcronym(singular)) return isAcronym(word) ? word.toUpperCase() : word;
  return singular.toUpperCase() + word.slice(singular.length);
}

/** `css`, `fm`, `v2`; not `by`. */
function isAcronym(word: string): boolean {
  return isOneOf('acronyms', word) || /^(?!nth$|vs$)[b-df-hj-np-tv-xz]{2,5}\d*$/.test(word);
}

/** Adds the article to a singular noun after a preposition: `to next stage` → `to the next stage`. */
function withArticles(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => isOneOf('articlePrepositions', word));
  if (at < 0) return words;
  const tail = words.slice(at + 1);
  const end = tail.findIndex((word) => isOneOf('prepositions', word));
  const phrase = end < 0 ? tail : tail.slice(0, end);
  const rest = end < 0 ? [] : withArticles(tail.slice(end));
  const [first = ''] = phrase;
  const last = phrase.at(-1) ?? '';
  const article = /^(?:next|previous|current)$/.test(first)
    ? ['the']
    : last === '' || isPlural(last) || isOneOf('uncountable', last)
      ? []
      : [chooseArticle(first)];
  return [...words.slice(0, at + 1), ...article, ...phrase, ...rest];
}

/** Chooses `a` or `an` by the sound of a word, guessed from its spelling: an item, a user, an hour, an RSS feed. */
function chooseArticle(word: string): string {
  if (/^(?:hour|honest|heir)/.test(word)) return 'an';
  // The names of the letters F, H, L, M, N, R, S and X begin with a vowel.
  if (isAcronym(word) && !/^[aeiou]/.test(word)) return /^[fhlmnrsx]/.test(word) ? 'an' : 'a';
  if (/^faq/.test(word) || /^s(?:eo|ku)$/.test(word)) return 'an';
  if (/^(?:one|eu|uni(?!n)|us[aei]|uti|url|uri|uuid|ubi|ui$)/.test(word)) return 'a';
  return /^[aeiou]/.test(word) ? 'an' : 'a';
}
