import type { JsonObject } from '../../../json.ts';
import { PERSON, showPerson } from '../members/person.ts';
import type { TimeTrack } from '../model/types.ts';
import type { BoardRequest } from '../rest/route.ts';
import { answersWhole } from '../tasks/schema.ts';

export const TRACK_SCHEMA: JsonObject = answersWhole(
  'time-track',
  'Time that somebody spends on a task: it runs until it is committed.',
  {
    id: { description: 'Number of the time track.', type: 'integer', readonly: true },
    board_id: { description: 'Board of the task.', type: 'integer', readonly: true },
    task_id: { description: 'Task that it is spent on.', type: 'integer', readonly: true },
    user: PERSON,
    status: {
      description: 'Whether it still runs.',
      type: 'string',
      enum: ['running', 'committed'],
      readonly: true,
    },
    started_at: { description: 'When it began.', type: 'string', format: 'date-time', readonly: true },
    committed_at: {
      description: 'When it was committed; null while it runs.',
      type: ['string', 'null'],
      format: 'date-time',
      readonly: true,
    },
    minutes: { description: 'Whole minutes: as committed, or so far.', type: 'integer' },
    note: { description: 'What was done in that time.', type: 'string' },
    billable: { description: 'Whether a customer pays for it.', type: 'boolean' },
  },
);

export const ESTIMATE_SCHEMA: JsonObject = answersWhole(
  'time-estimate',
  'How long a task should take, beside what it took.',
  {
    task_id: { description: 'Number of the task.', type: 'integer' },
    estimated_minutes: { description: 'How long it should take.', type: 'integer' },
    worked_minutes: { description: 'Time that was committed to it.', type: 'integer' },
    remaining_minutes: {
      description: 'What is left of the estimate; negative where it was too small.',
      type: 'integer',
    },
  },
);

/** Whole minutes since a track was started. */
export function elapsed({ now }: BoardRequest, { startedAt }: TimeTrack): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(startedAt)) / 60_000));
}

export function showTrack(request: BoardRequest, track: TimeTrack): JsonObject {
  return {
    id: track.id,
    board_id: track.boardId,
    task_id: track.taskId,
    user: showPerson(request.state, track.userId),
    status: track.status,
    started_at: track.startedAt,
    committed_at: track.committedAt,
    minutes: track.status === 'running' ? elapsed(request, track) : track.minutes,
    note: track.note,
    billable: track.billable,
  };
}
