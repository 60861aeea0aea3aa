import type { Json, JsonObject } from '../../../base/json.ts';
import { toPhpString } from '../../../base/php/values.ts';
import { formatNumber } from '../../../base/text.ts';
import { type SchemaLimits, spendCharacters } from './schema.ts';

export interface SchemaViolation {
  readonly code: string;
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

/** WordPress writes a list whole, e.g. that of time zones. */
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

function formatInteger(value: number): string {
  return String(Math.trunc(value) + 0);
}

export function validateNumber(value: number, limits: SchemaLimits, param: string): SchemaViolation | null {
  const { multipleOf } = limits;
  // `fmod()` by zero is NaN.
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

/** Describes bounds as WordPress does: truncated to integers, without a full stop. */
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

const FORMATS: Readonly<
  Record<string, readonly [matches: (text: string) => boolean, code: string, message: string]>
> = {
  'hex-color': [(text) => HEX_COLOR.test(text), 'rest_invalid_hex_color', 'Invalid hex color.'],
  'date-time': [(text) => DATE_TIME.test(text), 'rest_invalid_date', 'Invalid date.'],
  email: [isEmail, 'rest_invalid_email', 'Invalid email address.'],
  // `rest_is_ip_address()`. In IPv6, `::` stands for one run of zeros, and the last two of the eight groups can be IPv4.
  ip: [
    (text) => IPV4.test(text) || (/^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`)),
    ...(['rest_invalid_ip', '%s is not a valid IP address.'] as const),
  ],
  uuid: [(text) => UUID.test(text), 'rest_invalid_uuid', '%s is not a valid UUID.'],
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

/** `is_email()`: at least six bytes, with an `@` and a domain of two labels or more. */
function isEmail(email: string): boolean {
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

/** `rest_parse_date()`, as `strtotime()` accepts it: with the 31st of February, and 24:00:00. */
const DATE_TIME: RegExp =
  /^\d{4}-(?:0\d|1[0-2])-(?:[0-2]\d|3[01])[Tt ](?:(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)|24:00:00)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-4])(?::[0-5]\d)?)?\n?$/;
const HEX_COLOR: RegExp = /^#(?:[A-Fa-f0-9]{3}){1,2}\n?$/;
const UUID: RegExp = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\n?$/;
const OCTET = '(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)';
const IPV4: RegExp = new RegExp(`^(?:${OCTET}\\.){3}${OCTET}\\n?$`);
