import type { Html } from '../../docs/pages/html.ts';
import { formatClock } from './traffic-figures.ts';

/** One series of a plot. */
export interface PlotSeries {
  readonly name: string;
  /** `null` leaves a gap. */
  readonly values: readonly (number | null)[];
  /** Number of its colour, 1 to 6. @default its place */
  readonly colour?: number;
}

/** Properties of {@link Plot}. */
export interface PlotProps {
  /** Unique in the page. */
  readonly id: string;
  readonly title: string;
  /** What the plot shows at present, for who does not see it. */
  readonly description: string;
  /** Bars are stacked, lines are not. */
  readonly kind: 'bars' | 'lines';
  /** At most five. The first is at the bottom. */
  readonly series: readonly PlotSeries[];
  /** Start of each point, in milliseconds since the epoch. */
  readonly times: readonly number[];
  readonly formatValue: (value: number) => string;
}

const WIDTH = 320;
const HEIGHT = 96;
/** Space above for the label of the greatest value. */
const TOP = 14;
/** Space below for the times. */
const BOTTOM = 14;
const PLOT_HEIGHT = HEIGHT - TOP - BOTTOM;

/** A small plot as SVG. A table beside it has the same values. */
export function Plot(props: PlotProps): Html {
  const { description, formatValue, id, kind, series, times, title } = props;
  const maximum = roundUp(kind === 'bars' ? findStackMaximum(series) : findMaximum(series));
  const draw = kind === 'bars' ? drawStackedBars : drawLines;
  return (
    <figure class="plot">
      <figcaption>{title}</figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-labelledby={`${id}-title ${id}-description`}
        focusable="false"
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-description`}>{description}</desc>
        <path class="plot-grid" d={`M0 ${TOP}H${WIDTH}M0 ${HEIGHT - BOTTOM}H${WIDTH}`} />
        {draw(series, maximum).map((path, index) => (
          <path class={`plot-${kind} series-${series[index]?.colour ?? index + 1}`} d={path} />
        ))}
        <text x="0" y={TOP - 4}>
          {formatValue(maximum)}
        </text>
        <text x="0" y={HEIGHT - 3}>
          {formatClock(times[0] ?? 0)}
        </text>
        <text x={WIDTH} y={HEIGHT - 3} text-anchor="end">
          {formatClock(times.at(-1) ?? 0)}
        </text>
      </svg>
      <ul class="plot-legend">
        {series.map(({ colour, name }, index) => (
          <li>
            <svg viewBox="0 0 10 10" aria-hidden="true" focusable="false">
              <path class={`plot-bars series-${colour ?? index + 1}`} d="M0 0H10V10H0Z" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
    </figure>
  );
}

function findMaximum(series: readonly PlotSeries[]): number {
  return Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
}

function findStackMaximum(series: readonly PlotSeries[]): number {
  const length = Math.max(0, ...series.map(({ values }) => values.length));
  const sums = Array.from({ length }, (_, at) =>
    series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
  );
  return Math.max(0, ...sums);
}

/** Rounds up to one significant digit, or 1.5, so that the scale is steady while the plot is refreshed. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const magnitude = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];
  return magnitude * (steps.find((step) => step * magnitude >= value) ?? 10);
}

function drawStackedBars(series: readonly PlotSeries[], maximum: number): readonly string[] {
  const count = Math.max(1, ...series.map(({ values }) => values.length));
  const step = WIDTH / count;
  const base = new Array<number>(count).fill(0);
  return series.map(({ values }) =>
    values
      .map((value, at) => {
        if (value === null || value <= 0) return '';
        const below = base[at] ?? 0;
        base[at] = below + value;
        const height = (value / maximum) * PLOT_HEIGHT;
        const top = HEIGHT - BOTTOM - (below / maximum) * PLOT_HEIGHT - height;
        return `M${toText(at * step)} ${toText(top)}h${toText(step * 0.8)}v${toText(height)}h${toText(-step * 0.8)}z`;
      })
      .join(''),
  );
}

/** A point between two gaps is a short line, so that it is visible. */
function drawLines(series: readonly PlotSeries[], maximum: number): readonly string[] {
  return series.map(({ values }) => {
    const step = WIDTH / Math.max(1, values.length);
    let isOpen = false;
    return values
      .map((value, at) => {
        if (value === null) {
          isOpen = false;
          return '';
        }
        const x = toText(at * step);
        const y = toText(HEIGHT - BOTTOM - (Math.min(value, maximum) / maximum) * PLOT_HEIGHT);
        const command = isOpen ? `L${x} ${y}` : `M${x} ${y}h${toText(step / 2)}`;
        isOpen = true;
        return command;
      })
      .join('');
  });
}

function toText(value: number): string {
  return String(Math.round(value * 10) / 10);
}
