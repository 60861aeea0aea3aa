/** A point in time in UTC, in whole seconds: `2026-03-02T09:30:00Z`. Sorts as text. */
export type Timestamp = string;

export function toTimestamp(date: Date): Timestamp {
  return `${date.toISOString().slice(0, 19)}Z`;
}

const RFC_3339 = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Parses RFC 3339; a text without a zone is in UTC. `undefined` for anything else, such as February 30. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const instant = parseInstant(text);
  return instant === undefined ? undefined : toTimestamp(new Date(instant));
}

/** Parses RFC 3339 like {@link parseTimestamp}. Returns milliseconds since the epoch. */
export function parseInstant(text: string): number | undefined {
  const [, day, time, fraction = '', zone = 'Z'] = RFC_3339.exec(text) ?? [];
  if (day === undefined || time === undefined || !isCalendarDay(day)) return undefined;
  const instant = Date.parse(`${day}T${time}${fraction.slice(0, 4)}${zone.toUpperCase()}`);
  return Number.isNaN(instant) ? undefined : instant;
}

/** Whether a text is a day of the calendar: `2026-02-28`. */
export function isCalendarDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && toTimestamp(date).startsWith(text);
}

/** The day of a timestamp: `2026-03-02`. */
export function toDay(at: Timestamp): string {
  return at.slice(0, 10);
}

/** Orders items newest first, and items of the same time by descending number. */
export function newestFirst<Item extends { readonly id: number }>(
  timeOf: (item: Item) => Timestamp | null,
): (one: Item, other: Item) => number {
  return (one, other) => (timeOf(other) ?? '').localeCompare(timeOf(one) ?? '') || other.id - one.id;
}
