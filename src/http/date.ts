import { memoizeByString } from '../memoize.ts';

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = `(${MONTHS.join('|')})`;
const DAY = '(?:mon|tue|wed|thu|fri|sat|sun)';
const LONG_DAY = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)';
const TIME = '(\\d{2}):(\\d{2}):(\\d{2})';

/**
 * The three formats of RFC 9110 §5.6.7. Recipients must accept the last two, which are obsolete.
 *
 * RFC 9111 §4.2: "Although all date formats are specified to be case-sensitive, a cache recipient SHOULD match the
 * field value case-insensitively", and "A cache recipient SHOULD consider a date with a zone abbreviation other than
 * "GMT" to be invalid for calculating expiration."
 */
const IMF_FIXDATE = new RegExp(`^${DAY}, (\\d{2}) ${MONTH} (\\d{4}) ${TIME} gmt$`, 'i');
const RFC850 = new RegExp(`^${LONG_DAY}, (\\d{2})-${MONTH}-(\\d{2}) ${TIME} gmt$`, 'i');
const ASCTIME = new RegExp(`^${DAY} ${MONTH} ([ \\d]\\d) ${TIME} (\\d{4})$`, 'i');

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
  const asctime = ASCTIME.exec(text);
  if (asctime !== null) {
    const [, month, day, hour, minute, second, year] = asctime;
    return toTimestamp(Number(year), month, day, hour, minute, second);
  }
  const rfc850 = RFC850.exec(text);
  if (rfc850 === null) return null;
  const [, day, month, twoDigits, hour, minute, second] = rfc850;
  const today = new Date(now);
  const century = Math.floor(today.getUTCFullYear() / 100) * 100;
  const toTimestampIn = (year: number) => toTimestamp(year, month, day, hour, minute, second);
  const horizon = new Date(now).setUTCFullYear(today.getUTCFullYear() + 50);
  // The latest year with these digits that is no more than fifty years in the future.
  const candidates = [century + 100, century, century - 100].map((base) =>
    toTimestampIn(base + Number(twoDigits)),
  );
  return candidates.find((candidate) => candidate !== null && candidate <= horizon) ?? null;
}

const NO_FIXDATE: { readonly at: number | null } = { at: null };

/** Parses an IMF-fixdate, memoized: all responses of a second have the same date, and each is parsed several times. */
const parseFixdate = memoizeByString((text): typeof NO_FIXDATE => {
  const fixdate = IMF_FIXDATE.exec(text);
  if (fixdate === null) return NO_FIXDATE;
  const [, day, month, year, hour, minute, second] = fixdate;
  return { at: toTimestamp(Number(year), month, day, hour, minute, second) };
}, 8);

/** Formats a time as IMF-fixdate, the format that senders must use. */
export function formatHttpDate(milliseconds: number): string {
  return new Date(milliseconds).toUTCString();
}

type MatchedGroup = string | undefined;

/** Converts matched groups to milliseconds since the epoch; `null` if there is no such date or time. */
function toTimestamp(
  year: number,
  month: MatchedGroup,
  day: MatchedGroup,
  hour: MatchedGroup,
  minute: MatchedGroup,
  second: MatchedGroup,
): number | null {
  const index = MONTHS.indexOf((month ?? '').toLowerCase());
  const [d, h, m, s] = [Number(day), Number(hour), Number(minute), Number(second)];
  // A leap second (§5.6.7: "60") is converted to the second before it, because `Date` has no leap seconds.
  const at = Date.UTC(year, index, d, h, m, Math.min(s, 59));
  const date = new Date(at);
  // `Date.UTC` accepts the 30th of February and hour 25, and carries them over.
  const isValid = date.getUTCMonth() === index && date.getUTCDate() === d && h < 24 && m < 60 && s <= 60;
  return isValid ? at : null;
}
