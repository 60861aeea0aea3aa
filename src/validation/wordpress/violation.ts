import type { Json, JsonObject } from '../../json.ts';
import { toPhpString } from '../../php/numeric.ts';

/** Why a value is refused, in WordPress's own words. */
export interface SchemaViolation {
  /** `rest_invalid_type`, `rest_not_in_enum`, … */
  readonly code: string;
  /** `per_page is not of type integer.` */
  readonly message: string;
  /** What WordPress keeps beside it: the parameter of a wrong type, the positions of schemas. */
  readonly data: JsonObject | null;
}

export function createViolation(
  code: string,
  message: string,
  data: JsonObject | null = null,
): SchemaViolation {
  return { code, message, data };
}

export function wrongTypeViolation(param: string, type: string): SchemaViolation {
  return createViolation('rest_invalid_type', `${param} is not of type ${type}.`, { param });
}

/** `wp_sprintf( '%l' )`: `a`, `a and b`, `a, b, and c`. */
export function joinWithAnd(words: readonly string[]): string {
  if (words.length < 3) return words.join(' and ');
  return `${words.slice(0, -1).join(', ')}, and ${words[words.length - 1]}`;
}

/** How a member of an enumeration is shown. */
export function formatEnumValue(value: Json): string {
  return value === null || typeof value === 'object' ? JSON.stringify(value) : toPhpString(value);
}

/** `number_format_i18n()` in English: whole, with commas. */
export function formatCount(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `%d` */
export function formatInteger(value: number): string {
  return String(Math.trunc(value) + 0);
}
