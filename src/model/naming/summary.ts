import type { OperationFacts } from './facts.ts';
import { type Phrase, phraseOf } from './phrase.ts';
import { PREPOSITIONS, SELECTORS } from './vocabulary.ts';
import { isPlural, plural, singularOf } from './words.ts';

/**
 * A short summary for a person, where the site gives none: `List posts`, `Update a post`, `Archive a project board`.
 * The namespace is not named, since operations are shown under it.
 */
export function summaryOf(facts: OperationFacts): string {
  const phrase = phraseOf(facts);
  const [first = '', ...others] = phrase.verb;
  const same = others.length === 0 ? SAME.get(first) : undefined;
  const verb = [...(same === undefined ? (SPOKEN.get(first) ?? [first]) : [same]), ...others];
  const words = [...verb, ...thingOf(phrase, first === 'list'), ...phrase.rest].map(
    (word) => NAMES.get(word) ?? word,
  );
  const index =
    phrase.nouns.at(-1)?.[0] === 'index' && facts.namespace !== '' ? ` of ${facts.namespace}` : '';
  const sentence = words.join(' ') + index + (same === undefined ? '' : ` (${facts.method})`);
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

/** Verbs that are methods: what they do is what another method of the route does. */
const SAME: ReadonlyMap<string, string> = new Map([
  ['put', 'update'],
  ['patch', 'update'],
  ['post', 'get'],
]);

/** Verbs that a person says otherwise. */
const SPOKEN: ReadonlyMap<string, readonly string[]> = new Map([
  ['lookup', ['look', 'up']],
  ['has', ['tell', 'whether']],
  ['is', ['tell', 'whether']],
  ['can', ['tell', 'whether']],
  ['login', ['log', 'in']],
  ['logout', ['log', 'out']],
  ['vote', ['vote', 'for']],
]);

/** Words that a person writes in capitals. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...'ai api cdn crm css csv dns faq html http id ip json jwt mcp pdf php rss sdk seo sku sms smtp sql ssl svg ui uri url wc wp xml'
    .split(' ')
    .map((word) => [word, word.toUpperCase()] as const),
  ['https', 'HTTPS'],
  ['oembed', 'oEmbed'],
  ['oauth', 'OAuth'],
]);

/** Words of which nobody has one. */
const UNCOUNTABLE: ReadonlySet<string> = new Set(
  'access consent content data feedback media metadata navigation news'.split(' '),
);

/** What the sentence is about, with its article: `a post revision`, `the current user`, `block pattern categories`. */
function thingOf({ nouns, number, verb }: Phrase, listed: boolean): readonly string[] {
  const own = nouns.at(-1) ?? [];
  const last = own.at(-1) ?? '';
  if (last === '') return [];
  const before = parentsOf(nouns);
  if (last === 'yourself') return [last, TIES.get(verb[0] ?? '') ?? 'to', ...withArticle(before)];
  // `/stage-move-all-task`
  const all = own.indexOf('all');
  if (all >= 0 && all < own.length - 1) {
    const every = own.with(-1, isPlural(last) ? last : plural(last)).toSpliced(all, 1);
    return ['all', ...before, ...every];
  }
  // `/reports/tasks` is the report on tasks.
  if (before.at(-1) === 'report' && !listed) return ['the', ...before.slice(0, -1), ...own, 'report'];
  if (own.length === 1 && SELECTORS.has(last) && before.length > 0)
    return ['the', CHOSEN.get(last) ?? last, ...before];
  const phrased = own.some((word) => PREPOSITIONS.has(word));
  const plain = listed && !phrased && !isPlural(last) && !UNCOUNTABLE.has(last);
  const thing = [...before, ...own.slice(0, -1), plain ? plural(last) : last];
  if (number === 'many' || listed || verb[0] === 'has' || UNCOUNTABLE.has(last)) return thing;
  return number === 'the' ? ['the', ...thing] : withArticle(thing);
}

/** What the thing is of, without what a later word says again: `/tasks/task-tabs/config`. */
function parentsOf(nouns: Phrase['nouns']): readonly string[] {
  return nouns.slice(0, -1).flatMap((words, at) => {
    const one = singularOf(words);
    const later = nouns.slice(at + 1).flatMap((noun) => noun.flatMap((word) => singularOf([word])));
    return one.every((word) => later.includes(word)) ? [] : one;
  });
}

/** How a verb ties the caller to the thing. */
const TIES: ReadonlyMap<string, string> = new Map([
  ['detach', 'from'],
  ['remove', 'from'],
  ['unassign', 'from'],
]);

function withArticle(thing: readonly string[]): readonly string[] {
  return [articleOf(thing[0] ?? ''), ...thing];
}

const CHOSEN: ReadonlyMap<string, string> = new Map([
  ['me', 'current'],
  ['self', 'current'],
  ['mine', 'current'],
]);

/** By sound, as far as spelling tells: an item, a user, an hour, a one-off, an RSS feed. */
function articleOf(word: string): string {
  if (
    /^(?:hour|honest|heir)|^(?:faq|html|http|https|mcp|rss|sdk|seo|sku|sms|smtp|sql|ssl|svg|xml)$/.test(word)
  )
    return 'an';
  if (/^(?:one|eu|uni(?!n)|us[aei]|uti|url|uri|uuid|ubi|ui$)/.test(word)) return 'a';
  return /^[aeiou]/.test(word) ? 'an' : 'a';
}
