import type { DataTag, InfiniteData, MutationFunctionContext, QueryClient } from '@tanstack/query-core';
import { SITE, type SiteResource } from './operations.ts';
import type { ClientOptions, RequestSender } from './options-and-results.ts';
import { resourceOf } from './resources.ts';
import type {
  CheckedArguments,
  ClientHandle,
  PagedPath,
  RequestArguments,
  RequestData,
  RequestError,
  RequestInput,
  RequestMethod,
  RequestPath,
  RequestPlainQuery,
  RequestQuery,
} from './typed-calls.ts';

/** The part of a client that the functions below use. */
interface Sender {
  request(
    method: string,
    path: string,
    options?: object,
  ): Promise<{ readonly data?: unknown; readonly total?: number; readonly totalPages?: number }>;
  settings(): ClientOptions;
}

/** Options of a call that its data depends on. */
interface KeyOptions {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The key of a query: the site, the resource, the path template, the values of the request, and whose data it is. */
export type SiteQueryKey = readonly [
  site: string,
  resource: string,
  path: string,
  options: Pick<KeyOptions, 'path' | 'query'> & { readonly scope: string },
  kind?: 'page' | 'pages',
];

/**
 * The error type of options. TanStack Query infers it from these members, which are never set: `useQueries` from `throwOnError`,
 * others from any of them that the program does not replace.
 */
interface WithError<Problem> {
  readonly retry?: (failureCount: number, error: Problem) => boolean;
  readonly retryDelay?: (failureCount: number, error: Problem) => number;
  readonly throwOnError?: (error: Problem) => boolean;
}

/** Options of a query, for `useQuery`, `prefetchQuery` and others. */
export interface SiteQueryOptions<Data, Problem> extends WithError<Problem> {
  /** TanStack Query knows the type of the data by the key: `queryClient.getQueryData(options.queryKey)`. */
  readonly queryKey: DataTag<SiteQueryKey, Data, Problem>;
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<Data>;
}

/** A page of a list. */
export interface SitePage<Items> {
  readonly items: Items;
  /** Items and pages of the whole list; `undefined` if a proxy removed the fields. */
  readonly total: number | undefined;
  readonly totalPages: number | undefined;
}

/** Options of an infinite query, for `useInfiniteQuery` and others. */
export interface SiteInfiniteQueryOptions<Page, Problem> extends WithError<Problem> {
  readonly queryKey: DataTag<SiteQueryKey, InfiniteData<Page, number>, Problem>;
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: number }) => Promise<Page>;
  readonly initialPageParam: number;
  readonly getNextPageParam: (page: Page, pages: readonly Page[], pageParam: number) => number | undefined;
}

/** Options of a mutation, for `useMutation`. */
export interface SiteMutationOptions<Data, Problem, Variables> extends WithError<Problem> {
  readonly mutationKey: readonly [site: string, method: string, path: string];
  readonly mutationFn: (variables: Variables, context?: MutationFunctionContext) => Promise<Data>;
}

/** A type that any object has. */
type NoMembers = Record<never, never>;

type WriteMethod = Exclude<RequestMethod, 'GET'>;

/** Query of a deletion that the site refuses without `force`. */
type ForcedQuery<Method, Path> =
  RequestQuery<Method, Path, { readonly query: NoMembers }> extends { readonly force: infer Force }
    ? { readonly force: Force }
    : NoMembers;

/** Parameters after the path of `mutationOptions`: optional, unless every call needs `force`. */
type FixedArguments<Method, Path> =
  NoMembers extends ForcedQuery<Method, Path> ? [fixed?: object] : [fixed: object];

type CheckedFixed<Method, Path, Arguments> = {
  [At in keyof Arguments]: Arguments[At] extends object
    ? CheckedFixedOptions<
        ForcedQuery<Method, Path>,
        Partial<RequestQuery<Method, Path, Arguments[At]>>,
        RequestData<Method, Path, Arguments>
      >
    : Arguments[At];
};

type CheckedFixedOptions<Forced, Query, Data> = CommonFixedOptions<Query, Data> &
  (NoMembers extends Forced ? NoMembers : { readonly query: Forced });

interface CommonFixedOptions<Query, Data> {
  /** The query of every call, such as `{ force: true }`. It decides the type of the response. */
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Options of a query whose data the response is: that of a cart, for the calls that change the cart. The response replaces the
   * data, and the queries of the resource do not become stale.
   */
  readonly updates?: { readonly queryKey: DataTag<SiteQueryKey, Data, unknown> };
  /** Resources whose queries become stale, besides that of the path; `false` for none at all. @default [] */
  readonly invalidates?: readonly SiteResource[] | false;
}

/** Variables of `mutate`: the options of the operation that are not fixed. */
type VariablesOf<Method, Path, Arguments> = Optional<
  RequestInput<Method, Path> &
    QueryVariables<Omit<RequestPlainQuery<Method, Path>, keyof FixedQuery<Arguments>>> & {
      readonly extra?: Readonly<Record<string, unknown>>;
      readonly headers?: Readonly<Record<string, string>>;
      readonly signal?: AbortSignal;
      readonly send?: RequestSender;
    }
>;

type FixedQuery<Arguments> = Arguments extends readonly [{ readonly query: infer Query }] ? Query : NoMembers;
type QueryVariables<Query> = NoMembers extends Query ? { readonly query?: Query } : { readonly query: Query };
// biome-ignore lint/suspicious/noConfusingVoidType: `mutate()` without variables needs it
type Optional<Variables> = NoMembers extends Variables ? Variables | void : Variables;

/**
 * Returns the options of a query: `useQuery(queryOptions(client, '/wp/v2/posts', { query: { per_page: 5 } }))`. The query throws
 * an `ApiError`, whose `code` is typed. TanStack Query aborts the request of a query that nobody needs any more.
 */
export function queryOptions<Path extends RequestPath, const Options extends RequestArguments<'GET', Path>>(
  client: ClientHandle,
  path: Path,
  ...options: CheckedArguments<'GET', Path, Options>
): SiteQueryOptions<RequestData<'GET', Path, Options>, RequestError<'GET', Path>> {
  const queryFn = async ({ signal }: { readonly signal: AbortSignal }) =>
    (await send(client, 'GET', path, { ...firstOf(options), signal })).data;
  return { queryKey: keyOf(client, path, firstOf(options)), queryFn } as never;
}

/** Returns the options of a query for one page of a list, with its totals: for tables with page numbers. */
export function pageOptions<Path extends PagedPath, const Options extends RequestArguments<'GET', Path>>(
  client: ClientHandle,
  path: Path,
  ...options: CheckedArguments<'GET', Path, Options>
): SiteQueryOptions<SitePage<RequestData<'GET', Path, Options>>, RequestError<'GET', Path>> {
  const queryFn = ({ signal }: { readonly signal: AbortSignal }) =>
    readPage(client, path, { ...firstOf(options), signal });
  return { queryKey: keyOf(client, path, firstOf(options), 'page'), queryFn } as never;
}

/**
 * Returns the options of an infinite query over the pages of a list, from `query.page` on: the lists that `paginate` takes. Each page
 * has `items`, `total` and `totalPages`.
 */
export function infiniteQueryOptions<
  Path extends PagedPath,
  const Options extends RequestArguments<'GET', Path>,
>(
  client: ClientHandle,
  path: Path,
  ...options: CheckedArguments<'GET', Path, Options>
): SiteInfiniteQueryOptions<SitePage<RequestData<'GET', Path, Options>>, RequestError<'GET', Path>> {
  const own = firstOf(options);
  const first = Number(own.query?.['page'] ?? 1);
  const infinite: SiteInfiniteQueryOptions<SitePage<readonly unknown[]>, unknown> = {
    queryKey: keyOf(client, path, own, 'pages') as never,
    queryFn: ({ signal, pageParam }) =>
      readPage(client, path, { ...own, query: { ...own.query, page: pageParam }, signal }).catch((error) => {
        if (pageParam === first || !/_invalid_page_number$/.test(error?.code)) throw error;
        return { items: [], total: undefined, totalPages: undefined };
      }),
    initialPageParam: first,
    // Without totals only an empty page shows the end of the list, or the error of WordPress in its place.
    getNextPageParam: ({ items, totalPages }, _, page) =>
      (totalPages === undefined ? items.length > 0 : page < totalPages) ? page + 1 : undefined,
  };
  return infinite as never;
}

/**
 * Returns the options of a mutation: `useMutation(mutationOptions(client, 'POST', '/wp/v2/posts'))`, whose `mutate` takes the
 * options of the call: `mutate({ body: { title: 'Hello' } })`. After a success, and after a failure that does not show whether
 * the site has changed, the queries of the resource become stale. Callbacks of the mutation do not replace this.
 */
export function mutationOptions<
  Method extends WriteMethod,
  Path extends RequestPath<Method>,
  const Fixed extends FixedArguments<Method, Path>,
>(
  client: ClientHandle,
  method: Method,
  path: Path,
  ...fixed: CheckedFixed<Method, Path, Fixed>
): SiteMutationOptions<
  RequestData<Method, Path, Fixed>,
  RequestError<Method, Path>,
  VariablesOf<Method, Path, Fixed>
> {
  const { invalidates = [], updates, ...own }: FixedOptions = firstOf(fixed);
  const mutationFn = async (variables: KeyOptions = {}, context?: MutationFunctionContext) => {
    const queries = context?.client;
    const stale = (...resources: readonly SiteResource[]) => {
      const all = invalidates === false ? [] : [...resources, ...invalidates];
      if (queries && all.length > 0) void invalidate(queries, ...all);
    };
    const resource = resourceOf(path) as SiteResource;
    try {
      const options = { ...own, ...variables, query: { ...own.query, ...variables.query } };
      const { data } = await send(client, method, path, options);
      if (updates && queries) {
        const { queryKey } = updates;
        // The response to an earlier request must not replace the data.
        await queries.cancelQueries({ queryKey, exact: true });
        queries.setQueryData(queryKey, data);
        stale();
      } else stale(resource);
      return data;
    } catch (error) {
      const { status } = error as { readonly status?: number };
      // The site may have changed: the response is lost, or it conflicts with what the site has now (409).
      if (status === 0 || status === 409 || (status !== undefined && status >= 500)) stale(resource);
      throw error;
    }
  };
  return { mutationKey: [SITE, method, path], mutationFn } as never;
}

/** Makes the queries of some resources stale. Those that are in use are requested again. Without resources: of the whole site. */
export async function invalidate(
  queryClient: Pick<QueryClient, 'invalidateQueries'>,
  ...resources: readonly SiteResource[]
): Promise<void> {
  const keys = resources.length === 0 ? [[SITE]] : resources.map((resource) => [SITE, resource]);
  await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
}

interface FixedOptions extends KeyOptions {
  readonly updates?: { readonly queryKey: SiteQueryKey };
  readonly invalidates?: readonly SiteResource[] | false;
}

function firstOf(options: readonly unknown[]): KeyOptions {
  return (options[0] ?? {}) as KeyOptions;
}

function send(client: ClientHandle, method: string, path: string, options: object) {
  return (client as unknown as Sender).request(method, path, { ...options, throw: true });
}

async function readPage(client: ClientHandle, path: string, options: object) {
  const { data, total, totalPages } = await send(client, 'GET', path, options);
  return { items: data as readonly unknown[], total, totalPages };
}

/** Creates a key. Equal requests have equal keys: the id `5` and the text `'5'` are the same path. */
function keyOf(
  client: ClientHandle,
  path: string,
  { path: values = {}, query, extra, headers }: KeyOptions,
  kind?: 'page' | 'pages',
) {
  const texts = Object.entries(values).map(([name, value]) => [name, String(value)]);
  const key: SiteQueryKey = [
    SITE,
    resourceOf(path),
    path,
    {
      path: Object.fromEntries(texts),
      query: { ...query, ...extra },
      scope: digest(scopeOf(client, headers)),
    },
  ];
  return kind === undefined ? key : [...key, kind];
}

/** Owner of the data: the site, the user if that is known, and the header fields that select content. */
function scopeOf(client: ClientHandle, own: KeyOptions['headers']): string {
  const { auth, baseUrl, headers } = (client as unknown as Sender).settings();
  const { location } = globalThis as { location?: { href: string } };
  const fields: Record<string, string> = {};
  for (const list of [headers, own]) {
    new Headers(list as Record<string, string> | undefined).forEach((value, name) => {
      fields[name] = value;
    });
  }
  const user = (auth as { username?: string } | undefined)?.username ?? typeof auth;
  const root = new URL(baseUrl, location?.href).href.replace(/\/$/, '');
  return JSON.stringify([root, user, Object.entries(fields).sort()]);
}

/** Keys end up in pages and in storage, where no credentials belong. 64 bits make it unlikely that two users have the same. */
function digest(text: string): string {
  let [first, second] = [0, 1];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x5f356495);
  }
  return (first >>> 0).toString(36) + (second >>> 0).toString(36);
}
