import { memoizeByString } from '../memoize.ts';

export interface CacheDirective {
  readonly name: string;
  readonly argument: string | null;
}

export type CacheDirectives = readonly CacheDirective[];

export const NO_DIRECTIVES: CacheDirectives = [];

/** 2^31, to which RFC 9111 §1.2.2 limits delta-seconds. */
const MAX_DELTA_SECONDS = 2_147_483_648;

export function parseDeltaSeconds(text: string | null): number | null {
  return text !== null && /^\d+$/.test(text) ? Math.min(Number(text), MAX_DELTA_SECONDS) : null;
}

const DIRECTIVE = /([^=,]*)(?:=(?:"((?:\\.|[^"\\])*)"?|([^,]*)))?[^,]*,?/gs;

/** An invalid argument is empty: it restricts, but never permits. */
export const parseCacheControl: (field: string) => CacheDirectives = memoizeByString((field) => {
  const directives: CacheDirective[] = [];
  for (const [, name = '', quoted, token] of field.matchAll(DIRECTIVE)) {
    const argument = quoted?.replace(/\\(.)/gs, '$1') ?? token?.trimEnd() ?? null;
    const isInvalid = argument !== null && (/[ \t]$/.test(name) || /^[ \t]/.test(token ?? ''));
    const trimmed = name.trim().toLowerCase();
    if (trimmed !== '') directives.push({ name: trimmed, argument: isInvalid ? '' : argument });
  }
  return directives;
});

export function hasDirective(directives: CacheDirectives, name: string): boolean {
  return directives.some((directive) => directive.name === name);
}

/** The first occurrence (RFC 9111 §4.2.1): `undefined` if absent, `null` if it is not a number. */
export function parseDirectiveSeconds(directives: CacheDirectives, name: string): number | null | undefined {
  const first = directives.find((directive) => directive.name === name);
  return first === undefined ? undefined : parseDeltaSeconds(first.argument);
}

/** Whether a directive is present without field names (RFC 9111 §5.2.2.4, §5.2.2.7). */
export function hasUnqualifiedDirective(directives: CacheDirectives, name: string): boolean {
  return directives.some(
    (directive) => directive.name === name && splitFieldNames(directive.argument).length === 0,
  );
}

export function splitFieldNames(list: string | null): readonly string[] {
  return (list ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}

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

/** Entity tags (RFC 9110 §8.8.3): `"strong"`, `W/"weak"`, and unquoted ones, which some sites send. */

/** Weak comparison: the opaque-tags are equal (§8.8.3.2). */
export function isWeakMatch(one: string, other: string): boolean {
  return toOpaqueTag(one) === toOpaqueTag(other);
}

export function isWeakEntityTag(tag: string): boolean {
  return tag.startsWith('W/');
}

function toOpaqueTag(tag: string): string {
  return isWeakEntityTag(tag) ? tag.slice(2) : tag;
}

export function parseEntityTags(field: string): readonly string[] {
  return field.match(/(?:W\/)?"[^"]*"|[^\s,]+/g) ?? [];
}

/** In place: a strong tag promises the same bytes (RFC 9110 §8.8.1), and a weak one still matches (§13.1.2). */
export function weakenEntityTags(fields: string[]): string[] {
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const value = fields[at + 1] ?? '';
    if (fields[at]?.toLowerCase() === 'etag' && !isWeakEntityTag(value)) fields[at + 1] = `W/${value}`;
  }
  return fields;
}
