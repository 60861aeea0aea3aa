/** The traffic of a span of time. Times are in milliseconds; `null` means that there was nothing to measure. */
export interface TrafficFigures {
  readonly requests: number;
  /** Requests by how the cache handled them. `none`: the gateway responded itself. */
  readonly outcomes: {
    readonly hit: number;
    readonly stale: number;
    readonly miss: number;
    readonly bypass: number;
    readonly none: number;
  };
  /** 0 to 1. */
  readonly hitRatio: number | null;
  readonly clientErrors: number;
  readonly serverErrors: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly upstream: {
    readonly requests: number;
    readonly errors: number;
    readonly mean: number | null;
    readonly p95: number | null;
  };
}

/** A series of points, the oldest first. */
export interface TrafficChart {
  readonly total: TrafficFigures;
  /** Length of a point, in milliseconds. */
  readonly pointMilliseconds: number;
  /** Time since the gateway was started, within the points, in milliseconds. */
  readonly observedMilliseconds: number;
  readonly points: readonly (TrafficFigures & { readonly time: number })[];
}

/** Requests a minute over the time of a chart. */
export function computeRate({ observedMilliseconds, total }: Omit<TrafficChart, 'points'>): number {
  return (60_000 * total.requests) / observedMilliseconds;
}

/** Formats the time of day in UTC: `07:45`, or `07:45:10` for points that are shorter than a minute. */
export function formatClock(time: number, pointMilliseconds: number): string {
  return new Date(time).toISOString().slice(11, pointMilliseconds < 60_000 ? 19 : 16);
}
