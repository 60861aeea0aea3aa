/** `is_numeric()` of a string in PHP 8. White space surrounds the number, but doesn't follow the sign. */
const NUMERIC = /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?[ \t\n\r\v\f]*$/i;
const LEADING_NUMBER = /^[ \t\n\r\v\f]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)/i;

export function parsePhpNumber(text: string): number | null {
  return NUMERIC.test(text) ? Number(text.trim()) : null;
}

export function toPhpFloat(text: string): number {
  return Number(LEADING_NUMBER.exec(text)?.[1] ?? 0);
}

export function toPhpInteger(value: number): number {
  return Number.isFinite(value) ? Math.trunc(value) + 0 : 0;
}

export function toPhpString(value: string | number | boolean): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? '1' : '';
  if (Number.isSafeInteger(value) || !Number.isFinite(value))
    return Object.is(value, -0) ? '-0' : String(value);
  const [digits = '', exponent = ''] = value.toExponential(13).split('e');
  if (Number(exponent) >= -4 && Number(exponent) < 14) return String(Number(value.toPrecision(14)));
  return `${digits.replace(/(\.\d+?)0+$/, '$1')}E${exponent}`;
}
