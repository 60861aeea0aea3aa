import type { Html } from '../../docs/pages/html.ts';
import { withUnit } from '../shell/number-format.ts';
import {
  drawLines,
  drawStackedBars,
  findMaximum,
  findStackMaximum,
  findTop,
  PLOT_HEIGHT,
  type PlotSeries,
  POINT_WIDTH,
  sumPoint,
} from './plot-drawing.ts';
import { formatClock } from './traffic-figures.ts';

/** Properties of {@link Plot}. */
export interface PlotProps {
  /** Unique in the page. */
  readonly id: string;
  /** That of bars is completed by the length of a point: `Requests per 10 s`. */
  readonly title: string;
  /** What the plot shows at present, for who does not see it. */
  readonly description: string;
  /** Bars are counts and stacked. Lines are durations in milliseconds, and not stacked. */
  readonly kind: 'bars' | 'lines';
  /** At most five. The first is at the bottom. */
  readonly series: readonly PlotSeries[];
  /** Start of each point, in milliseconds since the epoch. */
  readonly times: readonly number[];
  /** Length of a point, in milliseconds. */
  readonly pointMilliseconds: number;
  readonly formatValue: (value: number) => string;
}

/**
 * A small plot as SVG. The drawing stretches to its element; its labels are text beside it, so that their size is that of the
 * page. A table in the page has the same values.
 */
export function Plot(props: PlotProps): Html {
  const { description, formatValue, id, kind, series, times } = props;
  const isBars = kind === 'bars';
  const title = isBars ? `${props.title} ${describeInterval(props.pointMilliseconds)}` : props.title;
  const top = isBars ? findTop(findStackMaximum(series), 2) : findTop(findMaximum(series), 1);
  const paths = isBars ? drawStackedBars(series, top) : drawLines(series, top);
  const width = Math.max(1, times.length) * POINT_WIDTH;
  return (
    <figure class="plot">
      <figcaption>{title}</figcaption>
      <div class="plot-frame">
        <div class="plot-scale" aria-hidden="true">
          <span>{formatValue(top)}</span>
          <span>{formatValue(top / 2)}</span>
          <span>0</span>
        </div>
        <svg
          viewBox={`0 0 ${width} ${PLOT_HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-labelledby={`${id}-title ${id}-description`}
          focusable="false"
        >
          <title id={`${id}-title`}>{title}</title>
          <desc id={`${id}-description`}>{description}</desc>
          {series.map((each) => (each.mark === 'striped' ? <Stripes plot={id} series={each} /> : null))}
          <path
            class="plot-grid"
            d={`M0 0H${width}M0 ${PLOT_HEIGHT / 2}H${width}M0 ${PLOT_HEIGHT}H${width}`}
          />
          {series.map((each, index) => (
            <Mark plot={id} kind={kind} series={each} path={paths[index] ?? ''} />
          ))}
          {times.map((_, at) => (
            <PointTitle {...props} at={at} />
          ))}
        </svg>
        <Times times={times} />
      </div>
      <ul class="plot-legend">
        {series.map((each) => (
          <li>
            <svg viewBox={isBars ? '0 0 12 12' : '0 0 24 12'} aria-hidden="true" focusable="false">
              <Mark plot={id} kind={kind} series={each} path={isBars ? 'M0 0H12V12H0Z' : 'M0 6H24'} />
            </svg>
            {each.name}
          </li>
        ))}
      </ul>
    </figure>
  );
}

/** The bars or the line of a series, in its colour and with its texture or dash. */
function Mark(props: {
  readonly plot: string;
  readonly kind: PlotProps['kind'];
  readonly series: PlotSeries;
  readonly path: string;
}): Html {
  const { kind, path, plot, series } = props;
  const { colour, mark = 'solid' } = series;
  const fill = mark === 'striped' ? `url(#${toPatternId(plot, series)})` : undefined;
  return <path class={`plot-${kind} series-${colour} ${mark}`} d={path} fill={fill} />;
}

/** Horizontal stripes: a bar is too narrow for others. */
function Stripes({ plot, series }: { readonly plot: string; readonly series: PlotSeries }): Html {
  return (
    <pattern id={toPatternId(plot, series)} width="10" height="4" patternUnits="userSpaceOnUse">
      <path class={`plot-bars series-${series.colour}`} d="M0 0H10V2H0Z" />
    </pattern>
  );
}

function toPatternId(plot: string, { colour }: PlotSeries): string {
  return `${plot}-${colour}-stripes`;
}

/** The values of a point, which a browser shows while the pointer is above it. */
function PointTitle(props: PlotProps & { readonly at: number }): Html | null {
  const { at, formatValue, kind, pointMilliseconds, series, times } = props;
  const values = series.flatMap(({ name, values: all }) => {
    const value = all[at] ?? null;
    return value === null || (kind === 'bars' && value === 0) ? [] : [`${name} ${formatValue(value)}`];
  });
  if (values.length === 0) return null;
  const sum = kind === 'bars' && values.length > 1 ? [`total ${formatValue(sumPoint(series, at))}`] : [];
  const clock = `${formatClock(times[at] ?? 0, pointMilliseconds)} UTC`;
  return (
    <path class="plot-point" d={`M${at * POINT_WIDTH} 0h${POINT_WIDTH}v${PLOT_HEIGHT}h-${POINT_WIDTH}z`}>
      <title>{`${clock}: ${[...values, ...sum].join(', ')}`}</title>
    </path>
  );
}

/** The times of the first, the middle and the last point. */
function Times({ times }: { readonly times: readonly number[] }): Html {
  const shown = [times[0], times[Math.floor(times.length / 2)], times.at(-1)];
  return (
    <div class="plot-times" aria-hidden="true">
      {shown.map((time, index) => (
        <span>{`${formatClock(time ?? 0, 60_000)}${index === shown.length - 1 ? '\u00a0UTC' : ''}`}</span>
      ))}
    </div>
  );
}

/** `per 10 s`, `per minute`, `per 5 min`. */
function describeInterval(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1_000);
  if (seconds === 60) return 'per minute';
  return `per ${seconds < 60 ? withUnit(seconds, 's') : withUnit(Math.round(seconds / 60), 'min')}`;
}
