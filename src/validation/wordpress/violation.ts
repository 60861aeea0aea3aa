import type { Json, JsonObject } from '../../json.ts';
import { toPhpString } from '../../php/numeric.ts';
import type { SchemaLimits } from './compiled-schema.ts';

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

/** Formats a value of an `enum` for a message. */
export function formatEnumValue(value: Json): string {
  return value === null || typeof value === 'object' ? JSON.stringify(value) : toPhpString(value);
}

/** `number_format_i18n()` in English: an integer with commas. */
function formatCount(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Formats a number as `%d` does. */
function formatInteger(value: number): string {
  return String(Math.trunc(value) + 0);
}

/** Validates a number by `multipleOf`, `minimum` and `maximum`. */
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
    const [lower, upper] = [describeInclusion(exclusiveMinimum), describeInclusion(exclusiveMaximum)];
    return `between ${formatInteger(minimum)} (${lower}) and ${formatInteger(maximum)} (${upper})`;
  }
  if (minimum !== undefined) {
    return `greater than ${exclusiveMinimum ? '' : 'or equal to '}${formatInteger(minimum)}`;
  }
  return `less than ${exclusiveMaximum ? '' : 'or equal to '}${formatInteger(maximum ?? 0)}`;
}

function describeInclusion(exclusive: boolean): string {
  return exclusive ? 'exclusive' : 'inclusive';
}

/** WordPress's codes and messages for a count that is too small or too large. */
interface CountMessages {
  readonly tooFewCode: string;
  readonly tooManyCode: string;
  describe(word: 'least' | 'most', count: string, isOne: boolean): string;
}

const contain =
  (singular: string, plural: string): CountMessages['describe'] =>
  (word, count, isOne) =>
    `must contain at ${word} ${count} ${isOne ? singular : plural}.`;

const COUNT_MESSAGES: Readonly<Record<'characters' | 'items' | 'properties', CountMessages>> = {
  characters: {
    tooFewCode: 'rest_too_short',
    tooManyCode: 'rest_too_long',
    describe: (word, count, isOne) =>
      `must be at ${word} ${count} ${isOne ? 'character' : 'characters'} long.`,
  },
  items: {
    tooFewCode: 'rest_too_few_items',
    tooManyCode: 'rest_too_many_items',
    describe: contain('item', 'items'),
  },
  properties: {
    tooFewCode: 'rest_too_few_properties',
    tooManyCode: 'rest_too_many_properties',
    describe: contain('property', 'properties'),
  },
};

/** Validates the number of characters, items or properties of a value. */
export function validateCount(
  counted: 'characters' | 'items' | 'properties',
  count: number,
  least: number | undefined,
  most: number | undefined,
  param: string,
): SchemaViolation | null {
  const { describe, tooFewCode, tooManyCode } = COUNT_MESSAGES[counted];
  if (least !== undefined && count < least) {
    return createViolation(tooFewCode, `${param} ${describe('least', formatCount(least), least === 1)}`);
  }
  if (most !== undefined && count > most) {
    return createViolation(tooManyCode, `${param} ${describe('most', formatCount(most), most === 1)}`);
  }
  return null;
}
