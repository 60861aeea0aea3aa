import { formatNumber } from '../../count-of.ts';

/** Between a number and its unit, so that no line ends there. */
const SPACE = '\u00a0';

/** What stands for a value that was not measured. */
const NONE = '–';

/** Joins a number and its unit with a space that does not break. */
export function withUnit(value: number | string, unit: string): string {
  return `${value}${SPACE}${unit}`;
}

/** Formats a duration in milliseconds, for running text: `0.8 ms`, `120 ms`, `2.4 s`. */
export function formatDuration(milliseconds: number | null): string {
  if (milliseconds === null) return NONE;
  if (milliseconds < 10) return withUnit(trimZero(milliseconds.toFixed(1)), 'ms');
  if (milliseconds < 1_000) return withUnit(Math.round(milliseconds), 'ms');
  return withUnit(trimZero((milliseconds / 1_000).toFixed(1)), 's');
}

/** Formats a duration for a column whose heading has the unit: `0.8`, `120.0`, `2,400.0`. All have one decimal. */
export function formatMilliseconds(milliseconds: number | null): string {
  if (milliseconds === null) return NONE;
  const [whole = '', decimal = ''] = milliseconds.toFixed(1).split('.');
  return `${formatNumber(Number(whole))}.${decimal}`;
}

/** Formats requests a minute: `4.2/min`, `1,200/min`. */
export function formatRate(perMinute: number): string {
  const value = perMinute < 10 ? trimZero(perMinute.toFixed(1)) : formatNumber(Math.round(perMinute));
  return `${value}/min`;
}

/** Formats a share of 0 to 1 as a percentage: `98.0 %`, `<0.1 %`. All have one decimal, so that those of a column compare. */
export function formatShare(share: number | null): string {
  if (share !== null && share > 0 && share < 0.000_5) return withUnit('<0.1', '%');
  return share === null ? NONE : withUnit((100 * share).toFixed(1), '%');
}

function trimZero(text: string): string {
  return text.replace(/\.0$/, '');
}
