import type { Entry } from '../model/entries.ts';

/** The searchable texts, by their column names in WordPress. */
const COLUMN_READERS: Readonly<Record<SearchColumn, (entry: SearchableText) => string>> = {
  post_title: (entry) => entry.title,
  post_excerpt: (entry) => entry.excerpt,
  post_content: (entry) => entry.content,
};

/** A search with more terms is treated as one phrase. */
const MAX_TERMS = 9;

type SearchableText = Pick<Entry, 'title' | 'excerpt' | 'content'>;
type SearchColumn = 'post_title' | 'post_excerpt' | 'post_content';

export interface SearchQuery {
  readonly terms: readonly string[];
  /** The terms with a minus prefix, which must not occur. */
  readonly excludedTerms: readonly string[];
  readonly sentence: string;
  readonly columns: readonly SearchColumn[];
  /** Whether a column must equal the search text, not only contain it. */
  readonly isExact: boolean;
}

/**
 * Parses a search as WP_Query does: words, quoted phrases, and words with a minus prefix that must not occur. Without
 * `columns`, all columns are searched.
 */
export function parseSearch(
  text: string,
  columns: readonly string[] = [],
  isExact = false,
): SearchQuery | undefined {
  const sentence = text.trim().toLowerCase();
  if (sentence === '') return undefined;
  const allColumns: SearchColumn[] = ['post_title', 'post_excerpt', 'post_content'];
  const requestedColumns = allColumns.filter((column) => columns.includes(column));
  const pieces = [...sentence.matchAll(/"([^"]*)"|([^\s",+]+)/g)].map(
    ([, phrase, word]) => phrase ?? word ?? '',
  );
  return {
    sentence,
    terms:
      pieces.length > MAX_TERMS ? [sentence] : pieces.filter((piece) => piece !== '' && !isExclusion(piece)),
    excludedTerms: pieces.length > MAX_TERMS ? [] : pieces.filter(isExclusion).map((piece) => piece.slice(1)),
    columns: requestedColumns.length === 0 ? allColumns : requestedColumns,
    isExact,
  };
}

function isExclusion(piece: string): boolean {
  return piece.length > 1 && piece.startsWith('-');
}

export function matchesSearch(
  entry: SearchableText,
  { terms, excludedTerms, sentence, columns, isExact }: SearchQuery,
): boolean {
  const texts = columns.map((column) => COLUMN_READERS[column](entry).toLowerCase());
  if (isExact) return texts.some((text) => text.trim() === sentence);
  const occurs = (term: string): boolean => texts.some((text) => text.includes(term));
  return terms.every(occurs) && !excludedTerms.some(occurs);
}

/** The rank by relevance, best first: phrase in the title, all terms there, some there, excerpt, content, none. */
export function getRelevanceRank(entry: SearchableText, { terms, sentence }: SearchQuery): number {
  const title = entry.title.toLowerCase();
  if (title.includes(sentence)) return 1;
  if (terms.every((term) => title.includes(term))) return 2;
  if (terms.some((term) => title.includes(term))) return 3;
  if (entry.excerpt.toLowerCase().includes(sentence)) return 4;
  return entry.content.toLowerCase().includes(sentence) ? 5 : 6;
}
