/** One series of a plot. No two of a plot have the same colour and mark. */
export interface PlotSeries {
  readonly name: string;
  /** `null` leaves a gap. */
  readonly values: readonly (number | null)[];
  readonly colour: 'blue' | 'orange' | 'red' | 'dark' | 'grey';
  /** Texture of bars, or dash of a line. @default 'solid' */
  readonly mark?: 'solid' | 'striped' | 'dashed' | 'dotted';
}

/** Units of the drawing: its height, and the width of one point. It is stretched to the size of its element. */
export const PLOT_HEIGHT = 100;
export const POINT_WIDTH = 10;

/** Steps of the top of a scale. Half of a whole top is whole. */
const STEPS = [1, 1.2, 1.6, 2, 4, 6, 8, 10];

/** Rounds up to a step, so that the scale is steady while the plot is refreshed. @param least top of an empty plot */
export function findTop(value: number, least: number): number {
  if (value <= least) return least;
  const magnitude = 10 ** Math.floor(Math.log10(value));
  return magnitude * (STEPS.find((step) => step * magnitude >= value) ?? 10);
}

/** The greatest value of all series. */
export function findMaximum(series: readonly PlotSeries[]): number {
  return Math.max(0, ...series.flatMap(({ values }) => values.map((value) => value ?? 0)));
}

/** The greatest sum of the values of one point. */
export function findStackMaximum(series: readonly PlotSeries[]): number {
  const length = Math.max(0, ...series.map(({ values }) => values.length));
  return Math.max(0, ...Array.from({ length }, (_, at) => sumPoint(series, at)));
}

/** The sum of the values of a point. */
export function sumPoint(series: readonly PlotSeries[], at: number): number {
  return series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0);
}

/** Draws bars, those of a series above those of the series before it. @returns the path of each series */
export function drawStackedBars(series: readonly PlotSeries[], top: number): readonly string[] {
  const base: number[] = [];
  return series.map(({ values }) =>
    values
      .map((value, at) => {
        if (value === null || value <= 0) return '';
        const below = base[at] ?? 0;
        base[at] = below + value;
        const width = POINT_WIDTH * 0.8;
        const height = (value / top) * PLOT_HEIGHT;
        const y = PLOT_HEIGHT - (below / top) * PLOT_HEIGHT - height;
        return `M${toText(at * POINT_WIDTH + 1)} ${toText(y)}h${width}v${toText(height)}h${-width}z`;
      })
      .join(''),
  );
}

/** Draws lines. A point between two gaps is a short line, so that it is visible. @returns the path of each series */
export function drawLines(series: readonly PlotSeries[], top: number): readonly string[] {
  const end = POINT_WIDTH / 4;
  return series.map(({ values }) => {
    let isOpen = false;
    return values
      .map((value, at) => {
        if (value === null) return '';
        const x = (at + 0.5) * POINT_WIDTH;
        const y = toText(PLOT_HEIGHT - (Math.min(value, top) / top) * PLOT_HEIGHT);
        const path = isOpen ? `L${x} ${y}` : `M${x - end} ${y}H${x}`;
        isOpen = (values[at + 1] ?? null) !== null;
        return isOpen ? path : `${path}h${end}`;
      })
      .join('');
  });
}

function toText(value: number): string {
  return String(Math.round(value * 100) / 100);
}
