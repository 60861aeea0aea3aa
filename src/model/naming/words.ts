import { pluralize, singularize } from 'inflection';

/** Words that look like plurals and are none, or whose singular nobody would recognise. */
const UNCHANGED: ReadonlySet<string> = new Set(
  (
    'media data metadata meta news series species info seo access address analytics axis bonus bus business canvas cms ' +
    'cors criteria css dns express gas gps has https is js lens less process progress sms status this tls us virus ' +
    'wireless aws ios os rss saas sass ssl xss yes always across as'
  ).split(' '),
);

/** Where the singular that `inflection` makes is wrong. */
const SINGULARS: ReadonlyMap<string, string> = new Map([
  ['analyses', 'analysis'],
  ['caches', 'cache'],
  ['cookies', 'cookie'],
  ['shoes', 'shoe'],
  ['leaves', 'leave'],
  ['moves', 'move'],
]);

/**
 * A literal of a path as lower-case ASCII words: `wp_pattern-category`, `fooBar`, `1.0` → `10`. Letters that have no
 * ASCII form are told by their code points, so that a literal of these does not vanish.
 */
export function wordsOf(literal: string): readonly string[] {
  const text = literal.slice(0, 200);
  // Nearly all are plain.
  if (/^[a-z\d_-]*$/.test(text)) return text.split(/[_-]+/).filter((word) => word !== '');
  return text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/(?![a-z])\p{L}/giu, (letter) => `u${(letter.codePointAt(0) ?? 0).toString(16)}`)
    .replace(/(\d)\.(?=\d)/g, '$1')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');
}

export function singular(word: string): string {
  if (UNCHANGED.has(word) || word.length < 3 || word.endsWith('ss')) return word;
  return SINGULARS.get(word) ?? singularize(word);
}

export function plural(word: string): string {
  return UNCHANGED.has(word) ? word : pluralize(word);
}

export function isPlural(word: string): boolean {
  return singular(word) !== word;
}

/** Whether a word speaks of `params`: `board` of `board_id`. */
export function isMentioned(word: string, params: readonly string[]): boolean {
  const one = singular(word);
  return params.some((param) => wordsOf(param).some((its) => singular(its) === one));
}

/** The words with the last made singular: `application passwords` → `application password`. */
export function singularOf(words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? '';
  const one = singular(last);
  return one === last ? words : [...words.slice(0, -1), one];
}

/** `application password` → `ApplicationPassword`. */
export function pascal(words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

/** `application password` → `applicationPassword`. */
export function camel(words: readonly string[]): string {
  const [first = '', ...rest] = words;
  return first + pascal(rest);
}
