/**
 * `is_numeric()` of a string in PHP 8: white space at both ends, a sign, digits with a point, an exponent. It
 * allows no hexadecimal digits, infinity or separators, and no white space after the sign. NUL is not white space.
 */
const NUMERIC = /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?[ \t\n\r\v\f]*$/i;
const LEADING_NUMBER = /^[ \t\n\r\v\f]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)/i;

/** Parses a numeric string of PHP; `null` if the string is not numeric. */
export function parsePhpNumber(text: string): number | null {
  return NUMERIC.test(text) ? Number(text.trim()) : null;
}

/** `(float)` of a string: the number at its start, or 0. */
export function toPhpFloat(text: string): number {
  return Number(LEADING_NUMBER.exec(text)?.[1] ?? 0);
}

/** `(int)` of a number: truncated towards zero; infinities and NaN become 0. */
export function toPhpInteger(value: number): number {
  return Number.isFinite(value) ? Math.trunc(value) + 0 : 0;
}

/** `(string)` of a scalar: `1` for true, `''` for false, `1.0E+25` for 1e25. */
export function toPhpString(value: string | number | boolean): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? '1' : '';
  const plain = Object.is(value, -0) ? '-0' : String(value);
  // PHP prints floats from 1e15 with an exponent; JavaScript, from 1e21.
  const isLong = Math.abs(value) >= 1e15 && !Number.isSafeInteger(value);
  const [digits = '', exponent] = (isLong ? value.toExponential() : plain).split('e');
  if (exponent === undefined) return plain;
  return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent}`;
}
