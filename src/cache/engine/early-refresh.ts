import type { StoredResponse } from '../store.ts';

/** Bounds of the assumed duration of a fetch, as fractions of the freshness lifetime. */
const MIN_FRACTION = 0.01;
const MAX_FRACTION = 0.1;
/** Upper bound of the minimum duration, in seconds. It applies to long lifetimes. */
const MAX_MINIMUM_SECONDS = 10;
/** No hit refreshes while more than this many fetch durations are left: the probability would be below 1 in 1000. */
const HORIZON = 7;

/**
 * Whether this hit refreshes the response before it expires. Each hit decides at random, with a probability
 * that rises towards the end of the lifetime and with the duration of the last fetch. Popular responses are thus
 * refreshed in time, and not all at once (Vattani, Chierichetti and Lowenstein, "Optimal Probabilistic Cache Stampede
 * Prevention", 2015).
 *
 * @param ttl seconds of freshness left
 * @param random returns a number in [0, 1)
 */
export function shouldRefreshEarly(
  { freshnessLifetime, requestTime, responseTime }: StoredResponse,
  ttl: number,
  random: () => number,
): boolean {
  if (ttl > freshnessLifetime * MAX_FRACTION * HORIZON) return false;
  const minimum = Math.min(freshnessLifetime * MIN_FRACTION, MAX_MINIMUM_SECONDS);
  const duration = Math.min(
    freshnessLifetime * MAX_FRACTION,
    Math.max(minimum, (responseTime - requestTime) / 1000),
  );
  return ttl < duration * HORIZON && ttl < -duration * Math.log(1 - random());
}
