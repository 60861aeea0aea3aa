const DATE_TIME =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(Z|[+-]\d{2}(?::\d{2})?)?\n?$/;

/**
 * `rest_parse_date()`: the seconds since 1970 of `YYYY-MM-DDThh:mm:ss[.f][Z|±hh[:mm]]`, without a zone in UTC; null where
 * the shape is another or a part is beyond what `strtotime()` takes. Days run over: the 31st of February is in March.
 */
export function parseRestDate(text: string): number | null {
  const found = DATE_TIME.exec(text);
  if (found === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  if (month > 12 || day > 31 || hour > 24 || minute > 59 || second > 60) return null;
  // PHP reads 24:00:00 alone as the end of a day.
  if (hour === 24 && (minute > 0 || second > 0)) return null;
  const offset = parseOffset(found[7] ?? 'Z');
  if (offset === null) return null;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  return date.getTime() / 1000 - offset;
}

/** In seconds. */
function parseOffset(zone: string): number | null {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4) || 0);
  if (hours > 24 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60);
}
