import { formatNumber } from '../../base/count-of.ts';
import { formatDuration, formatShare } from '../../base/format.ts';
import { shorten, toPlainText } from '../../base/text.ts';
import { listEvents } from '../../gateway/report/events.ts';
import { readSiteState } from '../../gateway/report/remarks.ts';
import { nameOperations } from '../../gateway/report/stored.ts';
import type { BusyClients, ClientCounts } from '../../gateway/site/traffic/busy-clients.ts';
import type { Durations, OperationTraffic } from '../../gateway/site/traffic/durations.ts';
import {
  TRAFFIC_SPANS,
  type TrafficSeries,
  type TrafficSummary,
} from '../../gateway/site/traffic/site-traffic.ts';
import { capitalize } from '../../generator/model/naming/words.ts';
import type { Html } from '../ui/page.tsx';
import { type Column, numbers, Table } from '../ui/table.tsx';
import { eventTable } from './events.tsx';
import { ActionForm, note, Section } from './layout.tsx';
import { stateSentence } from './overview.tsx';
import type { SitePage } from './page.ts';
import { describeInterval, Plot } from './plot.tsx';

export const trafficPage: SitePage = (context, site, request) => {
  const { query } = request;
  const span = TRAFFIC_SPANS.find((each) => each === query.get('span')) ?? '1h';
  const { traffic } = site.recorder;
  const series = traffic.read(span);
  const events = listEvents(context, [site]);
  const now = context.clock.now();
  const start = series.points[0]?.time ?? 0;
  return (
    <>
      <Section id="state" isLive>
        <p>{stateSentence(readSiteState(site, context), now, './')}</p>
        {[site.runtime.lastDiscoveryError?.message, site.describeForeignLinks()].map((text) =>
          note(text ? toPlainText(text.startsWith('http') ? text : capitalize(text), 1_000) : null),
        )}
        <ActionForm
          request={request}
          action="rediscover"
          fields={{ site: site.settings.name }}
          button="Rediscover"
        />
      </Section>
      <nav class="segments" aria-label="Time up to now">
        {TRAFFIC_SPANS.map((value) => (
          <a
            href={`?${new URLSearchParams({ ...Object.fromEntries(query), span: value })}`}
            aria-current={value === span ? 'true' : undefined}
          >
            {value.replace('m', ' min').replace('h', ' h')}
          </a>
        ))}
      </nav>
      <Section id="plots" isLive>
        {series.total.requests + series.total.upstream.requests === 0 ? (
          <p>No requests in this time.</p>
        ) : (
          trafficPlots(
            withoutEmptyStart(series),
            events.filter(({ isMarked }) => isMarked).map(({ time }) => time),
          )
        )}
      </Section>
      <Section id="events" title="Events" isLive>
        {eventTable(
          events.filter(({ time }) => time >= start),
          now,
          50,
        )}
      </Section>
      <Section id="clients" title="Busiest clients of the last minutes" isLive>
        {clientTable(site.recorder.clients.read(), nameOperations(site.runtime.snapshot), query)}
      </Section>
      <Section id="operations" title="Operations since the start" isLive>
        {operationTable(traffic.durations, nameOperations(site.runtime.snapshot), query)}
      </Section>
    </>
  );
};

const MIN_POINTS = 12;

function withoutEmptyStart(series: TrafficSeries): TrafficSeries {
  const start = Math.min(findFirst(series), series.points.length - MIN_POINTS);
  return { ...series, points: series.points.slice(Math.max(0, start)) };
}

function findFirst({ points }: TrafficSeries): number {
  return Math.max(
    0,
    points.findIndex(({ requests, upstream }) => requests + upstream.requests > 0),
  );
}

function trafficPlots(series: TrafficSeries, events: readonly number[]): Html {
  const { pointMilliseconds, points } = series;
  const first = findFirst(series);
  // Nothing is known of the time before the first request: the gateway can have started later.
  const pick = (read: (figures: TrafficSummary) => number | null) =>
    points.map((point, at) => (at < first ? null : read(point)));
  const base = { pointMilliseconds, events, times: points.map(({ time }) => time) };
  const counts = { ...base, formatValue: formatNumber };
  const interval = describeInterval(pointMilliseconds);
  return (
    <div class="plots">
      <Plot
        {...counts}
        title={`Requests ${interval}`}
        series={[
          { name: 'all', colour: 'dark', mark: 'dotted', values: pick((figures) => figures.requests) },
          { name: 'hit', colour: 'blue', values: pick(({ outcomes: { hit, stale } }) => hit + stale) },
          {
            name: 'miss or bypass',
            colour: 'orange',
            mark: 'dashed',
            values: pick(({ outcomes: { bypass, miss } }) => bypass + miss),
          },
        ]}
      />
      <Plot
        title="Response time"
        formatValue={formatDuration}
        series={[
          { name: 'p50', colour: 'blue', values: pick((figures) => figures.p50) },
          { name: 'p95', colour: 'orange', mark: 'dashed', values: pick((figures) => figures.p95) },
          {
            name: 'p95 of the site',
            colour: 'dark',
            mark: 'dotted',
            values: pick((figures) => figures.upstream.p95),
          },
        ]}
        {...base}
      />
      <Plot
        {...counts}
        title={`4xx and 5xx ${interval}`}
        series={[
          { name: '4xx', colour: 'orange', mark: 'dashed', values: pick((figures) => figures.clientErrors) },
          { name: '5xx', colour: 'red', values: pick((figures) => figures.serverErrors) },
        ]}
      />
    </div>
  );
}

function clientTable(
  { clients, requests }: ReturnType<BusyClients['read']>,
  nameOperation: (id: string) => string,
  query: URLSearchParams,
): Html {
  const columns: readonly Column<ClientCounts>[] = [
    {
      heading: 'client',
      cell: ({ agent, client }) => (
        <>
          <a href={`./problems?${new URLSearchParams({ q: client })}`}>{shorten(client, 60)}</a>
          <small class="place">{toPlainText(agent, 120)}</small>
        </>
      ),
    },
    numbers('requests', (row) => row.requests),
    numbers('share', (row) => (requests === 0 ? null : row.requests / requests), formatShare),
    numbers('no hits', ({ misses }) => misses),
    numbers('4xx', ({ clientErrors }) => clientErrors),
    {
      heading: 'asks most',
      cell: ({ operation }) => toPlainText(nameOperation(operation), 120) || 'several operations',
    },
  ];
  const empty = 'No requests in the last minutes.';
  return (
    <Table
      label="Clients"
      columns={columns}
      rows={clients}
      max={20}
      empty={empty}
      sorting={[query, 'clients']}
    />
  );
}

const ALL = '';

function operationTable(
  durations: Durations,
  nameOperation: (id: string) => string,
  query: URLSearchParams,
): Html {
  const columns: readonly Column<OperationTraffic>[] = [
    {
      heading: 'operation',
      cell: ({ operation: id }) => {
        const name = nameOperation(id);
        if (id === ALL) return 'all requests';
        return <a href={`./problems?${new URLSearchParams({ q: name })}`}>{toPlainText(name, 120)}</a>;
      },
    },
    numbers('requests', ({ requests }) => requests),
    numbers('hit ratio', ({ hitRatio }) => hitRatio, formatShare),
    numbers('5xx', ({ serverErrors }) => serverErrors),
    numbers('4xx', ({ clientErrors }) => clientErrors),
    numbers('mean', ({ mean }) => mean, formatDuration),
    numbers('upstream mean', ({ upstream }) => upstream.mean, formatDuration),
    numbers('upstream failed', ({ upstream }) => upstream.errors),
  ];
  const rows = [durations.summarize(ALL), ...durations.listOperations()];
  return (
    <Table
      label="Operations"
      columns={columns}
      rows={rows.toSorted((one, other) => other.requests - one.requests)}
      max={100}
      sorting={[query, 'operations']}
    />
  );
}
