import { withUnit } from '../../base/format.ts';
import type { Html } from '../ui/page.tsx';

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

export function Plot(props: PlotProps): Html {
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
            <time datetime={new Date(time).toISOString()} data-clock="short">
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

export function describeInterval(milliseconds: number): string {
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
