import type { JsonObject } from '../../../json.ts';
import { CURRENCY_CODES } from '../model/currencies.ts';

export const TITLE: JsonObject = {
  description: 'Name of the board.',
  type: 'string',
  minLength: 1,
  maxLength: 200,
};

export const DESCRIPTION: JsonObject = {
  description: 'What the board is for.',
  type: 'string',
  maxLength: 5000,
};

export const CURRENCY: JsonObject = {
  description: 'Currency of amounts on the board (ISO 4217).',
  type: 'string',
  enum: CURRENCY_CODES,
};

/** A colour: `#4c6ef5`. */
export function color(description: string, extra: JsonObject = {}): JsonObject {
  return { description, type: 'string', format: 'hex-color', ...extra };
}

export const KIND: JsonObject = {
  description: '`kanban` boards hold tasks, `roadmap` boards ideas that are voted on.',
  type: 'string',
  enum: ['kanban', 'roadmap'],
};

export const ROLE: JsonObject = {
  description: 'Managers run the board, members work on it, viewers look at it.',
  type: 'string',
  enum: ['manager', 'member', 'viewer'],
  default: 'member',
};

export const STAGE_TITLES: JsonObject = {
  description: 'Names of its stages in their order. Absent: the usual ones of its type.',
  type: 'array',
  items: { type: 'string', minLength: 1, maxLength: 100 },
  minItems: 1,
  maxItems: 20,
};
