import { type BatchOptions, type BatchResult, runBatch } from './batch.ts';
import { buildPath, createRawClient, createUrlBuilder, withExtra } from './client.ts';
import type { ApiError } from './error.ts';
import {
  type DeleteOperations,
  ENVIRONMENT,
  type ErrorCode,
  type GetOperations,
  type PagedOperations,
  type PatchOperations,
  type PostOperations,
  type PutOperations,
  type SharedQuery,
} from './operations.ts';
import type {
  CallOptions,
  ClientErrorCode,
  ClientOptions,
  NetworkErrorCode,
  RawClient,
  ResponseError,
} from './options-and-results.ts';
import { type PaginateOptions, paginateItems } from './paginate.ts';
import { resourceOf } from './resources.ts';

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
  /** Calls `GET` operations without content. */
  readonly HEAD: Call<'GET', GetOperations, Throw, true>;
  /** Calls an operation whose method or path is a type parameter. */
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
  const C extends ContextOf<Op> = never,
  const F extends FieldsOf<Op> = never,
  const E extends EmbedOf<Op> = never,
  Given extends PropertyKey = never,
>(
  client: ClientHandle,
  path: PathOf<GetOperations, Path, Op, Given>,
  ...options: OptionsOf<Op, C, F, E, never, never, Given>
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
  const C extends ContextOf<Op> = never,
  const F extends FieldsOf<Op> = never,
  const E extends EmbedOf<Op> = never,
  Given extends PropertyKey = never,
>(
  client: ClientHandle,
  path: PathOf<PagedOperations, Path, Op, Given>,
  ...options: OptionsOf<Op, C, F, E, never, never, Given, PagedOptions>
): AsyncGenerator<ItemOf<Op, C, F, E>, void, undefined> {
  const [own] = options as readonly PaginateOptions[];
  return paginateItems(client as unknown as RawClient, String(path), own) as AsyncGenerator<
    ItemOf<Op, C, F, E>,
    void,
    undefined
  >;
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
    ? OptionsTuple<InputOf<Op>, BatchItemOptions<Op, GivenOf<Options, '_fields'>, GivenOf<Options, 'force'>>>
    : [options: MissingOptions<InputOf<Op>, keyof Options> & Record<string, unknown>];

/** What the error names if there is no path, e.g. at a site whose routes take no part in batches. */
type BatchPath<Method> = [BatchPathIn<Member<OperationsByMethod, Method>>] extends [never]
  ? 'a path that the site allows in batches'
  : BatchPathIn<Member<OperationsByMethod, Method>>;
type BatchPathIn<Map> = {
  [Path in keyof Map]: Map[Path] extends { readonly batch: true } ? Path : never;
}[keyof Map];

interface BatchItemOptions<Op, F, D> extends Pick<CallOptions, 'extra' | 'headers'> {
  readonly query?: QueryOf<Op, never, F, never, D> | undefined;
}

export interface BatchSuccess<Data> extends Omit<BatchResult, 'data' | 'error'> {
  readonly data: Data;
  readonly error?: never;
}

export interface BatchFailure<Problem> extends Omit<BatchResult, 'data' | 'error'> {
  readonly data?: never;
  readonly error: Problem;
}

type BatchResultOf<Request> = Request extends readonly [infer Method, infer Path, (infer Options)?]
  ? BatchItemResult<BatchOperation<Method, Path>, GivenOf<Options, '_fields'>, GivenOf<Options, 'force'>>
  : never;

type BatchItemResult<Op, F, D> =
  | BatchSuccess<DataOf<Op, never, F, never, D>>
  | BatchFailure<SiteError<CodesOf<Op>>>;

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

interface CommonOptions<Query, Throw>
  extends Pick<CallOptions, 'bodyType' | 'extra' | 'headers' | 'init' | 'retries' | 'send' | 'signal'> {
  /** Sent in PHP's query grammar; `null` and `undefined` are left out. */
  readonly query?: Query | undefined;
  /** Throw an `ApiError` instead of returning `error`. @default the client's option */
  readonly throw?: Throw | undefined;
}

/** Options from which TypeScript infers type arguments before it knows the operation. */
type InferredOptions<C, F, E, D, Throw, Given extends PropertyKey> = {
  readonly [Name in Given]: unknown;
} & SelectingOptions<C, F, E, D, Throw>;

interface SelectingOptions<C, F, E, D, Throw>
  extends CommonOptions<
    {
      readonly context?: C | undefined;
      readonly _fields?: F | undefined;
      readonly _embed?: E | undefined;
      readonly force?: D | undefined;
    },
    Throw
  > {
  readonly path?: unknown;
  readonly body?: unknown;
  readonly file?: unknown;
}

/** Path of a map, or what the error of a call names: required options without a value, or similar paths. */
type PathOf<Map, Path, Op, Given> = Path extends keyof Map
  ? NoMembers extends MissingOptions<InputOf<Op>, Given>
    ? Path
    : { readonly 'add the options': MissingOptions<InputOf<Op>, Given> }
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

type OptionsOf<Op, C, F, E, D, Throw, Given extends PropertyKey, Extra = unknown> =
  IsUnknown<Op> extends true
    ? [options?: InferredOptions<C, F, E, D, Throw, Given> & Extra]
    : OptionsTuple<InputBy<InputOf<Op>, Given>, CommonOptions<QueryOf<Op, C, F, E, D>, Throw> & Extra>;

type OptionsTuple<Input, Options> = NoMembers extends Input
  ? [options?: Input & Options]
  : [options: Input & Options];

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

/** `Op` has no constraint, because TypeScript would resolve it with all paths' operations at each call. */
type Call<Method extends string, Map, ThrowByDefault extends boolean, IsHead extends boolean = false> = <
  Path extends string,
  Op = Extended<Member<Map, Path>, `${Method} ${Path}`>,
  const C extends ContextOf<Op> = never,
  const F extends FieldsOf<Op> = never,
  const E extends EmbedOf<Op> = never,
  const D extends QueryBoolean = never,
  Throw extends boolean = ThrowByDefault,
  Given extends PropertyKey = never,
>(
  path: PathOf<Map, Path, Op, Given>,
  ...options: OptionsOf<Op, C, F, E, D, Throw, Given>
) => Promise<ResultOf<Op, IsHead extends true ? undefined : DataOf<Op, C, F, E, D>, Throw>>;

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

type GivenOf<Options, Name> = Options extends { readonly query: infer Query }
  ? Name extends keyof Query
    ? Query[Name]
    : never
  : never;

/** Constraint for the parameters after the path. */
export type RequestArguments<Method, Path> =
  IsUnknown<OperationOf<Method, Path>> extends true
    ? [options?: CallOptions]
    : OptionsTuple<InputOf<OperationOf<Method, Path>>, CallOptions>;

/** Parameters after the path, checked against the operation. */
export type CheckedArguments<Method, Path, Arguments> = {
  [At in keyof Arguments]: CheckedOptions<Method, Path, Arguments[At]>;
};

/** Inferred from the last branch and checked against the first. */
type CheckedOptions<Method, Path, Options> = Options extends object
  ? IsUnknown<OperationOf<Method, Path>> extends true
    ? never
    : InputOf<OperationOf<Method, Path>> &
        CommonOptions<QueryBy<OperationOf<Method, Path>, Options>, undefined>
  : Options;

/** Data of a response: `RequestData<'GET', '/wp/v2/posts', { query: { _embed: true } }>`. */
export type RequestData<Method, Path, Arguments = []> = DataBy<
  OperationOf<Method, Path>,
  OptionsIn<Arguments>
>;

/** Data of an operation's response to options. */
type DataBy<Op, Options> = DataOf<
  Op,
  GivenOf<Options, 'context'>,
  GivenOf<Options, '_fields'>,
  GivenOf<Options, '_embed'>,
  GivenOf<Options, 'force'>
>;

/** Paths that `paginate` takes. */
export type PagedPath = keyof PagedOperations & string;

/** Error that a call throws with `throw: true`. */
export type RequestError<Method, Path> = ApiError & SiteError<CodesOf<OperationOf<Method, Path>>>;

/** `path`, `body` and `file` of an operation. */
export type RequestInput<Method, Path> = WithoutQuery<InputOf<OperationOf<Method, Path>>>;
type WithoutQuery<Input> = Input extends unknown
  ? { [Name in keyof Input as Exclude<Name, 'query'>]: Input[Name] }
  : never;

/** Query without the parameters that change the type of the response. */
export type RequestPlainQuery<Method, Path> = PlainQueryOf<OperationOf<Method, Path>>;

/** Query of an operation, by the parameters of some options. */
export type RequestQuery<Method, Path, Options> = QueryBy<OperationOf<Method, Path>, Options>;

type QueryBy<Op, Options> = QueryOf<
  Op,
  GivenOf<Options, 'context'>,
  GivenOf<Options, '_fields'>,
  GivenOf<Options, '_embed'>,
  GivenOf<Options, 'force'>
>;

type OptionsIn<Arguments> = Arguments extends readonly unknown[]
  ? Arguments extends readonly [(infer Options)?]
    ? Options
    : never
  : Arguments;

/** Result of a call whose operation can be a type parameter. */
export type RequestResult<Method, Path, Arguments, Throw> = ResultOf<
  OperationOf<Method, Path>,
  RequestData<Method, Path, Arguments>,
  Throw
>;

/** `unknown` extends objects with optional members if `strictNullChecks` is off. */
type IsUnknown<Type> = unknown extends Type ? ([keyof Type] extends [never] ? true : false) : false;

type NoMembers = Record<never, never>;

type Member<Type, Name> = Name extends keyof Type ? Type[Name] : unknown;

type InputOf<Op> = Op extends { readonly input: infer Input } ? Input : NoMembers;
type CodesOf<Op> = Op extends { readonly codes: infer Code extends string } ? Code : never;

/** Boolean of the query, as WordPress reads it. */
export type QueryBoolean = boolean | 0 | 1 | '0' | '1' | 'true' | 'false';
/** Number in the query or the path, or its text. */
export type QueryNumber = number | `${number}`;
/** Numbers in the query: one, a list, or a text with commas. */
export type QueryNumbers = QueryNumber | readonly QueryNumber[] | `${number},${string}`;
/** Several words with commas, unchecked. */
export type QueryWords = `${string},${string}`;
type QueryTrue = true | 1 | '1' | 'true';

/** Item that is sent back with changes, `{ ...post, title: 'New' }`, accepting any value that was read. */
export type ReadBack<Body, Item> = {
  [Name in keyof Body]: Body[Name] | ReadMember<Item, Name>;
} & { readonly _links: unknown };

type ReadMember<Item, Name> = Item extends unknown ? (Name extends keyof Item ? Item[Name] : never) : never;

/** Any text, beside literals that an editor offers. */
type Text = string & NoMembers;

/** Query parameters that change the type of the response, by kind of operation. */
interface Selections<C, F, E, D> {
  readonly plain: SelectedNames<F, E>;
  readonly context: { readonly context?: C | undefined } & SelectedNames<F, E>;
  readonly force: { readonly force?: D | undefined } & SelectedNames<F, E>;
  /** Without `force=true` the site refuses the deletion (`rest_trash_not_supported`). */
  readonly forced: { readonly force: QueryTrue } & SelectedNames<F, E>;
}

interface SelectedNames<F, E> {
  readonly _fields?: F | undefined;
  readonly _embed?: E | undefined;
}

type PlainQueryOf<Op> = Op extends { readonly query: infer Query } ? Query : SharedQuery;

type QueryOf<Op, C, F, E, D> = PlainQueryOf<Op> &
  Member<
    Selections<C, CheckedNames<F, FieldNamesOf<Op>>, CheckedNames<E, RelationsOf<Op>>, D>,
    Op extends { readonly selects: infer Selects } ? Selects : 'plain'
  >;

type ContextOf<Op> = Op extends { readonly contexts: infer Contexts } ? keyof Contexts : never;

/** Completions for `_fields`. */
type FieldsOf<Op> = FieldNamesOf<Op> | Text | readonly (FieldNamesOf<Op> | Text)[];

type FieldNamesOf<Op> =
  Member<Op, 'shape'> extends 'map'
    ? string
    : Op extends { readonly item: infer Item }
      ?
          | FieldName<Item | ItemsByContext<Op>>
          | (Op extends { readonly embedded: unknown } ? '_embedded' : never)
      : string;

type ItemsByContext<Op> = Op extends { readonly contexts: infer Contexts } ? Contexts[keyof Contexts] : never;

/** Name in `_fields`: `title`, or `title.rendered` of an object in it. */
type FieldName<Item> = NameWithin<Item, [0, 0]> | (string extends keyof Item ? string : never);

/** @param Levels one for each further object */
type NameWithin<Value, Levels> = unknown extends Value
  ? string
  : Value extends readonly unknown[]
    ? never
    : Value extends object
      ? ValueOf<{
          [Key in keyof Value & string as string extends Key ? never : Key]-?:
            | Key
            | (Levels extends [0, ...infer Rest] ? `${Key}.${NameWithin<Value[Key], Rest>}` : never);
        }>
      : never;

type ValueOf<Type> = Type[keyof Type];

/** Names of relations, or `true` for all. */
type EmbedOf<Op> = Op extends { readonly embedded: infer Relations }
  ? QueryTrue | false | keyof Relations | Text | readonly (keyof Relations | Text)[]
  : QueryTrue | false | string | readonly string[];

type RelationsOf<Op> = Op extends { readonly embedded: infer Relations }
  ? keyof Relations | QueryTrue
  : unknown;

/** Value whose names all exist; else the names that do. */
type CheckedNames<Given, Name> = Given extends string | readonly unknown[]
  ? [NamesOf<Given>] extends [Name]
    ? Given
    : Given extends string
      ? Name
      : readonly Name[]
  : Given;

/** Names in a list or a text with commas; `never` if unknown. */
type NamesOf<Given> = Given extends readonly (infer Name)[]
  ? string extends Name
    ? never
    : Name
  : Given extends string
    ? SplitNames<Given>
    : never;

/** Whether the compiler knows all names, unlike those of `string` or `Name[]`. */
type IsExact<Given> = Given extends readonly (infer Name)[]
  ? number extends Given['length']
    ? false
    : IsExact<Name>
  : string extends Given
    ? false
    : true;

/** Separated by commas and white space (`wp_parse_list()`). */
type SplitNames<Names extends string> = string extends Names
  ? never
  : Exclude<SplitAt<SplitAt<SplitAt<SplitAt<Names, ','>, ' '>, '\n'>, '\t'>, ''>;

/** A last branch without a type around it lets TypeScript follow a thousand parts. */
type SplitAt<
  Text,
  Separator extends string,
  Found = never,
> = Text extends `${infer First}${Separator}${infer Rest}`
  ? SplitAt<Rest, Separator, Found | First>
  : Found | Text;

type DataOf<Op, C, F, E, D> = Op extends { readonly forced: infer Forced }
  ? [D] extends [never]
    ? ShapedOf<Op, C, F, E>
    : D extends QueryTrue
      ? NarrowedItem<Forced, F>
      : ShapedOf<Op, C, F, E>
  : ShapedOf<Op, C, F, E>;

type ShapedOf<Op, C, F, E> = Member<
  Shapes<ItemOf<Op, C, F, E>>,
  Op extends { readonly shape: infer Shape } ? Shape : 'one'
>;

interface Shapes<Item> {
  readonly one: Item;
  readonly list: Item[];
  readonly pages: Item[];
  readonly map: Record<string, Item>;
}

type ItemOf<Op, C, F, E> = NarrowedItem<
  EmbeddingItem<
    [C] extends [never] ? Member<Op, 'item'> : Member<Member<Op, 'contexts'>, C>,
    Member<Op, 'embedded'>,
    E
  >,
  F
>;

type EmbeddingItem<Item, Relations, E> = [E] extends [never]
  ? Item
  : IsUnknown<Relations> extends true
    ? Item
    : E extends false
      ? Item
      : Item & {
          readonly _embedded: Embedded<
            E extends QueryTrue
              ? Relations
              : IsExact<E> extends true
                ? Pick<Relations, NamesOf<E> & keyof Relations>
                : Partial<Relations>
          >;
        };

type Embedded<Relations> = {
  [Name in keyof Relations]: Relations[Name] extends infer Items
    ? Items extends readonly (infer Item)[]
      ? (Item | Unreadable<Item>)[]
      : Items
    : never;
};

/** WordPress's error instead of an item that the user cannot read, or instead of a list of items. */
type Unreadable<Item> = EmbeddedError & {
  [Name in Exclude<
    keyof (Item extends readonly (infer Each)[] ? Item & Each : Item),
    keyof EmbeddedError
  >]?: undefined;
};

export interface EmbeddedError {
  readonly code: string;
  readonly message: string;
  readonly data: { readonly status: number };
}

type NarrowedItem<Item, F> = [F] extends [never]
  ? Item
  : F extends unknown
    ? IsExact<F> extends true
      ? PickedItem<Item, NamesOf<F>>
      : Partial<[NamesOf<F>] extends [never] ? Item : PickedItem<Item, NamesOf<F>>>
    : never;

/** With `_links` WordPress also sends `_embedded`. */
type PickedItem<Item, Name> =
  IsUnknown<Item> extends true
    ? unknown
    : {
        [Key in keyof Item as Key extends FirstName<Name>
          ? Key
          : Key extends '_embedded'
            ? '_links' extends Name
              ? Key
              : never
            : never]: Key extends Name ? Item[Key] : PickedMember<Item[Key], NextName<Name, Key>>;
      };

type FirstName<Name> = Name extends `${infer First}.${string}` ? First : Name;
type NextName<Name, Key> = Key extends string ? (Name extends `${Key}.${infer Next}` ? Next : never) : never;
type PickedMember<Value, Name> = [Name] extends [never]
  ? Value
  : Value extends readonly unknown[]
    ? Value
    : Value extends object
      ? PickedItem<Value, Name>
      : Value;

/** For the error of a body that needs the option `file`. */
export interface NeedsFile {
  readonly 'add the option file': never;
}

/** Error of WordPress, a plugin or the gateway. */
export interface RestError<Code extends string = ErrorCode> extends Omit<ResponseError, 'code' | 'cause'> {
  readonly source: 'site' | 'gateway';
  readonly code: Code | CommonCode | Text;
}

/** Response from something else than a REST interface, e.g. an HTML page. */
export interface ClientError extends Omit<ResponseError, 'code' | 'cause'> {
  readonly source: 'client';
  readonly code: ClientErrorCode;
}

/** Unreachable site, lost connection, or timeout. */
export interface NetworkError extends Omit<ResponseError, 'code'> {
  readonly source: 'network';
  readonly code: NetworkErrorCode;
  readonly status: 0;
}

/** Codes that WordPress sends for every route. */
export type CommonCode =
  | 'rest_invalid_param'
  | 'rest_missing_callback_param'
  | 'rest_no_route'
  | 'rest_forbidden'
  | 'rest_invalid_json'
  | 'rest_cookie_invalid_nonce'
  | 'rest_not_logged_in'
  | 'incorrect_password'
  | 'invalid_username';

/** Errors of an operation, discriminated by `source`. */
export type SiteError<Code extends string = ErrorCode> = RestError<Code> | ClientError | NetworkError;
