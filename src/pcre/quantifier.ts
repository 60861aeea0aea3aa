import type { RepeatNode } from './ast.ts';
import type { Cursor } from './cursor.ts';
import type { Flags } from './flags.ts';

type Quantifier = Pick<RepeatNode, 'min' | 'max' | 'greed'>;

const SHORT: readonly (readonly [string, number, number])[] = [
  ['*', 0, Number.POSITIVE_INFINITY],
  ['+', 1, Number.POSITIVE_INFINITY],
  ['?', 0, 1],
];

/** PCRE2's own limit on the numbers in a quantifier. */
const MAX_COUNT = 65_535;

/** The quantifier that stands here, or null. A `{` that begins none is a plain character and stays. */
export function readQuantifier(cursor: Cursor, flags: Flags): Quantifier | null {
  const bounds = readBounds(cursor);
  if (bounds === null) return null;
  if (cursor.take('+')) return { ...bounds, greed: 'possessive' };
  return { ...bounds, greed: cursor.take('?') === flags.U ? 'greedy' : 'lazy' };
}

function readBounds(cursor: Cursor): Pick<Quantifier, 'min' | 'max'> | null {
  if (!/^[*+?{]/.test(cursor.peek())) return null;
  for (const [sign, min, max] of SHORT) if (cursor.take(sign)) return { min, max };
  const start = cursor.at;
  if (!cursor.take('{')) return null;
  const low = cursor.takeWhile(/^\d$/, 6);
  const comma = low !== '' && cursor.take(',');
  const high = comma ? cursor.takeWhile(/^\d$/, 6) : low;
  if (low === '' || !cursor.take('}')) {
    cursor.at = start;
    return null;
  }
  const min = Number(low);
  const max = high === '' ? Number.POSITIVE_INFINITY : Number(high);
  if (min > MAX_COUNT || (max > MAX_COUNT && max !== Number.POSITIVE_INFINITY)) {
    throw cursor.fault('the number in the quantifier is too big');
  }
  if (max < min) throw cursor.fault('the numbers in the quantifier are out of order');
  return { min, max };
}
