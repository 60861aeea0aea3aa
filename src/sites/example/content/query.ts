import { isJsonObject, type Json, type JsonObject } from '../../../base/json.ts';
import type { Pagination } from '../../rest-server/declarations.ts';
import type { RequestParams } from '../../rest-server/params.ts';
import { refuse } from '../../rest-server/responses.ts';
import { parseInstant } from '../site/dates.ts';
import type { ContentRequest, Entry, Term } from './model.ts';

interface ResultPage {
  readonly items: readonly Entry[];
  readonly pagination: Pagination;
}

export function selectPage(request: ContentRequest, entries: Iterable<Entry>): ResultPage {
  const { params } = request;
  validateOrder(request);
  const search = parseSearch(
    params.string('search', ''),
    params.strings('search_columns'),
    params.string('search_semantics') === 'exact',
  );
  const conditions = createEntryConditions(request, search);
  const selected = [...entries].filter((entry) => conditions.every((condition) => condition(entry)));
  const ordered = sortEntries(selected, params, search);
  const stickyFirst = params.has('ignore_sticky') && !params.boolean('ignore_sticky');
  if (stickyFirst) ordered.sort((a, b) => Number(b.sticky) - Number(a.sticky));
  return paginate(request, ordered);
}

function validateOrder({ params }: ContentRequest): void {
  const orderBy = params.string('orderby');
  if (orderBy === 'relevance' && params.string('search', '') === '') {
    refuse(400, 'rest_no_search_term_defined', 'You need to define a search term to order by relevance.');
  }
  if (orderBy === 'include' && params.integers('include').length === 0) {
    const code = 'rest_orderby_include_missing_include';
    refuse(400, code, 'You need to define an include parameter to order by include.');
  }
}

function paginate({ params }: ContentRequest, items: readonly Entry[]): ResultPage {
  const total = items.length;
  const page = params.integer('page', 1);
  const perPage = params.integer('per_page') ?? Math.max(1, total);
  const offset = Math.abs(params.integer('offset', 0));
  if (page > Math.ceil(total / perPage) && total > 0) {
    const message = 'The page number requested is larger than the number of pages available.';
    refuse(400, 'rest_post_invalid_page_number', message);
  }
  const from = params.has('offset') && params.has('per_page') ? offset : (page - 1) * perPage;
  return { items: items.slice(from, from + perPage), pagination: { total, page, perPage } };
}

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

/** Ties are sorted by id in the same direction, so pages do not overlap. */
function sortEntries<T extends Entry>(
  entries: readonly T[],
  params: RequestParams,
  search: SearchQuery | undefined,
): T[] {
  const orderBy = params.string('orderby', 'date');
  if (orderBy === 'include') return sortByList(entries, params.integers('include'), (entry) => entry.id);
  if (orderBy === 'include_slugs') return sortByList(entries, params.strings('slug'), (entry) => entry.slug);
  if (orderBy === 'relevance' && search !== undefined) {
    const rank = ({ title }: Entry): number => Number(!title.toLowerCase().includes(search.sentence));
    return [...entries].sort((a, b) => rank(a) - rank(b) || b.date - a.date);
  }
  const key = SORT_KEYS[orderBy] ?? ((entry: Entry) => entry.date);
  const direction = params.string('order', 'desc') === 'asc' ? 1 : -1;
  return [...entries].sort((a, b) => direction * (compare(key(a), key(b)) || a.id - b.id));
}

function sortByList<T extends Entry, Key>(
  entries: readonly T[],
  list: readonly Key[],
  key: (entry: Entry) => Key,
): T[] {
  const positions = new Map(list.map((item, index) => [item, index]));
  const getPosition = (entry: Entry): number => positions.get(key(entry)) ?? positions.size;
  return [...entries].sort((a, b) => getPosition(a) - getPosition(b));
}

function compare(a: number | string, b: number | string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

type Condition = (entry: Entry) => boolean;

type ParameterFilter = (request: ContentRequest, name: string) => Condition | undefined;

const PARAMETER_FILTERS: Readonly<Record<string, ParameterFilter>> = {
  status: ({ params }, name) => {
    const statuses = params.strings(name);
    const isAny = statuses.includes('any');
    return params.has(name)
      ? ({ status }) => statuses.includes(status) || (isAny && status !== 'trash')
      : undefined;
  },
  author: isAmong((entry) => entry.author),
  author_exclude: isAmong((entry) => entry.author, false),
  include: isAmong((entry) => entry.id),
  exclude: isAmong((entry) => entry.id, false),
  parent: isAmong((entry) => entry.parent),
  parent_exclude: isAmong((entry) => entry.parent, false),
  after: comparesDate((entry, time) => entry.date > time),
  before: comparesDate((entry, time) => entry.date < time),
  modified_after: comparesDate((entry, time) => entry.modified > time),
  modified_before: comparesDate((entry, time) => entry.modified < time),
  slug: isAmong((entry) => entry.slug),
  menu_order: isAmong((entry) => entry.menuOrder),
  sticky: ({ params }, name) => {
    const sticky = params.boolean(name);
    return params.has(name) ? (entry) => entry.sticky === sticky : undefined;
  },
  format: isAmong((entry) => entry.format),
  media_type: isAmong((entry) => entry.media?.mime.split('/')[0] ?? ''),
  mime_type: isAmong((entry) => entry.media?.mime ?? ''),
  taxonomies: ({ params, state }) => createTaxonomyCondition(params, state.terms),
};

function createEntryConditions(request: ContentRequest, search: SearchQuery | undefined): Condition[] {
  const conditions = Object.entries(PARAMETER_FILTERS).flatMap(
    ([name, filter]) => filter(request, name) ?? [],
  );
  if (search === undefined) return conditions;
  const isSearchable: Condition = (entry) => request.user !== null || entry.password === '';
  return [...conditions, isSearchable, (entry) => matchesSearch(entry, search)];
}

function isAmong(key: (entry: Entry) => number | string, isWanted = true): ParameterFilter {
  return ({ params }, name) => {
    const values = new Set(params.strings(name));
    return values.size === 0 ? undefined : (entry) => values.has(String(key(entry))) === isWanted;
  };
}

function comparesDate(test: (entry: Entry, time: number) => boolean): ParameterFilter {
  return ({ params }, name) => {
    const time = parseInstant(params.string(name, ''));
    return time === undefined ? undefined : (entry) => test(entry, time);
  };
}

const COLUMNS = { post_title: 'title', post_excerpt: 'excerpt', post_content: 'content' } as const;
type SearchableField = (typeof COLUMNS)[keyof typeof COLUMNS];

interface SearchQuery {
  readonly terms: readonly string[];
  readonly sentence: string;
  readonly fields: readonly SearchableField[];
  readonly isExact: boolean;
}

/** Searches all words in any case, by default in all columns. */
function parseSearch(
  text: string,
  columns: readonly string[] = [],
  isExact = false,
): SearchQuery | undefined {
  const sentence = text.trim().toLowerCase();
  if (sentence === '') return undefined;
  const requested = Object.entries(COLUMNS).filter(([column]) => columns.includes(column));
  const fields = (requested.length === 0 ? Object.entries(COLUMNS) : requested).map(([, field]) => field);
  return { sentence, terms: sentence.split(/[\s,+]+/), fields, isExact };
}

function matchesSearch(entry: Entry, { terms, sentence, fields, isExact }: SearchQuery): boolean {
  const texts = fields.map((field) => entry[field].toLowerCase());
  if (isExact) return texts.some((text) => text.trim() === sentence);
  return terms.every((term) => texts.some((text) => text.includes(term)));
}

const TAXONOMIES = ['categories', 'tags'] as const;

function createTaxonomyCondition(
  params: RequestParams,
  terms: ReadonlyMap<number, Term>,
): Condition | undefined {
  const conditions = TAXONOMIES.flatMap((name): Condition[] => {
    const [included, excluded] = [params.get(name), params.get(`${name}_exclude`)].map(parseTermQuery);
    const isExcluded = excluded && hasTerms(name, { ...excluded, requireAll: false }, terms);
    return [
      ...(included === undefined ? [] : [hasTerms(name, included, terms)]),
      ...(isExcluded === undefined ? [] : [(entry: Entry) => !isExcluded(entry)]),
    ];
  });
  if (conditions.length === 0) return undefined;
  return params.string('tax_relation') === 'OR'
    ? (entry) => conditions.some((condition) => condition(entry))
    : (entry) => conditions.every((condition) => condition(entry));
}

interface TermQuery {
  readonly ids: readonly number[];
  readonly includeChildren: boolean;
  readonly requireAll: boolean;
}

/** Parses a list of ids or `{ terms, operator, include_children }`. */
function parseTermQuery(value: Json | undefined): TermQuery | undefined {
  const query: JsonObject = isJsonObject(value) ? value : { terms: value ?? null };
  const { include_children: children, operator, terms } = query;
  const ids = Array.isArray(terms) ? terms.filter((item) => typeof item === 'number') : [];
  if (ids.length === 0) return undefined;
  return { ids, includeChildren: children === true, requireAll: operator === 'AND' };
}

function hasTerms(
  name: (typeof TAXONOMIES)[number],
  { ids, includeChildren, requireAll }: TermQuery,
  terms: ReadonlyMap<number, Term>,
): Condition {
  const families = ids.map((id) => (includeChildren ? withDescendants(id, terms) : new Set([id])));
  const needed = requireAll ? families.length : 1;
  return (entry) => families.filter((family) => entry[name].some((id) => family.has(id))).length >= needed;
}

function withDescendants(id: number, terms: ReadonlyMap<number, Term>): ReadonlySet<number> {
  const family = new Set([id]);
  for (const term of terms.values()) if (family.has(term.parent)) family.add(term.id);
  return family;
}
