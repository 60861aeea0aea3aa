import type MiniSearch from 'minisearch';
import type { SearchResult } from 'minisearch';

/** Results that contain each word are enough from this number on. */
const ENOUGH_RESULTS = 5;

/** Searches an index. What contains each word of the query comes first, then what contains most of them. */
export function searchIndex(index: MiniSearch, query: string): readonly SearchResult[] {
  const complete = index.search(query);
  if (complete.length >= ENOUGH_RESULTS) return complete;
  const found = new Set(complete.map(({ id }) => id));
  return [...complete, ...index.search(query, { combineWith: 'OR' }).filter(({ id }) => !found.has(id))];
}
