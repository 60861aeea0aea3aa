import { formatNumber } from '../count-of.ts';
import {
  NO_OPERATION,
  TRAFFIC_SPANS,
  type TrafficSeries,
  type TrafficSpan,
} from '../site/traffic/site-traffic.ts';
import type { TrafficSummary } from '../site/traffic/traffic-counters.ts';
import { formatDuration, formatRate, formatShare, withUnit } from '../ui/format.ts';
import type { Html } from '../ui/page.tsx';
import { Method } from '../ui/parts.tsx';
import { type Column, numbers, Table } from '../ui/table.tsx';
import { toPlainText } from '../ui/text.ts';
import { figure, Section } from './layout.tsx';
import { listServedOperations, type SitePage } from './page.ts';
import { Plot, type PlotProps } from './plot.tsx';

const SPAN_NAMES: Readonly<Record<TrafficSpan, string>> = {
  '10m': withUnit(10, 'min'),
  '1h': withUnit(1, 'h'),
  '6h': withUnit(6, 'h'),
};

/** Names of traffic that belongs to no operation. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  [NO_OPERATION.unknownRoutes]: 'routes outside the document',
  [NO_OPERATION.pages]: 'pages of the site',
  [NO_OPERATION.gateway]: 'documentation and document',
  [NO_OPERATION.agents]: 'messages of agents',
  [NO_OPERATION.other]: 'further operations',
};

/** Page about the requests of a site and their durations. */
export const trafficPage: SitePage = (_, site, { query }) => {
  const span = TRAFFIC_SPANS.find((each) => each === query.get('span')) ?? '1h';
  const { traffic } = site.recorder;
  const operations = new Map(
    listServedOperations(site.runtime.snapshot).map(({ operation }) => [operation.id, operation]),
  );
  const rows = traffic.listOperations(span).map(({ operation: id, summary }): OperationRow => {
    const operation = operations.get(id);
    const name = operation?.path ?? OTHER_NAMES[id] ?? id;
    return { method: operation?.method ?? null, name, figures: summary };
  });
  return (
    <>
      <nav class="segments" aria-label="Time up to now">
        {TRAFFIC_SPANS.map((value) => (
          <a href={`?span=${value}`} aria-current={value === span ? 'true' : undefined}>
            {SPAN_NAMES[value]}
          </a>
        ))}
      </nav>
      <Section id="plots" isLive>
        {trafficPlots(traffic.read(span))}
      </Section>
      <Section id="operations" title="Operations" isLive>
        {operationTable(rows)}
      </Section>
    </>
  );
};

/** Requests a minute over the time of a series. */
export function computeRate({ observedMilliseconds, total }: TrafficSeries): number {
  return (60_000 * total.requests) / observedMilliseconds;
}

export function trafficPlots(series: TrafficSeries): Html {
  const { clientErrors, hitRatio, p50, p95, p99, requests, serverErrors, upstream } = series.total;
  const share = (count: number): string =>
    `${formatShare(requests === 0 ? null : count / requests)} of the requests`;
  const percentiles = `p95\u00a0${formatDuration(p95)}, p99\u00a0${formatDuration(p99)}`;
  return (
    <>
      <dl class="figures">
        {figure('Requests', formatNumber(requests), formatRate(computeRate(series)))}
        {figure('Hit ratio', formatShare(hitRatio), 'of reads that can use the store')}
        {figure('Response time, p50', formatDuration(p50), percentiles)}
        {figure('4xx responses', formatNumber(clientErrors), share(clientErrors))}
        {figure('5xx responses', formatNumber(serverErrors), share(serverErrors))}
        {figure(
          'Upstream requests',
          formatNumber(upstream.requests),
          `${formatNumber(upstream.errors)} failed`,
        )}
      </dl>
      <div class="plots">
        {createPlots(series).map((plot) => (
          <Plot {...plot} />
        ))}
      </div>
    </>
  );
}

function createPlots({ pointMilliseconds, points, total }: TrafficSeries): readonly PlotProps[] {
  const pick = (read: (figures: TrafficSummary) => number | null) => points.map(read);
  const { clientErrors, hitRatio, p50, p95, p99, requests, serverErrors, upstream } = total;
  const base = { pointMilliseconds, times: points.map(({ time }) => time) };
  const bars = { ...base, kind: 'bars', formatValue: formatNumber } as const;
  const lines = { ...base, kind: 'lines', formatValue: formatDuration } as const;
  return [
    {
      ...bars,
      id: 'plot-requests',
      title: 'Requests',
      description: `${formatNumber(requests)} requests, hit ratio ${formatShare(hitRatio)}.`,
      series: [
        { name: 'hit', colour: 'blue', values: pick(({ outcomes: { hit, stale } }) => hit + stale) },
        { name: 'miss', colour: 'orange', values: pick(({ outcomes }) => outcomes.miss) },
        { name: 'bypass', colour: 'dark', values: pick(({ outcomes }) => outcomes.bypass) },
        { name: 'gateway', colour: 'grey', values: pick(({ outcomes }) => outcomes.none) },
      ],
    },
    {
      ...lines,
      id: 'plot-latency',
      title: 'Response time',
      description: `p50 ${formatDuration(p50)}, p95 ${formatDuration(p95)}, p99 ${formatDuration(p99)}.`,
      series: [
        { name: 'p50', colour: 'blue', values: pick((figures) => figures.p50) },
        { name: 'p95', colour: 'orange', mark: 'dashed', values: pick((figures) => figures.p95) },
        { name: 'p99', colour: 'dark', mark: 'dotted', values: pick((figures) => figures.p99) },
      ],
    },
    {
      ...lines,
      id: 'plot-upstream',
      title: 'Upstream time',
      description: `Mean ${formatDuration(upstream.mean)}, p95 ${formatDuration(upstream.p95)}.`,
      series: [
        { name: 'mean', colour: 'blue', values: pick((figures) => figures.upstream.mean) },
        { name: 'p95', colour: 'orange', mark: 'dashed', values: pick((figures) => figures.upstream.p95) },
      ],
    },
    {
      ...bars,
      id: 'plot-errors',
      title: '4xx and 5xx',
      description: `${formatNumber(clientErrors)} responses with 4xx, ${formatNumber(serverErrors)} with 5xx.`,
      series: [
        { name: '4xx', colour: 'orange', values: pick((figures) => figures.clientErrors) },
        { name: '5xx', colour: 'red', values: pick((figures) => figures.serverErrors) },
      ],
    },
  ];
}

/** The traffic of one operation, or of what belongs to no operation. */
export interface OperationRow {
  /** `null` for what is no operation. */
  readonly method: string | null;
  /** Path template, or a name. */
  readonly name: string;
  readonly figures: TrafficSummary;
}

const MAX_ROWS = 100;

/** The operations of a site, those with most requests first. */
export function operationTable(rows: readonly OperationRow[]): Html {
  if (rows.length === 0) return <p>No requests in this time.</p>;
  const number = (heading: string, read: (figures: TrafficSummary) => string): Column<OperationRow> =>
    numbers(heading, ({ figures }) => read(figures));
  const columns: readonly Column<OperationRow>[] = [
    {
      heading: 'operation',
      cell: ({ method, name }) => (
        <>
          {method === null ? null : <Method method={method} />} {toPlainText(name, 120)}
        </>
      ),
    },
    number('requests', ({ requests }) => formatNumber(requests)),
    number('hit\u00a0ratio', ({ hitRatio }) => formatShare(hitRatio)),
    number('4xx', ({ clientErrors }) => formatNumber(clientErrors)),
    number('5xx', ({ serverErrors }) => formatNumber(serverErrors)),
    number('p95', ({ p95 }) => formatDuration(p95)),
    number('upstream mean', ({ upstream }) => formatDuration(upstream.mean)),
    number('upstream failed', ({ upstream }) => formatNumber(upstream.errors)),
  ];
  const shown = rows.toSorted((one, other) => other.figures.requests - one.figures.requests);
  return <Table label="Operations" columns={columns} rows={shown.slice(0, MAX_ROWS)} total={rows.length} />;
}
