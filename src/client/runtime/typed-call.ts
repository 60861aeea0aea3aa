import type {
  ContextOf,
  DataOf,
  EmbedOf,
  FieldsOf,
  Member,
  NoMembers,
  QueryBoolean,
  QueryOf,
} from './typed-data.ts';
import type { SiteError } from './typed-errors.ts';
import type { CallOptions } from './types.ts';

/** Options that every call takes. */
export interface CommonOptions<Query, Throw>
  extends Pick<CallOptions, 'bodyType' | 'headers' | 'onUploadProgress' | 'retries' | 'signal'> {
  /** Sent in PHP's query grammar; `null` and `undefined` are left out. */
  readonly query?: Query;
  /** Throw an `ApiError` instead of returning `error`. @default that of the client */
  readonly throw?: Throw;
}

/** Options before the operation is known, from which TypeScript infers the type arguments. */
interface InferredOptions<C, F, E, D, Throw>
  extends CommonOptions<
    { readonly context?: C; readonly _fields?: F; readonly _embed?: E; readonly force?: D },
    Throw
  > {
  readonly path?: unknown;
  readonly body?: unknown;
  readonly file?: unknown;
}

/** A path of a map of operations; all its paths if the map does not have the given one. */
export type PathOf<Map, Path> = Path extends keyof Map ? Path : keyof Map;

/** The parameters after the path: options, optional if the operation requires none. */
export type OptionsOf<Op, C, F, E, D, Throw, Extra = unknown> = Op extends { readonly input: infer Input }
  ? OptionsTuple<Input, CommonOptions<QueryOf<Op, C, F, E, D>, Throw> & Extra>
  : [options?: InferredOptions<C, F, E, D, Throw> & Extra];

/** Options that are optional if the operation requires none. */
export type OptionsTuple<Input, Options> = NoMembers extends Input
  ? [options?: Input & Options]
  : [options: Input & Options];

/** The result of a call with `throw: true`. */
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
  readonly response: Response;
}

/** The number of items and pages of a list, beside its first page or a later one. */
export interface Totals {
  readonly total: number;
  readonly totalPages: number;
}

export interface PagesFailure<Problem> extends Failure<Problem> {
  readonly total?: never;
  readonly totalPages?: never;
}

/** The result of a call. */
export type ResultOf<Op, Data, Throw> =
  Member<Op, 'shape'> extends 'pages'
    ? Throw extends true
      ? Returned<Data> & Totals
      : (Success<Data> & Totals) | PagesFailure<SiteError<Member<Op, 'codes'> & string>>
    : Throw extends true
      ? Returned<Data>
      : Success<Data> | Failure<SiteError<Member<Op, 'codes'> & string>>;

/**
 * Calls of one method: the path, then the options of its operation.
 *
 * `Op` is a type parameter, so that TypeScript has no constraint for it. Of an expression with the path it would resolve the
 * constraint for every call: the operations of all paths.
 */
export type Call<Map, ThrowByDefault extends boolean> = <
  Path extends string,
  Op = Member<Map, Path>,
  const C extends ContextOf<Op> = never,
  const F extends FieldsOf<Op> = never,
  const E extends EmbedOf<Op> = never,
  const D extends QueryBoolean = never,
  Throw extends boolean = ThrowByDefault,
>(
  path: PathOf<Map, Path>,
  ...options: OptionsOf<Op, C, F, E, D, Throw>
) => Promise<ResultOf<Op, DataOf<Op, C, F, E, D>, Throw>>;
