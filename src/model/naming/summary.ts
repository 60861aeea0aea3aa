import type { NamingInput } from './parse-path.ts';
import { type OperationPhrase, toPhrase } from './phrase.ts';
import { PREPOSITIONS, SELECTOR_WORDS } from './vocabulary.ts';
import { isPlural, singularizeLastWord, toPlural } from './words.ts';

/**
 * Creates the summary of an operation: `List posts`, `Update a post`, `Archive a project board`. It does not contain the
 * namespace, because documentation groups operations by namespace.
 */
export function createOperationSummary(input: NamingInput): string {
  const phrase = toPhrase(input);
  const [first = '', ...others] = phrase.verb;
  const equivalent = others.length === 0 ? METHOD_VERBS.get(first) : undefined;
  const verb = [
    ...(equivalent === undefined ? (PHRASAL_VERBS.get(first) ?? [first]) : [equivalent]),
    ...others,
  ];
  const words = [...verb, ...describeObject(phrase, first === 'list'), ...phrase.wordsAfterObject].map(
    (word) => CAPITALIZED.get(word) ?? word,
  );
  const index =
    phrase.nouns.at(-1)?.[0] === 'index' && input.namespace !== '' ? ` of ${input.namespace}` : '';
  const sentence = words.join(' ') + index + (equivalent === undefined ? '' : ` (${input.method})`);
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Methods as verbs, with the verb of the operation that they are equivalent to. */
const METHOD_VERBS: ReadonlyMap<string, string> = new Map([
  ['put', 'update'],
  ['patch', 'update'],
  ['post', 'get'],
]);

/** Verbs that are written differently in a sentence. */
const PHRASAL_VERBS: ReadonlyMap<string, readonly string[]> = new Map([
  ['lookup', ['look', 'up']],
  ['has', ['tell', 'whether']],
  ['is', ['tell', 'whether']],
  ['can', ['tell', 'whether']],
  ['login', ['log', 'in']],
  ['logout', ['log', 'out']],
  ['vote', ['vote', 'for']],
]);

/** Words that are written in capitals. */
const CAPITALIZED: ReadonlyMap<string, string> = new Map([
  ...'ai api cdn crm css csv dns faq html http id ip json jwt mcp pdf php rss sdk seo sku sms smtp sql ssl svg ui uri url wc wp xml'
    .split(' ')
    .map((word) => [word, word.toUpperCase()] as const),
  ['https', 'HTTPS'],
  ['oembed', 'oEmbed'],
  ['oauth', 'OAuth'],
]);

/** Nouns without a singular form or an indefinite article. */
const UNCOUNTABLE: ReadonlySet<string> = new Set(
  'access consent content data feedback media metadata navigation news'.split(' '),
);

/** Describes the object with its article: `a post revision`, `the current user`, `block pattern categories`. */
function describeObject(
  { nouns, grammaticalNumber, verb }: OperationPhrase,
  isList: boolean,
): readonly string[] {
  const object = nouns.at(-1) ?? [];
  const last = object.at(-1) ?? '';
  if (last === '') return [];
  const parents = parentWords(nouns);
  if (last === 'yourself') {
    return [last, VERB_PREPOSITIONS.get(verb[0] ?? '') ?? 'to', ...withArticle(parents)];
  }
  // `/stage-move-all-task`
  const all = object.indexOf('all');
  if (all >= 0 && all < object.length - 1) {
    const members = object.with(-1, isPlural(last) ? last : toPlural(last)).toSpliced(all, 1);
    return ['all', ...parents, ...members];
  }
  // `/reports/tasks` → `the tasks report`
  if (parents.at(-1) === 'report' && !isList) return ['the', ...parents.slice(0, -1), ...object, 'report'];
  if (object.length === 1 && SELECTOR_WORDS.has(last) && parents.length > 0) {
    return ['the', SELECTOR_ADJECTIVES.get(last) ?? last, ...parents];
  }
  const hasPreposition = object.some((word) => PREPOSITIONS.has(word));
  const needsPlural = isList && !hasPreposition && !isPlural(last) && !UNCOUNTABLE.has(last);
  const thing = [...parents, ...object.slice(0, -1), needsPlural ? toPlural(last) : last];
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

/** Prepositions between `yourself` and the object, by verb. The default is `to`. */
const VERB_PREPOSITIONS: ReadonlyMap<string, string> = new Map([
  ['detach', 'from'],
  ['remove', 'from'],
  ['unassign', 'from'],
]);

function withArticle(thing: readonly string[]): readonly string[] {
  return [chooseArticle(thing[0] ?? ''), ...thing];
}

const SELECTOR_ADJECTIVES: ReadonlyMap<string, string> = new Map([
  ['me', 'current'],
  ['self', 'current'],
  ['mine', 'current'],
]);

/** Chooses `a` or `an` by the sound of a word, guessed from its spelling: an item, a user, an hour, an RSS feed. */
function chooseArticle(word: string): string {
  if (
    /^(?:hour|honest|heir)|^(?:faq|html|http|https|mcp|rss|sdk|seo|sku|sms|smtp|sql|ssl|svg|xml)$/.test(word)
  ) {
    return 'an';
  }
  if (/^(?:one|eu|uni(?!n)|us[aei]|uti|url|uri|uuid|ubi|ui$)/.test(word)) return 'a';
  return /^[aeiou]/.test(word) ? 'an' : 'a';
}
