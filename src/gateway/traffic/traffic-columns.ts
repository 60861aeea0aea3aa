import { findBucket, LATENCY_BUCKETS, readPercentile } from './latency-buckets.ts';
import type { SlotRing } from './slot-ring.ts';

/** How the cache handled a request, as the operator's views count it. */
export type CacheOutcome = 'hit' | 'stale' | 'miss' | 'bypass' | 'none';

/** The order is that of the columns. `none`: the gateway responded itself. */
export const CACHE_OUTCOMES: readonly ['hit', 'stale', 'miss', 'bypass', 'none'] = [
  'hit',
  'stale',
  'miss',
  'bypass',
  'none',
];

/** Columns of one slot. The two histograms are at the end. */
const STATUS = CACHE_OUTCOMES.length;
const UPSTREAM_COUNT = STATUS + 4;
const UPSTREAM_ERRORS = UPSTREAM_COUNT + 1;
const UPSTREAM_TIME = UPSTREAM_ERRORS + 1;
const LATENCY = UPSTREAM_TIME + 1;
const UPSTREAM_LATENCY = LATENCY + LATENCY_BUCKETS;
export const TRAFFIC_COLUMNS: number = UPSTREAM_LATENCY + LATENCY_BUCKETS;

/** Counts a response in the current slot. @param outcome index in {@link CACHE_OUTCOMES} */
export function addResponse(ring: SlotRing, outcome: number, status: number, milliseconds: number): void {
  ring.add(outcome, 1);
  ring.add(STATUS + toStatusClass(status), 1);
  ring.add(LATENCY + findBucket(milliseconds), 1);
}

/** Counts a request to the site in the current slot. */
export function addUpstream(ring: SlotRing, isError: boolean, milliseconds: number): void {
  ring.add(UPSTREAM_COUNT, 1);
  if (isError) ring.add(UPSTREAM_ERRORS, 1);
  ring.add(UPSTREAM_TIME, Math.round(milliseconds));
  ring.add(UPSTREAM_LATENCY + findBucket(milliseconds), 1);
}

/** @returns 0 for success, 1 for redirection, 2 for client errors, 3 for server errors */
function toStatusClass(status: number): number {
  if (status < 300) return 0;
  if (status < 400) return 1;
  return status < 500 ? 2 : 3;
}

/** The traffic of a span of time. Times are in milliseconds, and null if there was no request. */
export interface TrafficSummary {
  readonly requests: number;
  readonly outcomes: Readonly<Record<CacheOutcome, number>>;
  /** Share of the requests for the site that the store served: 0 to 1; `null` without such requests. */
  readonly hitRatio: number | null;
  readonly succeeded: number;
  readonly redirected: number;
  readonly clientErrors: number;
  readonly serverErrors: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  /** The requests that the gateway sent to the site, those of background refreshes included. */
  readonly upstream: {
    readonly requests: number;
    /** No response, or a status of 500 or more. */
    readonly errors: number;
    /** Time to the head of the response. */
    readonly mean: number | null;
    readonly p95: number | null;
  };
}

/** Reads a summary from the sums of {@link SlotRing.sum}. */
export function summarizeTraffic(sums: Float64Array): TrafficSummary {
  const at = (column: number): number => sums[column] ?? 0;
  const [hit, stale, miss, bypass, none] = [at(0), at(1), at(2), at(3), at(4)];
  const forSite = hit + stale + miss + bypass;
  const latency = sums.subarray(LATENCY, LATENCY + LATENCY_BUCKETS);
  const upstreamRequests = at(UPSTREAM_COUNT);
  return {
    requests: forSite + none,
    outcomes: { hit, stale, miss, bypass, none },
    hitRatio: forSite === 0 ? null : (hit + stale) / forSite,
    succeeded: at(STATUS),
    redirected: at(STATUS + 1),
    clientErrors: at(STATUS + 2),
    serverErrors: at(STATUS + 3),
    p50: readPercentile(latency, 0.5),
    p95: readPercentile(latency, 0.95),
    p99: readPercentile(latency, 0.99),
    upstream: {
      requests: upstreamRequests,
      errors: at(UPSTREAM_ERRORS),
      mean: upstreamRequests === 0 ? null : at(UPSTREAM_TIME) / upstreamRequests,
      p95: readPercentile(sums.subarray(UPSTREAM_LATENCY, UPSTREAM_LATENCY + LATENCY_BUCKETS), 0.95),
    },
  };
}
