const DATE_TIME_PATTERN =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(Z|[+-]\d\d(?::\d\d)?)?$/i;

/**
 * Parses a date-time to epoch milliseconds; `undefined` if it is invalid. Without a zone it is in the time zone of the
 * site, UTC. A day past the end of a month overflows into the next, as in PHP's `strtotime()`.
 */
export function parseDateTime(text: string): number | undefined {
  const groups = DATE_TIME_PATTERN.exec(text);
  if (groups === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = groups.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || day > 31 || hour > 24 || minute > 59 || second > 59)
    return undefined;
  return Date.UTC(year, month - 1, day, hour, minute, second) - parseZoneOffset(groups[7] ?? 'Z');
}

function parseZoneOffset(zone: string): number {
  if (/^z$/i.test(zone)) return 0;
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number);
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** Formats a time as WordPress does, without a zone: `2025-01-15T09:00:00`. */
export function formatDateTime(time: number): string {
  return new Date(time).toISOString().slice(0, 19);
}

/** Truncates to seconds, the precision of WordPress. */
export function truncateToSecond(time: number): number {
  return Math.floor(time / 1000) * 1000;
}
