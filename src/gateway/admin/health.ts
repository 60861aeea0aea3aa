import { type Problem, problemResponse } from '../plan/problem.ts';
import { type AdminOperation, adminResponse } from './admin-router.ts';

const NOT_READY: Problem = {
  status: 503,
  code: 'gateway_not_ready',
  message: 'A site has not been read yet.',
  headers: { 'retry-after': '1' },
};

/** Liveness (`/-/health`) and readiness (`/-/ready`) probes, for load balancers and supervisors. */
export function createHealthOperations(isReady: () => boolean): readonly AdminOperation[] {
  return [
    {
      method: 'GET',
      path: '/-/health',
      access: 'public',
      respond: () => adminResponse({ status: 'alive' }),
    },
    {
      method: 'GET',
      path: '/-/ready',
      access: 'public',
      respond: () => (isReady() ? adminResponse({ status: 'ready' }) : problemResponse(NOT_READY)),
    },
  ];
}
