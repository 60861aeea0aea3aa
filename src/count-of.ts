/** `toLocaleString` would create one for each number. */
const FORMAT = new Intl.NumberFormat('en');

/** Prints a whole number with separators: `1,189`. */
export function formatNumber(value: number): string {
  return FORMAT.format(value);
}

/** Counts in words: `1 operation`, `2 operations`, `1,189 operations`. */
export function countOf(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
