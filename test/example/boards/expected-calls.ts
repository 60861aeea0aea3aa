import type { BoardLogin, CallOptions } from './board-client.ts';

/** A call and its expected response: login, path below the namespace, status, request options, members of the body. */
export type ExpectedCall = readonly [
  login: BoardLogin,
  path: string,
  status: number,
  options?: CallOptions,
  expectedBody?: unknown,
];

/** An operation with a call that succeeds and one that is rejected. */
export type CallPair = readonly [operation: string, works: ExpectedCall, refused: ExpectedCall];

/** Creates a call that the site rejects with an error code. */
export function refusedCall(
  login: BoardLogin,
  path: string,
  status: number,
  code: string,
  options: CallOptions = {},
): ExpectedCall {
  return [login, path, status, options, { code, data: { status } }];
}
