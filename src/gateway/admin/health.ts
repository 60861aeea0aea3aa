import { type Problem, problemResponse } from '../problem.ts';
import { type AdminOperation, adminAnswer } from './table.ts';

const NOT_READY: Problem = {
  status: 503,
  code: 'gateway_not_ready',
  message: 'A site has not been read yet.',
  headers: { 'retry-after': '1' },
};

/** Whether the process lives, and whether it can serve: for whoever balances load or restarts what hangs. */
export function healthOperations(isReady: () => boolean): readonly AdminOperation[] {
  return [
    { method: 'GET', path: '/-/health', access: 'nothing', respond: () => adminAnswer({ status: 'alive' }) },
    {
      method: 'GET',
      path: '/-/ready',
      access: 'nothing',
      respond: () => (isReady() ? adminAnswer({ status: 'ready' }) : problemResponse(NOT_READY)),
    },
  ];
}
