/**
 * `is_numeric()` of a string in PHP 8: white space at both ends, a sign, digits with a point, an exponent. No hex, no
 * infinity, no separators. `\0` is no white space here.
 */
const NUMERIC = /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?[ \t\n\r\v\f]*$/i;

/** The number of a PHP-numeric string; null where it is none. */
export function phpNumber(text: string): number | null {
  return NUMERIC.test(text) ? Number(text.trim()) : null;
}

/** `(int)` of a number: towards zero; what fits no integer is 0, as PHP has it since version 8 for infinities. */
export function phpInteger(value: number): number {
  return Number.isFinite(value) ? Math.trunc(value) + 0 : 0;
}
