// A type that is missing here needs TanStack Query 5.89 or newer.
import type { DataTag, InfiniteData, MutationFunctionContext, QueryClient } from '@tanstack/query-core';
import { SITE, type SiteResource } from './operations.ts';
import {
  type FixedArguments,
  firstOf,
  firstPage,
  isKeyOf,
  type KeyOptions,
  keyOf,
  nextPage,
  readData,
  readLaterPage,
  readPage,
  type SitePage,
  type SiteQueryKey,
  type VariablesOf,
  type WriteMethod,
  write,
} from './queries.ts';
import type {
  ClientHandle,
  KnownPath,
  PagedPath,
  RequestData,
  RequestError,
  RequestOptions,
  RequestPath,
} from './typed-calls.ts';

/** Members from which TanStack Query infers the error type. They are never set. */
interface WithError<Problem> {
  readonly retry?: (failureCount: number, error: Problem) => boolean;
  readonly retryDelay?: (failureCount: number, error: Problem) => number;
  readonly throwOnError?: (error: Problem) => boolean;
}

/** Options of a query, for `useQuery`, `prefetchQuery` and others. */
export interface SiteQueryOptions<Data, Problem> extends WithError<Problem> {
  /** Gives the data its type: `queryClient.getQueryData(options.queryKey)`. */
  readonly queryKey: DataTag<SiteQueryKey, Data, Problem>;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
}

/** Options of an infinite query, for `useInfiniteQuery` and others. */
export interface SiteInfiniteQueryOptions<Page, Problem> extends WithError<Problem> {
  readonly queryKey: DataTag<SiteQueryKey, InfiniteData<Page, number>, Problem>;
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: number }) => Promise<Page>;
  readonly initialPageParam: number;
  readonly getNextPageParam: (page: Page, pages: readonly Page[], pageParam: number) => number | undefined;
}

interface UpdatedQuery<Data> {
  readonly queryKey: DataTag<SiteQueryKey, Data, unknown>;
}

/** Options of a mutation, for `useMutation`. */
export interface SiteMutationOptions<Data, Problem, Variables> extends WithError<Problem> {
  readonly mutationKey: readonly [site: string, method: string, path: string];
  readonly mutationFn: (variables: Variables, context: MutationFunctionContext) => Promise<Data>;
}

/** Options for `useQuery`: `queryOptions(client, '/wp/v2/posts', { query: { per_page: 5 } })`. */
export function queryOptions<Path extends string, const Given extends readonly unknown[] = []>(
  client: ClientHandle,
  path: KnownPath<Path>,
  ...options: RequestOptions<'GET', Path, Given>
): SiteQueryOptions<RequestData<'GET', Path & RequestPath, Given>, RequestError<'GET', Path & RequestPath>> {
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) =>
    readData(client, path, { ...firstOf(options), signal });
  return { queryKey: keyOf(client, path, firstOf(options)), queryFn } as never;
}

/** Options for `useQuery` of one page of a list, with its totals. */
export function pageOptions<Path extends string, const Given extends readonly unknown[] = []>(
  client: ClientHandle,
  path: KnownPath<Path, PagedPath>,
  ...options: RequestOptions<'GET', Path, Given>
): SiteQueryOptions<
  SitePage<RequestData<'GET', Path & PagedPath, Given>>,
  RequestError<'GET', Path & PagedPath>
> {
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) =>
    readPage(client, path, { ...firstOf(options), signal });
  return { queryKey: keyOf(client, path, firstOf(options), 'page'), queryFn } as never;
}

/** Options for `useInfiniteQuery` over the pages of a list, with `items`, `total` and `totalPages`. */
export function infiniteQueryOptions<Path extends string, const Given extends readonly unknown[] = []>(
  client: ClientHandle,
  path: KnownPath<Path, PagedPath>,
  ...options: RequestOptions<'GET', Path, Given>
): SiteInfiniteQueryOptions<
  SitePage<RequestData<'GET', Path & PagedPath, Given>>,
  RequestError<'GET', Path & PagedPath>
> {
  const own = firstOf(options);
  const infinite: SiteInfiniteQueryOptions<SitePage<unknown>, unknown> = {
    queryKey: keyOf(client, path, own, 'pages') as never,
    queryFn: ({ signal, pageParam }) => readLaterPage(client, path, own, pageParam, signal),
    initialPageParam: firstPage(own),
    getNextPageParam: (page, _, pageParam) => nextPage(page, pageParam),
  };
  return infinite as never;
}

/**
 * Options for `useMutation`: `mutationOptions(client, 'POST', '/wp/v2/posts')`, with `mutate({ body: { title:
 * 'Hello' } })`. Afterwards the queries of its path, of what is below it and of its list or parent become stale.
 */
export function mutationOptions<
  Method extends WriteMethod,
  Path extends RequestPath<Method>,
  const Fixed extends readonly unknown[] = [],
>(
  client: ClientHandle,
  method: Method,
  path: Path,
  ...fixed: FixedArguments<Method, Path, Fixed, UpdatedQuery<RequestData<Method, Path, Fixed>>>
): SiteMutationOptions<
  RequestData<Method, Path, Fixed>,
  RequestError<Method, Path>,
  VariablesOf<Method, Path, Fixed>
> {
  const mutationFn = async (variables?: KeyOptions, context?: MutationFunctionContext) => {
    const queries = context?.client;
    if (!queries)
      throw new TypeError('mutations need the QueryClient, which TanStack Query 5.89 or newer passes');
    const cache = {
      invalidate: (isStale: (key: unknown) => boolean) =>
        queries.invalidateQueries({ predicate: ({ queryKey }) => isStale(queryKey) }),
      begin({ queryKey }: UpdatedQuery<unknown>) {
        const writes = getLatestWrites(queries);
        const key = JSON.stringify(queryKey);
        const own = {};
        writes.set(key, own);
        return async (data: unknown) => {
          // An earlier request's response must not replace the data of a later one.
          if (writes.get(key) !== own) return;
          await queries.cancelQueries({ queryKey, exact: true });
          if (writes.get(key) === own) queries.setQueryData(queryKey, data);
        };
      },
    };
    return write(client, [method, path], firstOf(fixed), variables, cache);
  };
  return { mutationKey: [SITE, method, path], mutationFn } as never;
}

const LATEST_WRITES = new WeakMap<QueryClient, Map<string, object>>();

function getLatestWrites(queries: QueryClient): Map<string, object> {
  const writes = LATEST_WRITES.get(queries) ?? new Map<string, object>();
  LATEST_WRITES.set(queries, writes);
  return writes;
}

/** Makes queries of some resources stale, or of the whole site. */
export async function invalidate(
  queryClient: Pick<QueryClient, 'invalidateQueries'>,
  ...resources: readonly SiteResource[]
): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => isKeyOf(queryKey, resources) });
}
