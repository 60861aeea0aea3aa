import type { JsonObject } from '../../../json.ts';

export function count(description: string): JsonObject {
  return { description, type: 'integer' };
}

export function listOf(description: string, properties: Readonly<Record<string, JsonObject>>): JsonObject {
  return { description, type: 'array', items: { type: 'object', properties } };
}

/** Counts by word: `{ low: 3, high: 1 }`. */
export function countsOf(description: string, words: readonly string[]): JsonObject {
  return {
    description,
    type: 'object',
    properties: Object.fromEntries(words.map((word) => [word, { type: 'integer' }])),
  };
}

export const BOARD_ID: JsonObject = count('Number of the board.');
export const BOARD_TITLE: JsonObject = { description: 'Title of the board.', type: 'string' };
export const DATE: JsonObject = { description: 'The day, in UTC.', type: 'string', format: 'date' };

/** What every report begins with. */
export const PERIOD_PROPERTIES: Readonly<Record<string, JsonObject>> = {
  from: { description: 'First day that counts; null for the beginning.', type: ['string', 'null'] },
  to: { description: 'Last day that counts; null for now.', type: ['string', 'null'] },
};
