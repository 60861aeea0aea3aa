import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/responses.ts';
import { type AiTone, parseTimestamp, TASK_PRIORITIES } from '../model/index.ts';
import {
  type BoardRoute,
  enumParam,
  invalidArgument,
  permit,
  responseSchema,
  schema,
  withFeature,
} from '../rest/index.ts';
import { changeTask } from './changes.ts';
import { isDueBeforeStart, type TaskValues } from './fields.ts';
import { taskResource } from './resource.ts';
import { ASSISTANT_ACTIONS, advise, SUGGESTED_FIELDS, type SuggestedField } from './suggestions.ts';

const TASK = '/projects/{board_id:int}/tasks/{task_id:int}';

const SUGGESTIONS: JsonObject = {
  description: 'Changes to the task, each with its reason.',
  type: 'array',
  maxItems: 20,
  items: {
    type: 'object',
    required: ['field', 'value'],
    properties: {
      field: schema.enumeration('What it changes.', SUGGESTED_FIELDS),
      value: schema.string('What to, as text.', { maxLength: 60_000 }),
      reason: schema.string('Why.'),
    },
  },
};

/** How the assistant begins, by the tone of the AI settings. */
const OPENINGS: Readonly<Record<AiTone, string>> = {
  neutral: '',
  friendly: 'Happy to help! ',
  formal: 'We recommend the following. ',
};

/** Cuts a text after a number of words. */
function limitWords(text: string, limit: number): string {
  const words = text.split(' ');
  return words.length <= limit ? text : `${words.slice(0, limit).join(' ')} …`;
}

/** While the module `ai` is off, the assistant is refused. */
const permission = withFeature('ai', permit.members);

/** Converts the text of a suggestion; `undefined` for a value that the field cannot have. */
const READERS: Readonly<Record<SuggestedField, (value: string) => TaskValues | undefined>> = {
  title(value) {
    const title = value.trim();
    return title === '' || title.length > 300 ? undefined : { title };
  },
  description: (description) => ({ description }),
  priority(value) {
    const priority = TASK_PRIORITIES.find((known) => known === value);
    return priority === undefined ? undefined : { priority };
  },
  due_at(value) {
    const dueAt = parseTimestamp(value);
    return dueAt === undefined ? undefined : { dueAt };
  },
  estimated_minutes: (value) => (/^\d{1,6}$/.test(value) ? { estimatedMinutes: Number(value) } : undefined),
};

/** Asking the assistant for advice on a task, and applying its suggestions. */
export const taskAssistantRoutes: readonly BoardRoute[] = [
  taskResource.post(`${TASK}/ai-assist`, {
    permission,
    schema: responseSchema('task-advice', 'What the assistant says of a task.', {
      task_id: schema.integer('Number of the task.'),
      action: schema.enumeration('What was asked for.', ASSISTANT_ACTIONS),
      text: schema.string('The advice for a person, as the AI settings want it.'),
      suggestions: {
        ...SUGGESTIONS,
        description: 'Changes that `ai-apply-suggestions` takes as they stand.',
      },
    }),
    args: {
      action: schema.enumeration(
        'What is wanted: better words, an estimate from other tasks, a date and a priority, or a summary.',
        ASSISTANT_ACTIONS,
        { default: 'improve' },
      ),
    },
    handleItem({ state, params, now }, task) {
      const action = enumParam(params, 'action', ASSISTANT_ACTIONS) ?? 'improve';
      const { text, suggestions } = advise(state, task, action, now);
      const { tone, max_words } = state.settings.ai;
      return ok({
        task_id: task.id,
        action,
        text: limitWords(`${OPENINGS[tone]}${text}`, max_words),
        suggestions: suggestions.map((suggestion) => ({ ...suggestion })),
      });
    },
  }),
  taskResource.post(`${TASK}/ai-apply-suggestions`, {
    permission,
    args: {
      suggestions: {
        ...SUGGESTIONS,
        description: 'Those of the assistant’s suggestions that are wanted.',
        minItems: 1,
        required: true,
      },
    },
    change(request, task) {
      let values: TaskValues = {};
      for (const suggestion of request.params.objects('suggestions')) {
        const field = SUGGESTED_FIELDS.find((known) => known === suggestion['field']);
        const value = field && READERS[field](String(suggestion['value']));
        if (value === undefined) {
          return invalidArgument('suggestions', `${field ?? 'A field'} cannot be that.`);
        }
        values = { ...values, ...value };
      }
      if (isDueBeforeStart(task.startsAt, values.dueAt ?? null)) {
        return invalidArgument('suggestions', 'A task cannot be due before it starts.');
      }
      return changeTask(request, task, values);
    },
  }),
];
