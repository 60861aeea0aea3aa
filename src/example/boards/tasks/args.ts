import type { JsonObject } from '../../../json.ts';
import type { ArgumentSchemas } from '../../site/declarations.ts';
import { TASK_PRIORITIES } from '../model/index.ts';
import { schema } from '../rest/index.ts';

const ids = (description: string): JsonObject =>
  schema.ids(description, { maxItems: 100, uniqueItems: true });

const date = (description: string): JsonObject =>
  schema.nullable(schema.dateTime(`${description} Null takes it away.`));

export const STAGE_ID_ARG: JsonObject = schema.id('Number of the stage.');
export const START_STAGE_ARG: JsonObject = {
  ...STAGE_ID_ARG,
  description: 'Stage that it starts in. Absent: the first of the board.',
};
export const TASK_POSITION_ARG: JsonObject = schema.id(
  'Place in the stage, 1 being the top. Absent, or beyond the end: the last.',
);
export const PRIORITY_ARG: JsonObject = schema.enumeration('How much it matters.', TASK_PRIORITIES);
export const STATUS_ARG: JsonObject = schema.enumeration('Whether it is done.', ['open', 'closed']);
export const TASK_TITLE_ARG: JsonObject = schema.string('What is to be done, in one line: `Draw the map`.', {
  minLength: 1,
  maxLength: 300,
});
export const MINUTES_ARG: JsonObject = schema.integer('Whole minutes.', { minimum: 0, maximum: 525_600 });

export const DATE_ARGS: ArgumentSchemas = {
  starts_at: date('When work begins: `2026-03-02T09:00:00Z`.'),
  due_at: date('When it has to be done, not before it starts.'),
  remind_at: date('When its assignees are reminded.'),
};

/** Properties of a task that clients change. */
export const TASK_ARGS: ArgumentSchemas = {
  title: TASK_TITLE_ARG,
  description: schema.string('The whole of it, in Markdown.', { maxLength: 50_000 }),
  priority: PRIORITY_ARG,
  status: STATUS_ARG,
  assignees: ids('Numbers of the users who work on it: members of the board.'),
  labels: ids('Numbers of the labels that it carries: labels of the board.'),
  ...DATE_ARGS,
  contact_id: schema.nullable(schema.integer('Number of the customer whom it is for. Null for nobody.')),
  support_ticket_id: schema.nullable(
    schema.integer('Number of the help desk ticket that it came from. Null for none.'),
  ),
  estimated_minutes: { ...MINUTES_ARG, description: 'How long it should take, in minutes.' },
};

export const TASK_IDS_ARG: JsonObject = schema.ids('Numbers of the tasks.', {
  minItems: 1,
  maxItems: 200,
  uniqueItems: true,
  required: true,
});
