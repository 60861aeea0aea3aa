import type { Clock } from '../../ports.ts';
import { createCircuitBreaker, DEFAULT_CIRCUIT_BREAKER } from '../../upstream/circuit-breaker.ts';
import { createCircuitBreakerGuard, type SendGuard } from '../../upstream/circuit-breaker-guard.ts';
import type { SiteOptions } from '../options/gateway-options.ts';

/** What stands before a site that fails: by default where something else can answer in its place. */
export function createSiteGuard({ breaker }: SiteOptions, clock: Clock, isCached: boolean): SendGuard | null {
  if (!(breaker ?? isCached)) return null;
  const options =
    typeof breaker === 'object' ? { ...DEFAULT_CIRCUIT_BREAKER, ...breaker } : DEFAULT_CIRCUIT_BREAKER;
  return createCircuitBreakerGuard(createCircuitBreaker(options), clock.now);
}
