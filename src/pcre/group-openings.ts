import type { PcreNode } from './ast.ts';

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
