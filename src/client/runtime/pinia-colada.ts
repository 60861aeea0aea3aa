import type {
  DefineInfiniteQueryOptionsTagged,
  DefineQueryOptionsTagged,
  EntryKeyTagged,
  QueryCache,
  UseMutationOptions,
} from '@pinia/colada';
import { SITE, type SiteResource } from './operations.ts';
import {
  type CheckedFixed,
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
  type VariablesOf,
  type WriteMethod,
  write,
} from './queries.ts';
import type {
  CheckedArguments,
  ClientHandle,
  PagedPath,
  RequestArguments,
  RequestData,
  RequestError,
  RequestPath,
} from './typed-calls.ts';

/**
 * Returns the options of a query: `useQuery(() => queryOptions(client, '/wp/v2/posts/{id}', { path: { id: id.value } }))`. The
 * query throws an `ApiError`, whose `code` is typed. Pinia Colada aborts the request of a query that nobody needs any more.
 */
export function queryOptions<Path extends RequestPath, const Options extends RequestArguments<'GET', Path>>(
  client: ClientHandle,
  path: Path,
  ...options: CheckedArguments<'GET', Path, Options>
): DefineQueryOptionsTagged<RequestData<'GET', Path, Options>, RequestError<'GET', Path>> {
  const query = ({ signal }: { readonly signal: AbortSignal }) =>
    readData(client, path, { ...firstOf(options), signal });
  return { key: keyOf(client, path, firstOf(options)), query } as never;
}

/** Returns the options of a query for one page of a list, with its totals: for tables with page numbers. */
export function pageOptions<Path extends PagedPath, const Options extends RequestArguments<'GET', Path>>(
  client: ClientHandle,
  path: Path,
  ...options: CheckedArguments<'GET', Path, Options>
): DefineQueryOptionsTagged<SitePage<RequestData<'GET', Path, Options>>, RequestError<'GET', Path>> {
  const query = ({ signal }: { readonly signal: AbortSignal }) =>
    readPage(client, path, { ...firstOf(options), signal });
  return { key: keyOf(client, path, firstOf(options), 'page'), query } as never;
}

/**
 * Returns the options of `useInfiniteQuery` over the pages of a list, from `query.page` on: the lists that `paginate` takes. Each
 * page has `items`, `total` and `totalPages`.
 */
export function infiniteQueryOptions<
  Path extends PagedPath,
  const Options extends RequestArguments<'GET', Path>,
>(
  client: ClientHandle,
  path: Path,
  ...options: CheckedArguments<'GET', Path, Options>
): DefineInfiniteQueryOptionsTagged<
  SitePage<RequestData<'GET', Path, Options>>,
  RequestError<'GET', Path>,
  number
> {
  const own = firstOf(options);
  return {
    key: keyOf(client, path, own, 'pages'),
    query: ({ signal, pageParam }: { readonly signal: AbortSignal; readonly pageParam: number }) =>
      readLaterPage(client, path, own, pageParam, signal),
    initialPageParam: firstPage(own),
    getNextPageParam: (page: SitePage<unknown>, _: unknown, number: number) => nextPage(page, number),
  } as never;
}

interface UpdatedQuery<Data> {
  readonly key: EntryKeyTagged<Data, unknown>;
}

/**
 * Returns the options of a mutation: `useMutation(mutationOptions(client, useQueryCache(), 'POST', '/wp/v2/posts'))`, whose
 * `mutate` takes the options of the call: `mutate({ body: { title: 'Hello' } })`. After a success, and after a failure that does
 * not show whether the site has changed, the queries of the resource become stale.
 */
export function mutationOptions<
  Method extends WriteMethod,
  Path extends RequestPath<Method>,
  const Fixed extends FixedArguments<Method, Path>,
>(
  client: ClientHandle,
  queries: Pick<QueryCache, 'cancelQueries' | 'invalidateQueries' | 'setQueryData'>,
  method: Method,
  path: Path,
  ...fixed: CheckedFixed<Method, Path, Fixed, UpdatedQuery<RequestData<Method, Path, Fixed>>>
): UseMutationOptions<
  RequestData<Method, Path, Fixed>,
  VariablesOf<Method, Path, Fixed>,
  RequestError<Method, Path>
> {
  const cache = {
    invalidate: (...resources: readonly SiteResource[]) => invalidate(queries, ...resources),
    update({ key }: UpdatedQuery<unknown>, data: unknown) {
      // The response to an earlier request must not replace the data.
      queries.cancelQueries({ key, exact: true });
      queries.setQueryData(key, data);
    },
  };
  const mutation = (variables?: KeyOptions) =>
    write(client, [method, path], firstOf(fixed), variables, cache);
  return { key: [SITE, method, path], mutation } as never;
}

/** Makes the queries of some resources stale. Those that are in use are requested again. Without resources: of the whole site. */
export async function invalidate(
  queries: Pick<QueryCache, 'invalidateQueries'>,
  ...resources: readonly SiteResource[]
): Promise<void> {
  await queries.invalidateQueries({ predicate: ({ key }) => isKeyOf(key, resources) });
}
