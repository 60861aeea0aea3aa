import type { Json, JsonObject } from '../../json.ts';
import { toPhpString } from '../../php/numeric.ts';

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
export function formatCount(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** Formats a number as `%d` does. */
export function formatInteger(value: number): string {
  return String(Math.trunc(value) + 0);
}
