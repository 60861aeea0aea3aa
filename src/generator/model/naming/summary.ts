import type { NamingInput } from './phrase.ts';
import { capitalize, isOneOf, isPlural, singularizeLastWord, toPlural, toSingular } from './words.ts';

/** `List posts`, `Archive a project board`: without the namespace, by which documentation groups. */
export function createOperationSummary({ method, namespace, path, phrase }: NamingInput): string {
  const { isOther, nouns, verb, wordsAfterObject } = phrase;
  const words = (method === 'GET' ? describeReport(path) : undefined) ?? [
    ...(VERBS.get(verb.join(' ')) ?? verb.join(' ')).split(' '),
    ...describeObject(phrase),
    ...wordsAfterObject,
  ];
  const index = nouns.at(-1)?.[0] === 'index' && namespace !== '' ? ` of ${namespace}` : '';
  return capitalize(words.map(toSpelling).join(' ')) + index + (isOther ? ` (${method})` : '');
}

const VERBS: ReadonlyMap<string, string> = new Map([
  ['lookup', 'look up'],
  ['has', 'tell whether'],
  ['is', 'tell whether'],
]);

/** `/reports/orders/totals` → get the order totals report */
function describeReport({ steps }: NamingInput['path']): readonly string[] | undefined {
  const at = steps.findIndex(({ words }) => /^(?:reports|tests)$/.test(words.join()));
  if (at < 0 || at === steps.length - 1 || steps.some(({ params }) => params.length > 0)) return undefined;
  const qualifiers = steps.slice(at + 1, -1).flatMap(({ words }) => singularizeLastWord(words));
  return [
    'get',
    'the',
    ...qualifiers,
    ...(steps.at(-1)?.words ?? []),
    ...singularizeLastWord(steps[at]?.words ?? []),
  ];
}

/** `a post revision`, `the current user`, `block pattern categories` */
function describeObject({ grammaticalNumber, nouns, verb }: NamingInput['phrase']): readonly string[] {
  const isList = verb[0] === 'list';
  const object = nouns.at(-1) ?? [];
  const last = object.at(-1) ?? '';
  const owners = nouns.slice(0, -1).map(singularizeLastWord);
  // Without words that a later noun repeats: `/tasks/task-tabs/config`.
  const parents = owners.flatMap((words, at) => {
    const later = new Set([...owners.slice(at + 1), object].flat().map(toSingular));
    return words.every((word) => later.has(word)) || words.join() === 'data' ? [] : words;
  });
  if (object.length === 1 && isOneOf('selectorWords', last) && parents.length > 0)
    return ['the', /^(?:me|self|mine)$/.test(last) ? 'current' : last, ...parents];
  const needsPlural = isList && !isPlural(last) && !/ed$/.test(last) && !isOneOf('uncountable', last);
  const thing = [...parents, ...object.slice(0, -1), needsPlural ? toPlural(last) : last].filter(
    (word, at, all) => word !== '' && !(word === 'wp' && at < all.length - 1),
  );
  if (thing.length === 0 || grammaticalNumber === 'many' || isList || isOneOf('uncountable', last))
    return thing;
  return [grammaticalNumber === 'the' ? 'the' : chooseArticle(thing[0] ?? ''), ...thing];
}

const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['cat', 'category'],
  ['cats', 'categories'],
  ['oembed', 'oEmbed'],
]);

function toSpelling(word: string): string {
  const singular = toSingular(word);
  const upper = isAcronym(singular) ? singular.toUpperCase() + word.slice(singular.length) : word;
  return SPELLINGS.get(word) ?? upper;
}

/** `css`, `fm`, `v2`; not `by`. */
function isAcronym(word: string): boolean {
  return isOneOf('acronyms', word) || /^(?!nth$|vs$)[b-df-hj-np-tv-xz]{2,5}\d*$/.test(word);
}

/** By sound, guessed from spelling: an item, a user, an hour, an RSS feed. */
function chooseArticle(word: string): string {
  // Names of these letters begin with a vowel.
  if (isAcronym(word) && !/^[aeiou]/.test(word)) return /^[fhlmnrsx]/.test(word) ? 'an' : 'a';
  if (/^(?:one|eu|uni(?!n)|us[aei]|uti|url|uri|uuid)/.test(word)) return 'a';
  return /^(?:[aeiou]|hour)/.test(word) ? 'an' : 'a';
}
