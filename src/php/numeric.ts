/**
 * `is_numeric()` of a string in PHP 8: white space at both ends, a sign, digits with a point, an exponent. No hex, no
 * infinity, no separators. A sign may not stand apart; NUL is no white space here.
 */
const NUMERIC = /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?[ \t\n\r\v\f]*$/i;
const LEADING_NUMBER = /^[ \t\n\r\v\f]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)/i;

/** The number of a PHP-numeric string; null where it is none. */
export function parsePhpNumber(text: string): number | null {
  return NUMERIC.test(text) ? Number(text.trim()) : null;
}

/** `(float)` of a string: the number that it begins with, else 0. */
export function toPhpFloat(text: string): number {
  return Number(LEADING_NUMBER.exec(text)?.[1] ?? 0);
}

/** `(int)` of a number: towards zero; what fits no integer is 0, as PHP has it for infinities. */
export function toPhpInteger(value: number): number {
  return Number.isFinite(value) ? Math.trunc(value) + 0 : 0;
}

/** `(string)` of a scalar: `1` for true, `''` for false, `1.0E+25` for what JSON writes `1e25`. */
export function toPhpString(value: string | number | boolean): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? '1' : '';
  const text = Object.is(value, -0) ? '-0' : String(value);
  const [digits = '', exponent] = text.split('e');
  if (exponent === undefined) {
    // From 15 digits on PHP writes a float with an exponent; JavaScript from 21.
    return Math.abs(value) < 1e15 || Number.isSafeInteger(value) ? text : scientific(value);
  }
  return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent}`;
}

function scientific(value: number): string {
  const [digits = '', exponent = ''] = value.toExponential().split('e');
  return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent}`;
}
