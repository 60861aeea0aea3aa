import type { JsonObject } from '../../../json.ts';
import { PERSON } from '../members/person.ts';
import { whole } from '../rest/schema.ts';

const READ_ONLY = { readonly: true } as const;

function momentOf(description: string, extra: JsonObject = {}): JsonObject {
  return {
    description,
    type: ['string', 'null'],
    format: 'date-time',
    examples: ['2026-03-02T09:00:00Z'],
    ...extra,
  };
}

const NUMBER_OR_NONE = { type: ['integer', 'null'] } as const;

/** A label as it is shown on a task. */
const LABEL_ON_TASK: JsonObject = {
  type: 'object',
  properties: {
    id: { description: 'Number of the label.', type: 'integer' },
    title: { description: 'Its text.', type: 'string' },
    color: { description: 'Colour of the text.', type: 'string' },
    background_color: { description: 'Colour behind the text.', type: 'string' },
  },
};

/** The members of a task, which `showTask` writes. */
export const TASK_PROPERTIES: Readonly<Record<string, JsonObject>> = {
  id: { description: 'Number of the task.', type: 'integer', ...READ_ONLY },
  board_id: { description: 'Board that the task is on.', type: 'integer', ...READ_ONLY },
  stage_id: { description: 'Stage that the task stands in.', type: 'integer' },
  type: {
    description: 'Tasks of a roadmap are ideas.',
    type: 'string',
    enum: ['task', 'idea'],
    ...READ_ONLY,
  },
  title: { description: 'What is to be done.', type: 'string', examples: ['Draw the map'] },
  slug: {
    description: 'Name in addresses, unique on its board.',
    examples: ['draw-the-map'],
    type: 'string',
    ...READ_ONLY,
  },
  description: {
    description: 'The whole of it, in Markdown.',
    type: 'string',
    examples: ['Of the *harbour*, with all its stairs.'],
  },
  status: { description: 'Whether it is done.', type: 'string', enum: ['open', 'closed'] },
  priority: {
    description: 'How much it matters.',
    type: 'string',
    enum: ['low', 'medium', 'high', 'urgent'],
  },
  position: { description: 'Place in its stage, from 1; 0 while it is archived.', type: 'integer' },
  assignees: { description: 'Who works on it.', type: 'array', items: PERSON },
  labels: { description: 'Labels that it carries.', type: 'array', items: LABEL_ON_TASK },
  starts_at: momentOf('When work begins.'),
  due_at: momentOf('When it has to be done.'),
  remind_at: momentOf('When its assignees are reminded.'),
  is_overdue: { description: 'Whether it is open though it is due.', type: 'boolean', ...READ_ONLY },
  cover: {
    description: 'What shows at its top: a colour or a picture.',
    type: ['object', 'null'],
    properties: {
      color: { description: 'A colour: `#ffd43b`.', type: ['string', 'null'] },
      image_url: { description: 'Address of a picture.', type: ['string', 'null'], format: 'uri' },
    },
  },
  contact_id: { description: 'Customer whom it is for.', ...NUMBER_OR_NONE },
  support_ticket_id: { description: 'Help desk ticket that it came from.', ...NUMBER_OR_NONE },
  estimated_minutes: { description: 'How long it should take.', type: 'integer' },
  worked_minutes: { description: 'Time that was committed to it.', type: 'integer', ...READ_ONLY },
  comment_count: {
    description: 'Comments that the caller may read.',
    type: 'integer',
    ...READ_ONLY,
  },
  is_pinned: { description: 'Whether the caller has pinned it.', type: 'boolean', ...READ_ONLY },
  created_by: PERSON,
  created_at: momentOf('When it was made.', READ_ONLY),
  updated_at: momentOf('When it last changed, or anything about it.', READ_ONLY),
  completed_at: momentOf('When it was done; null while it is open.', READ_ONLY),
  archived_at: momentOf('When it was archived; null while it shows.', READ_ONLY),
};

/** A schema of what a route answers: `answers('time-track', 'Time spent…', { … })`. */
export function answers(
  title: string,
  description: string,
  properties: Readonly<Record<string, JsonObject>>,
): JsonObject {
  return {
    $schema: 'http://json-schema.org/draft-04/schema#',
    title,
    description,
    type: 'object',
    properties,
  };
}

/** The same of an answer that always has every member. */
export function answersWhole(...of: Parameters<typeof answers>): JsonObject {
  return whole(answers(...of));
}

export const TASK_SCHEMA: JsonObject = answersWhole('task', 'A piece of work on a board.', TASK_PROPERTIES);
