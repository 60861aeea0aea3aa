import { memoizeByString } from '../memoize.ts';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = `(?<month>${MONTHS.join('|')})`;
const DAY = '(?:mon|tue|wed|thu|fri|sat|sun)';
const LONG_DAY = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)';
const TIME = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})';

/**
 * The three formats of RFC 9110 §5.6.7. Recipients must accept the last two, which are obsolete.
 *
 * RFC 9111 §4.2: "Although all date formats are specified to be case-sensitive, a cache recipient SHOULD match the
 * field value case-insensitively", and "A cache recipient SHOULD consider a date with a zone abbreviation other than
 * "GMT" to be invalid for calculating expiration."
 */
const IMF_FIXDATE = new RegExp(`^${DAY}, (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} gmt$`, 'i');
const RFC850 = new RegExp(`^${LONG_DAY}, (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} gmt$`, 'i');
const ASCTIME = new RegExp(`^${DAY} ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`, 'i');

/**
 * Parses an HTTP date to milliseconds since the epoch; `null` if it is invalid. The day of the week is ignored.
 *
 * @param now milliseconds since the epoch; decides the century of two-digit years: "Recipients of a timestamp value in rfc850-date format,
 * which uses a two-digit year, MUST interpret a timestamp that appears to be more than 50 years in the future as
 * representing the most recent year in the past that had the same last two digits."
 */
export function parseHttpDate(text: string, now: number): number | null {
  const fixdate = parseFixdate(text);
  if (fixdate !== NO_FIXDATE) return fixdate.at;
  const asctime = ASCTIME.exec(text)?.groups;
  if (asctime !== undefined) return toTimestamp(asctime, Number(asctime['year']));
  const rfc850 = RFC850.exec(text)?.groups;
  if (rfc850 === undefined) return null;
  const today = new Date(now);
  const century = Math.floor(today.getUTCFullYear() / 100) * 100;
  const horizon = new Date(now).setUTCFullYear(today.getUTCFullYear() + 50);
  // The latest year with these digits that is no more than fifty years in the future.
  const candidates = [century + 100, century, century - 100].map((base) =>
    toTimestamp(rfc850, base + Number(rfc850['year'])),
  );
  return candidates.find((candidate) => candidate !== null && candidate <= horizon) ?? null;
}

const NO_FIXDATE: { readonly at: number | null } = { at: null };

/** Parses an IMF-fixdate, memoized: all responses of a second have the same date, and each is parsed several times. */
const parseFixdate = memoizeByString((text): typeof NO_FIXDATE => {
  const fixdate = IMF_FIXDATE.exec(text)?.groups;
  return fixdate === undefined ? NO_FIXDATE : { at: toTimestamp(fixdate, Number(fixdate['year'])) };
}, 8);

/** Formats a time as IMF-fixdate, the format that senders must use. */
export function formatHttpDate(milliseconds: number): string {
  return new Date(milliseconds).toUTCString();
}

/** Converts matched groups to milliseconds since the epoch; `null` if there is no such date or time. */
function toTimestamp(groups: Readonly<Record<string, string>>, year: number): number | null {
  const month = MONTHS.indexOf((groups['month'] ?? '').toLowerCase());
  const [day = 0, hour = 0, minute = 0, second = 0] = ['day', 'hour', 'minute', 'second'].map((name) =>
    Number(groups[name]),
  );
  // A leap second (§5.6.7: "60") is converted to the second before it, because `Date` has no leap seconds.
  const at = Date.UTC(year, month, day, hour, minute, Math.min(second, 59));
  const date = new Date(at);
  // `Date.UTC` accepts the 30th of February and hour 25, and carries them over.
  const isDay = date.getUTCMonth() === month && date.getUTCDate() === day;
  return isDay && hour < 24 && minute < 60 && second <= 60 ? at : null;
}
