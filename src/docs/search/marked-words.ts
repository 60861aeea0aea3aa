import { MAX_WORD_LENGTH } from './search-options.ts';

/** A part of a text, and whether a query has found it. */
export interface TextPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/**
 * Splits a text at the words that a query has found. This module runs in the browser.
 *
 * @param terms words of the index, in lower case
 * @returns parts that are the text, one after the other
 */
export function markWords(text: string, terms: readonly string[]): readonly TextPart[] {
  const found = new Set(terms);
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(/[\p{L}\p{N}]+/gu)) {
    const [word] = match;
    if (!found.has(word.slice(0, MAX_WORD_LENGTH).toLowerCase())) continue;
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isMarked: false });
    parts.push({ text: word, isMarked: true });
    end = match.index + word.length;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMarked: false });
  return parts;
}
