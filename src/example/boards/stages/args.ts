import type { JsonObject } from '../../../json.ts';
import type { ArgumentSchemas } from '../../site/declarations.ts';
import { schema } from '../rest/index.ts';

/** Properties of a stage that clients change. */
export const STAGE_ARGS: ArgumentSchemas = {
  title: schema.string('Name of the stage.', { minLength: 1, maxLength: 100 }),
  color: schema.color('Colour of its head: `#ffd43b`.'),
  default_status: schema.nullable(
    schema.enumeration('Status that tasks take when they come here. Null leaves theirs.', [
      'open',
      'closed',
      null,
    ]),
  ),
  default_assignees: schema.ids('Numbers of the members who are assigned to tasks that are made here.', {
    maxItems: 50,
    uniqueItems: true,
  }),
  task_limit: schema.nullable(
    schema.integer('Most open tasks that may stand here. Null for any number.', {
      minimum: 1,
      maximum: 1000,
    }),
  ),
};

export const STAGE_POSITION_ARG: JsonObject = schema.id(
  'Place on the board, 1 being the first. Absent, or beyond the end: the last.',
);
