import type { JsonObject } from '../../../json.ts';
import { dayOf, type Period, within } from '../rest/period.ts';

/** How many there are of each, the most first. */
export function tally<T, Key>(items: Iterable<T>, keyOf: (item: T) => Key): [Key, number][] {
  const counts = new Map<Key, number>();
  for (const item of items) {
    const key = keyOf(item);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one);
}

/** How many there are of each of some words, in the order of the words, 0 among them. */
export function tallyWords<T, Word extends string>(
  items: readonly T[],
  words: readonly Word[],
  wordOf: (item: T) => Word,
): Record<string, number> {
  return Object.fromEntries(
    words.map((word) => [word, items.filter((item) => wordOf(item) === word).length]),
  );
}

/** Counts by day, the first day first; days without any are left out. */
export function tallyDays(
  period: Period,
  columns: Readonly<Record<string, readonly (string | null)[]>>,
): JsonObject[] {
  const days = new Map<string, Record<string, number>>();
  for (const [column, moments] of Object.entries(columns)) {
    for (const at of moments) {
      if (at === null || !within(period, at)) continue;
      const day = days.get(dayOf(at)) ?? Object.fromEntries(Object.keys(columns).map((name) => [name, 0]));
      day[column] = (day[column] ?? 0) + 1;
      days.set(dayOf(at), day);
    }
  }
  return [...days]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([date, counts]) => ({ date, ...counts }));
}
