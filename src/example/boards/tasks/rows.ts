import type { JsonObject } from '../../../json.ts';
import { moment } from '../model/state.ts';
import type { Board, Task } from '../model/types.ts';
import type { BoardRequest } from '../rest/route.ts';
import { answersWhole } from './schema.ts';
import { countByTask, isOverdue, mayReadPeople } from './view.ts';

/** A task in a table: its columns as text, ready to show. */
export const TASK_ROW_SCHEMA: JsonObject = answersWhole('task-row', 'A task as a row of a table.', {
  id: { description: 'Number of the task.', type: 'integer' },
  title: { description: 'What is to be done.', type: 'string' },
  stage: { description: 'Title of its stage.', type: 'string' },
  status: { description: 'Whether it is done.', type: 'string', enum: ['open', 'closed'] },
  priority: {
    description: 'How much it matters.',
    type: 'string',
    enum: ['low', 'medium', 'high', 'urgent'],
  },
  assignees: { description: 'Names of those who work on it.', type: 'array', items: { type: 'string' } },
  labels: { description: 'Texts of its labels.', type: 'array', items: { type: 'string' } },
  due_at: { description: 'When it has to be done.', type: ['string', 'null'], format: 'date-time' },
  is_overdue: { description: 'Whether it is open though it is due.', type: 'boolean' },
  estimated_minutes: { description: 'How long it should take.', type: 'integer' },
  worked_minutes: { description: 'Time that was committed to it.', type: 'integer' },
  updated_at: { description: 'When it last changed.', type: 'string', format: 'date-time' },
});

export function showRow(request: BoardRequest, board: Board): (task: Task) => JsonObject {
  const { state, now } = request;
  const minutes = countByTask(state.timeTracks.values(), (track) => track.minutes);
  const names = new Map(state.users.map(({ id, name }) => [id, name]));
  const people = mayReadPeople(request, board);
  return (task) => ({
    id: task.id,
    title: task.title,
    stage: state.stages.get(task.stageId)?.title ?? '',
    status: task.status,
    priority: task.priority,
    assignees: people ? task.assignees.flatMap((id) => names.get(id) ?? []) : [],
    labels: task.labels.flatMap((id) => state.labels.get(id)?.title ?? []),
    due_at: task.dueAt,
    is_overdue: isOverdue(task, moment(now)),
    estimated_minutes: task.estimatedMinutes,
    worked_minutes: minutes.get(task.id) ?? 0,
    updated_at: task.updatedAt,
  });
}
