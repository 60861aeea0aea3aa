import { formatNumber } from '../../count-of.ts';
import { formatDuration, formatMilliseconds, formatRate, formatShare, withUnit } from '../../ui/format.ts';
import type { Html } from '../../ui/page.tsx';
import { Method, Time } from '../../ui/parts.tsx';
import { type Column, numbers, Table } from '../../ui/table.tsx';
import { toPlainText } from '../../ui/text.ts';
import { findSiteByKey, siteKey } from '../admin/site-operations.ts';
import type { LimitedSubject, LimitReport } from '../limiting/site-limits.ts';
import type { MountedSite } from '../mounted-site.ts';
import { readSiteStatus } from '../process-status.ts';
import {
  NO_OPERATION,
  type OperationTraffic,
  TRAFFIC_SPANS,
  type TrafficPoint,
  type TrafficSeries,
  type TrafficSpan,
} from '../traffic/site-traffic.ts';
import type { TrafficSummary } from '../traffic/traffic-counters.ts';
import { ChoiceLinks, figure, note, toQueryUrl } from './layout.tsx';
import { getOperations, relatedLinks, toTrafficUrl } from './operations.tsx';
import {
  type ConsoleContext,
  type ConsolePage,
  type ConsoleSection,
  createSitePage,
  liveSection,
  section,
} from './page.ts';
import { formatClock, Plot, type PlotProps, type PlotSeries } from './plot.tsx';

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

export function createTrafficPages(context: ConsoleContext): readonly ConsolePage[] {
  return [
    createSitePage(context, 'traffic', 'Traffic', (site, { query, root }) => {
      const span = readSpan(query);
      const { traffic } = site.recorder;
      const toRow = ({ operation, summary }: OperationTraffic): OperationRow => {
        const facts = getOperations(site.runtime.snapshot).get(operation);
        return {
          url: `${toTrafficUrl(root, site, operation)}?${new URLSearchParams({ span })}`,
          method: facts?.operation.method ?? null,
          name: facts?.operation.path ?? OTHER_NAMES[operation] ?? operation,
          figures: summary,
        };
      };
      return [
        section('span', '', () => spanLinks(query, span)),
        liveSection('plots', '', () => trafficPlots(traffic.read(span))),
        liveSection('operations', 'Operations', () =>
          operationTable(traffic.listOperations(span).map(toRow), query),
        ),
        ...limitSections(site, context),
        liveSection('values', '', () => trafficValues(traffic.read(span))),
      ];
    }),
    {
      path: 'sites/:site/traffic/:operation',
      render(request) {
        const { params, query } = request;
        const site = findSiteByKey(context.sites, params['site'] ?? '');
        const id = params['operation'] ?? '';
        const title = nameOperation(site, id);
        if (site === undefined || title === undefined) return null;
        const span = readSpan(query);
        const read = () => site.recorder.traffic.readOperation(id, span);
        const show = (none: string, view: (series: TrafficSeries) => Html): Html => {
          const series = read();
          return series === null ? <p>{none}</p> : view(series);
        };
        return {
          title,
          tab: 'traffic',
          site: siteKey(site),
          sections: [
            section('links', '', () => relatedLinks(context, site, id, request)),
            section('span', '', () => spanLinks(query, span)),
            liveSection('plots', '', () => show('No requests in the last six hours.', trafficPlots)),
            liveSection('values', '', () => show('Nothing was recorded.', trafficValues)),
          ],
        };
      },
    },
  ];
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

function nameOperation(site: MountedSite | undefined, id: string): string | undefined {
  const facts = getOperations(site?.runtime.snapshot ?? null).get(id);
  return facts === undefined ? OTHER_NAMES[id] : `${facts.operation.method} ${facts.operation.path}`;
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

/** A column of numbers. The unit of times is in the heading. */
interface TrafficColumn {
  readonly heading: string;
  readonly format: (value: number | null) => string;
  readonly read: (figures: TrafficSummary) => number | null;
}

const count = (heading: string, read: TrafficColumn['read']): TrafficColumn => ({
  heading,
  format: (value) => formatNumber(value ?? 0),
  read,
});
const time = (name: string, read: TrafficColumn['read']): TrafficColumn => ({
  heading: `${name},\u00a0ms`,
  format: formatMilliseconds,
  read,
});

const REQUESTS = count('requests', ({ requests }) => requests);
const CLIENT_ERRORS = count('4xx', ({ clientErrors }) => clientErrors);
const SERVER_ERRORS = count('5xx', ({ serverErrors }) => serverErrors);
const P95 = time('p95', ({ p95 }) => p95);
const UPSTREAM_MEAN = time('upstream mean', ({ upstream }) => upstream.mean);

const POINT_COLUMNS: readonly TrafficColumn[] = [
  REQUESTS,
  ...OUTCOMES.map(({ name, outcome }) => count(name, ({ outcomes }) => outcomes[outcome])),
  CLIENT_ERRORS,
  SERVER_ERRORS,
  time('p50', ({ p50 }) => p50),
  P95,
  time('p99', ({ p99 }) => p99),
  UPSTREAM_MEAN,
  time('upstream p95', ({ upstream }) => upstream.p95),
];

/** The values of the plots as a table. Points without traffic are left out. */
export function trafficValues({ pointMilliseconds, points }: TrafficSeries): Html {
  const rows = points.filter(({ requests, upstream }) => requests > 0 || upstream.requests > 0).toReversed();
  const columns: readonly Column<TrafficPoint>[] = [
    { heading: 'from (UTC)', cell: ({ time: start }) => formatClock(start, pointMilliseconds) },
    ...POINT_COLUMNS.map(({ format, heading, read }) =>
      numbers<TrafficPoint>(heading, (point) => format(read(point))),
    ),
  ];
  return (
    <details id="plot-values">
      <summary>Values of the plots</summary>
      {rows.length === 0 ? <p>No requests in this time.</p> : null}
      <Table label="Values of the plots" columns={columns} rows={rows} />
    </details>
  );
}

/** The traffic of one operation, or of what belongs to no operation. */
export interface OperationRow {
  /** Address of its page, relative to the page of the table. */
  readonly url: string;
  /** `null` for what is no operation. */
  readonly method: string | null;
  /** Path template, or a name. */
  readonly name: string;
  readonly figures: TrafficSummary;
}

interface SortColumn extends TrafficColumn {
  readonly sort: string;
  /** The most noteworthy operations come first. */
  readonly order: 'ascending' | 'descending';
}

const SORT_COLUMNS: readonly [SortColumn, ...SortColumn[]] = [
  { ...REQUESTS, sort: 'requests', order: 'descending' },
  { ...P95, sort: 'p95', order: 'descending' },
  {
    heading: 'hit\u00a0ratio',
    format: formatShare,
    read: ({ hitRatio }) => hitRatio,
    sort: 'hits',
    order: 'ascending',
  },
  { ...CLIENT_ERRORS, sort: '4xx', order: 'descending' },
  { ...SERVER_ERRORS, sort: '5xx', order: 'descending' },
  { ...UPSTREAM_MEAN, sort: 'upstream', order: 'descending' },
  { ...count('upstream failed', ({ upstream }) => upstream.errors), sort: 'failed', order: 'descending' },
];

const MAX_ROWS = 100;

/** The operations of a site. @param query of the page, which may name the column that sorts */
export function operationTable(rows: readonly OperationRow[], query: URLSearchParams): Html {
  if (rows.length === 0) return <p>No requests in this time.</p>;
  const sorting = SORT_COLUMNS.find(({ sort }) => sort === query.get('sort')) ?? SORT_COLUMNS[0];
  const columns: readonly Column<OperationRow>[] = [
    {
      heading: 'operation',
      cell: ({ method, name, url }) => (
        <>
          {method === null ? null : (
            <>
              <Method method={method} />{' '}
            </>
          )}
          <a href={url}>{toPlainText(name, 120)}</a>
        </>
      ),
    },
    ...SORT_COLUMNS.map(({ format, heading, order, read, sort }) => ({
      heading: (
        <>
          <a href={toQueryUrl(query, { sort })}>{heading}</a>
          {sort !== sorting.sort ? null : (
            <span aria-hidden="true">{order === 'ascending' ? '\u00a0▲' : '\u00a0▼'}</span>
          )}
        </>
      ),
      isNumber: true,
      order: sort === sorting.sort ? order : undefined,
      cell: ({ figures }: OperationRow) => format(read(figures)),
    })),
  ];
  const shown = sortOperations(rows, sorting).slice(0, MAX_ROWS);
  return (
    <Table label="Operations" look="operation-traffic" columns={columns} rows={shown} total={rows.length} />
  );
}

/** Sorts operations, with the most noteworthy first. Those without a value come last. */
function sortOperations(rows: readonly OperationRow[], { order, read }: SortColumn): readonly OperationRow[] {
  const sign = order === 'ascending' ? -1 : 1;
  const weigh = ({ figures }: OperationRow): number => {
    const value = read(figures);
    return value === null ? -Infinity : sign * value;
  };
  const compare = (one: number, other: number): number => (one === other ? 0 : other > one ? 1 : -1);
  return rows.toSorted(
    (one, other) =>
      compare(weigh(one), weigh(other)) || compare(one.figures.requests, other.figures.requests),
  );
}
