import type { ScopedMutator, SWRConfiguration, SWRResponse } from 'swr';
import { unstable_serialize } from 'swr/infinite';
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
  type SiteQueryKey,
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

/** The error type of a fetcher. SWR infers it from this member of a configuration, which is never set. */
interface WithError<Problem> {
  onError?(error: Problem): void;
}

/** A query, for `useQuery(query.key, query.fetcher, query)`. */
export interface SiteQuery<Data, Problem> extends WithError<Problem> {
  readonly key: SiteQueryKey;
  readonly fetcher: () => Promise<Data>;
}

/** `useSWR`, which by itself infers no type of the error: `export const useQuery: UseQuery = useSWR`. */
export type UseQuery = <Data, Problem>(
  key: SiteQueryKey | null,
  fetcher: () => Promise<Data>,
  query: SWRConfiguration<Data, Problem>,
) => SWRResponse<Data, Problem>;

/** The pages of a list, for `useSWRInfinite(pages.getKey, pages.fetcher, pages)`. */
export interface SitePages<Page, Problem> extends WithError<Problem> {
  readonly getKey: (index: number, previous: Page | null) => SiteQueryKey | null;
  readonly fetcher: (key: SiteQueryKey) => Promise<Page>;
}

/** A mutation, for `useSWRMutation(mutation.key, mutation.fetcher, mutation)`. */
export interface SiteMutation<Data, Problem, Variables> extends WithError<Problem> {
  readonly key: readonly [site: string, method: string, path: string];
  readonly fetcher: (key: unknown, options: { readonly arg: Variables }) => Promise<Data>;
}

/** Returns a query, whose fetcher throws an `ApiError` with a typed `code`. */
export function queryOptions<Path extends RequestPath, const Options extends RequestArguments<'GET', Path>>(
  client: ClientHandle,
  path: Path,
  ...options: CheckedArguments<'GET', Path, Options>
): SiteQuery<RequestData<'GET', Path, Options>, RequestError<'GET', Path>> {
  const own = firstOf(options);
  return { key: keyOf(client, path, own), fetcher: () => readData(client, path, own) } as never;
}

/** Returns a query for one page of a list, with its totals: for tables with page numbers. */
export function pageOptions<Path extends PagedPath, const Options extends RequestArguments<'GET', Path>>(
  client: ClientHandle,
  path: Path,
  ...options: CheckedArguments<'GET', Path, Options>
): SiteQuery<SitePage<RequestData<'GET', Path, Options>>, RequestError<'GET', Path>> {
  const own = firstOf(options);
  return { key: keyOf(client, path, own, 'page'), fetcher: () => readPage(client, path, own) } as never;
}

/** Returns the pages of a list, from `query.page` on: the lists that `paginate` takes. */
export function infiniteQueryOptions<
  Path extends PagedPath,
  const Options extends RequestArguments<'GET', Path>,
>(
  client: ClientHandle,
  path: Path,
  ...options: CheckedArguments<'GET', Path, Options>
): SitePages<SitePage<RequestData<'GET', Path, Options>>, RequestError<'GET', Path>> {
  const own = firstOf(options);
  return {
    getKey(index: number, previous: SitePage<unknown> | null) {
      const page = firstPage(own) + index;
      if (previous && nextPage(previous, page - 1) === undefined) return null;
      return keyOf(client, path, { ...own, query: { ...own.query, page } }, 'pages');
    },
    fetcher: (key: SiteQueryKey) => readLaterPage(client, path, own, firstPage(key[3])),
  } as never;
}

/**
 * Returns a mutation, whose `trigger` takes the options of the call: `trigger({ body: { title: 'Hello' } })`. After a success, and
 * after a failure that does not show whether the site has changed, the queries of the resource become stale.
 *
 * @param mutate that of `swr`, or of `useSWRConfig` if the app has a cache of its own
 */
export function mutationOptions<
  Method extends WriteMethod,
  Path extends RequestPath<Method>,
  const Fixed extends FixedArguments<Method, Path>,
>(
  client: ClientHandle,
  mutate: ScopedMutator,
  method: Method,
  path: Path,
  ...fixed: CheckedFixed<Method, Path, Fixed, SiteQuery<RequestData<Method, Path, Fixed>, unknown>>
): SiteMutation<
  RequestData<Method, Path, Fixed>,
  RequestError<Method, Path>,
  VariablesOf<Method, Path, Fixed>
> {
  const cache = {
    invalidate: (...resources: readonly SiteResource[]) => invalidate(mutate, ...resources),
    update: ({ key }: SiteQuery<unknown, unknown>, data: unknown) => mutate(key, data, false),
  };
  const fetcher = (_: unknown, { arg }: { readonly arg?: KeyOptions }) =>
    write(client, [method, path], firstOf(fixed), arg, cache);
  return { key: [SITE, method, path], fetcher } as never;
}

/** Makes the queries of some resources stale. Those that are in use are requested again. Without resources: of the whole site. */
export async function invalidate(
  mutate: ScopedMutator,
  ...resources: readonly SiteResource[]
): Promise<void> {
  const lists: string[] = [];
  // SWR requests a page of a list again only if it has no data for it, and has the list under another key.
  await mutate(
    (key) => isKeyOf(key, resources) && key[4] === 'pages' && lists.push(unstable_serialize(() => key)) > 0,
    undefined,
    false,
  );
  await Promise.all([
    mutate((key) => isKeyOf(key, resources) && key[4] !== 'pages'),
    ...lists.map((key) => mutate(key)),
  ]);
}
