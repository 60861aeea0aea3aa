import type { Params } from '../../site/params.ts';
import type { Entry } from '../entries.ts';
import { relevance, type Search } from './search.ts';

type Key = (entry: Entry) => number | string;

const KEYS: Readonly<Record<string, Key>> = {
  author: (entry) => entry.author,
  date: (entry) => entry.date,
  id: (entry) => entry.id,
  modified: (entry) => entry.modified,
  parent: (entry) => entry.parent,
  slug: (entry) => entry.slug,
  title: (entry) => entry.title.toLowerCase(),
  menu_order: (entry) => entry.menuOrder,
};

/** Sorts as `orderby` and `order` say. What is alike stands by id, in the same direction, so that pages do not overlap. */
export function inOrder(entries: readonly Entry[], params: Params, search: Search | undefined): Entry[] {
  const by = params.string('orderby', 'date');
  if (by === 'include') return inOrderOf(entries, params.integers('include'), (entry) => entry.id);
  if (by === 'include_slugs') return inOrderOf(entries, params.strings('slug'), (entry) => entry.slug);
  if (by === 'relevance' && search !== undefined) {
    return [...entries].sort((a, b) => relevance(a, search) - relevance(b, search) || b.date - a.date);
  }
  const key = KEYS[by] ?? ((entry: Entry) => entry.date);
  const direction = params.string('order', 'desc') === 'asc' ? 1 : -1;
  return [...entries].sort((a, b) => direction * (compare(key(a), key(b)) || a.id - b.id));
}

/** As the caller listed them: neither direction matters. */
function inOrderOf<T>(entries: readonly Entry[], list: readonly T[], key: (entry: Entry) => T): Entry[] {
  const places = new Map(list.map((item, index) => [item, index]));
  const place = (entry: Entry): number => places.get(key(entry)) ?? places.size;
  return [...entries].sort((a, b) => place(a) - place(b));
}

function compare(a: number | string, b: number | string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
