import { groupBy } from '../../group-by.ts';
import type { JsonObject } from '../../json.ts';
import { type DayPeriod, isWithinPeriod } from './resource.ts';
import { type Timestamp, toDay } from './state.ts';

/** Counts items by key, the highest count first. */
export function countBy<T, Key>(items: Iterable<T>, keyOf: (item: T) => Key): [Key, number][] {
  return [...groupBy(items, keyOf)]
    .map(([key, group]): [Key, number] => [key, group.length])
    .sort(([, one], [, other]) => other - one);
}

/** Counts items by a property with known values, in the order of the values; missing values count 0. */
export function countByValue<T, Value extends string>(
  items: readonly T[],
  values: readonly Value[],
  valueIn: (item: T) => Value,
): Record<string, number> {
  return Object.fromEntries(
    values.map((value) => [value, items.filter((item) => valueIn(item) === value).length]),
  );
}

/** Counts the timestamps of each column by day, in the order of the days. Days without timestamps are omitted. */
export function countByDay(
  period: DayPeriod,
  columns: Readonly<Record<string, readonly (Timestamp | null)[]>>,
): JsonObject[] {
  const zeros = Object.fromEntries(Object.keys(columns).map((column) => [column, 0]));
  const days = new Map<string, Record<string, number>>();
  for (const [column, timestamps] of Object.entries(columns)) {
    for (const at of timestamps) {
      if (at === null || !isWithinPeriod(period, at)) continue;
      const day = days.get(toDay(at)) ?? { ...zeros };
      day[column] = (day[column] ?? 0) + 1;
      days.set(toDay(at), day);
    }
  }
  return [...days]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([date, counts]) => ({ date, ...counts }));
}
