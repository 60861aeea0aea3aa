import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/answers.ts';
import { choice } from '../rest/choices.ts';
import { readMoment } from '../rest/period.ts';
import { permit } from '../rest/permissions.ts';
import { invalid } from '../rest/refusals.ts';
import { type BoardRoute, route, withTask } from '../rest/route.ts';
import { TASK_PRIORITIES } from './args.ts';
import { changeTask } from './changes.ts';
import type { TaskFields } from './fields.ts';
import { answersWhole, TASK_SCHEMA } from './schema.ts';
import { ASSISTANT_ACTIONS, advise, SUGGESTED_FIELDS, type SuggestedField } from './suggestions.ts';
import { showTask } from './view.ts';

const TASK = '/projects/{board_id:int}/tasks/{task_id:int}';

const SUGGESTIONS: JsonObject = {
  description: 'Changes to the task, each with its reason.',
  type: 'array',
  maxItems: 20,
  items: {
    type: 'object',
    required: ['field', 'value'],
    properties: {
      field: { description: 'What it changes.', type: 'string', enum: SUGGESTED_FIELDS },
      value: { description: 'What to, as text.', type: 'string', maxLength: 60_000 },
      reason: { description: 'Why.', type: 'string' },
    },
  },
};

const ADVICE = answersWhole('task-advice', 'What the assistant says of a task.', {
  task_id: { description: 'Number of the task.', type: 'integer' },
  action: { description: 'What was asked for.', type: 'string', enum: ASSISTANT_ACTIONS },
  source: {
    description: 'Who speaks: the built-in rules, or the model that the AI settings name.',
    type: 'string',
  },
  text: { description: 'The answer, for a person.', type: 'string' },
  suggestions: {
    ...SUGGESTIONS,
    description: 'Changes that `ai-apply-suggestions` takes as they stand.',
  },
});

/** Reads the text of a suggestion; undefined where it is nothing that the field can hold. */
const VALUES: Readonly<Record<SuggestedField, (value: string) => Partial<TaskFields> | undefined>> = {
  title: (value) => {
    const title = value.trim();
    return title === '' || title.length > 300 ? undefined : { title };
  },
  description: (description) => ({ description }),
  priority: (value) => {
    const priority = TASK_PRIORITIES.find((known) => known === value);
    return priority === undefined ? undefined : { priority };
  },
  due_at: (value) => {
    const dueAt = readMoment(value);
    return dueAt === undefined ? undefined : { dueAt };
  },
  estimated_minutes: (value) => (/^\d{1,6}$/.test(value) ? { estimatedMinutes: Number(value) } : undefined),
};

/** Asking the assistant, and doing as it says. */
export const taskAssistant: readonly BoardRoute[] = [
  route(
    `${TASK}/ai-assist`,
    [
      {
        methods: ['POST'],
        args: {
          action: {
            description:
              'What is wanted: better words, an estimate from other tasks, a date and a priority, or a summary.',
            type: 'string',
            enum: ASSISTANT_ACTIONS,
            default: 'improve',
          },
        },
        permission: permit.members,
        handle: withTask((request, task) => {
          const { state, params, now } = request;
          const action = choice(params, 'action', ASSISTANT_ACTIONS) ?? 'improve';
          const { text, suggestions } = advise(state, task, action, now);
          return ok({
            task_id: task.id,
            action,
            source: 'built-in rules',
            text,
            suggestions: suggestions.map((suggestion) => ({ ...suggestion })),
          });
        }),
      },
    ],
    ADVICE,
  ),
  route(
    `${TASK}/ai-apply-suggestions`,
    [
      {
        methods: ['POST'],
        args: {
          suggestions: {
            ...SUGGESTIONS,
            description: 'Those of the assistant’s suggestions that are wanted.',
            minItems: 1,
            required: true,
          },
        },
        permission: permit.members,
        handle: withTask((request, task) => {
          let fields: Partial<TaskFields> = {};
          for (const suggestion of request.params.objects('suggestions')) {
            const field = SUGGESTED_FIELDS.find((known) => known === suggestion['field']);
            const read = field && VALUES[field](String(suggestion['value']));
            if (read === undefined) return invalid('suggestions', `${field ?? 'A field'} cannot be that.`);
            fields = { ...fields, ...read };
          }
          if (typeof fields.dueAt === 'string' && task.startsAt !== null && fields.dueAt < task.startsAt)
            return invalid('suggestions', 'A task cannot be due before it starts.');
          changeTask(request, task, fields);
          return ok(showTask(request, task));
        }),
      },
    ],
    TASK_SCHEMA,
  ),
];
