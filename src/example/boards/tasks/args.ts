import type { JsonObject } from '../../../json.ts';
import type { Args } from '../../site/declare.ts';
import type { TaskPriority } from '../model/types.ts';

function momentArg(description: string): JsonObject {
  return { description: `${description} Null takes it away.`, type: ['string', 'null'], format: 'date-time' };
}

function idsArg(description: string): JsonObject {
  return {
    description,
    type: 'array',
    items: { type: 'integer', minimum: 1 },
    maxItems: 100,
    uniqueItems: true,
  };
}

export const STAGE_ID: JsonObject = { description: 'Number of the stage.', type: 'integer', minimum: 1 };

export const POSITION: JsonObject = {
  description: 'Place in the stage, 1 being the top. Absent, or beyond the end: the last.',
  type: 'integer',
  minimum: 1,
};

export const TASK_PRIORITIES: readonly TaskPriority[] = ['low', 'medium', 'high', 'urgent'];

export const PRIORITY: JsonObject = {
  description: 'How much it matters.',
  type: 'string',
  enum: TASK_PRIORITIES,
};

export const STATUS: JsonObject = {
  description: 'Whether it is done.',
  type: 'string',
  enum: ['open', 'closed'],
};

export const TITLE: JsonObject = {
  description: 'What is to be done, in one line: `Draw the map`.',
  type: 'string',
  minLength: 1,
  maxLength: 300,
};

export const DATES: Args = {
  starts_at: momentArg('When work begins: `2026-03-02T09:00:00Z`.'),
  due_at: momentArg('When it has to be done, not before it starts.'),
  remind_at: momentArg('When its assignees are reminded.'),
};

export const MINUTES: JsonObject = {
  description: 'Whole minutes.',
  type: 'integer',
  minimum: 0,
  maximum: 525_600,
};

/** What a caller may write of a task. */
export const TASK_FIELDS: Args = {
  title: TITLE,
  description: {
    description: 'The whole of it, in Markdown.',
    type: 'string',
    maxLength: 50_000,
  },
  priority: PRIORITY,
  status: STATUS,
  assignees: idsArg('Numbers of the users who work on it: members of the board.'),
  labels: idsArg('Numbers of the labels that it carries: labels of the board.'),
  ...DATES,
  contact_id: {
    description: 'Number of the customer whom it is for. Null for nobody.',
    type: ['integer', 'null'],
  },
  support_ticket_id: {
    description: 'Number of the help desk ticket that it came from. Null for none.',
    type: ['integer', 'null'],
  },
  estimated_minutes: { ...MINUTES, description: 'How long it should take, in minutes.' },
};

export const TASK_IDS: JsonObject = {
  description: 'Numbers of the tasks.',
  type: 'array',
  items: { type: 'integer', minimum: 1 },
  minItems: 1,
  maxItems: 200,
  uniqueItems: true,
  required: true,
};
