import type { StoredResponse } from '../store.ts';

/** How long fetching an answer anew is thought to take, in shares of its lifetime: the least and the most. */
const LEAST = 0.01;
const MOST = 0.1;
/** …and the least in seconds, for long lifetimes. */
const LEAST_SECONDS = 10;
/** Beyond this many times of that, less than one hit in a thousand is chosen: they need not draw. */
const HORIZON = 7;

/**
 * Whether this hit should fetch the answer anew before it expires. Each hit decides by lot, the likelier the nearer the
 * end and the longer fetching took, so that those that are asked for often are fetched in time, and not all at once
 * (Vattani, Chierichetti and Lowenstein, "Optimal Probabilistic Cache Stampede Prevention", 2015).
 *
 * @param ttl seconds of freshness left
 * @param random in [0, 1)
 */
export function shouldRefreshEarly(
  { lifetime, requestTime, responseTime }: StoredResponse,
  ttl: number,
  random: () => number,
): boolean {
  if (ttl > lifetime * MOST * HORIZON) return false;
  const least = Math.min(lifetime * LEAST, LEAST_SECONDS);
  const took = Math.min(lifetime * MOST, Math.max(least, (responseTime - requestTime) / 1000));
  return ttl < took * HORIZON && ttl < -took * Math.log(1 - random());
}
