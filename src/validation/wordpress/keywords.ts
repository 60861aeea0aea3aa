import { formatNumber } from '../../count-of.ts';
import type { Json, JsonObject } from '../../json.ts';
import { toPhpString } from '../../php/numeric.ts';
import { NS_PER_REWRITTEN_CHARACTER, type SchemaLimits, spendWork } from './schema.ts';

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

/** `wp_sprintf( '%l' )`: `a`, `a and b`, `a, b, and c`. */
export function joinWithAnd(words: readonly string[]): string {
  if (words.length < 3) return words.join(' and ');
  return `${words.slice(0, -1).join(', ')}, and ${words[words.length - 1]}`;
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
  return isWithin(value, limits)
    ? null
    : createViolation('rest_out_of_bounds', `${param} must be ${describeBounds(limits)}`);
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

/** WordPress's codes for a count that is too small or too large, and the words of its messages. */
const COUNT_MESSAGES = {
  characters: {
    codes: { least: 'rest_too_short', most: 'rest_too_long' },
    verb: 'be',
    words: ['character long', 'characters long'],
  },
  items: {
    codes: { least: 'rest_too_few_items', most: 'rest_too_many_items' },
    verb: 'contain',
    words: ['item', 'items'],
  },
  properties: {
    codes: { least: 'rest_too_few_properties', most: 'rest_too_many_properties' },
    verb: 'contain',
    words: ['property', 'properties'],
  },
} as const;

export function validateCount(
  counted: 'characters' | 'items' | 'properties',
  count: number,
  least: number | undefined,
  most: number | undefined,
  param: string,
): SchemaViolation | null {
  const { codes, verb, words } = COUNT_MESSAGES[counted];
  const refuse = (bound: 'least' | 'most', limit: number): SchemaViolation => {
    const amount = `${formatNumber(Math.round(limit))} ${limit === 1 ? words[0] : words[1]}`;
    return createViolation(codes[bound], `${param} must ${verb} at ${bound} ${amount}.`);
  };
  if (least !== undefined && count < least) return refuse('least', least);
  return most !== undefined && count > most ? refuse('most', most) : null;
}

/** A format that WordPress validates. It ignores all others, `uri` among them. */
interface ValidatedFormat {
  matches(text: string): boolean;
  readonly code: string;
  /** `%s` stands for the parameter. */
  readonly message: string;
}

const FORMATS: Readonly<Record<string, ValidatedFormat>> = {
  'hex-color': {
    matches: (text) => /^#(?:[A-Fa-f0-9]{3}){1,2}\n?$/.test(text),
    code: 'rest_invalid_hex_color',
    message: 'Invalid hex color.',
  },
  'date-time': {
    // `! rest_parse_date()`: the timestamp 0 counts as invalid.
    matches: (text) => (parseRestDate(text) ?? 0) !== 0,
    code: 'rest_invalid_date',
    message: 'Invalid date.',
  },
  email: { matches: isEmail, code: 'rest_invalid_email', message: 'Invalid email address.' },
  ip: {
    // `rest_is_ip_address()`
    matches: (text) => IPV4.test(text) || isIpv6(text),
    code: 'rest_invalid_ip',
    message: '%s is not a valid IP address.',
  },
  uuid: {
    matches: (text) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\n?$/.test(text),
    code: 'rest_invalid_uuid',
    message: '%s is not a valid UUID.',
  },
};

export function validateFormat(format: string, text: string, param: string): SchemaViolation | null {
  const validated = Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (validated === undefined) return null;
  spendWork(NS_PER_REWRITTEN_CHARACTER * text.length);
  if (validated.matches(text)) return null;
  return createViolation(
    validated.code,
    validated.message.replace('%s', () => param),
  );
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
  const year = 100 * readTwoDigits(text, 0) + readTwoDigits(text, 2);
  const month = readTwoDigits(text, 5);
  const day = readTwoDigits(text, 8);
  const hour = readTwoDigits(text, 11);
  const minute = readTwoDigits(text, 14);
  const second = readTwoDigits(text, 17);
  if (month > 12 || day > 31 || hour > 24 || minute > 59 || second > 60) return null;
  // Of the hour 24, PHP accepts 24:00:00 only, as the end of a day.
  if (hour === 24 && (minute > 0 || second > 0)) return null;
  const offset = parseOffset(found[1] ?? 'Z');
  if (offset === null) return null;
  // `Date.UTC()` takes the years before 100 for those after 1900. The calendar repeats after 400 years.
  return Date.UTC(year + 400, month - 1, day, hour, minute, second) / 1000 - SECONDS_OF_400_YEARS - offset;
}

function readTwoDigits(text: string, at: number): number {
  return 10 * (text.charCodeAt(at) - 0x30) + text.charCodeAt(at + 1) - 0x30;
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
  const [address, tail] = splitIpv4(text);
  const parts = expand(address, tail === undefined ? 8 : 6);
  if (parts === null) return false;
  if (!parts.every((part) => /^[0-9a-f]{1,4}$/i.test(part))) return false;
  return tail === undefined || isDottedQuad(tail);
}

function splitIpv4(text: string): readonly [string, string | undefined] {
  const colon = text.lastIndexOf(':');
  if (!text.includes('.') || colon < 0) return [text, undefined];
  const head = text.slice(0, colon);
  // The colon before the last group belongs to `::`.
  return [head.endsWith(':') ? `${head}:` : head, text.slice(colon + 1)];
}

function expand(address: string, count: number): readonly string[] | null {
  const halves = address.split('::');
  if (halves.length > 2) return null;
  const [left = [], right] = halves.map((half) => (half === '' ? [] : half.split(':')));
  if (right === undefined) return left.length === count ? left : null;
  const missing = count - left.length - right.length;
  return missing < 1 ? null : [...left, ...Array<string>(missing).fill('0'), ...right];
}

function isDottedQuad(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}
