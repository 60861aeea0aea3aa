import {
  formatDuration,
  formatNumber,
  formatShare,
  shorten,
  toPlainText,
  withUnit,
} from '../../base/text.ts';
import {
  type ClientCounts,
  type NamedTraffic,
  type OperatedSite,
  TRAFFIC_SPANS,
  type TrafficSeries,
  type TrafficSummary,
} from '../../gateway/report/operated-site.ts';
import { capitalize } from '../../generator/model/naming/words.ts';
import { type Column, type Html, numbers, Table } from '../ui/page.tsx';
import { ActionForm, note, Section, type SitePage } from './layout.tsx';
import { eventTable, stateSentence } from './overview.tsx';

export const trafficPage: SitePage = ({ clock }, site, request) => {
  const { query } = request;
  const span = TRAFFIC_SPANS.find((each) => each === query.get('span')) ?? '1h';
  const series = site.readTraffic(span);
  const events = site.listEvents();
  const now = clock.now();
  const start = series.points[0]?.time ?? 0;
  return (
    <>
      <Section id="state" isLive>
        <p>{stateSentence(site.readState(), now, './')}</p>
        {site
          .listNotes()
          .map((text) => note(toPlainText(text.startsWith('http') ? text : capitalize(text), 1_000)))}
        <ActionForm request={request} action="rediscover" fields={{ site: site.name }} button="Rediscover" />
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
        {clientTable(site.readClients(), query)}
      </Section>
      <Section id="operations" title="Operations since the start" isLive>
        {operationTable(site.listOperations(), query)}
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
  { clients, requests }: ReturnType<OperatedSite['readClients']>,
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
    { heading: 'asks most', cell: ({ operation }) => toPlainText(operation, 120) || 'several operations' },
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

function operationTable(rows: readonly NamedTraffic[], query: URLSearchParams): Html {
  const columns: readonly Column<NamedTraffic>[] = [
    {
      heading: 'operation',
      cell: ({ name, operation }) =>
        operation === '' ? (
          name
        ) : (
          <a href={`./problems?${new URLSearchParams({ q: name })}`}>{toPlainText(name, 120)}</a>
        ),
    },
    numbers('requests', ({ requests }) => requests),
    numbers('hit ratio', ({ hitRatio }) => hitRatio, formatShare),
    numbers('5xx', ({ serverErrors }) => serverErrors),
    numbers('4xx', ({ clientErrors }) => clientErrors),
    numbers('mean', ({ mean }) => mean, formatDuration),
    numbers('upstream mean', ({ upstream }) => upstream.mean, formatDuration),
    numbers('upstream failed', ({ upstream }) => upstream.errors),
  ];
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

interface PlotSeries {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly colour: 'blue' | 'orange' | 'red' | 'dark';
  readonly mark?: 'dashed' | 'dotted';
}

interface PlotProps {
  readonly title: string;
  readonly series: readonly PlotSeries[];
  readonly times: readonly number[];
  readonly pointMilliseconds: number;
  readonly formatValue: (value: number) => string;
  readonly events: readonly number[];
}

/** Units of the drawing, which is stretched to its element: height, width of a point. */
const PLOT_HEIGHT = 100;
const POINT_WIDTH = 10;

function Plot(props: PlotProps): Html {
  const { formatValue, series, times, title } = props;
  const top = findTop(Math.max(...series.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const width = Math.max(1, times.length) * POINT_WIDTH;
  const mark = ({ colour, mark: dash }: PlotSeries, path: string): Html => (
    <path class={`series-${colour} ${dash ?? ''}`} d={path} />
  );
  return (
    <figure class="plot">
      <figcaption>{title}</figcaption>
      <div class="plot-frame">
        <div class="plot-scale" aria-hidden="true">
          <span>{formatValue(top)}</span>
          <span>{formatValue(top / 2)}</span>
          <span>0</span>
        </div>
        <div class="plot-drawing">
          <svg
            viewBox={`0 0 ${width} ${PLOT_HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={title}
          >
            <path
              class="plot-grid"
              d={`M0 0H${width}M0 ${PLOT_HEIGHT / 2}H${width}M0 ${PLOT_HEIGHT}H${width}`}
            />
            {series.map((each) => mark(each, drawLine(each, top)))}
            <path class="plot-events" d={drawEvents(props, width)} />
            {times.map((_, at) => pointTitle(props, at))}
          </svg>
        </div>
        <div class="plot-times" aria-hidden="true">
          {[times[0], times[Math.floor(times.length / 2)], times.at(-1)].map((time = 0) => (
            <time datetime={new Date(time).toISOString()} data-clock>
              {formatClock(time, 60_000)}
            </time>
          ))}
        </div>
      </div>
      <ul class="plot-legend">
        {series.map((each) => (
          <li>
            <svg viewBox="0 0 24 12" aria-hidden="true">
              {mark(each, 'M0 6H24')}
            </svg>
            {each.name}
          </li>
        ))}
      </ul>
    </figure>
  );
}

function drawEvents({ events, pointMilliseconds, times }: PlotProps, width: number): string {
  const [start = 0] = times;
  return events
    .map((time) => ((time - start) / pointMilliseconds) * POINT_WIDTH)
    .filter((x) => x >= 0 && x <= width)
    .map((x) => `M${toText(x)} 0V${PLOT_HEIGHT}`)
    .join('');
}

function pointTitle({ formatValue, pointMilliseconds, series, times }: PlotProps, at: number): Html | null {
  const values = series.flatMap(({ name, values: all }) => {
    const value = all[at] ?? 0;
    return value === 0 ? [] : [`${name} ${formatValue(value)}`];
  });
  if (values.length === 0) return null;
  return (
    <path class="plot-point" d={`M${at * POINT_WIDTH} 0h${POINT_WIDTH}v${PLOT_HEIGHT}h-${POINT_WIDTH}z`}>
      <title>{`${formatClock(times[at] ?? 0, pointMilliseconds)}: ${values.join(', ')}`}</title>
    </path>
  );
}

function formatClock(time: number, pointMilliseconds: number): string {
  return `${new Date(time).toISOString().slice(11, pointMilliseconds < 60_000 ? 19 : 16)}\u00a0UTC`;
}

function describeInterval(milliseconds: number): string {
  const minutes = Math.round(milliseconds / 60_000);
  return minutes === 1 ? 'per minute' : `per ${withUnit(minutes, 'min')}`;
}

/** Steps of the top of a scale. Half of a whole top is whole. */
const STEPS = [1, 1.2, 1.6, 2, 4, 6, 8, 10];

/** Rounds up to a step, so that the scale is steady while the plot is refreshed. */
function findTop(value: number): number {
  if (value <= 2) return 2;
  const magnitude = 10 ** Math.floor(Math.log10(value));
  return magnitude * (STEPS.find((step) => step * magnitude >= value) ?? 10);
}

/** A point between two gaps is a short line, so that it is visible. */
function drawLine({ values }: PlotSeries, top: number): string {
  const end = POINT_WIDTH / 4;
  let isOpen = false;
  return values
    .map((value, at) => {
      if (value === null) return '';
      const x = (at + 0.5) * POINT_WIDTH;
      const y = toText(PLOT_HEIGHT - (value / top) * PLOT_HEIGHT);
      const path = isOpen ? `L${x} ${y}` : `M${x - end} ${y}H${x}`;
      isOpen = (values[at + 1] ?? null) !== null;
      return isOpen ? path : `${path}h${end}`;
    })
    .join('');
}

function toText(value: number): string {
  return String(Math.round(value * 100) / 100);
}
