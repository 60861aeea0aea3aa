const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/** Parses RFC 3339 to milliseconds since the epoch; without a zone, UTC. */
export function parseInstant(text: string): number | undefined {
  const [, day, time, fraction = '', zone = 'Z'] = DATE_TIME.exec(text) ?? [];
  if (day === undefined || time === undefined || !isCalendarDay(day)) return undefined;
  const minutes = /^[+-]\d{2}$/.test(zone) ? ':00' : '';
  const instant = Date.parse(`${day}T${time}${fraction.slice(0, 4)}${zone.toUpperCase()}${minutes}`);
  return Number.isNaN(instant) ? undefined : instant;
}

function isCalendarDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
