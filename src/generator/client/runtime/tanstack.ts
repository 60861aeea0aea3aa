// A type that is missing here needs TanStack Query 5.89 or newer.
import type { DataTag, InfiniteData, MutationFunctionContext, QueryClient } from '@tanstack/query-core';
import { SITE, type SiteResource } from './operations.ts';
import type { ClientOptions } from './options-and-results.ts';
import { resourceOf } from './resources.ts';
import type {
  ClientHandle,
  KnownPath,
  PagedPath,
  RequestData,
  RequestError,
  RequestInput,
  RequestMethod,
  RequestOptions,
  RequestPath,
  RequestPlainQuery,
  RequestQuery,
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

interface Sender {
  request(
    method: string,
    path: string,
    options?: object,
  ): Promise<{ readonly data?: unknown; readonly total?: number; readonly totalPages?: number }>;
  settings(): ClientOptions;
}

interface KeyOptions {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly extra?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Key of a query: site, resource, path template, values of the request, and owner of the data. */
export type SiteQueryKey = readonly [
  site: string,
  resource: string,
  path: string,
  options: Pick<KeyOptions, 'path' | 'query'> & { readonly scope: string },
  kind?: 'page' | 'pages',
];

/** Page of a list. */
export interface SitePage<Items> {
  readonly items: Items;
  /** Number of items of the whole list; `undefined` if a proxy removed the field. */
  readonly total: number | undefined;
  readonly totalPages: number | undefined;
}

type NoMembers = Record<never, never>;

type WriteMethod = Exclude<RequestMethod, 'GET'>;

/** Query of a deletion that the site refuses without `force`. */
type ForcedQuery<Method, Path> =
  RequestQuery<Method, Path, { readonly query: NoMembers }> extends { readonly force: infer Force }
    ? { readonly force: Force }
    : NoMembers;

/** Parameters after the path of `mutationOptions`, inferred from the last branch and checked against the first. */
type FixedArguments<Method, Path, Fixed, Updates> = [Fixed] extends [readonly [(infer Options)?]]
  ? NoMembers extends ForcedQuery<Method, Path>
    ? [fixed?: FixedOptions<Updates, Partial<RequestQuery<Method, Path, Options>>>]
    : [
        fixed: FixedOptions<Updates, Partial<RequestQuery<Method, Path, Options>>> & {
          readonly query: ForcedQuery<Method, Path>;
        },
      ]
  : Fixed;

interface FixedOptions<Updates, Query = KeyOptions['query']> {
  /** Query of every call, such as `{ force: true }`. It decides the type of the response. */
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  /** Query whose data the response replaces, e.g. a cart's; the resource's queries stay fresh. */
  readonly updates?: Updates;
  /** Other resources whose queries become stale; `false` for none at all. @default [] */
  readonly invalidates?: readonly SiteResource[] | false;
}

/** Options of the operation that are not fixed. */
type VariablesOf<Method, Path, Fixed> = Optional<
  RequestInput<Method, Path> &
    QueryVariables<Omit<RequestPlainQuery<Method, Path>, keyof FixedQuery<Fixed>>> &
    CommonVariables
>;

interface CommonVariables extends Pick<KeyOptions, 'extra' | 'headers'> {
  readonly signal?: AbortSignal;
}

type FixedQuery<Fixed> = Fixed extends readonly [{ readonly query: infer Query }] ? Query : NoMembers;
type QueryVariables<Query> = NoMembers extends Query ? { readonly query?: Query } : { readonly query: Query };
// biome-ignore lint/suspicious/noConfusingVoidType: `mutate()` without variables needs it
type Optional<Variables> = NoMembers extends Variables ? Variables | void : Variables;

function firstOf(options: readonly unknown[]): KeyOptions {
  return (options[0] ?? {}) as KeyOptions;
}

async function readData(client: ClientHandle, path: string, options: object): Promise<unknown> {
  return (await send(client, 'GET', path, options)).data;
}

async function readPage(client: ClientHandle, path: string, options: object): Promise<SitePage<unknown>> {
  const { data, total, totalPages } = await send(client, 'GET', path, options);
  return { items: data, total, totalPages };
}

/** Reads a later page, empty instead of WordPress's error after the last one. */
function readLaterPage(
  client: ClientHandle,
  path: string,
  own: KeyOptions,
  page: number,
  signal?: AbortSignal,
): Promise<SitePage<unknown>> {
  return readPage(client, path, { ...own, query: { ...own.query, page }, signal }).catch((error) => {
    if (page === firstPage(own) || !/_invalid_page_number$/.test(error?.code)) throw error;
    return { items: [], total: undefined, totalPages: undefined };
  });
}

function firstPage({ query }: KeyOptions): number {
  return Number(query?.['page'] ?? 1);
}

/** Without totals only an empty page shows the end of the list. */
function nextPage({ items, totalPages }: SitePage<unknown>, page: number): number | undefined {
  const isLast = totalPages === undefined ? (items as readonly unknown[]).length === 0 : page >= totalPages;
  return isLast ? undefined : page + 1;
}

interface WrittenCache<Updates> {
  /** Returns a function that replaces the query's data, unless a later write has begun. */
  begin(query: Updates): (data: unknown) => unknown;
  invalidate(isStale: (key: unknown) => boolean): unknown;
}

async function write<Updates>(
  client: ClientHandle,
  [method, path]: readonly [method: string, path: string],
  { invalidates = [], updates, ...own }: FixedOptions<Updates>,
  variables: KeyOptions = {},
  cache: WrittenCache<Updates>,
): Promise<unknown> {
  const places = placesOf(path, variables.path);
  const stale = (affected: readonly string[]) => {
    if (invalidates === false) return;
    void cache.invalidate(
      (key) => isKeyAt(key, affected) || (invalidates.length > 0 && isKeyOf(key, invalidates)),
    );
  };
  const update = updates && cache.begin(updates);
  try {
    const options = { ...own, ...variables, query: { ...own.query, ...variables.query } };
    const { data } = await send(client, method, path, options);
    if (update) {
      await update(data);
      stale([]);
    } else stale(places);
    return data;
  } catch (error) {
    const { status } = error as { readonly status?: number };
    // The site might have changed (lost response, conflict 409), or the data lacks earlier responses.
    if (update || status === 0 || status === 409 || (status !== undefined && status >= 500)) stale(places);
    throw error;
  }
}

function send(client: ClientHandle, method: string, path: string, options: object) {
  return (client as unknown as Sender).request(method, path, { ...options, throw: true });
}

/** The id `5` and the text `'5'` have the same key. */
function keyOf(
  client: ClientHandle,
  path: string,
  { path: values = {}, query, extra, headers }: KeyOptions,
  kind?: 'page' | 'pages',
): SiteQueryKey {
  const texts = Object.entries(values).map(([name, value]) => [name, String(value)]);
  const key = [
    SITE,
    resourceOf(path),
    path,
    {
      path: Object.fromEntries(texts),
      query: { ...query, ...extra },
      scope: digest(scopeOf(client, headers)),
    },
  ] as const;
  return kind === undefined ? key : [...key, kind];
}

/**
 * Lists what a write changes: its own path first, then those above it up to the first item. A move of the task
 * `/projects/5/tasks/7` changes the list of tasks and the project, but not the list of projects.
 */
function placesOf(template: string, values?: KeyOptions['path']): readonly string[] {
  const segments = template.split('/');
  const [first = 0, second] = segments.flatMap((each, at) => (each.includes('{') ? [at] : []));
  const top = second === undefined ? 1 : first;
  const path = fillPath(template, values).split('/');
  return segments.map((_, at) => path.slice(0, path.length - at).join('/')).slice(0, segments.length - top);
}

function fillPath(template: string, values: KeyOptions['path'] = {}): string {
  return template.replace(/\{([^{}]*)\}/g, (_, name: string) => String(values[name]));
}

/** Whether a query reads one of the places, or something below the first. */
function isKeyAt(key: unknown, places: readonly string[]): boolean {
  if (!isKeyOf(key, [])) return false;
  const path = fillPath(key[2], key[3].path);
  return places.includes(path) || path.startsWith(`${places[0]}/`);
}

function isKeyOf(key: unknown, resources: readonly SiteResource[]): key is SiteQueryKey {
  if (!Array.isArray(key) || key[0] !== SITE || key.length < 4) return false;
  return resources.length === 0 || resources.includes(key[1]);
}

/** Without the host and the spelling of the root, because they can differ between server and browser. */
function scopeOf(client: ClientHandle, own: KeyOptions['headers']): string {
  const { auth, baseUrl, headers, scope } = (client as unknown as Sender).settings();
  const fields: Record<string, string> = {};
  const common = new Headers(headers as Record<string, string> | undefined);
  for (const name of ['accept-language', ...(scope === undefined ? ['authorization'] : [])])
    if (common.has(name)) fields[name] = String(common.get(name));
  new Headers(own).forEach((value, name) => {
    fields[name] = value;
  });
  const user = (auth as { username?: string } | undefined)?.username ?? typeof auth;
  // `URL` of React Native has no path.
  const folder = baseUrl.replace(/^\w+:\/\/[^/?#]*|[?#].*/g, '').replace(/\/(?:wp-json|index\.php)?\/?$/, '');
  return JSON.stringify([scope ?? [folder, user], Object.entries(fields).sort()]);
}

/** Keys end up in pages and in storage, where no credentials belong. */
function digest(text: string): string {
  let [first, second] = [0, 1];
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x5f356495);
  }
  return (first >>> 0).toString(36) + (second >>> 0).toString(36);
}
