import type { Clock } from '../../ports.ts';
import { createBreaker, DEFAULT_BREAKER } from '../../upstream/breaker.ts';
import { type Guard, throughBreaker } from '../../upstream/through-breaker.ts';
import type { SiteOptions } from '../options.ts';

/** What stands before a site that fails: by default where something else can answer in its place. */
export function createGuard({ breaker }: SiteOptions, clock: Clock, isCached: boolean): Guard | null {
  if (!(breaker ?? isCached)) return null;
  const options = typeof breaker === 'object' ? { ...DEFAULT_BREAKER, ...breaker } : DEFAULT_BREAKER;
  return throughBreaker(createBreaker(options), clock.now);
}
