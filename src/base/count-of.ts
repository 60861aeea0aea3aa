/** E.g. `1,189`. */
export function formatNumber(value: number): string {
  // `Intl` loads its data for tens of milliseconds.
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** E.g. `1 operation`, `1,189 operations`. */
export function countOf(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
