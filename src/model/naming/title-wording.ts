import { UNCOUNTABLE } from './title-vocabulary.ts';
import { PREPOSITIONS } from './vocabulary.ts';
import { isPlural, toSingular } from './words.ts';

/** Words of vowels that are written in capitals. Words without a vowel are recognised. */
const ACRONYMS: ReadonlySet<string> = new Set(
  'ai ajax api dom faq id ip jpeg json jwt oauth oembed pdf qr seo sku ui uri url uuid vat'.split(' '),
);

const SPECIAL_SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['oembed', 'oEmbed'],
  ['oauth', 'OAuth'],
]);

/** Joins the words of a title: a capital at its start, acronyms in capitals. */
export function toTitleCase(words: readonly string[]): string {
  const text = words.map(toSpelling).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function toSpelling(word: string): string {
  const parts = word.split('-');
  if (parts.length > 1) return parts.map(toSpelling).join('-');
  const singular = toSingular(word);
  const special = SPECIAL_SPELLINGS.get(singular);
  if (special !== undefined) return special;
  if (!isAcronym(singular)) return isAcronym(word) ? word.toUpperCase() : word;
  return singular.toUpperCase() + word.slice(singular.length);
}

/** `css`, `fm`, `v2`; not `by`. */
function isAcronym(word: string): boolean {
  return ACRONYMS.has(word) || /^(?!nth$|vs$)[b-df-hj-np-tv-xz]{2,5}\d*$/.test(word);
}

const WITH_ARTICLE: ReadonlySet<string> = new Set(['as', 'from', 'in', 'into', 'of', 'to', 'with']);

/** Adds the article to a singular noun after a preposition: `to next stage` → `to the next stage`. */
export function withArticles(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => WITH_ARTICLE.has(word));
  if (at < 0) return words;
  const tail = words.slice(at + 1);
  const end = tail.findIndex((word) => PREPOSITIONS.has(word));
  const phrase = end < 0 ? tail : tail.slice(0, end);
  const rest = end < 0 ? [] : withArticles(tail.slice(end));
  const [first = ''] = phrase;
  const last = phrase.at(-1) ?? '';
  const article = /^(?:next|previous|current)$/.test(first)
    ? ['the']
    : last === '' || isPlural(last) || UNCOUNTABLE.has(last)
      ? []
      : [chooseArticle(first)];
  return [...words.slice(0, at + 1), ...article, ...phrase, ...rest];
}

/** Chooses `a` or `an` by the sound of a word, guessed from its spelling: an item, a user, an hour, an RSS feed. */
export function chooseArticle(word: string): string {
  if (/^(?:hour|honest|heir)/.test(word)) return 'an';
  // The names of the letters F, H, L, M, N, R, S and X begin with a vowel.
  if (isAcronym(word) && !/^[aeiou]/.test(word)) return /^[fhlmnrsx]/.test(word) ? 'an' : 'a';
  if (/^faq/.test(word) || /^s(?:eo|ku)$/.test(word)) return 'an';
  if (/^(?:one|eu|uni(?!n)|us[aei]|uti|url|uri|uuid|ubi|ui$)/.test(word)) return 'a';
  return /^[aeiou]/.test(word) ? 'an' : 'a';
}
