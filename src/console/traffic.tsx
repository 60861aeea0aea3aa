import { formatNumber } from '../count-of.ts';
import type { LimitedSubject, LimitReport } from '../gateway/limiting/site-limits.ts';
import type { MountedSite } from '../gateway/mounted-site.ts';
import { readSiteStatus } from '../gateway/process-status.ts';
import {
  NO_OPERATION,
  type OperationTraffic,
  TRAFFIC_SPANS,
  type TrafficSeries,
  type TrafficSpan,
} from '../gateway/traffic/site-traffic.ts';
import type { TrafficSummary } from '../gateway/traffic/traffic-counters.ts';
import { formatDuration, formatRate, formatShare, withUnit } from '../ui/format.ts';
import type { Html } from '../ui/page.tsx';
import { Method, Time } from '../ui/parts.tsx';
import { type Column, numbers, Table } from '../ui/table.tsx';
import { toPlainText } from '../ui/text.ts';
import { ChoiceLinks, figure, note, toQueryUrl } from './layout.tsx';
import { getOperations } from './operations.ts';
import {
  type ConsoleContext,
  type ConsolePage,
  type ConsoleSection,
  createSitePage,
  liveSection,
  section,
} from './page.ts';
import { Plot, type PlotProps, type PlotSeries } from './plot.tsx';

const SPAN_NAMES: Readonly<Record<TrafficSpan, string>> = {
  '10m': withUnit(10, 'min'),
  '1h': withUnit(1, 'h'),
  '6h': withUnit(6, 'h'),
};

/** Names of traffic that belongs to no operation. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  [NO_OPERATION.unknownRoutes]: 'routes outside the document',
  [NO_OPERATION.pages]: 'pages of the site',
  [NO_OPERATION.own]: 'documentation and document',
  [NO_OPERATION.other]: 'further operations',
};

export function createTrafficPage(context: ConsoleContext): ConsolePage {
  return createSitePage(context, 'traffic', 'Traffic', (site, { query }) => {
    const span = readSpan(query);
    const { traffic } = site.recorder;
    const toRow = ({ operation, summary }: OperationTraffic): OperationRow => {
      const facts = getOperations(site.runtime.snapshot).get(operation);
      return {
        method: facts?.operation.method ?? null,
        name: facts?.operation.path ?? OTHER_NAMES[operation] ?? operation,
        figures: summary,
      };
    };
    return [
      section('span', '', () => spanLinks(query, span)),
      liveSection('plots', '', () => trafficPlots(traffic.read(span))),
      liveSection('operations', 'Operations', () => operationTable(traffic.listOperations(span).map(toRow))),
      ...limitSections(site, context),
    ];
  });
}

function limitSections(site: MountedSite, { clock }: ConsoleContext): readonly ConsoleSection[] {
  const { limits } = readSiteStatus(site);
  if (limits === null) return [];
  return [liveSection('limits', 'Rate limits', () => limitedSubjects(limits, clock.now()))];
}

function limitedSubjects({ isAlone, limited }: LimitReport, now: number): Html {
  const columns: readonly Column<LimitedSubject>[] = [
    { heading: 'client or credential', cell: ({ who }) => <code>{toPlainText(who, 80)}</code> },
    { heading: 'policy', cell: ({ policy }) => policy },
    numbers('refused', ({ refused }) => formatNumber(refused)),
    { heading: 'last', cell: ({ last }) => <Time at={last} now={now} /> },
  ];
  return (
    <>
      {note(isAlone ? 'The shared counts cannot be reached: this gateway limits by its own counts.' : null)}
      {limited.length === 0 ? (
        <p>No request was refused.</p>
      ) : (
        <Table label="Limited clients" columns={columns} rows={limited} />
      )}
    </>
  );
}

function readSpan(query: URLSearchParams): TrafficSpan {
  return TRAFFIC_SPANS.find((span) => span === query.get('span')) ?? '1h';
}

function spanLinks(query: URLSearchParams, span: TrafficSpan): Html {
  const choices = TRAFFIC_SPANS.map((value) => ({
    value,
    url: toQueryUrl(query, { span: value }),
    text: SPAN_NAMES[value],
  }));
  return <ChoiceLinks choices={choices} current={span} label="Time up to now" look="segments" />;
}

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
        {figure('Hit ratio', formatShare(hitRatio), 'of reads that may use the store')}
        {figure('Response time, p50', formatDuration(p50), percentiles)}
        {figure('4xx responses', formatNumber(clientErrors), share(clientErrors))}
        {figure('5xx responses', formatNumber(serverErrors), share(serverErrors))}
        {figure(
          'Upstream requests',
          formatNumber(upstream.requests),
          `${formatNumber(upstream.errors)} failed`,
        )}
        {figure(
          'Upstream time, mean',
          formatDuration(upstream.mean),
          `p95\u00a0${formatDuration(upstream.p95)}`,
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

/** The results of the cache, as plots and tables name them. */
const OUTCOMES: readonly (Omit<PlotSeries, 'values'> & {
  readonly outcome: keyof TrafficSummary['outcomes'];
})[] = [
  { outcome: 'hit', name: 'hit', colour: 'blue' },
  { outcome: 'stale', name: 'stale', colour: 'blue', mark: 'striped' },
  { outcome: 'miss', name: 'miss', colour: 'orange' },
  { outcome: 'bypass', name: 'bypass', colour: 'dark' },
  { outcome: 'none', name: 'gateway', colour: 'grey' },
];

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
      series: OUTCOMES.map(({ outcome, ...look }) => ({
        ...look,
        values: pick(({ outcomes }) => outcomes[outcome]),
      })),
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
        { name: '4xx', colour: 'orange', mark: 'striped', values: pick((figures) => figures.clientErrors) },
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
  return (
    <Table
      label="Operations"
      look="operation-traffic"
      columns={columns}
      rows={shown.slice(0, MAX_ROWS)}
      total={rows.length}
    />
  );
}
