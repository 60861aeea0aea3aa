import { formatNumber } from '../../count-of.ts';
import type { Json, JsonObject } from '../../json.ts';
import { toPhpString } from '../../php/numeric.ts';
import { type SchemaLimits, spendCharacters } from './schema.ts';

/** Why a value is invalid, with WordPress's error code and message. */
export interface SchemaViolation {
  /** `rest_invalid_type`, `rest_not_in_enum`, … */
  readonly code: string;
  /** `per_page is not of type integer.` */
  readonly message: string;
  /** Data of the `WP_Error`: the parameter of a wrong type, the positions of schemas. */
  readonly data: JsonObject | null;
}

export function createViolation(
  code: string,
  message: string,
  data: JsonObject | null = null,
): SchemaViolation {
  return { code, message, data };
}

export function createWrongTypeViolation(param: string, type: string): SchemaViolation {
  return createViolation('rest_invalid_type', `${param} is not of type ${type}.`, { param });
}

/** Maximum length of a list in a message, which WordPress writes whole: the list of time zones has 7,000 characters. */
const MAX_LIST_LENGTH = 10_000;

/** `wp_sprintf( '%l' )`: `a`, `a and b`, `a, b, and c`. */
export function joinWithAnd(words: readonly string[]): string {
  const list =
    words.length < 3
      ? words.join(' and ')
      : `${words.slice(0, -1).join(', ')}, and ${words[words.length - 1]}`;
  return list.length > MAX_LIST_LENGTH ? `${list.slice(0, MAX_LIST_LENGTH)}…` : list;
}

export function formatEnumValue(value: Json): string {
  return value === null || typeof value === 'object' ? JSON.stringify(value) : toPhpString(value);
}

/** Formats a number as `%d` does. */
function formatInteger(value: number): string {
  return String(Math.trunc(value) + 0);
}

export function validateNumber(value: number, limits: SchemaLimits, param: string): SchemaViolation | null {
  const { multipleOf } = limits;
  // `fmod()` by zero is NaN, so no number is a multiple of zero.
  if (multipleOf !== undefined && value % multipleOf !== 0) {
    return createViolation(
      'rest_invalid_multiple',
      `${param} must be a multiple of ${toPhpString(multipleOf)}.`,
    );
  }
  if (isWithin(value, limits)) return null;
  return createViolation('rest_out_of_bounds', `${param} must be ${describeBounds(limits)}`);
}

function isWithin(value: number, limits: SchemaLimits): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = limits;
  if (minimum !== undefined && (exclusiveMinimum ? value <= minimum : value < minimum)) return false;
  return maximum === undefined || !(exclusiveMaximum ? value >= maximum : value > maximum);
}

/** Describes the bounds as WordPress does: truncated to integers, and without a full stop. */
function describeBounds({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: SchemaLimits): string {
  if (minimum !== undefined && maximum !== undefined) {
    const lower = exclusiveMinimum ? 'exclusive' : 'inclusive';
    const upper = exclusiveMaximum ? 'exclusive' : 'inclusive';
    return `between ${formatInteger(minimum)} (${lower}) and ${formatInteger(maximum)} (${upper})`;
  }
  if (minimum !== undefined) {
    return `greater than ${exclusiveMinimum ? '' : 'or equal to '}${formatInteger(minimum)}`;
  }
  return `less than ${exclusiveMaximum ? '' : 'or equal to '}${formatInteger(maximum ?? 0)}`;
}

/** WordPress's codes for a count that is too small or too large, and the words of its messages: the verb, for one and for several. */
const COUNT_MESSAGES = {
  characters: ['rest_too_short', 'rest_too_long', 'be', 'character long', 'characters long'],
  items: ['rest_too_few_items', 'rest_too_many_items', 'contain', 'item', 'items'],
  properties: ['rest_too_few_properties', 'rest_too_many_properties', 'contain', 'property', 'properties'],
} as const;

export function validateCount(
  counted: keyof typeof COUNT_MESSAGES,
  count: number,
  least: number | undefined,
  most: number | undefined,
  param: string,
): SchemaViolation | null {
  const [tooFew, tooMany, verb, one, several] = COUNT_MESSAGES[counted];
  const refuse = (code: string, bound: 'least' | 'most', limit: number): SchemaViolation => {
    const amount = `${formatNumber(Math.round(limit))} ${limit === 1 ? one : several}`;
    return createViolation(code, `${param} must ${verb} at ${bound} ${amount}.`);
  };
  if (least !== undefined && count < least) return refuse(tooFew, 'least', least);
  return most !== undefined && count > most ? refuse(tooMany, 'most', most) : null;
}

/** The formats that WordPress validates, with code and message, in which `%s` stands for the parameter. It ignores all others. */
const FORMATS: Readonly<
  Record<string, readonly [matches: (text: string) => boolean, code: string, message: string]>
> = {
  'hex-color': [isHexColor, 'rest_invalid_hex_color', 'Invalid hex color.'],
  // `! rest_parse_date()`: the timestamp 0 counts as invalid.
  'date-time': [(text) => (parseRestDate(text) ?? 0) !== 0, 'rest_invalid_date', 'Invalid date.'],
  email: [isEmail, 'rest_invalid_email', 'Invalid email address.'],
  // `rest_is_ip_address()`
  ip: [(text) => IPV4.test(text) || isIpv6(text), 'rest_invalid_ip', '%s is not a valid IP address.'],
  uuid: [isUuid, 'rest_invalid_uuid', '%s is not a valid UUID.'],
};

export function validateFormat(format: string, text: string, param: string): SchemaViolation | null {
  const known = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (known === undefined) return null;
  const [matches, code, message] = known;
  spendCharacters(text.length);
  return matches(text)
    ? null
    : createViolation(
        code,
        message.replace('%s', () => param),
      );
}

export function isHexColor(text: string): boolean {
  return /^#(?:[A-Fa-f0-9]{3}){1,2}\n?$/.test(text);
}

function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\n?$/.test(text);
}

/** `is_email()`: at least six bytes, with an `@` and a domain of two labels or more. */
export function isEmail(email: string): boolean {
  if (new TextEncoder().encode(email).length < 6) return false;
  const at = email.indexOf('@');
  if (at < 1) return false;
  const labels = email.slice(at + 1).split('.');
  return (
    /^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]+$/.test(email.slice(0, at)) &&
    labels.length > 1 &&
    labels.every((label) => /^[a-z0-9-]+$/i.test(label) && !label.startsWith('-') && !label.endsWith('-'))
  );
}

const DATE_TIME = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(?:\.\d+)?(Z|[+-]\d{2}(?::\d{2})?)?\n?$/;

/**
 * Parses `YYYY-MM-DDThh:mm:ss[.f][Z|±hh[:mm]]` as `rest_parse_date()` does. Without an offset the date is in UTC, and
 * the 31st of February is a day in March.
 *
 * @returns seconds since 1970; `null` for another syntax or when `strtotime()` rejects a part
 */
function parseRestDate(text: string): number | null {
  const found = DATE_TIME.exec(text);
  if (found === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = text.split(/\D/, 6).map(Number);
  if (month > 12 || day > 31 || hour > 24 || minute > 59 || second > 60) return null;
  // Of the hour 24, PHP accepts 24:00:00 only, as the end of a day.
  if (hour === 24 && (minute > 0 || second > 0)) return null;
  const offset = parseOffset(found[1] ?? 'Z');
  if (offset === null) return null;
  // `Date.UTC()` takes the years before 100 for those after 1900. The calendar repeats after 400 years.
  return Date.UTC(year + 400, month - 1, day, hour, minute, second) / 1000 - SECONDS_OF_400_YEARS - offset;
}

const SECONDS_OF_400_YEARS = 146_097 * 86_400;

/** Returns seconds; `null` when `strtotime()` rejects the offset. */
function parseOffset(zone: string): number | null {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(4) || 0);
  if (hours > 24 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 3600 + minutes * 60);
}

const OCTET = '(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)';
const IPV4 = new RegExp(`^(?:${OCTET}\\.){3}${OCTET}\\n?$`);

/** Eight groups of up to four hex digits. `::` stands for one run of zeros, and the last two may be written as IPv4. */
function isIpv6(text: string): boolean {
  return /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);
}
