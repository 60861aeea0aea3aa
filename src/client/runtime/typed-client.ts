import { createRawClient } from './client.ts';
import {
  type DeleteOperations,
  type GetOperations,
  type PagedOperations,
  type PatchOperations,
  type PostOperations,
  type PutOperations,
  SLASHES,
} from './operations.ts';
import { type PaginateOptions, paginateItems } from './paginate.ts';
import type { Call, OptionsOf, PathOf, ResultOf } from './typed-call.ts';
import type { ContextOf, EmbedOf, FieldsOf, ItemOf, Member, NoMembers } from './typed-data.ts';
import type {
  CheckedArguments,
  RequestArguments,
  RequestMethod,
  RequestPath,
  RequestResult,
} from './typed-request.ts';
import type { CallOptions, ClientOptions, RawClient } from './types.ts';

/** What `paginate` and `batch` take: a client, whether it throws or not. */
export interface ClientHandle {
  /** Returns path and query of a request below the REST root: `/wp/v2/posts/5?force=true`. */
  route(path: string, options?: Pick<CallOptions, 'path' | 'query'>): string;
}

/** The description of a route, as `OPTIONS` sends it. */
export interface RouteDescription {
  readonly namespace: string;
  readonly methods: readonly string[];
  readonly endpoints: readonly {
    readonly methods: readonly string[];
    readonly args?: unknown;
    readonly allow_batch?: unknown;
  }[];
  readonly schema?: Readonly<Record<string, unknown>>;
}

interface RouteOperation {
  readonly input: { readonly path?: Readonly<Record<string, string | number>> };
  readonly query: NoMembers;
  readonly selects: 'plain';
  readonly item: RouteDescription;
  readonly shape: 'one';
  readonly codes: never;
}

type RouteOperations = Record<
  keyof (GetOperations & PostOperations & PutOperations & PatchOperations & DeleteOperations),
  RouteOperation
>;

/** Calls of `GET` operations that have no content. */
type HeadCall<ThrowByDefault extends boolean> = <
  Path extends string,
  Op = Member<GetOperations, Path>,
  const C extends ContextOf<Op> = never,
  const F extends FieldsOf<Op> = never,
  const E extends EmbedOf<Op> = never,
  Throw extends boolean = ThrowByDefault,
>(
  path: PathOf<GetOperations, Path>,
  ...options: OptionsOf<Op, C, F, E, never, Throw>
) => Promise<ResultOf<Op, undefined, Throw>>;

/** A client of the site. A call returns `{ data, error, response }`; with `throw: true`, `{ data, response }`. */
export interface Client<Throw extends boolean = false> extends ClientHandle {
  readonly GET: Call<GetOperations, Throw>;
  readonly POST: Call<PostOperations, Throw>;
  readonly PUT: Call<PutOperations, Throw>;
  readonly PATCH: Call<PatchOperations, Throw>;
  readonly DELETE: Call<DeleteOperations, Throw>;
  readonly HEAD: HeadCall<Throw>;
  /** Describes a route. */
  readonly OPTIONS: Call<RouteOperations, Throw>;
  /** Calls an operation whose method or path is a type parameter, in functions that wrap the client. */
  request<
    Method extends RequestMethod,
    Path extends RequestPath<Method>,
    const Arguments extends RequestArguments<Method, Path>,
  >(
    method: Method,
    path: Path,
    ...options: [...CheckedArguments<Method, Path, Arguments>]
  ): Promise<RequestResult<Method, Path, Arguments, Throw>>;
}

/** What `paginate` adds to the options of a list, and takes from its query. */
interface PagedOptions extends Pick<PaginateOptions, 'lookAhead'> {
  readonly query?: { readonly offset?: PaginateTakesNoOffset };
}

/** `paginate` counts pages. WordPress ignores the page if the query has an offset. */
interface PaginateTakesNoOffset {
  readonly 'leave out offset': never;
}

/** Creates a client of the site. Nothing is requested before the first call. */
export function createClient<const Throw extends boolean = false>(
  options: ClientOptions & { readonly throw?: Throw },
): Client<Throw> {
  return createRawClient(options, { slashes: SLASHES }) as unknown as Client<Throw>;
}

/**
 * Yields the items of all pages of a list, from `query.page` on. It requests `lookAhead` pages (default 1) before the loop needs
 * them. Leaving the loop aborts them. It throws an `ApiError` when a page is an error.
 */
export function paginate<
  Path extends string,
  Op = Member<PagedOperations, Path>,
  const C extends ContextOf<Op> = never,
  const F extends FieldsOf<Op> = never,
  const E extends EmbedOf<Op> = never,
>(
  client: ClientHandle,
  path: PathOf<PagedOperations, Path>,
  ...options: OptionsOf<Op, C, F, E, never, never, PagedOptions>
): AsyncGenerator<ItemOf<Op, C, F, E>, void, undefined> {
  const [own] = options as readonly PaginateOptions[];
  return paginateItems(client as unknown as RawClient, path, own) as AsyncGenerator<
    ItemOf<Op, C, F, E>,
    void,
    undefined
  >;
}
