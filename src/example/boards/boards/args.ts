import type { JsonObject } from '../../../json.ts';
import { CURRENCY_CODES } from '../model/index.ts';
import { schema } from '../rest/index.ts';

export const BOARD_TITLE_ARG: JsonObject = schema.string('Name of the board.', {
  minLength: 1,
  maxLength: 200,
});
export const BOARD_DESCRIPTION_ARG: JsonObject = schema.string('What the board is for.', { maxLength: 5000 });
export const CURRENCY_ARG: JsonObject = schema.enumeration(
  'Currency of amounts on the board (ISO 4217).',
  CURRENCY_CODES,
);

export const BOARD_KINDS = ['kanban', 'roadmap'] as const;
export const BOARD_KIND_ARG: JsonObject = schema.enumeration(
  '`kanban` boards hold tasks, `roadmap` boards ideas that are voted on.',
  BOARD_KINDS,
);

export const STAGE_TITLES_ARG: JsonObject = schema.array(
  'Names of its stages in their order. Absent: the usual ones of its type.',
  { type: 'string', minLength: 1, maxLength: 100 },
  { minItems: 1, maxItems: 20 },
);
