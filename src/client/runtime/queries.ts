import { SITE, type SiteResource } from './operations.ts';
import type { ClientOptions, RequestSender } from './options-and-results.ts';
import { resourceOf } from './resources.ts';
import type {
  ClientHandle,
  RequestInput,
  RequestMethod,
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
export interface KeyOptions {
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

/** A page of a list. */
export interface SitePage<Items> {
  readonly items: Items;
  /** Items and pages of the whole list; `undefined` if a proxy removed the fields. */
  readonly total: number | undefined;
  readonly totalPages: number | undefined;
}

/** A type that any object has. */
type NoMembers = Record<never, never>;

export type WriteMethod = Exclude<RequestMethod, 'GET'>;

/** Query of a deletion that the site refuses without `force`. */
type ForcedQuery<Method, Path> =
  RequestQuery<Method, Path, { readonly query: NoMembers }> extends { readonly force: infer Force }
    ? { readonly force: Force }
    : NoMembers;

/** Parameters after the path of `mutationOptions`: optional, unless every call needs `force`. */
export type FixedArguments<Method, Path> =
  NoMembers extends ForcedQuery<Method, Path> ? [fixed?: object] : [fixed: object];

/**
 * These parameters, checked against the operation.
 *
 * @typeParam Updates options of a query, by which `updates` names it
 */
export type CheckedFixed<Method, Path, Arguments, Updates> = {
  [At in keyof Arguments]: Arguments[At] extends object
    ? CheckedFixedOptions<
        ForcedQuery<Method, Path>,
        Partial<RequestQuery<Method, Path, Arguments[At]>>,
        Updates
      >
    : Arguments[At];
};

type CheckedFixedOptions<Forced, Query, Updates> = FixedOptions<Updates, Query> &
  (NoMembers extends Forced ? NoMembers : { readonly query: Forced });

interface FixedOptions<Updates, Query = KeyOptions['query']> {
  /** The query of every call, such as `{ force: true }`. It decides the type of the response. */
  readonly query?: Query;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Options of a query whose data the response is: that of a cart, for the calls that change the cart. The response replaces the
   * data, and the queries of the resource do not become stale.
   */
  readonly updates?: Updates;
  /** Resources whose queries become stale, besides that of the path; `false` for none at all. @default [] */
  readonly invalidates?: readonly SiteResource[] | false;
}

/** Variables of `mutate`: the options of the operation that are not fixed. */
export type VariablesOf<Method, Path, Arguments> = Optional<
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

export function firstOf(options: readonly unknown[]): KeyOptions {
  return (options[0] ?? {}) as KeyOptions;
}

/** Reads an operation, and throws its error. */
export async function readData(client: ClientHandle, path: string, options: object): Promise<unknown> {
  return (await send(client, 'GET', path, options)).data;
}

/** Reads a page of a list with its totals. */
export async function readPage(
  client: ClientHandle,
  path: string,
  options: object,
): Promise<SitePage<unknown>> {
  const { data, total, totalPages } = await send(client, 'GET', path, options);
  return { items: data, total, totalPages };
}

/** Reads a page after the first. Instead of the error that WordPress has after the last page, it is empty. */
export function readLaterPage(
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

export function firstPage({ query }: KeyOptions): number {
  return Number(query?.['page'] ?? 1);
}

/** Without totals only an empty page shows the end of the list. */
export function nextPage({ items, totalPages }: SitePage<unknown>, page: number): number | undefined {
  const isLast = totalPages === undefined ? (items as readonly unknown[]).length === 0 : page >= totalPages;
  return isLast ? undefined : page + 1;
}

/** The cache of a library, as a write needs it. */
interface WrittenCache<Updates> {
  /** Begins a write. Returns the function that replaces the data of a query, if no later write of it has begun. */
  begin(query: Updates): (data: unknown) => unknown;
  /** Makes the queries of some resources stale. */
  invalidate(...resources: readonly SiteResource[]): unknown;
}

/** Sends a write, and brings the cache up to date with what it changes. */
export async function write<Updates>(
  client: ClientHandle,
  [method, path]: readonly [method: string, path: string],
  { invalidates = [], updates, ...own }: FixedOptions<Updates>,
  variables: KeyOptions = {},
  cache?: WrittenCache<Updates>,
): Promise<unknown> {
  const stale = (...resources: readonly SiteResource[]) => {
    const all = invalidates === false ? [] : [...resources, ...invalidates];
    if (all.length > 0) void cache?.invalidate(...all);
  };
  const resource = resourceOf(path) as SiteResource;
  const update = updates && cache?.begin(updates);
  try {
    const options = { ...own, ...variables, query: { ...own.query, ...variables.query } };
    const { data } = await send(client, method, path, options);
    if (update) {
      await update(data);
      stale();
    } else stale(resource);
    return data;
  } catch (error) {
    const { status } = error as { readonly status?: number };
    // The site might have changed: the response is lost, or it conflicts with what the site has now (409). The data might lack
    // the responses to earlier writes.
    if (update || status === 0 || status === 409 || (status !== undefined && status >= 500)) stale(resource);
    throw error;
  }
}

function send(client: ClientHandle, method: string, path: string, options: object) {
  return (client as unknown as Sender).request(method, path, { ...options, throw: true });
}

/** Creates a key. Equal requests have equal keys: the id `5` and the text `'5'` are the same path. */
export function keyOf(
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

/** Whether a key is that of a query of these resources; without resources, of the whole site. */
export function isKeyOf(key: unknown, resources: readonly SiteResource[]): key is SiteQueryKey {
  if (!Array.isArray(key) || key[0] !== SITE || key.length < 4) return false;
  return resources.length === 0 || resources.includes(key[1]);
}

/**
 * Owner of the data: what the program names, else the path of the root and the user; and the header fields that select content. The
 * host is no part of it, because a server often knows the site by another one than a browser.
 */
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
  const root = new URL(baseUrl, 'http://page').pathname.replace(/\/$/, '');
  return JSON.stringify([scope ?? [root, user], Object.entries(fields).sort()]);
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
