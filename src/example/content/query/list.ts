import { refuse } from '../../site/answers.ts';
import type { PageOfItems, SiteError, SiteRequest } from '../../site/declare.ts';
import type { Entry, Kind } from '../entries.ts';
import type { ContentState } from '../state.ts';
import { readConditions } from './filters.ts';
import { inOrder } from './order.ts';
import { readSearch } from './search.ts';

export interface Listed<T> {
  readonly items: readonly T[];
  readonly page: PageOfItems;
}

/** The page of entries that a request asks for. */
export function listEntries(request: SiteRequest<ContentState>, kind: Kind): Listed<Entry> | SiteError {
  const { params, state } = request;
  const missing = missingForOrder(request);
  if (missing !== undefined) return missing;

  const search = readSearch(
    params.string('search', ''),
    params.strings('search_columns'),
    params.string('search_semantics') === 'exact',
  );
  const conditions = readConditions(request, search);
  const found = [...state.entries.values()].filter(
    (entry) => entry.kind === kind && conditions.every((condition) => condition(entry)),
  );
  const ordered = inOrder(found, params, search);
  const stickyFirst = kind === 'post' && params.has('ignore_sticky') && !params.boolean('ignore_sticky');

  return cutPage(
    request,
    stickyFirst
      ? [...ordered.filter((entry) => entry.sticky), ...ordered.filter((entry) => !entry.sticky)]
      : ordered,
    ({ page, pages, total }) =>
      page > pages && total > 0
        ? refuse(
            400,
            'rest_post_invalid_page_number',
            'The page number requested is larger than the number of pages available.',
          )
        : undefined,
  );
}

/** Two orders need another parameter. */
export function missingForOrder({ params }: SiteRequest<ContentState>): SiteError | undefined {
  const by = params.string('orderby');
  if (by === 'relevance' && params.string('search', '') === '') {
    return refuse(
      400,
      'rest_no_search_term_defined',
      'You need to define a search term to order by relevance.',
    );
  }
  if (by === 'include' && params.integers('include').length === 0) {
    return refuse(
      400,
      'rest_orderby_include_missing_include',
      'You need to define an include parameter to order by include.',
    );
  }
  return undefined;
}

/** Cuts `page` of `per_page` items, or as many from `offset` on, which then stands for the page. */
export function cutPage<T>(
  { params }: SiteRequest<ContentState>,
  items: readonly T[],
  refusal: (asked: {
    readonly page: number;
    readonly pages: number;
    readonly offset: number;
    readonly total: number;
  }) => SiteError | undefined,
): Listed<T> | SiteError {
  const total = items.length;
  const page = params.integer('page', 1);
  // Revisions have no page size of their own: all stand on one page.
  const perPage = params.integer('per_page') ?? Math.max(1, total);
  // A negative one loses its sign, as at WordPress.
  const offset = Math.abs(params.integer('offset', 0));
  const refused = refusal({ page, pages: Math.ceil(total / perPage), offset, total });
  if (refused !== undefined) return refused;
  // Without a page size WordPress asks for all, and does not skip any.
  const from = params.has('offset') && params.has('per_page') ? offset : (page - 1) * perPage;
  return { items: items.slice(from, from + perPage), page: { total, page, perPage } };
}
