import type {
  DeleteOperations,
  GetOperations,
  PatchOperations,
  PostOperations,
  PutOperations,
} from './operations.ts';
import type { CommonOptions, Failure, OptionsTuple, Returned, Success, Totals } from './typed-call.ts';
import type { DataOf, Member, QueryOf } from './typed-data.ts';
import type { SiteError } from './typed-errors.ts';
import type { CallOptions } from './types.ts';

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

/** The operation of a method and a path. */
export type OperationOf<Method, Path> = Member<Member<OperationsByMethod, Method>, Path>;

/** A member of the query; `never` if it is not given. */
export type GivenOf<Options, Name> = Options extends { readonly query: infer Query }
  ? Name extends keyof Query
    ? Query[Name]
    : never
  : never;

/** Constraint of a type parameter for the parameters after the path: options, optional if the operation requires none. */
export type RequestArguments<Method, Path> =
  OperationOf<Method, Path> extends { readonly input: infer Input }
    ? OptionsTuple<Input, CallOptions>
    : [options?: CallOptions];

/** The parameters after the path, with the options of the operation. */
export type CheckedArguments<Method, Path, Arguments> = {
  [At in keyof Arguments]: CheckedOptions<Method, Path, Arguments[At]>;
};

/** The options of the operation. TypeScript infers options from the last branch, and checks them against the first. */
type CheckedOptions<Method, Path, Options> = Options extends object
  ? OperationOf<Method, Path> extends { readonly input: infer Input }
    ? Input &
        CommonOptions<
          QueryOf<
            OperationOf<Method, Path>,
            GivenOf<Options, 'context'>,
            GivenOf<Options, '_fields'>,
            GivenOf<Options, '_embed'>,
            GivenOf<Options, 'force'>
          >,
          undefined
        >
    : never
  : Options;

/** The data of a response, by the parameters after the path. */
export type RequestData<Method, Path, Arguments = []> = DataOf<
  OperationOf<Method, Path>,
  GivenOf<OptionsIn<Arguments>, 'context'>,
  GivenOf<OptionsIn<Arguments>, '_fields'>,
  GivenOf<OptionsIn<Arguments>, '_embed'>,
  GivenOf<OptionsIn<Arguments>, 'force'>
>;

type OptionsIn<Arguments> = Arguments extends readonly [(infer Options)?] ? Options : never;

type TotalsOf<Op> = Member<Op, 'shape'> extends 'pages' ? Totals : unknown;

/** The result of a call whose operation may be a type parameter. */
export type RequestResult<Method, Path, Arguments, Throw> = Throw extends true
  ? Returned<RequestData<Method, Path, Arguments>> & TotalsOf<OperationOf<Method, Path>>
  :
      | (Success<RequestData<Method, Path, Arguments>> & TotalsOf<OperationOf<Method, Path>>)
      | Failure<SiteError>;
