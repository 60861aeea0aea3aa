import { type BatchOptions, type BatchResult, runBatch } from './batch.ts';
import type { ClientHandle } from './typed-client.ts';
import type { DataOf, Member, NoMembers, QueryOf } from './typed-data.ts';
import type { SiteError } from './typed-errors.ts';
import type { GivenOf, OperationOf, RequestMethod } from './typed-request.ts';
import type { RawClient } from './types.ts';

type BatchMethod = Exclude<RequestMethod, 'GET'>;

type BatchOperation<Method, Path> = Method extends BatchMethod ? OperationOf<Method, Path> : unknown;

/**
 * A request with the options of its operation. TypeScript infers a request from the second branch, and checks it against the
 * first.
 */
type RequestOf<Request> = Request extends readonly [infer Method, infer Path, (infer Options)?]
  ? BatchRequestOf<Method, Path, GivenOf<Options, '_fields'>, GivenOf<Options, 'force'>>
  : Request;

/** A request with the options of its operation. Operations that no batch accepts have no path. */
type BatchRequestOf<Method, Path, F, D> =
  BatchOperation<Method, Path> extends { readonly batch: true; readonly input: infer Input }
    ? NoMembers extends Input
      ? readonly [method: Method, path: Path, options?: BatchItemOptions<Method, Path, Input, F, D>]
      : readonly [method: Method, path: Path, options: BatchItemOptions<Method, Path, Input, F, D>]
    : readonly [method: BatchMethod, path: never, options?: unknown];

type BatchItemOptions<Method, Path, Input, F, D> = Input & {
  readonly query?: QueryOf<BatchOperation<Method, Path>, never, F, never, D>;
  readonly headers?: Readonly<Record<string, string>>;
};

export interface BatchSuccess<Data> extends Omit<BatchResult, 'data' | 'error'> {
  readonly data: Data;
  readonly error?: never;
}

export interface BatchFailure<Problem> extends Omit<BatchResult, 'data' | 'error'> {
  readonly data?: never;
  readonly error: Problem;
}

type BatchResultOf<Request> = Request extends readonly [infer Method, infer Path, (infer Options)?]
  ?
      | BatchSuccess<
          DataOf<
            BatchOperation<Method, Path>,
            never,
            GivenOf<Options, '_fields'>,
            never,
            GivenOf<Options, 'force'>
          >
        >
      | BatchFailure<SiteError<Member<BatchOperation<Method, Path>, 'codes'> & string>>
  : never;

/**
 * Sends requests as one (`POST /batch/v1`). The site runs them in order. Each result carries its own error, and no error is
 * thrown for it. If the site refuses the batch as a whole, each result has that error.
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
