import type { OperationBudget } from './operation-budget.ts';
import { SiteProblems } from './site-problems.ts';
import { SiteTraffic } from './site-traffic.ts';

/** What is recorded about the requests of one site, in memory, for the operator's views. */
export interface SiteRecorder {
  readonly traffic: SiteTraffic;
  readonly problems: SiteProblems;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export function createSiteRecorder(now: () => number, budget: OperationBudget): SiteRecorder {
  return { traffic: new SiteTraffic(now, budget), problems: new SiteProblems(now), now };
}
