import { formatNumber } from '../../count-of.ts';
import { formatMilliseconds, formatShare } from '../shell/number-format.ts';
import type { PlotSeries } from './plot-drawing.ts';
import type { TrafficFigures } from './traffic-figures.ts';

/** The results of the cache, as plots and tables name them. */
export const OUTCOMES: readonly (Omit<PlotSeries, 'values'> & {
  readonly outcome: keyof TrafficFigures['outcomes'];
})[] = [
  { outcome: 'hit', name: 'hit', colour: 'blue' },
  { outcome: 'stale', name: 'stale', colour: 'blue', mark: 'striped' },
  { outcome: 'miss', name: 'miss', colour: 'orange' },
  { outcome: 'bypass', name: 'bypass', colour: 'dark' },
  { outcome: 'none', name: 'gateway', colour: 'grey' },
];

/** A column of numbers. */
export interface TrafficColumn {
  readonly heading: string;
  /** That of times is in the heading. */
  readonly unit: Unit;
  readonly read: (figures: TrafficFigures) => number | null;
}

type Unit = 'requests' | 'ms' | 'share';

const FORMATS: Readonly<Record<Unit, (value: number | null) => string>> = {
  requests: (value) => formatNumber(value ?? 0),
  ms: formatMilliseconds,
  share: formatShare,
};

/** Formats the value of a column. */
export function formatCell({ read, unit }: TrafficColumn, figures: TrafficFigures): string {
  return FORMATS[unit](read(figures));
}

const REQUESTS: TrafficColumn = { heading: 'requests', unit: 'requests', read: ({ requests }) => requests };
const CLIENT_ERRORS: TrafficColumn = {
  heading: '4xx',
  unit: 'requests',
  read: ({ clientErrors }) => clientErrors,
};
const SERVER_ERRORS: TrafficColumn = {
  heading: '5xx',
  unit: 'requests',
  read: ({ serverErrors }) => serverErrors,
};
const P95: TrafficColumn = { heading: 'p95,\u00a0ms', unit: 'ms', read: ({ p95 }) => p95 };
const UPSTREAM_MEAN: TrafficColumn = {
  heading: 'upstream mean,\u00a0ms',
  unit: 'ms',
  read: ({ upstream }) => upstream.mean,
};

/** The values of the plots. */
export const POINT_COLUMNS: readonly TrafficColumn[] = [
  REQUESTS,
  ...OUTCOMES.map(
    ({ name, outcome }): TrafficColumn => ({
      heading: name,
      unit: 'requests',
      read: ({ outcomes }) => outcomes[outcome],
    }),
  ),
  CLIENT_ERRORS,
  SERVER_ERRORS,
  { heading: 'p50,\u00a0ms', unit: 'ms', read: ({ p50 }) => p50 },
  P95,
  { heading: 'p99,\u00a0ms', unit: 'ms', read: ({ p99 }) => p99 },
  UPSTREAM_MEAN,
  { heading: 'upstream p95,\u00a0ms', unit: 'ms', read: ({ upstream }) => upstream.p95 },
];

/** Columns of the table of operations, by which it can be sorted. */
export const OPERATION_SORTS = ['requests', 'p95', 'hits', '4xx', '5xx', 'upstream', 'failed'] as const;
export type OperationSort = (typeof OPERATION_SORTS)[number];

export const OPERATION_COLUMNS: Readonly<Record<OperationSort, TrafficColumn>> = {
  requests: REQUESTS,
  p95: P95,
  hits: { heading: 'hit\u00a0ratio', unit: 'share', read: ({ hitRatio }) => hitRatio },
  '4xx': CLIENT_ERRORS,
  '5xx': SERVER_ERRORS,
  upstream: UPSTREAM_MEAN,
  failed: { heading: 'upstream failed', unit: 'requests', read: ({ upstream }) => upstream.errors },
};

/** Direction of each order: the most noteworthy operations come first. */
export const SORT_DIRECTIONS: Readonly<Record<OperationSort, 'ascending' | 'descending'>> = {
  requests: 'descending',
  p95: 'descending',
  hits: 'ascending',
  '4xx': 'descending',
  '5xx': 'descending',
  upstream: 'descending',
  failed: 'descending',
};
