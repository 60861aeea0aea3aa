import { type BoardState, type Task, toTimestamp } from '../model/index.ts';

export const ASSISTANT_ACTIONS = ['improve', 'estimate', 'plan', 'summarize'] as const;
export type AssistantAction = (typeof ASSISTANT_ACTIONS)[number];

export const SUGGESTED_FIELDS = ['title', 'description', 'priority', 'due_at', 'estimated_minutes'] as const;
export type SuggestedField = (typeof SUGGESTED_FIELDS)[number];

export interface TaskSuggestion {
  readonly field: SuggestedField;
  /** As text, whatever the type of the field: `120`, `2026-03-02T17:00:00Z`. */
  readonly value: string;
  readonly reason: string;
}

export interface TaskAdvice {
  readonly text: string;
  readonly suggestions: readonly TaskSuggestion[];
}

/**
 * Advice from rules over the content of the board. It needs no service, and the same task always gets the same advice.
 */
export function advise(state: BoardState, task: Task, action: AssistantAction, now: Date): TaskAdvice {
  return ADVISERS[action](state, task, now);
}

const ADVISERS: Readonly<Record<AssistantAction, (state: BoardState, task: Task, now: Date) => TaskAdvice>> =
  {
    improve(_state, task) {
      const title = task.title.trim().replace(/\.+$/, '');
      const tidy = title.charAt(0).toUpperCase() + title.slice(1);
      const outline = '## Goal\n\n## Done when\n\n- [ ] It works\n- [ ] Somebody else has looked at it';
      const description = task.description === '' ? outline : `${task.description}\n\n${outline}`;
      return {
        text: 'A goal and a list of what “done” means make a task easier to pick up.',
        suggestions: [
          ...(tidy === task.title
            ? []
            : [
                {
                  field: 'title',
                  value: tidy,
                  reason: 'Titles begin with a capital and end without a stop.',
                } as const,
              ]),
          { field: 'description', value: description, reason: 'Says when it is done.' },
        ],
      };
    },
    estimate(state, task) {
      const worked = new Map<number, number>();
      for (const { boardId, taskId, minutes } of state.timeTracks.values())
        if (boardId === task.boardId && taskId !== task.id)
          worked.set(taskId, (worked.get(taskId) ?? 0) + minutes);
      const typical = median([...worked.values()].filter((minutes) => minutes > 0)) ?? 120;
      const value = Math.ceil(typical / 15) * 15;
      return {
        text: `Tasks of this board took about ${value} minutes.`,
        suggestions: [
          {
            field: 'estimated_minutes',
            value: String(value),
            reason: `The median of ${worked.size} other tasks.`,
          },
        ],
      };
    },
    plan(state, task, now) {
      const open = [...state.tasks.values()].filter(
        ({ boardId, status, id }) => boardId === task.boardId && status === 'open' && id !== task.id,
      );
      const due = toTimestamp(new Date(now.getTime() + (3 + Math.min(open.length, 11)) * 86_400_000));
      const late = task.dueAt !== null && task.dueAt < toTimestamp(now);
      return {
        text: `${open.length} other tasks of this board are open.`,
        suggestions: [
          { field: 'due_at', value: due, reason: 'Three days, and more the more is open.' },
          {
            field: 'priority',
            value: late ? 'urgent' : 'high',
            reason: late ? 'It is overdue.' : 'It was asked about.',
          },
        ],
      };
    },
    summarize(state, task) {
      const comments = [...state.comments.values()].filter(({ taskId }) => taskId === task.id).length;
      const stage = state.stages.get(task.stageId)?.title ?? 'no stage';
      const people = task.assignees.length;
      return {
        text: `“${task.title}” is ${task.status} in ${stage}, with ${people} assigned and ${comments} comments.`,
        suggestions: [],
      };
    },
  };

function median(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)];
}
