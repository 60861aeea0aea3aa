import type { CacheOutcome } from '../../../base/http/cache-status.ts';

export const CACHE_OUTCOMES: readonly CacheOutcome[] = ['hit', 'stale', 'miss', 'bypass', 'none'];

/** Upper bounds of the buckets, in milliseconds. The last bucket has none. */
const BOUNDS = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000,
  7_000, 10_000, 15_000, 30_000,
];

const LATENCY_BUCKETS: number = BOUNDS.length + 1;

const STATUS = CACHE_OUTCOMES.length;
const UPSTREAM_COUNT = STATUS + 4;
const UPSTREAM_ERRORS = UPSTREAM_COUNT + 1;
const UPSTREAM_TIME = UPSTREAM_ERRORS + 1;
const LATENCY = UPSTREAM_TIME + 1;
const UPSTREAM_LATENCY = LATENCY + LATENCY_BUCKETS;
/** From here on, a column has the largest amount in place of the sum. */
const LONGEST = UPSTREAM_LATENCY + LATENCY_BUCKETS;
const UPSTREAM_LONGEST = LONGEST + 1;
const TRAFFIC_COLUMNS: number = UPSTREAM_LONGEST + 1;
/** Milliseconds from which buckets are so wide that a percentile needs the longest time. */
const LONG = 1_000;

/** Amounts to add to columns: a flat list column, amount. */
export type Increments = readonly number[];

export function countResponse(outcome: CacheOutcome, status: number, milliseconds: number): Increments {
  // 0 for success, 1 for redirection, 2 for client errors, 3 for server errors
  const statusClass = Math.min(Math.max(Math.floor(status / 100) - 2, 0), 3);
  const counts = [
    CACHE_OUTCOMES.indexOf(outcome),
    1,
    STATUS + statusClass,
    1,
    LATENCY + findBucket(milliseconds),
    1,
  ];
  if (milliseconds >= LONG) counts.push(LONGEST, Math.ceil(milliseconds));
  return counts;
}

export function countUpstream(isError: boolean, milliseconds: number): Increments {
  const sums = [UPSTREAM_COUNT, 1, UPSTREAM_ERRORS, Number(isError), UPSTREAM_TIME, Math.round(milliseconds)];
  const bucket = UPSTREAM_LATENCY + findBucket(milliseconds);
  return [...sums, bucket, 1, UPSTREAM_LONGEST, Math.ceil(milliseconds)];
}

/** Times are in milliseconds, and null if there was no request. */
export interface TrafficSummary {
  readonly requests: number;
  readonly outcomes: Readonly<Record<CacheOutcome, number>>;
  /** Share of the reads that can use the store, stale ones included; `null` without such reads. */
  readonly hitRatio: number | null;
  readonly clientErrors: number;
  readonly serverErrors: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly upstream: {
    readonly requests: number;
    readonly errors: number;
    readonly mean: number | null;
    readonly p95: number | null;
  };
}

export function summarizeTraffic(sums: Float64Array): TrafficSummary {
  const at = (column: number): number => sums[column] ?? 0;
  const [hit, stale, miss, bypass, none] = [at(0), at(1), at(2), at(3), at(4)];
  // Writes and requests with credentials bypass the store.
  const reads = hit + stale + miss;
  const latency = sums.subarray(LATENCY, LATENCY + LATENCY_BUCKETS);
  const upstreamRequests = at(UPSTREAM_COUNT);
  return {
    requests: reads + bypass + none,
    outcomes: { hit, stale, miss, bypass, none },
    hitRatio: reads === 0 ? null : (hit + stale) / reads,
    clientErrors: at(STATUS + 2),
    serverErrors: at(STATUS + 3),
    p50: readPercentile(latency, 0.5, at(LONGEST)),
    p95: readPercentile(latency, 0.95, at(LONGEST)),
    upstream: {
      requests: upstreamRequests,
      errors: at(UPSTREAM_ERRORS),
      mean: upstreamRequests === 0 ? null : at(UPSTREAM_TIME) / upstreamRequests,
      p95: readPercentile(sums.subarray(UPSTREAM_LATENCY, LONGEST), 0.95, at(UPSTREAM_LONGEST)),
    },
  };
}

function findBucket(milliseconds: number): number {
  let bucket = 0;
  while (bucket < BOUNDS.length && milliseconds >= (BOUNDS[bucket] ?? 0)) bucket += 1;
  return bucket;
}

/**
 * Milliseconds, as if durations were spread evenly over their bucket.
 * @param longest bounds the last of them; 0 if all are shorter than {@link LONG}
 */
function readPercentile(counts: ArrayLike<number>, share: number, longest: number): number | null {
  let total = 0;
  for (let bucket = 0; bucket < counts.length; bucket += 1) total += counts[bucket] ?? 0;
  if (total === 0) return null;
  const rank = Math.max(share * total, Number.MIN_VALUE);
  let below = 0;
  for (let bucket = 0; bucket < counts.length; bucket += 1) {
    const count = counts[bucket] ?? 0;
    if (below + count >= rank) {
      const lower = BOUNDS[bucket - 1] ?? 0;
      const upper = Math.min(BOUNDS[bucket] ?? longest, longest || LONG);
      return lower + (upper - lower) * ((rank - below) / count);
    }
    below += count;
  }
  return longest;
}

export const MINUTE = 60_000;
export const MAX_MINUTES = 360;

function merge(column: number, sum: number, amount: number): number {
  return column < LONGEST ? sum + amount : Math.max(sum, amount);
}

/** Counters of each minute, which are cleared when the time comes round to them again. */
export class MinuteCounters {
  readonly #cells = new Uint32Array(MAX_MINUTES * TRAFFIC_COLUMNS);
  /** Minutes since the epoch; -1 if a place holds none. */
  readonly #numbers = new Float64Array(MAX_MINUTES).fill(-1);

  add(now: number, increments: Increments): void {
    const number = Math.floor(now / MINUTE);
    const place = number % MAX_MINUTES;
    const offset = place * TRAFFIC_COLUMNS;
    if (this.#numbers[place] !== number) {
      this.#cells.fill(0, offset, offset + TRAFFIC_COLUMNS);
      this.#numbers[place] = number;
    }
    for (let at = 0; at + 1 < increments.length; at += 2) {
      const column = increments[at] ?? 0;
      this.#cells[offset + column] = merge(
        column,
        this.#cells[offset + column] ?? 0,
        increments[at + 1] ?? 0,
      );
    }
  }

  /** Sums `count` minutes that end `ago` minutes before that of `now`. */
  sum(now: number, count: number, ago: number): Float64Array {
    const sums = new Float64Array(TRAFFIC_COLUMNS);
    const last = Math.floor(now / MINUTE) - ago;
    for (let number = last - count + 1; number <= last; number += 1) {
      const place = number % MAX_MINUTES;
      if (number < 0 || this.#numbers[place] !== number) continue;
      for (let column = 0; column < TRAFFIC_COLUMNS; column += 1) {
        const amount = this.#cells[place * TRAFFIC_COLUMNS + column] ?? 0;
        sums[column] = merge(column, sums[column] ?? 0, amount);
      }
    }
    return sums;
  }
}

export class Recent<Entry> {
  readonly #max: number;
  readonly #ring: Entry[] = [];
  #count = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(entry: Entry): void {
    this.#ring[this.#count % this.#max] = entry;
    this.#count += 1;
  }

  list(): readonly Entry[] {
    const start = this.#count % this.#max;
    return [...this.#ring.slice(start), ...this.#ring.slice(0, start)].reverse();
  }
}

/** An id from a trusted proxy: that of a gateway, or one as long as those of nginx and UUIDs. */
export const REQUEST_ID: RegExp = /^(?:[0-9a-z]{6}-[0-9a-z]{1,12}|[\w-]{16,64})$/;

/** A request that was no fresh hit, without credentials. Hits would displace all others within a second. */
export interface RecentRequest {
  readonly time: number;
  readonly requestId: string;
  readonly operation: string;
  readonly method: string;
  /** Target as received, but for a path with a credential. */
  readonly target: string;
  /** Whether values of the query can identify the client. */
  readonly hasSecrets: boolean;
  readonly status: number;
  readonly cacheStatus: string;
  readonly milliseconds: number;
}

export const MAX_REQUESTS = 500;
const MAX_TARGET = 500;

/** Values of the query go if they can identify the client. */
export function toRecentTarget({ hasSecrets, target }: Pick<RecentRequest, 'hasSecrets' | 'target'>): string {
  const start = hasSecrets ? target.indexOf('?') : -1;
  const shown = target.length > MAX_TARGET ? `${target.slice(0, MAX_TARGET)}…` : target;
  if (start < 0 || start >= MAX_TARGET) return shown;
  return `${target.slice(0, start)}?${maskQuery(shown.slice(start + 1))}`;
}

/** Leaves values out, e.g. `a=…`. PHP can separate at `;` too, and a value can have no name. */
export function maskQuery(query: string, isShown: (name: string) => boolean = () => false): string {
  const masked = query.split(/[&;]/).map((part) => {
    if (!part.includes('=')) return '…';
    return isShown(part.slice(0, part.indexOf('='))) ? part.slice(0, 100) : part.replace(/=.*/s, '=…');
  });
  return masked.join('&');
}
