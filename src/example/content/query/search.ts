import type { Entry } from '../entries.ts';

/** The columns of a search, by their names in WordPress's table. */
const COLUMNS: Readonly<Record<Column, (entry: Searchable) => string>> = {
  post_title: (entry) => entry.title,
  post_excerpt: (entry) => entry.excerpt,
  post_content: (entry) => entry.content,
};

/** More words than these are searched for as one sentence. */
const MOST_TERMS = 9;

type Searchable = Pick<Entry, 'title' | 'excerpt' | 'content'>;
type Column = 'post_title' | 'post_excerpt' | 'post_content';

export interface Search {
  readonly terms: readonly string[];
  /** Terms after a minus, which must not occur. */
  readonly without: readonly string[];
  readonly sentence: string;
  readonly columns: readonly Column[];
  /** Whether a column has to be the search and not only to contain it. */
  readonly exact: boolean;
}

/**
 * Reads what is searched for as WP_Query does: words, phrases in quotes, and words after a minus that must not occur.
 * No column named means all of them.
 */
export function readSearch(text: string, columns: readonly string[] = [], exact = false): Search | undefined {
  const sentence = text.trim().toLowerCase();
  if (sentence === '') return undefined;
  const all: Column[] = ['post_title', 'post_excerpt', 'post_content'];
  const named = all.filter((column) => columns.includes(column));
  const pieces = [...sentence.matchAll(/"([^"]*)"|([^\s",+]+)/g)].map(
    ([, phrase, word]) => phrase ?? word ?? '',
  );
  return {
    sentence,
    terms:
      pieces.length > MOST_TERMS ? [sentence] : pieces.filter((piece) => piece !== '' && !isExclusion(piece)),
    without: pieces.length > MOST_TERMS ? [] : pieces.filter(isExclusion).map((piece) => piece.slice(1)),
    columns: named.length === 0 ? all : named,
    exact,
  };
}

function isExclusion(piece: string): boolean {
  return piece.length > 1 && piece.startsWith('-');
}

export function matches(entry: Searchable, { terms, without, sentence, columns, exact }: Search): boolean {
  const texts = columns.map((column) => COLUMNS[column](entry).toLowerCase());
  if (exact) return texts.some((text) => text.trim() === sentence);
  const occurs = (term: string): boolean => texts.some((text) => text.includes(term));
  return terms.every(occurs) && !without.some(occurs);
}

/** Smaller is more relevant: the phrase in the title, all words there, some of them, then excerpt and content. */
export function relevance(entry: Searchable, { terms, sentence }: Search): number {
  const title = entry.title.toLowerCase();
  if (title.includes(sentence)) return 1;
  if (terms.every((term) => title.includes(term))) return 2;
  if (terms.some((term) => title.includes(term))) return 3;
  if (entry.excerpt.toLowerCase().includes(sentence)) return 4;
  return entry.content.toLowerCase().includes(sentence) ? 5 : 6;
}
