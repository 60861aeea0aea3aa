import { type BatchOptions, type BatchResult, runBatch } from './batch.ts';
import { buildPath, createRawClient, createUrlBuilder, withExtra } from './client.ts';
import type { ApiError } from './error.ts';
import {
  type DeleteOperations,
  ENVIRONMENT,
  type GetOperations,
  type PagedOperations,
  type PatchOperations,
  type PostOperations,
  type PutOperations,
} from './operations.ts';
import type { CallOptions, ClientOptions, RawClient, SiteError } from './options-and-results.ts';
import { type PaginateOptions, paginateItems } from './paginate.ts';
import { resourceOf } from './resources.ts';
import type {
  DataOf,
  GivenOf,
  IsUnknown,
  ItemOf,
  Member,
  NoMembers,
  PlainQueryOf,
  QueryOf,
} from './response-data.ts';

/** Client for `paginate` and `batch`, whether it throws or not. */
export interface ClientHandle {
  /** Path and query of a request below the REST root: `/wp/v2/posts/5?force=true`. */
  route(path: string, options?: Pick<CallOptions, 'path' | 'query'>): string;
}

type AnyPath = keyof (GetOperations & PostOperations & PutOperations & PatchOperations & DeleteOperations);

/** Client of the site. Calls return `{ data, error, response }`; with `throw: true`, `{ data, response }`. */
export interface Client<Throw extends boolean = false> extends ClientHandle {
  readonly GET: Call<'GET', GetOperations, Throw>;
  readonly POST: Call<'POST', PostOperations, Throw>;
  readonly PUT: Call<'PUT', PutOperations, Throw>;
  readonly PATCH: Call<'PATCH', PatchOperations, Throw>;
  readonly DELETE: Call<'DELETE', DeleteOperations, Throw>;
  /** Calls an operation whose method or path is a type parameter. */
  request<
    Method extends RequestMethod,
    Path extends RequestPath<Method>,
    const Given extends readonly unknown[] = [],
  >(
    method: Method,
    path: Path,
    ...options: [...RequestOptions<Method, Path, Given>]
  ): Promise<RequestResult<Method, Path, Given, Throw>>;
}

/**
 * Lists cache tags of an operation, e.g. for Next.js: `/wp/v2/posts`, which any write there changes, and
 * `/wp/v2/posts/5`.
 */
export function cacheTags<Path extends AnyPath & string>(
  path: Path,
  ...[options = {}]: Path extends `${string}{${string}`
    ? [options: { readonly path: Readonly<Record<string, string | number>> }]
    : [options?: { readonly path?: Readonly<Record<string, string | number>> }]
): string[] {
  const { path: values } = options as Pick<CallOptions, 'path'>;
  // Next.js refuses longer tags.
  return [...new Set([resourceOf(path), buildPath(path, values, ENVIRONMENT.slashes)])].filter(
    (tag) => tag.length <= 256,
  );
}

/** Returns the URL of a `GET`, without credentials. */
export function url<
  Path extends string,
  Op = Extended<Member<GetOperations, Path>, `GET ${Path}`>,
  const Given extends readonly unknown[] = [],
>(
  client: ClientHandle,
  path: PathOf<GetOperations, Path, Op, Given>,
  ...options: OptionsOf<Op, Given>
): string {
  const { route, settings } = client as unknown as RawClient;
  const [own = {}] = options as readonly CallOptions[];
  return createUrlBuilder(settings().baseUrl)(route(String(path), withExtra('GET', own)));
}

interface PagedOptions extends Pick<PaginateOptions, 'lookAhead'> {
  readonly query?: { readonly offset?: PaginateTakesNoOffset };
}

/** WordPress ignores the page if the query has an offset. */
interface PaginateTakesNoOffset {
  readonly 'leave out offset': never;
}

/** Creates a client of the site. Sends no request. */
export function createClient<const Throw extends boolean = false>(
  options: ClientOptions & { readonly throw?: Throw },
): Client<Throw> {
  return createRawClient(options, ENVIRONMENT) as unknown as Client<Throw>;
}

/**
 * Yields the items of all pages of a list, from `query.page` on, requesting `lookAhead` pages early (default
 * 1). Throws an `ApiError` when a page is an error.
 */
export function paginate<
  Path extends string,
  Op = Extended<Member<PagedOperations, Path>, `GET ${Path}`>,
  const Given extends readonly unknown[] = [],
>(
  client: ClientHandle,
  path: PathOf<PagedOperations, Path, Op, Given>,
  ...options: OptionsOf<Op, Given, CommonOptions & PagedOptions>
): AsyncGenerator<ItemOf<Op, OptionsIn<Given>>, void, undefined> {
  const [own] = options as readonly PaginateOptions[];
  return paginateItems(client as unknown as RawClient, String(path), own) as never;
}

type BatchMethod = Exclude<RequestMethod, 'GET'>;

type BatchOperation<Method, Path> = Method extends BatchMethod ? OperationOf<Method, Path> : unknown;

/** Inferred from the second branch and checked against the first. */
type RequestOf<Request> = Request extends readonly [infer Method, infer Path, (infer Options)?]
  ? BatchRequestOf<Method, Path, Options, BatchOperation<Method, Path>>
  : Request;

/** Request without a path if no batch accepts it. */
type BatchRequestOf<Method, Path, Options, Op> = Op extends { readonly batch: true }
  ? readonly [method: Method, path: Path, ...BatchArguments<Op, Options>]
  : readonly [method: BatchMethod, path: BatchPath<Method>, options?: unknown];

type BatchArguments<Op, Options> =
  NoMembers extends MissingOptions<InputOf<Op>, keyof Options>
    ? OptionsTuple<InputOf<Op>, Pick<CallOptions, 'extra' | 'headers'> & QueryOption<Op, Options>>
    : [options: MissingOptions<InputOf<Op>, keyof Options> & Record<string, unknown>];

/** What the error names if there is no path, e.g. at a site whose routes take no part in batches. */
type BatchPath<Method> = [BatchPathIn<Member<OperationsByMethod, Method>>] extends [never]
  ? 'a path that the site allows in batches'
  : BatchPathIn<Member<OperationsByMethod, Method>>;
type BatchPathIn<Map> = {
  [Path in keyof Map]: Map[Path] extends { readonly batch: true } ? Path : never;
}[keyof Map];

export interface BatchSuccess<Data> extends Omit<BatchResult, 'data' | 'error'> {
  readonly data: Data;
  readonly error?: never;
}

export interface BatchFailure<Problem> extends Omit<BatchResult, 'data' | 'error'> {
  readonly data?: never;
  readonly error: Problem;
}

type BatchResultOf<Request> = Request extends readonly [infer Method, infer Path, (infer Options)?]
  ? BatchItemResult<BatchOperation<Method, Path>, Options>
  : never;

type BatchItemResult<Op, Options> = BatchSuccess<DataOf<Op, Options>> | BatchFailure<SiteError<CodesOf<Op>>>;

/**
 * Sends requests as one (`POST /batch/v1`), run in order. Each result carries its own error, or the batch's.
 *
 * @returns one result for each request, in the same order
 * @throws {RangeError} if requests that must all be valid are too many for one batch
 */
export function batch<
  const Requests extends readonly (readonly [method: string, path: string, options?: object])[],
>(
  client: ClientHandle,
  requests: { readonly [At in keyof Requests]: RequestOf<Requests[At]> },
  options?: BatchOptions,
): Promise<{ -readonly [At in keyof Requests]: BatchResultOf<Requests[At]> }> {
  return runBatch(client as unknown as RawClient, requests as never, options) as Promise<never>;
}

/** Options of a call beside those of its operation. */
interface CommonOptions
  extends Pick<CallOptions, 'bodyType' | 'extra' | 'headers' | 'init' | 'retries' | 'signal' | 'throw'> {}

/** Path of a map, or what the error of a call names: required options without a value, or similar paths. */
type PathOf<Map, Path, Op, Given> = Path extends keyof Map
  ? NoMembers extends MissingOptions<InputOf<Op>, keyof OptionsIn<Given>>
    ? Path
    : { readonly 'add the options': MissingOptions<InputOf<Op>, keyof OptionsIn<Given>> }
  : string extends Path
    ? keyof Map
    : // TypeScript must not infer a path from these, as it would without the index.
      [WrongPath<Map, Path>][Path extends string ? 0 : never];

type WrongPath<Map, Path> = Path extends keyof GetOperations
  ? PagedOperations extends Map
    ? 'a list with pages'
    : 'GET, or another method that this path takes'
  : Path extends `${infer Start}?${string}` | `${infer Start}/` | `${string}/wp-json${infer Start}`
    ? RightPath<Map, Start>
    : RightPath<Map, Path extends `/${string}` | '' ? Path : `/${Path & string}`>;

type RightPath<Map, Path> = Path extends keyof Map ? Path : NearestPaths<Map, Path>;

/** Paths with the same beginning or end, else with ever fewer common segments. */
type NearestPaths<Map, Start> = Start extends `/${string}`
  ? Extract<keyof Map, `${Start}${string}` | `${string}/v${number}${Start}`> extends infer Found
    ? [Found] extends [never]
      ? NearestPaths<Map, ParentOf<Start>>
      : Found
    : never
  : keyof Map;

type ParentOf<Path extends string> = Path extends `/${infer First}/${infer Rest}`
  ? `/${First}${ParentOf<`/${Rest}`>}`
  : '';

/** Required options that a call lacks. */
type MissingOptions<Input, Given> = Input extends unknown
  ? {
      [Name in keyof Input as Name extends Given
        ? never
        : NoMembers extends Pick<Input, Name>
          ? never
          : Name]: Input[Name];
    }
  : never;

/** Forms of the options that lack none; all options for a call whose error is at its path. */
type InputBy<Input, Given> =
  CompleteInput<Input, Given> extends infer Complete
    ? [Complete] extends [never]
      ? Partial<Input>
      : Complete
    : never;

type CompleteInput<Input, Given> = Input extends unknown
  ? NoMembers extends MissingOptions<Input, Given>
    ? Input
    : never
  : never;

/** Parameters after the path, inferred from the first branch, before TypeScript knows the operation. */
type OptionsOf<Op, Given, Common = CommonOptions> =
  IsUnknown<Op> extends true
    ? Given
    : OptionsTuple<
        InputBy<InputOf<Op>, keyof OptionsIn<Given>>,
        Common & OwnQueryOption<Op, Extract<'query', keyof Op>, OptionsIn<Given>>
      >;

type OptionsTuple<Input, Options> = NoMembers extends Input
  ? [options?: Input & Options]
  : [options: Input & Options];

/** Leads an editor to the query of the operation, whose comment has the operation's summary. */
type OwnQueryOption<Op, Name extends keyof Op, Options> = {
  readonly [Key in Name]?: QueryOf<Op, Options> | undefined;
};

interface QueryOption<Op, Options> {
  /** Sent in PHP's query grammar; `null` and `undefined` are left out. */
  readonly query?: QueryOf<Op, Options> | undefined;
}

/** Options among the parameters after the path. */
type OptionsIn<Given> = Given extends readonly unknown[]
  ? Given extends readonly [(infer Options)?]
    ? Options
    : never
  : Given;

/** Result of a call with `throw: true`. */
export interface Returned<Data> {
  readonly data: Data;
  readonly response: Response;
}

export interface Success<Data> extends Returned<Data> {
  readonly error?: never;
}

export interface Failure<Problem> {
  readonly data?: never;
  readonly error: Problem;
  /** `undefined` with an error of the source `network`. */
  readonly response: Response | undefined;
}

/** Items and pages of a list; `undefined` if a plugin or a proxy removed them. */
export interface Totals {
  readonly total: number | undefined;
  readonly totalPages: number | undefined;
}

type TotalsOf<Op> = Member<Op, 'shape'> extends 'pages' ? Totals : unknown;
type NoTotalsOf<Op> = Member<Op, 'shape'> extends 'pages' ? NoTotals : unknown;

interface NoTotals {
  readonly total?: never;
  readonly totalPages?: never;
}

type ResultOf<Op, Data, Throw> = Throw extends true
  ? Returned<Data> & TotalsOf<Op>
  : (Success<Data> & TotalsOf<Op>) | (Failure<SiteError<CodesOf<Op>>> & NoTotalsOf<Op>);

/** Whether a call throws: its own option, or the client's. */
type ThrowOf<Options, ByDefault> = [GivenOf<Options, 'throw'>] extends [never]
  ? ByDefault
  : GivenOf<Options, 'throw'>;

/** `Op` has no constraint, because TypeScript would resolve it with all paths' operations at each call. */
type Call<Method extends string, Map, ThrowByDefault extends boolean> = <
  Path extends string,
  Op = Extended<Member<Map, Path>, `${Method} ${Path}`>,
  const Given extends readonly unknown[] = [],
>(
  path: [Path] extends [never]
    ? 'call client.request with a path that is a type parameter'
    : PathOf<Map, Path, Op, Given>,
  ...options: OptionsOf<Op, Given>
) => Promise<ResultOf<Op, DataOf<Op, OptionsIn<Given>>, ThrowOf<OptionsIn<Given>, ThrowByDefault>>>;

interface OperationsByMethod {
  readonly GET: GetOperations;
  readonly POST: PostOperations;
  readonly PUT: PutOperations;
  readonly PATCH: PatchOperations;
  readonly DELETE: DeleteOperations;
}

/** Methods that `client.request` takes. */
export type RequestMethod = keyof OperationsByMethod;

/** Paths of a method. */
export type RequestPath<Method extends RequestMethod = 'GET'> = keyof OperationsByMethod[Method] & string;

type OperationOf<Method, Path> = Extended<
  Member<Member<OperationsByMethod, Method>, Path>,
  `${Method & string} ${Path & string}`
>;

/**
 * Arguments and members that the site's index doesn't declare; `response` has members of an item:
 *
 *     declare module './site.client.ts' {
 *       interface RouteExtensions {
 *         'GET /wp/v2/posts': { query: { lang?: 'de' | 'en' }; response: { reading_time: number } };
 *       }
 *     }
 */
// biome-ignore lint/suspicious/noEmptyInterface: programs add its members
export interface RouteExtensions {}

/** The program's types come first, because a list's methods have the first of two types. */
type Extended<Op, Key> = Key extends keyof RouteExtensions ? Additions<Op, RouteExtensions[Key]> & Op : Op;

interface Additions<Op, Added> {
  readonly input: Added extends { readonly body: infer Body }
    ? NoMembers extends Body
      ? { readonly body?: Body }
      : { readonly body: Body }
    : unknown;
  readonly query: (Added extends { readonly query: infer Query } ? Query : unknown) & PlainQueryOf<Op>;
  readonly item: AddedMembers<Added>;
  readonly contexts: Op extends { readonly contexts: infer Contexts }
    ? { readonly [Context in keyof Contexts]: AddedMembers<Added> }
    : NoMembers;
}

type AddedMembers<Added> = Added extends { readonly response: infer Item } ? Item : unknown;

/** Parameters after the path of an operation whose method or path can be a type parameter. */
export type RequestOptions<Method, Path, Given> =
  IsUnknown<OperationOf<Method, Path>> extends true
    ? Given
    : OptionsTuple<
        InputOf<OperationOf<Method, Path>>,
        Omit<CommonOptions, 'throw'> & QueryOption<OperationOf<Method, Path>, OptionsIn<Given>>
      >;

/** Data of a response: `RequestData<'GET', '/wp/v2/posts', { query: { _embed: true } }>`. */
export type RequestData<
  Method extends RequestMethod,
  Path extends RequestPath<Method>,
  Given = [],
> = CallData<Method, Path, Given>;
type CallData<Method, Path, Given> = DataOf<OperationOf<Method, Path>, OptionsIn<Given>>;

/** Paths that `paginate` takes. */
export type PagedPath = keyof PagedOperations & string;

/** A known path, which may be a type parameter, or what the error of another one names. */
export type KnownPath<Path, Known extends RequestPath = RequestPath> =
  | (Known & Path)
  | [Path extends Known ? never : WrongPath<Pick<GetOperations, Known>, Path>][Path extends string
      ? 0
      : never];

/** Error that a call throws with `throw: true`. */
export type RequestError<Method extends RequestMethod, Path extends RequestPath<Method>> = ApiError &
  SiteError<CodesOf<OperationOf<Method, Path>>>;

/** `path`, `body` and `file` of an operation. */
export type RequestInput<Method, Path> = WithoutQuery<InputOf<OperationOf<Method, Path>>>;
type WithoutQuery<Input> = Input extends unknown
  ? { [Name in keyof Input as Exclude<Name, 'query'>]: Input[Name] }
  : never;

/** Query without the parameters that change the type of the response. */
export type RequestPlainQuery<Method, Path> = PlainQueryOf<OperationOf<Method, Path>>;

/** Query of an operation, by the parameters of some options. */
export type RequestQuery<Method, Path, Options> = QueryOf<OperationOf<Method, Path>, Options>;

/** Result of a call whose operation can be a type parameter. */
export type RequestResult<Method, Path, Given, Throw> = ResultOf<
  OperationOf<Method, Path>,
  CallData<Method, Path, Given>,
  Throw
>;

type InputOf<Op> = Op extends { readonly input: infer Input } ? Input : NoMembers;
type CodesOf<Op> = Op extends { readonly codes: infer Code extends string } ? Code : never;
