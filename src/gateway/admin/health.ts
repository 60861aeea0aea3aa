import { type Problem, problemResponse } from '../plan/problem.ts';
import { type AdminOperation, adminResponse } from './admin-router.ts';

const NOT_READY: Problem = {
  status: 503,
  code: 'gateway_not_ready',
  message: 'A site has not been read yet.',
  headers: { 'retry-after': '1' },
};

/** Whether the process lives, and whether it can serve: for whoever balances load or restarts what hangs. */
export function healthOperations(isReady: () => boolean): readonly AdminOperation[] {
  return [
    {
      method: 'GET',
      path: '/-/health',
      access: 'nothing',
      respond: () => adminResponse({ status: 'alive' }),
    },
    {
      method: 'GET',
      path: '/-/ready',
      access: 'nothing',
      respond: () => (isReady() ? adminResponse({ status: 'ready' }) : problemResponse(NOT_READY)),
    },
  ];
}
