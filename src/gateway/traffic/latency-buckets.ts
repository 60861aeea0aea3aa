/** Upper bounds of the buckets, in milliseconds. The last bucket has none. */
const BOUNDS = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 2_000, 5_000, 10_000, 30_000,
];

/** Number of buckets of a latency histogram. */
export const LATENCY_BUCKETS: number = BOUNDS.length + 1;

/** Returns the bucket of a duration. A bound belongs to the bucket above it. */
export function findBucket(milliseconds: number): number {
  let bucket = 0;
  // Most responses come from memory and are in the first buckets.
  while (bucket < BOUNDS.length && milliseconds >= (BOUNDS[bucket] ?? 0)) bucket += 1;
  return bucket;
}

/**
 * Estimates a percentile: durations are taken to be spread evenly over their bucket.
 *
 * @param counts one for each bucket
 * @param share 0 to 1
 * @returns milliseconds; for a duration in the last bucket its lower bound; `null` without durations
 */
export function readPercentile(counts: ArrayLike<number>, share: number): number | null {
  let total = 0;
  for (let bucket = 0; bucket < counts.length; bucket += 1) total += counts[bucket] ?? 0;
  if (total === 0) return null;
  const rank = Math.max(share * total, Number.MIN_VALUE);
  let below = 0;
  for (let bucket = 0; bucket < BOUNDS.length; bucket += 1) {
    const count = counts[bucket] ?? 0;
    if (below + count >= rank) {
      const lower = BOUNDS[bucket - 1] ?? 0;
      return lower + ((BOUNDS[bucket] ?? 0) - lower) * ((rank - below) / count);
    }
    below += count;
  }
  return BOUNDS.at(-1) ?? 0;
}
