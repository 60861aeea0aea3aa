/** Counts in words: `1 operation`, `2 operations`, `1,189 operations`. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
