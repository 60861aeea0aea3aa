import { ApiError, combineSignals, createClientError } from './error.ts';
import type { CallOptions, RawClient, RawResult } from './options-and-results.ts';

/** Options of a paged call. */
export interface PaginateOptions extends CallOptions {
  /** Number of pages that are requested before the loop needs them. @default 1 */
  readonly lookAhead?: number | undefined;
}

/**
 * Yields the items of all pages, from `query.page` on.
 *
 * @throws {ApiError} when a page is an error
 * @throws {TypeError} if `query.offset` is given, because WordPress then ignores the page
 */
export async function* paginateItems(
  client: RawClient,
  path: string,
  { lookAhead = 1, ...options }: PaginateOptions = {},
): AsyncGenerator<unknown, void, undefined> {
  const { query = {}, signal } = options;
  if (query['offset'] !== undefined)
    throw new TypeError('paginate counts pages: query.offset must be left out');
  const abort = new AbortController();
  const [combined, release] = combineSignals(signal, abort.signal);
  const request = (page: number) => {
    const result = client.GET(path, {
      ...options,
      query: { ...query, page },
      signal: combined,
      throw: false,
    });
    // A page can fail after the loop was left, which would be an unhandled rejection.
    result.catch(() => undefined);
    return result;
  };
  const first = Number(query['page'] ?? 1);
  const pending = new Map<number, Promise<RawResult>>();
  let previous = '';
  let last = first;
  try {
    for (let page = first; page <= last; page++) {
      const result = await (pending.get(page) ?? request(page));
      pending.delete(page);
      if (result.error !== undefined && page > first && result.error.code.endsWith('_invalid_page_number'))
        return;
      const items = itemsOf(result);
      // Without totals, which a proxy can remove, only the next page shows whether there is one.
      last = result.totalPages ?? (items.length === 0 ? page : page + 1);
      if (result.totalPages === undefined && NAMES_ITEMS.test(String(query['_fields'] ?? ''))) {
        // A site that ignores the page sends the same list again and again.
        const content = JSON.stringify(items);
        if (content === previous) return;
        previous = content;
      }
      for (let next = page + 1; next <= Math.min(last, page + lookAhead); next++) {
        if (!pending.has(next)) pending.set(next, request(next));
      }
      yield* items;
    }
  } finally {
    abort.abort();
    release?.();
  }
}

/** A value of `_fields` with which no two pages are equal: none, or one with the id. */
const NAMES_ITEMS = /^$|(?:^|[\s,])id(?:[\s,]|$)/;

function itemsOf({ data, error, response }: RawResult): readonly unknown[] {
  if (error !== undefined) throw new ApiError(error, response);
  if (Array.isArray(data)) return data;
  const reason = 'The response is not a list, so that it has no pages.';
  throw new ApiError(createClientError('client_not_a_list', reason, response?.status ?? 0), response);
}
