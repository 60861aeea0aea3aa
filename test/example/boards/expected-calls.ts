import type { BoardLogin, CallOptions } from './board-client.ts';

/** A call and its expected response: login, path below the namespace, status, what is sent, what the body contains. */
export type ExpectedCall = readonly [
  who: BoardLogin,
  path: string,
  status: number,
  options?: CallOptions,
  holds?: unknown,
];

/** An operation with a call that succeeds and one that is refused. */
export type CallPair = readonly [operation: string, works: ExpectedCall, refused: ExpectedCall];

/** Creates a call that the site refuses with an error code. */
export function refusedCall(
  who: BoardLogin,
  path: string,
  status: number,
  code: string,
  options: CallOptions = {},
): ExpectedCall {
  return [who, path, status, options, { code, data: { status } }];
}
