export function formatNumber(value: number): string {
  // `Intl` loads its data for tens of milliseconds.
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

export function countOf(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
