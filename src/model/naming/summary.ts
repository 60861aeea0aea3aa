import { type NamingInput, toNamingInput } from './phrase.ts';
import { isOneOf } from './vocabulary.ts';
import { capitalize, isPlural, singularizeLastWord, toPlural, toSingular } from './words.ts';

/**
 * Creates the summary of an operation: `List posts`, `Update a post`, `Archive a project board`. It does not contain the
 * namespace, because documentation groups operations by namespace.
 */
export function createOperationSummary(input: NamingInput): string {
  const { endpointMethods, method, namespace, phrase, routeMethods } = input;
  // One endpoint for several methods does the same for each: `Run an ability (GET)`.
  const isShared = routeMethods.includes('POST') && method !== 'POST' && endpointMethods.includes('POST');
  const posted = isShared ? toNamingInput({ ...input, method: 'POST' }).phrase : phrase;
  const { nouns, verb, wordsAfterObject, grammaticalNumber } = posted.isAction === true ? posted : phrase;
  const isOther = posted.isAction === true && isShared;
  const isMethod = /^(?:put|patch|post)$/.test(verb.join(' '));
  const report = describeReport(input);
  const words = report ?? [
    ...(VERBS.get(verb.join(' ')) ?? verb.join(' ')).split(' '),
    ...describeObject(
      nouns[0]?.join() === 'data' && nouns.length > 1 ? nouns.slice(1) : nouns,
      verb[0] === 'list',
      grammaticalNumber,
    ),
    ...wordsAfterObject,
  ];
  const index = nouns.at(-1)?.[0] === 'index' && namespace !== '' ? ` of ${namespace}` : '';
  return capitalize(words.map(toSpelling).join(' ')) + index + (isOther || isMethod ? ` (${method})` : '');
}

/** Verbs of titles that are other words than those of names. */
const VERBS: ReadonlyMap<string, string> = new Map([
  ['put', 'update'],
  ['patch', 'update'],
  ['post', 'get'],
  ['lookup', 'look up'],
  ['has', 'tell whether'],
  ['is', 'tell whether'],
]);

/** `/reports/orders/totals` → get the order totals report */
function describeReport({ method, path: { steps } }: NamingInput): readonly string[] | undefined {
  const at = steps.findIndex(({ words }) => /^(?:reports|tests)$/.test(words.join()));
  const isReport = method === 'GET' && at >= 0 && at < steps.length - 1;
  if (!isReport || steps.some(({ params }) => params.length > 0)) return undefined;
  const words = steps
    .slice(at + 1)
    .flatMap((step, index, all) => (index < all.length - 1 ? singularizeLastWord(step.words) : step.words));
  return ['get', 'the', ...words, ...singularizeLastWord(steps[at]?.words ?? [])];
}

/** Describes the object with its article: `a post revision`, `the current user`, `block pattern categories`. */
function describeObject(
  nouns: NamingInput['phrase']['nouns'],
  isList: boolean,
  grammaticalNumber: NamingInput['phrase']['grammaticalNumber'],
): readonly string[] {
  const object = nouns.at(-1) ?? [];
  const last = object.at(-1) ?? '';
  const owners = nouns.slice(0, -1).map(singularizeLastWord);
  // Words that a later noun repeats are left out: `/tasks/task-tabs/config`.
  const parents = owners.filter(
    (words, at) =>
      !words.every((word) =>
        [...owners.slice(at + 1), object].some((later) => later.some((each) => toSingular(each) === word)),
      ),
  );
  if (object.length === 1 && isOneOf('selectorWords', last) && parents.length > 0) {
    return ['the', /^(?:me|self|mine)$/.test(last) ? 'current' : last, ...parents.flat()];
  }
  const needsPlural = isList && !isPlural(last) && !/ed$/.test(last) && !isOneOf('uncountable', last);
  const thing = [...parents.flat(), ...object.slice(0, -1), needsPlural ? toPlural(last) : last].filter(
    (word, at, all) => word !== '' && !(word === 'wp' && at < all.length - 1),
  );
  if (thing.length === 0 || grammaticalNumber === 'many' || isList || isOneOf('uncountable', last))
    return thing;
  return [grammaticalNumber === 'the' ? 'the' : chooseArticle(thing[0] ?? ''), ...thing];
}

/** `product_cat` */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['cat', 'category'],
  ['cats', 'categories'],
  ['oembed', 'oEmbed'],
]);

function toSpelling(word: string): string {
  const known = SPELLINGS.get(word);
  if (known !== undefined) return known;
  const singular = toSingular(word);
  return isAcronym(singular) ? singular.toUpperCase() + word.slice(singular.length) : word;
}

/** `css`, `fm`, `v2`; not `by`. */
function isAcronym(word: string): boolean {
  return isOneOf('acronyms', word) || /^(?!nth$|vs$)[b-df-hj-np-tv-xz]{2,5}\d*$/.test(word);
}

/** Chooses `a` or `an` by the sound of a word, guessed from its spelling: an item, a user, an hour, an RSS feed. */
function chooseArticle(word: string): string {
  // The names of the letters F, H, L, M, N, R, S and X begin with a vowel.
  if (isAcronym(word) && !/^[aeiou]/.test(word)) return /^[fhlmnrsx]/.test(word) ? 'an' : 'a';
  if (/^(?:one|eu|uni(?!n)|us[aei]|uti|url|uri|uuid)/.test(word)) return 'a';
  return /^(?:[aeiou]|hour)/.test(word) ? 'an' : 'a';
}
