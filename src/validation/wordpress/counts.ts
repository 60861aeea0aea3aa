import { createViolation, formatCount, type SchemaViolation } from './violation.ts';

/** What is counted of a value, with WordPress's codes and words for too little and too much. */
interface Counted {
  readonly few: string;
  readonly many: string;
  say(word: 'least' | 'most', count: string, one: boolean): string;
}

const contain =
  (one: string, more: string): Counted['say'] =>
  (word, count, single) =>
    `must contain at ${word} ${count} ${single ? one : more}.`;

const COUNTED: Readonly<Record<'characters' | 'items' | 'properties', Counted>> = {
  characters: {
    few: 'rest_too_short',
    many: 'rest_too_long',
    say: (word, count, one) => `must be at ${word} ${count} ${one ? 'character' : 'characters'} long.`,
  },
  items: { few: 'rest_too_few_items', many: 'rest_too_many_items', say: contain('item', 'items') },
  properties: {
    few: 'rest_too_few_properties',
    many: 'rest_too_many_properties',
    say: contain('property', 'properties'),
  },
};

export function validateCount(
  what: 'characters' | 'items' | 'properties',
  count: number,
  least: number | undefined,
  most: number | undefined,
  param: string,
): SchemaViolation | null {
  const { few, many, say } = COUNTED[what];
  if (least !== undefined && count < least) {
    return createViolation(few, `${param} ${say('least', formatCount(least), least === 1)}`);
  }
  if (most !== undefined && count > most) {
    return createViolation(many, `${param} ${say('most', formatCount(most), most === 1)}`);
  }
  return null;
}
