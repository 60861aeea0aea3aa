import type { RequestParams } from '../../site/request-params.ts';
import type { Entry } from '../model/entries.ts';
import { getRelevanceRank, type SearchQuery } from './search.ts';

type SortKey = (entry: Entry) => number | string;

const SORT_KEYS: Readonly<Record<string, SortKey>> = {
  author: (entry) => entry.author,
  date: (entry) => entry.date,
  id: (entry) => entry.id,
  modified: (entry) => entry.modified,
  parent: (entry) => entry.parent,
  slug: (entry) => entry.slug,
  title: (entry) => entry.title.toLowerCase(),
  menu_order: (entry) => entry.menuOrder,
};

/** Sorts by `orderby` and `order`. Ties are sorted by id in the same direction, so pages do not overlap. */
export function sortEntries(
  entries: readonly Entry[],
  params: RequestParams,
  search: SearchQuery | undefined,
): Entry[] {
  const orderBy = params.string('orderby', 'date');
  if (orderBy === 'include') return sortByList(entries, params.integers('include'), (entry) => entry.id);
  if (orderBy === 'include_slugs') return sortByList(entries, params.strings('slug'), (entry) => entry.slug);
  if (orderBy === 'relevance' && search !== undefined) {
    return [...entries].sort(
      (a, b) => getRelevanceRank(a, search) - getRelevanceRank(b, search) || b.date - a.date,
    );
  }
  const key = SORT_KEYS[orderBy] ?? ((entry: Entry) => entry.date);
  const direction = params.string('order', 'desc') === 'asc' ? 1 : -1;
  return [...entries].sort((a, b) => direction * (compare(key(a), key(b)) || a.id - b.id));
}

/** Sorts in the order of a list of ids or slugs. `order` has no effect. */
function sortByList<T>(entries: readonly Entry[], list: readonly T[], key: (entry: Entry) => T): Entry[] {
  const positions = new Map(list.map((item, index) => [item, index]));
  const getPosition = (entry: Entry): number => positions.get(key(entry)) ?? positions.size;
  return [...entries].sort((a, b) => getPosition(a) - getPosition(b));
}

function compare(a: number | string, b: number | string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
