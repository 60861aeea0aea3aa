import type { PcreNode } from './ast.ts';
import type { PatternCursor } from './cursor.ts';

/** The texts after `(?` that begin a named capturing group, and the text that ends its name. */
export const NAMED_GROUP_OPENINGS: readonly (readonly [opening: string, close: string])[] = [
  ['P<', '>'],
  ['<', '>'],
  ["'", "'"],
];

/**
 * The texts after `(?` that begin other groups, and the function that creates a node from the group's body. They are tried
 * before those of named groups, because `<` also begins a name.
 */
export const GROUP_OPENINGS: readonly (readonly [string, (body: () => PcreNode) => PcreNode])[] = [
  [':', (body) => body()],
  ['>', (body) => ({ kind: 'atomic', body: body() })],
  ['=', (body) => ({ kind: 'look', ahead: true, negative: false, body: body() })],
  ['!', (body) => ({ kind: 'look', ahead: true, negative: true, body: body() })],
  ['<=', (body) => ({ kind: 'look', ahead: false, negative: false, body: body() })],
  ['<!', (body) => ({ kind: 'look', ahead: false, negative: true, body: body() })],
];

/** Parses the name of a capturing group and the text that ends it. */
export function parseGroupName(cursor: PatternCursor, close: string, unicode: boolean): string {
  const name = cursor.takeUntil(close);
  const valid = unicode ? /^[\p{L}\p{Nd}_]{1,32}$/u : /^\w{1,32}$/;
  if (!valid.test(name) || /^\d/.test(name)) throw cursor.createError(`${name} is not a valid group name`);
  return name;
}
