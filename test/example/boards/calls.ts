import type { Asked, Who } from './asking.ts';

/** A call with what comes of it: who, the path below the namespace, the status, what is sent, what comes back holds. */
export type Call = readonly [who: Who, path: string, status: number, asked?: Asked, holds?: unknown];

/** An operation with a call that works, and one that is refused. */
export type Case = readonly [operation: string, works: Call, refused: Call];

/** A call that is refused with a code. */
export function refused(who: Who, path: string, status: number, code: string, asked: Asked = {}): Call {
  return [who, path, status, asked, { code, data: { status } }];
}
