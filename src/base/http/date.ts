import { memoizeByString } from '../memoize.ts';

const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)';
const DAY = '(?:mon|tue|wed|thu|fri|sat|sun)';
const LONG_DAY = '(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)';
const TIME = '(\\d{2}:\\d{2}:\\d{2})';

/** RFC 9110 §5.6.7, matched "case-insensitively" and with the zone GMT only (RFC 9111 §4.2). */
const IMF_FIXDATE = new RegExp(`^${DAY}, (\\d{2}) ${MONTH} (\\d{4}) ${TIME} gmt$`, 'i');
const RFC850 = new RegExp(`^${LONG_DAY}, (\\d{2})-${MONTH}-(\\d{2}) ${TIME} gmt$`, 'i');
const ASCTIME = new RegExp(`^${DAY} ${MONTH} ([ \\d]\\d) ${TIME} (\\d{4})$`, 'i');

/** Milliseconds since the epoch. @param now: two-digit years are at most 50 years ahead (RFC 9110 §5.6.7) */
export function parseHttpDate(text: string, now: number): number | null {
  const fixdate = parseFixdate(text);
  if (fixdate !== NO_FIXDATE) return fixdate.at;
  const asctime = ASCTIME.exec(text);
  if (asctime !== null) {
    const [, month = '', day = '', time = '', year = ''] = asctime;
    return toTimestamp(day.replace(' ', '0'), month, year, time);
  }
  const rfc850 = RFC850.exec(text);
  if (rfc850 === null) return null;
  const [, day = '', month = '', digits = '', time = ''] = rfc850;
  const today = new Date(now);
  const century = Math.floor(today.getUTCFullYear() / 100);
  const horizon = new Date(now).setUTCFullYear(today.getUTCFullYear() + 50);
  const candidates = [century + 1, century, century - 1].map((base) =>
    toTimestamp(day, month, `${base}${digits}`, time),
  );
  return candidates.find((candidate) => candidate !== null && candidate <= horizon) ?? null;
}

const NO_FIXDATE: { readonly at: number | null } = { at: null };

const parseFixdate = memoizeByString((text): typeof NO_FIXDATE => {
  const [, day = '', month = '', year = '', time = ''] = IMF_FIXDATE.exec(text) ?? [];
  return day === '' ? NO_FIXDATE : { at: toTimestamp(day, month, year, time) };
}, 8);

export function formatHttpDate(milliseconds: number): string {
  return new Date(milliseconds).toUTCString();
}

function toTimestamp(day: string, month: string, year: string, time: string): number | null {
  // §5.6.7 allows a leap second ("60"), and `Date` doesn't.
  const text = `${day} ${month} ${year} ${time.replace(/:60$/, ':59')} GMT`;
  const at = Date.parse(text);
  // `Date` accepts the 30th of February and hour 24, and carries them over.
  return new Date(at).toUTCString().slice(5).toLowerCase() === text.toLowerCase() ? at : null;
}
