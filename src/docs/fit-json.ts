import { countOf } from '../count-of.ts';
import type { Json } from '../json.ts';
import { shorten } from '../ui/text.ts';

/** Longer texts in an example are cut if it is too long. */
const MAX_TEXT = 200;

/**
 * Serializes a value in a limited length. What nests deepest is left out first, and in its place stands how much it is, so that
 * the text is JSON still.
 *
 * @param value has at most a few thousand values
 */
export function fitJson(value: Json, maxLength: number): string {
  const whole = JSON.stringify(value, null, 2);
  if (whole.length <= maxLength) return whole;
  for (let depth = 8; depth > 0; depth -= 1) {
    const text = JSON.stringify(cut(value, depth, Number.POSITIVE_INFINITY), null, 2);
    if (text.length <= maxLength) return text;
  }
  for (let members = 100; members > 1; members = Math.floor(members / 2)) {
    const text = JSON.stringify(cut(value, 1, members), null, 2);
    if (text.length <= maxLength) return text;
  }
  return JSON.stringify(cut(value, 0, 0), null, 2);
}

/** The name of the member that says what was left out. */
const LEFT_OUT = '…';

function cut(value: Json, depth: number, members: number): Json {
  if (typeof value === 'string') return shorten(value, MAX_TEXT);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const shown = depth === 0 ? [] : value.slice(0, members);
    const rest = value.length - shown.length;
    const more =
      rest === 0 ? [] : [`${LEFT_OUT} ${countOf(rest, shown.length === 0 ? 'item' : 'more item')}`];
    return [...shown.map((item: Json) => cut(item, depth - 1, members)), ...more];
  }
  const entries = Object.entries(value);
  const shown = depth === 0 ? [] : entries.slice(0, members);
  const rest = entries.length - shown.length;
  const more = rest === 0 ? {} : { [LEFT_OUT]: countOf(rest, shown.length === 0 ? 'member' : 'more member') };
  return {
    ...Object.fromEntries(shown.map(([name, member]) => [name, cut(member, depth - 1, members)])),
    ...more,
  };
}
