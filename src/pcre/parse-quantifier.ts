import type { RepeatNode } from './ast.ts';
import type { PatternCursor } from './cursor.ts';
import type { PcreFlags } from './parse-flags.ts';

type Quantifier = Pick<RepeatNode, 'min' | 'max' | 'greed'>;

const SINGLE_CHARACTER_QUANTIFIERS: readonly (readonly [string, number, number])[] = [
  ['*', 0, Number.POSITIVE_INFINITY],
  ['+', 1, Number.POSITIVE_INFINITY],
  ['?', 0, 1],
];

/** Message for a quantifier without an item before it. */
export const NOTHING_TO_REPEAT = 'a quantifier with nothing to repeat';

/** PCRE2's limit on the numbers in a quantifier. */
const MAX_COUNT = 65_535;

/** Parses a quantifier. Returns `null` and consumes nothing if none follows; a `{` may be a plain character. */
export function parseQuantifier(cursor: PatternCursor, flags: PcreFlags): Quantifier | null {
  const bounds = parseBounds(cursor);
  if (bounds === null) return null;
  if (cursor.takeIf('+')) return { ...bounds, greed: 'possessive' };
  return { ...bounds, greed: cursor.takeIf('?') === flags.U ? 'greedy' : 'lazy' };
}

function parseBounds(cursor: PatternCursor): Pick<Quantifier, 'min' | 'max'> | null {
  if (!/^[*+?{]/.test(cursor.peek())) return null;
  for (const [sign, min, max] of SINGLE_CHARACTER_QUANTIFIERS) if (cursor.takeIf(sign)) return { min, max };
  const start = cursor.position;
  if (!cursor.takeIf('{')) return null;
  const low = cursor.takeWhile(/^\d$/, 6);
  const comma = low !== '' && cursor.takeIf(',');
  const high = comma ? cursor.takeWhile(/^\d$/, 6) : low;
  if (low === '' || !cursor.takeIf('}')) {
    cursor.position = start;
    return null;
  }
  const min = Number(low);
  const max = high === '' ? Number.POSITIVE_INFINITY : Number(high);
  if (min > MAX_COUNT || (max > MAX_COUNT && max !== Number.POSITIVE_INFINITY)) {
    throw cursor.createError('the number in the quantifier is too big');
  }
  if (max < min) throw cursor.createError('the numbers in the quantifier are out of order');
  return { min, max };
}
