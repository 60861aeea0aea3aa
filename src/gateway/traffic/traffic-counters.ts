import { splitNames } from '../../glob.ts';
import { memoizeByString } from '../../memoize.ts';

/** How the cache handled a request, as the operator's views count it. */
export type CacheOutcome = 'hit' | 'stale' | 'miss' | 'bypass' | 'none';

/** The order is that of the columns. `none`: the gateway responded itself. */
export const CACHE_OUTCOMES: readonly CacheOutcome[] = ['hit', 'stale', 'miss', 'bypass', 'none'];
const [HIT, STALE_HIT, MISS, BYPASS, NONE] = [0, 1, 2, 3, 4];

/** How the cache handled a request. */
export interface CacheResult {
  /** Index in {@link CACHE_OUTCOMES}. */
  readonly outcome: number;
  /** As the metrics count it: `hit`, a reason of RFC 9211 for forwarding, or `none`. */
  readonly label: string;
}

/** The gateway's member of `Cache-Status`. Members of caches before it, which may be gateways too, stand before it. */
const MEMBER = /^(?:.*,\s*)?waygate;\s*(?:(hit)|fwd=([a-z-]{1,20}))([^,"]{0,60})/;
const FRESH_HIT = /^waygate; hit; ttl=\d+$/;
/** A negative `ttl` is the time since the response became stale. */
const STALE = /;\s*ttl=-/;
const FORWARD_REASONS: ReadonlySet<string> = new Set(
  splitNames('bypass method uri-miss vary-miss miss request stale partial'),
);
const HIT_RESULT: CacheResult = { outcome: HIT, label: 'hit' };
const NO_RESULT: CacheResult = { outcome: NONE, label: 'none' };

/** Reads how the cache handled a request from the response's `Cache-Status`. */
export function readCacheResult(cacheStatus: string | undefined): CacheResult {
  if (cacheStatus === undefined) return NO_RESULT;
  // The most frequent value. Its `ttl` makes it one of many texts.
  return FRESH_HIT.test(cacheStatus) ? HIT_RESULT : parseCacheStatus(cacheStatus);
}

const parseCacheStatus = memoizeByString((cacheStatus): CacheResult => {
  const [, hit, forward = '', rest = ''] = MEMBER.exec(cacheStatus) ?? [];
  const label = hit ?? (FORWARD_REASONS.has(forward) ? forward : 'none');
  // A stale response that replaces an error of the site has `fwd` and a negative `ttl`.
  if (STALE.test(rest)) return { outcome: STALE_HIT, label };
  if (hit !== undefined) return { outcome: rest.includes('detail=') ? STALE_HIT : HIT, label };
  if (forward === '') return NO_RESULT;
  return { outcome: forward === 'bypass' || forward === 'method' ? BYPASS : MISS, label };
});

/** Upper bounds of the buckets, in milliseconds. The last bucket has none. */
const BOUNDS = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 2_000, 5_000, 10_000, 30_000,
];

export const LATENCY_BUCKETS: number = BOUNDS.length + 1;

/** Columns of one slot. The two histograms are at the end. */
const STATUS = CACHE_OUTCOMES.length;
const UPSTREAM_COUNT = STATUS + 4;
const UPSTREAM_ERRORS = UPSTREAM_COUNT + 1;
const UPSTREAM_TIME = UPSTREAM_ERRORS + 1;
const LATENCY = UPSTREAM_TIME + 1;
const UPSTREAM_LATENCY = LATENCY + LATENCY_BUCKETS;
export const TRAFFIC_COLUMNS: number = UPSTREAM_LATENCY + LATENCY_BUCKETS;

/** What is added to columns: a flat list column, amount. */
export type Increments = readonly number[];

/** Counts a response. @param outcome index in {@link CACHE_OUTCOMES} */
export function countResponse(outcome: number, status: number, milliseconds: number): Increments {
  // 0 for success, 1 for redirection, 2 for client errors, 3 for server errors
  const statusClass = Math.min(Math.max(Math.floor(status / 100) - 2, 0), 3);
  return [outcome, 1, STATUS + statusClass, 1, LATENCY + findBucket(milliseconds), 1];
}

/** Counts a request to the site. */
export function countUpstream(isError: boolean, milliseconds: number): Increments {
  const sums = [UPSTREAM_COUNT, 1, UPSTREAM_ERRORS, Number(isError), UPSTREAM_TIME, Math.round(milliseconds)];
  return [...sums, UPSTREAM_LATENCY + findBucket(milliseconds), 1];
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

/**
 * Counters of the recent past, in slots of equal length. Its memory is fixed. A slot is cleared when the time comes round to it again.
 */
export class SlotRing {
  readonly slotMilliseconds: number;
  readonly slotCount: number;
  readonly #columns: number;
  readonly #cells: Uint32Array;
  /** Number of the slot since the epoch that each place holds; -1 if none. */
  readonly #numbers: Float64Array;

  /** @param slotCount number of slots that are kept @param columns counters in each slot */
  constructor(slotMilliseconds: number, slotCount: number, columns: number = TRAFFIC_COLUMNS) {
    this.slotMilliseconds = slotMilliseconds;
    this.slotCount = slotCount;
    this.#columns = columns;
    this.#cells = new Uint32Array(slotCount * columns);
    this.#numbers = new Float64Array(slotCount).fill(-1);
  }

  /** Memory of the counters, in bytes. */
  get bytes(): number {
    return this.#cells.byteLength + this.#numbers.byteLength;
  }

  /** Adds to counters in the slot of a time. @param now milliseconds since the epoch */
  add(now: number, increments: Increments): void {
    const number = Math.floor(now / this.slotMilliseconds);
    const place = number % this.slotCount;
    const offset = place * this.#columns;
    if (this.#numbers[place] !== number) {
      this.#cells.fill(0, offset, offset + this.#columns);
      this.#numbers[place] = number;
    }
    for (let at = 0; at + 1 < increments.length; at += 2) {
      const cell = offset + (increments[at] ?? 0);
      this.#cells[cell] = (this.#cells[cell] ?? 0) + (increments[at + 1] ?? 0);
    }
  }

  /**
   * Sums the counters of a run of slots.
   *
   * @param now the run ends with the slot of this time
   * @param count slots of the run
   * @param skip slots between the end of the run and the slot of `now`
   */
  sum(now: number, count: number, skip = 0): Float64Array {
    const sums = new Float64Array(this.#columns);
    const last = Math.floor(now / this.slotMilliseconds) - skip;
    for (let number = last - Math.min(count, this.slotCount) + 1; number <= last; number += 1) {
      const place = number % this.slotCount;
      if (number < 0 || this.#numbers[place] !== number) continue;
      for (let column = 0; column < this.#columns; column += 1) {
        sums[column] = (sums[column] ?? 0) + (this.#cells[place * this.#columns + column] ?? 0);
      }
    }
    return sums;
  }
}

/** A value of a metric. */
export type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** Responses by mount, cache result, and class of status. */
export type CountedResponses = readonly (readonly [
  mount: string,
  result: string,
  counts: readonly number[],
])[];

/** Counts responses. No label value comes from a client, so the number of time series is bounded. */
export class ResponseCounter {
  /** By mount, then by cache result: one count for each class of status, 0xx to 5xx. */
  readonly #countsByMount = new Map<string, Map<string, number[]>>();

  /**
   * @param mount `/content`, or empty
   * @param cacheStatus the response's `Cache-Status`
   */
  count(mount: string, status: number, cacheStatus: string | undefined): void {
    const countsByResult = this.#countsByMount.get(mount) ?? new Map<string, number[]>();
    if (countsByResult.size === 0) this.#countsByMount.set(mount, countsByResult);
    const { label: result } = readCacheResult(cacheStatus);
    const counts = countsByResult.get(result) ?? [0, 0, 0, 0, 0, 0];
    const statusClass = Math.floor(status / 100);
    counts[statusClass] = (counts[statusClass] ?? 0) + 1;
    countsByResult.set(result, counts);
  }

  /** Returns the counts since the last call. */
  take(): CountedResponses {
    const taken = Array.from(this.#countsByMount, ([mount, countsByResult]) =>
      Array.from(countsByResult, ([result, counts]) => [mount, result, counts] as const),
    ).flat();
    this.#countsByMount.clear();
    return taken;
  }

  /** Adds what another counter has counted. */
  add(taken: CountedResponses): void {
    for (const [mount, result, counts] of taken) {
      const countsByResult = this.#countsByMount.get(mount) ?? new Map<string, number[]>();
      this.#countsByMount.set(mount, countsByResult);
      const known = countsByResult.get(result) ?? [];
      countsByResult.set(
        result,
        counts.map((count, statusClass) => count + (known[statusClass] ?? 0)),
      );
    }
  }

  read(): readonly Sample[] {
    return Array.from(this.#countsByMount, ([mount, countsByResult]) =>
      Array.from(countsByResult, ([cache, counts]) =>
        counts.flatMap((count, statusClass): readonly Sample[] =>
          count === 0 ? [] : [[{ mount: mount || '/', status: `${statusClass}xx`, cache }, count]],
        ),
      ).flat(),
    ).flat();
  }
}
