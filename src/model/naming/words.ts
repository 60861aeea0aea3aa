import { pluralize, singularize } from 'inflection';
import { memoizeByString } from '../../memoize.ts';
import { isOneOf } from './vocabulary.ts';

/**
 * Splits a literal of a path into lower-case ASCII words: `wp_pattern-category`, `fooBar`, `1.0` → `10`. A letter without
 * an ASCII form is written as its code point, so that no literal becomes empty.
 */
export function splitWords(literal: string): readonly string[] {
  const text = literal.slice(0, 200);
  // Fast path for nearly all literals.
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

/** Singulars are constants, and `inflection` tries a hundred patterns for each. */
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

/** Whether a parameter name contains the word, in singular or plural: `board` in `board_id`. */
export function isInParameterNames(word: string, params: readonly string[]): boolean {
  const singular = toSingular(word);
  return params.some((param) => splitWords(param).some((paramWord) => toSingular(paramWord) === singular));
}

/** Makes the last word singular: `application passwords` → `application password`. */
export function singularizeLastWord(words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? '';
  const singular = toSingular(last);
  return singular === last ? words : [...words.slice(0, -1), singular];
}

/** Makes the first character upper case. */
export function capitalize(text: string): string {
  const code = text.charCodeAt(0);
  // `toUpperCase` returns two bytes for each character in code that V8 has compiled. A text with such a part takes twice the memory.
  const first =
    code >= 0x61 && code <= 0x7a ? String.fromCharCode(code - 0x20) : text.charAt(0).toUpperCase();
  return first + text.slice(1);
}

/** `application password` → `ApplicationPassword`. */
export function toPascalCase(words: readonly string[]): string {
  return words.map(capitalize).join('');
}

/** `application password` → `applicationPassword`. */
export function toCamelCase(words: readonly string[]): string {
  const [first = '', ...rest] = words;
  return first + toPascalCase(rest);
}
