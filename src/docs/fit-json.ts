import type { Json } from '../json.ts';
import { shorten } from '../ui/text.ts';

/** Longer texts in an example are cut if it is too long. */
const MAX_TEXT = 200;

/** How deep an example may be, and how many members its objects and lists have: the first that fits. */
const CUTS: readonly (readonly [depth: number, members: number])[] = [
  ...[8, 7, 6, 5].map((depth) => [depth, Number.POSITIVE_INFINITY] as const),
  ...[100, 66, 44, 29, 19, 12, 8].map((members) => [4, members] as const),
  ...[3, 2, 1].map((depth) => [depth, 8] as const),
  [1, 2],
];

/**
 * Serializes a value in a limited length. What nests deepest is left out first, then the last members of objects and lists.
 *
 * @param value has at most a few thousand values
 */
export function fitJson(
  value: Json,
  maxLength: number,
): { readonly text: string; readonly isShortened: boolean } {
  const whole = JSON.stringify(value, null, 2);
  if (whole.length <= maxLength) return { text: whole, isShortened: false };
  for (const [depth, members] of CUTS) {
    const text = JSON.stringify(cut(value, depth, members) ?? null, null, 2);
    if (text.length <= maxLength) return { text, isShortened: true };
  }
  return { text: Array.isArray(value) ? '[]' : '{}', isShortened: true };
}

/** @returns `undefined` for an object or a list that is too deep */
function cut(value: Json, depth: number, members: number): Json | undefined {
  if (typeof value === 'string') return shorten(value, MAX_TEXT);
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return value;
  if (depth === 0) return undefined;
  const shown = Object.entries(value)
    .slice(0, members)
    .flatMap(([name, member]: [string, Json]): [string, Json][] => {
      const fitted = cut(member, depth - 1, members);
      return fitted === undefined ? [] : [[name, fitted]];
    });
  if (!Array.isArray(value)) return Object.fromEntries(shown);
  // An empty list would say that there is nothing.
  return shown.length === 0 ? undefined : shown.map(([, item]) => item);
}
