import type { Pagination, SiteError } from '../../site/declarations.ts';
import { restError } from '../../site/responses.ts';
import type { Entry, EntryKind } from '../model/entries.ts';
import type { ContentRequest } from '../model/state.ts';
import { createEntryConditions } from './filters.ts';
import { sortEntries } from './order.ts';
import { parseSearch } from './search.ts';

interface ResultPage<T> {
  readonly items: readonly T[];
  readonly pagination: Pagination;
}

/** Filters, sorts and paginates the entries of a kind. */
export function listEntries(request: ContentRequest, kind: EntryKind): ResultPage<Entry> | SiteError {
  const { params, state } = request;
  const orderError = validateOrder(request);
  if (orderError !== undefined) return orderError;

  const search = parseSearch(
    params.string('search', ''),
    params.strings('search_columns'),
    params.string('search_semantics') === 'exact',
  );
  const conditions = createEntryConditions(request, search);
  const selected = [...state.entries.values()].filter(
    (entry) => entry.kind === kind && conditions.every((condition) => condition(entry)),
  );
  const ordered = sortEntries(selected, params, search);
  const stickyFirst = kind === 'post' && params.has('ignore_sticky') && !params.boolean('ignore_sticky');

  return paginate(
    request,
    stickyFirst
      ? [...ordered.filter((entry) => entry.sticky), ...ordered.filter((entry) => !entry.sticky)]
      : ordered,
    ({ page, pages, total }) =>
      page > pages && total > 0
        ? restError(
            400,
            'rest_post_invalid_page_number',
            'The page number requested is larger than the number of pages available.',
          )
        : undefined,
  );
}

/** The orders `relevance` and `include` require the parameters `search` and `include`. */
export function validateOrder({ params }: ContentRequest): SiteError | undefined {
  const orderBy = params.string('orderby');
  if (orderBy === 'relevance' && params.string('search', '') === '') {
    return restError(
      400,
      'rest_no_search_term_defined',
      'You need to define a search term to order by relevance.',
    );
  }
  if (orderBy === 'include' && params.integers('include').length === 0) {
    return restError(
      400,
      'rest_orderby_include_missing_include',
      'You need to define an include parameter to order by include.',
    );
  }
  return undefined;
}

/** Selects `per_page` items by `page`, or by `offset` if it is given. */
export function paginate<T>(
  { params }: ContentRequest,
  items: readonly T[],
  checkPage: (asked: {
    readonly page: number;
    readonly pages: number;
    readonly offset: number;
    readonly total: number;
  }) => SiteError | undefined,
): ResultPage<T> | SiteError {
  const total = items.length;
  const page = params.integer('page', 1);
  // Revisions have no default page size: without `per_page`, one page has all of them.
  const perPage = params.integer('per_page') ?? Math.max(1, total);
  // WordPress uses the absolute value of a negative offset.
  const offset = Math.abs(params.integer('offset', 0));
  const pageError = checkPage({ page, pages: Math.ceil(total / perPage), offset, total });
  if (pageError !== undefined) return pageError;
  // WordPress ignores the offset if there is no page size.
  const from = params.has('offset') && params.has('per_page') ? offset : (page - 1) * perPage;
  return { items: items.slice(from, from + perPage), pagination: { total, page, perPage } };
}
