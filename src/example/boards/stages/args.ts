import type { JsonObject } from '../../../json.ts';
import type { Args } from '../../site/declare.ts';
import { color } from '../boards/args.ts';

/** What a caller may set of a stage. */
export const STAGE_FIELDS: Args = {
  title: { description: 'Name of the stage.', type: 'string', minLength: 1, maxLength: 100 },
  color: color('Colour of its head: `#ffd43b`.'),
  default_status: {
    description: 'Status that tasks take when they come here. Null leaves theirs.',
    type: ['string', 'null'],
    enum: ['open', 'closed', null],
  },
  default_assignees: {
    description: 'Numbers of the members who are assigned to tasks that are made here.',
    type: 'array',
    items: { type: 'integer', minimum: 1 },
    maxItems: 50,
    uniqueItems: true,
  },
  task_limit: {
    description: 'Most open tasks that may stand here. Null for any number.',
    type: ['integer', 'null'],
    minimum: 1,
    maximum: 1000,
  },
};

export const POSITION: JsonObject = {
  description: 'Place on the board, 1 being the first. Absent, or beyond the end: the last.',
  type: 'integer',
  minimum: 1,
};
