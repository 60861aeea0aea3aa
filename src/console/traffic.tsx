import { readSiteState } from '../admin/site-state.ts';
import { formatNumber } from '../count-of.ts';
import type { MountedSite } from '../site/mounted-site.ts';
import type { RecordedAgentCall } from '../site/traffic/site-recorder.ts';
import { TRAFFIC_SPANS, type TrafficSeries, type TrafficSpan } from '../site/traffic/site-traffic.ts';
import type { TrafficSummary } from '../site/traffic/traffic-counters.ts';
import { formatDuration, formatRate, formatShare, withUnit } from '../ui/format.ts';
import type { Html } from '../ui/page.tsx';
import { Clock, Method } from '../ui/parts.tsx';
import { type Column, numbers, Table } from '../ui/table.tsx';
import { shorten, toPlainText } from '../ui/text.ts';
import { eventTable, listEvents } from './events.tsx';
import { figure, RequestLink, Section } from './layout.tsx';
import { SiteNotes, stateSentence } from './overview.tsx';
import { listServedOperations, OTHER_NAMES, readRange, type SitePage } from './page.ts';
import { Plot } from './plot.tsx';

const SPAN_NAMES: Readonly<Record<TrafficSpan, string>> = {
  '10m': withUnit(10, 'min'),
  '1h': withUnit(1, 'h'),
  '6h': withUnit(6, 'h'),
};

export const trafficPage: SitePage = (context, site, request) => {
  const { query } = request;
  const span = TRAFFIC_SPANS.find((each) => each === query.get('span')) ?? '1h';
  const { traffic } = site.recorder;
  const operations = new Map(
    listServedOperations(site.runtime.snapshot).map(({ operation }) => [operation.id, operation]),
  );
  const toRow = (id: string, figures: TrafficSummary): OperationRow => {
    const { method = null, path = OTHER_NAMES[id] ?? id } = operations.get(id) ?? {};
    return { id, method, name: path, figures };
  };
  const rows = traffic.listOperations(span).map(({ operation, summary }) => toRow(operation, summary));
  const own = query.get('operation');
  const series = (own === null ? null : traffic.read(span, own)) ?? traffic.read(span);
  const events = listEvents(context, [site]);
  const now = context.clock.now();
  const { from, to } = readRange(query);
  const range = { from, to: Math.min(to, now) };
  const start = Math.max(range.from, series.points[0]?.time ?? 0);
  const shown = events.filter(({ time }) => time >= start && time <= range.to);
  const others = new URLSearchParams(query);
  others.delete('span');
  return (
    <>
      <Section id="state" isLive>
        <p>{stateSentence(site, readSiteState(site, context.alerts), context.clock.now())}</p>
        <SiteNotes site={site} />
      </Section>
      <nav class="segments" aria-label="Time up to now">
        {TRAFFIC_SPANS.map((value) => (
          <a
            href={`?${new URLSearchParams({ ...Object.fromEntries(others), span: value })}`}
            aria-current={value === span ? 'true' : undefined}
          >
            {SPAN_NAMES[value]}
          </a>
        ))}
      </nav>
      {own === null ? null : operationLead(toRow(own, series.total), context.toSiteUrl(request, site), site)}
      {range.from === 0 ? null : (
        <p>
          Events from <Clock at={range.from} now={context.clock.now()} /> to{' '}
          <Clock at={range.to} now={context.clock.now()} />. <a href={`./problems?${query}`}>Problems</a> of
          this time. <a href={`?span=${span}`}>All</a>
        </p>
      )}
      <Section id="plots" isLive>
        {trafficPlots(
          withoutEmptyStart(series),
          events.filter(({ isMarked }) => isMarked).map(({ time }) => time),
        )}
      </Section>
      <Section id="events" title="Events" isLive>
        {eventTable(shown, now, 50)}
      </Section>
      {own !== null ? null : (
        <Section id="operations" title="Operations" isLive>
          {operationTable(rows, query)}
        </Section>
      )}
      {own !== null || site.agents === null ? null : (
        <Section id="agents" title="Calls of agents" isLive>
          {agentTable(site.recorder.agentCalls.list(), context.clock.now())}
        </Section>
      )}
    </>
  );
};

const MIN_POINTS = 12;

function withoutEmptyStart(series: TrafficSeries): TrafficSeries {
  const first = series.points.findIndex(({ requests, upstream }) => requests + upstream.requests > 0);
  const start = Math.min(Math.max(0, first), series.points.length - MIN_POINTS);
  return { ...series, points: series.points.slice(Math.max(0, start)) };
}

function operationLead({ method, name }: OperationRow, url: string | null, { settings }: MountedSite): Html {
  return (
    <p>
      {method === null ? null : <Method method={method} />} <code>{toPlainText(name, 160)}</code>{' '}
      <a href={`./problems?${new URLSearchParams({ q: `${method ?? ''} ${name}` })}`}>Problems</a>{' '}
      {url === null ? null : <a href={url + settings.addresses.docs}>Reference</a>}{' '}
      <a href="?">All operations</a>
    </p>
  );
}

function agentTable(calls: readonly RecordedAgentCall[], now: number): Html {
  const columns: readonly Column<RecordedAgentCall>[] = [
    { heading: 'time', cell: ({ time }) => <Clock at={time} now={now} /> },
    { heading: 'tool', cell: ({ tool }) => <code>{shorten(tool, 40)}</code> },
    { heading: 'operation', cell: ({ operation = '' }) => shorten(operation, 80) },
    { heading: 'class', cell: ({ class: name = '' }) => name },
    { heading: 'outcome', cell: ({ outcome }) => String(outcome) },
    { heading: 'user', cell: ({ user = '' }) => shorten(user, 60) },
    { heading: 'client', cell: ({ client }) => shorten(client, 60) },
    { heading: 'request', cell: ({ requestId }) => <RequestLink id={requestId} /> },
  ];
  return <Table label="Calls of agents" columns={columns} rows={calls} empty="No agent has called a tool." />;
}

function trafficPlots(series: TrafficSeries, events: readonly number[]): Html {
  const { observedMilliseconds, pointMilliseconds, points, total } = series;
  const { clientErrors, hitRatio, p50, p95, p99, requests, serverErrors, upstream } = total;
  const share = (count: number): string =>
    `${formatShare(requests === 0 ? null : count / requests)} of the requests`;
  const percentiles = `p95\u00a0${formatDuration(p95)}, p99\u00a0${formatDuration(p99)}`;
  const pick = (read: (figures: TrafficSummary) => number | null) => points.map(read);
  const base = { pointMilliseconds, events, times: points.map(({ time }) => time) };
  const bars = { ...base, kind: 'bars', formatValue: formatNumber } as const;
  const lines = { ...base, kind: 'lines', formatValue: formatDuration } as const;
  return (
    <>
      <dl class="figures">
        {figure('Requests', formatNumber(requests), formatRate((60_000 * requests) / observedMilliseconds))}
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
      <div class="plots" data-from={base.times[0]} data-length={points.length * pointMilliseconds}>
        <Plot
          {...bars}
          title="Requests"
          series={[
            { name: 'hit', colour: 'blue', values: pick(({ outcomes: { hit, stale } }) => hit + stale) },
            { name: 'miss', colour: 'orange', values: pick(({ outcomes }) => outcomes.miss) },
            { name: 'bypass', colour: 'dark', values: pick(({ outcomes }) => outcomes.bypass) },
            { name: 'gateway', colour: 'grey', values: pick(({ outcomes }) => outcomes.none) },
          ]}
        />
        <Plot
          {...lines}
          title="Response time"
          series={[
            { name: 'p50', colour: 'blue', values: pick((figures) => figures.p50) },
            { name: 'p95', colour: 'orange', mark: 'dashed', values: pick((figures) => figures.p95) },
            { name: 'p99', colour: 'dark', mark: 'dotted', values: pick((figures) => figures.p99) },
          ]}
        />
        <Plot
          {...lines}
          title="Upstream time"
          series={[
            { name: 'mean', colour: 'blue', values: pick((figures) => figures.upstream.mean) },
            {
              name: 'p95',
              colour: 'orange',
              mark: 'dashed',
              values: pick((figures) => figures.upstream.p95),
            },
          ]}
        />
        <Plot
          {...bars}
          title="4xx and 5xx"
          series={[
            { name: '4xx', colour: 'orange', values: pick((figures) => figures.clientErrors) },
            { name: '5xx', colour: 'red', values: pick((figures) => figures.serverErrors) },
          ]}
        />
      </div>
    </>
  );
}

interface OperationRow {
  readonly id: string;
  readonly method: string | null;
  readonly name: string;
  readonly figures: TrafficSummary;
}

function operationTable(rows: readonly OperationRow[], query: URLSearchParams): Html {
  const columns: readonly Column<OperationRow>[] = [
    {
      heading: 'operation',
      cell: ({ id, method, name }) => (
        <>
          {method === null ? null : <Method method={method} />}{' '}
          <a href={`./traffic?${new URLSearchParams({ operation: id })}`}>{toPlainText(name, 120)}</a>
        </>
      ),
    },
    numbers('requests', ({ figures }) => figures.requests),
    numbers('hit ratio', ({ figures }) => figures.hitRatio, formatShare),
    numbers('5xx', ({ figures }) => figures.serverErrors),
    numbers('4xx', ({ figures }) => figures.clientErrors),
    numbers('p95', ({ figures }) => figures.p95, formatDuration),
    numbers('upstream mean', ({ figures }) => figures.upstream.mean, formatDuration),
    numbers('upstream failed', ({ figures }) => figures.upstream.errors),
  ];
  return (
    <Table
      label="Operations"
      columns={columns}
      rows={rows.toSorted((one, other) => other.figures.requests - one.figures.requests)}
      max={100}
      empty="No requests in this time."
      sorting={[query, 'operations']}
    />
  );
}
