import { isJsonObject, type Json } from '../../json.ts';
import type { ValueTypes } from '../details/parameter-row.ts';

/** Converts what a person typed to the value that it stands for: `5` to a number where numbers are allowed, `1,2` to a list. */
export function toTypedValue(text: string, { items, own }: ValueTypes): Json {
  const scalar = toScalar(text, own);
  if (typeof scalar !== 'string') return scalar;
  if (own.includes('array')) {
    const parsed = parse(text);
    return Array.isArray(parsed) ? parsed : text.split(',').map((item) => toScalar(item.trim(), items));
  }
  const parsed = own.includes('object') ? parse(text) : undefined;
  return isJsonObject(parsed) ? parsed : text;
}

function toScalar(text: string, types: readonly string[]): string | number | boolean {
  const isNumeric = types.includes('integer') || types.includes('number');
  // Numbers that another spelling would denote stay texts: 007, 1e3.
  if (isNumeric && String(Number(text)) === text) return Number(text);
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
