import { pluralize, singularize } from 'inflection';
import { memoizeByString } from '../../../base/memoize.ts';
import data from './vocabulary.json' with { type: 'json' };

/** Lower-case ASCII words of `wp_pattern-category`, `fooBar`. Other letters become code points. */
export function splitWords(literal: string): readonly string[] {
  return splitLetters(literal).map((word) =>
    word.replace(/[^a-z\d]/gu, (letter) => `u${(letter.codePointAt(0) ?? 0).toString(16)}`),
  );
}

/** As {@link splitWords}, with the letters of any script: `отзывы`. Latin ones lose their accents. */
export function splitLetters(literal: string): readonly string[] {
  const text = literal.slice(0, 200);
  if (/^[a-z\d_-]*$/.test(text)) return text.split(/[_-]+/).filter((word) => word !== '');
  return text
    .normalize('NFKD')
    .replace(/(?<=[a-z])\p{M}+/giu, '')
    .normalize('NFC')
    .replace(/(\d)\.(?=\d)/g, '$1')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d\p{L}\p{Mn}\p{Mc}]+/u)
    .filter((word) => word !== '');
}

const singularOf = memoizeByString((word) => singularize(word));

export function toSingular(word: string): string {
  if (isOneOf('uninflected', word) || word.length < 3 || word.endsWith('ss')) return word;
  return singularOf(word);
}

export function toPlural(word: string): string {
  return isOneOf('uninflected', word) ? word : pluralize(word);
}

export function isPlural(word: string): boolean {
  return toSingular(word) !== word;
}

export function isInParameterNames(word: string, params: readonly string[]): boolean {
  const singular = toSingular(word);
  return params.some((param) => splitWords(param).some((paramWord) => toSingular(paramWord) === singular));
}

export function singularizeLastWord(words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? '';
  const singular = toSingular(last);
  return singular === last ? words : [...words.slice(0, -1), singular];
}

export function capitalize(text: string): string {
  const code = text.charCodeAt(0);
  // `toUpperCase` in compiled code returns two-byte text, which would double a name's memory.
  const first =
    code >= 0x61 && code <= 0x7a ? String.fromCharCode(code - 0x20) : text.charAt(0).toUpperCase();
  return first + text.slice(1);
}

export function toPascalCase(words: readonly string[]): string {
  return words.map(capitalize).join('');
}

export function toCamelCase(words: readonly string[]): string {
  const [first = '', ...rest] = words;
  return first + toPascalCase(rest);
}

type WordSet = keyof typeof data;

const SETS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(data).map(([name, words]) => [name, new Set(words.split(' '))]),
);

export function wordsOf(set: WordSet): ReadonlySet<string> {
  return SETS.get(set) ?? new Set();
}

export function isOneOf(set: WordSet, word: string): boolean {
  return wordsOf(set).has(word);
}
