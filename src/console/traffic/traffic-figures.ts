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

/** Formats a duration in milliseconds: `0.8 ms`, `120 ms`, `2.4 s`. */
export function formatDuration(milliseconds: number | null): string {
  if (milliseconds === null) return '–';
  if (milliseconds < 10) return `${trimZero(milliseconds.toFixed(1))} ms`;
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  return `${trimZero((milliseconds / 1_000).toFixed(1))} s`;
}

/** Requests a minute over the time of a chart. */
export function computeRate({ observedMilliseconds, total }: Omit<TrafficChart, 'points'>): number {
  return (60_000 * total.requests) / observedMilliseconds;
}

/** Formats a rate: `4.2`, `1,200`. */
export function formatRate(rate: number): string {
  return rate.toLocaleString('en', { maximumFractionDigits: rate < 10 ? 1 : 0 });
}

/** Formats a share as a percentage: `98.6 %`. */
export function formatShare(share: number | null): string {
  return share === null ? '–' : `${trimZero((100 * share).toFixed(1))} %`;
}

/** Formats the time of day in UTC: `07:45`. */
export function formatClock(time: number): string {
  return new Date(time).toISOString().slice(11, 16);
}

function trimZero(text: string): string {
  return text.replace(/\.0$/, '');
}
