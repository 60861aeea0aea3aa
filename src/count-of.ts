/** Prints a whole number with separators: `1,189`. */
export function formatNumber(value: number): string {
  return value.toLocaleString('en');
}

/** Counts in words: `1 operation`, `2 operations`, `1,189 operations`. */
export function countOf(count: number, noun: string): string {
  return `${formatNumber(count)} ${noun}${count === 1 ? '' : 's'}`;
}
