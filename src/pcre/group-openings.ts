import type { PcreNode } from './ast.ts';

/** How a named capturing group begins after `(?`, and how its name ends. */
export const NAMED_GROUP_OPENINGS: readonly (readonly [opening: string, close: string])[] = [
  ['P<', '>'],
  ['<', '>'],
  ["'", "'"],
];

/**
 * How other groups begin after `(?`, and the node that they create from their body. Longer openings come first, because
 * `<` also begins a name.
 */
export const GROUP_OPENINGS: readonly (readonly [string, (body: () => PcreNode) => PcreNode])[] = [
  [':', (body) => body()],
  ['>', (body) => ({ kind: 'atomic', body: body() })],
  ['=', (body) => ({ kind: 'look', ahead: true, negative: false, body: body() })],
  ['!', (body) => ({ kind: 'look', ahead: true, negative: true, body: body() })],
  ['<=', (body) => ({ kind: 'look', ahead: false, negative: false, body: body() })],
  ['<!', (body) => ({ kind: 'look', ahead: false, negative: true, body: body() })],
];
