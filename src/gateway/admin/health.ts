import { type Problem, problemResponse } from '../exchange/problem.ts';
import type { SiteRuntime } from '../snapshot/site-runtime.ts';
import { type AdminOperation, adminResponse } from './admin-router.ts';
import type { DrainSwitch } from './drain.ts';
import { siteKey } from './site-operations.ts';

/** The parts of a mounted site that the probes show. */
interface ProbedSite {
  readonly mount: string;
  readonly runtime: SiteRuntime;
}

/** Liveness (`/-/health`) and readiness (`/-/ready`) probes, for load balancers and supervisors. */
export function createHealthOperations(
  sites: ReadonlyMap<string, ProbedSite>,
  drain: Pick<DrainSwitch, 'isDraining'>,
): readonly AdminOperation[] {
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
      respond() {
        if (drain.isDraining) return problemResponse(DRAINING);
        const unread = [...sites.values()].filter(({ runtime }) => runtime.snapshot === null);
        return unread.length === 0
          ? adminResponse({ status: 'ready' })
          : problemResponse(createNotReadyProblem(unread));
      },
    },
  ];
}

const DRAINING: Problem = {
  status: 503,
  code: 'gateway_draining',
  message: 'The gateway is being taken out of service. It still serves the requests that arrive.',
};

/** Everyone may request the probe, so the reasons contain no address and nothing that a site sent. */
function createNotReadyProblem(unread: readonly ProbedSite[]): Problem {
  const reasons = unread.map(
    (site) => `${siteKey(site)}: ${site.runtime.failureSummary ?? 'The site has not been read yet.'}`,
  );
  return {
    status: 503,
    code: 'gateway_not_ready',
    message: `A site cannot be served yet. ${reasons.join(' ')}`,
    headers: { 'retry-after': '1' },
  };
}
