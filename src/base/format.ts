import { formatNumber } from './count-of.ts';

/** Prevents a line break between a number and its unit. */
const SPACE = '\u00a0';

const NONE = '–';

export function withUnit(value: number | string, unit: string): string {
  return `${value}${SPACE}${unit}`;
}

/** E.g. `0.8 ms`, `120 ms`, `2.4 s`. */
export function formatDuration(milliseconds: number | null): string {
  if (milliseconds === null) return NONE;
  if (milliseconds < 10) return withUnit(trimZero(milliseconds.toFixed(1)), 'ms');
  if (milliseconds < 1_000) return withUnit(Math.round(milliseconds), 'ms');
  return withUnit(trimZero((milliseconds / 1_000).toFixed(1)), 's');
}

export function formatRate(perMinute: number): string {
  return `${perMinute < 10 ? trimZero(perMinute.toFixed(1)) : formatNumber(Math.round(perMinute))}/min`;
}

export function formatShare(share: number | null): string {
  if (share !== null && share > 0 && share < 0.000_5) return withUnit('<0.1', '%');
  return share === null ? NONE : withUnit((100 * share).toFixed(1), '%');
}

function trimZero(text: string): string {
  return text.replace(/\.0$/, '');
}

export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  const power = bytes < 1_024 ? 0 : Math.min(3, Math.floor(Math.log2(bytes) / 10));
  const value = bytes / 1_024 ** power;
  return withUnit(value >= 100 || power === 0 ? Math.round(value) : value.toFixed(1), units[power] ?? '');
}

export function formatSeconds(seconds: number): string {
  const rounded = Math.max(0, Math.round(seconds));
  if (rounded < 120) return withUnit(rounded, 's');
  if (rounded < 7_200) return withUnit(Math.round(rounded / 60), 'min');
  if (rounded < 172_800) return withUnit(Math.round(rounded / 3_600), 'h');
  return withUnit(Math.round(rounded / 86_400), 'days');
}

/** E.g. `2026-11-21 08:10:23 UTC`. @param time milliseconds since the epoch */
export function formatUtc(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
