import { ok } from '../../site/responses.ts';
import type { ActivityEntry, BoardState, Task, TimeTrack } from '../model/index.ts';
import { newestFirst, nextId, toTimestamp } from '../model/index.ts';
import type { BoardRequest, BoardRoute } from '../rest/index.ts';
import { PAGING_ARGS, refuseConflict, responseSchema, schema } from '../rest/index.ts';
import { MINUTES_ARG } from '../tasks/args.ts';
import { changeTask } from '../tasks/changes.ts';
import { elapsedMinutes, timeTrackResource } from './resource.ts';

const TRACKS = '/projects/{board_id:int}/tasks/{task_id:int}/time-tracks';
const NOTE = schema.string('What the time is spent on.', { maxLength: 2000 });
const BILLABLE = schema.boolean('Whether a customer pays for it.');

/** Time tracks of a task. */
export const timeTrackRoutes: readonly BoardRoute[] = [
  timeTrackResource.route(TRACKS, {
    GET: { args: PAGING_ARGS, listPaged: ({ state }, task) => tracksOf(state, task) },
    POST: {
      args: {
        minutes: {
          ...MINUTES_ARG,
          minimum: 1,
          description: 'Time that is already worked, which is committed at once. Absent: the clock starts.',
        },
        note: NOTE,
        billable: { ...BILLABLE, default: true },
      },
      create(request, task) {
        const { state, user, params, now } = request;
        const userId = user?.id ?? 0;
        const running = tracksOf(state, task).find(
          (track) => track.userId === userId && track.status === 'running',
        );
        if (running !== undefined && !params.has('minutes')) {
          return refuseConflict(
            'track_running',
            `Time track ${running.id} of yours runs on this task: commit it first.`,
          );
        }
        const worked = params.integer('minutes', 0);
        const track: TimeTrack = {
          id: nextId(state, 'timeTracks'),
          boardId: task.boardId,
          taskId: task.id,
          userId,
          status: 'running',
          startedAt: toTimestamp(new Date(now.getTime() - worked * 60_000)),
          committedAt: null,
          minutes: 0,
          note: params.string('note', ''),
          billable: params.boolean('billable', true),
        };
        state.timeTracks.set(track.id, track);
        const entry: ActivityEntry = params.has('minutes')
          ? commit(request, track, task, worked)
          : { action: 'started', text: `began to work on “${task.title}”` };
        timeTrackResource.logChange(request, track, entry);
        return track;
      },
      location: ({ boardId, taskId }) => `/projects/${boardId}/tasks/${taskId}/time-tracks`,
    },
  }),
  timeTrackResource.post(`${TRACKS}/estimated-time`, {
    schema: responseSchema('time-estimate', 'How long a task should take, beside what it took.', {
      task_id: schema.integer('Number of the task.'),
      estimated_minutes: schema.integer('How long it should take.'),
      worked_minutes: schema.integer('Time that was committed to it.'),
      remaining_minutes: schema.integer('What is left of the estimate; negative where it was too small.'),
    }),
    args: {
      minutes: {
        ...MINUTES_ARG,
        description: 'How long it should take; 0 for no estimate.',
        required: true,
      },
    },
    handleCollection(request, task) {
      changeTask(request, task, { estimatedMinutes: request.params.integer('minutes', 0) });
      const worked = tracksOf(request.state, task).reduce((sum, { minutes }) => sum + minutes, 0);
      return ok({
        task_id: task.id,
        estimated_minutes: task.estimatedMinutes,
        worked_minutes: worked,
        remaining_minutes: task.estimatedMinutes - worked,
      });
    },
  }),
  timeTrackResource.put(`${TRACKS}/commit/{track_id:int}`, {
    args: {
      minutes: { ...MINUTES_ARG, description: 'Time worked. Absent: since it was started.' },
      note: NOTE,
      billable: BILLABLE,
    },
    change(request, track, task) {
      const { params } = request;
      if (track.status === 'committed') {
        return refuseConflict('track_committed', 'This time is committed already.');
      }
      track.note = params.string('note', track.note);
      track.billable = params.boolean('billable', track.billable);
      return commit(request, track, task, params.integer('minutes', elapsedMinutes(request, track)));
    },
  }),
  timeTrackResource.delete(`${TRACKS}/{track_id:int}`, {
    remove({ state }, { id }, { title }) {
      state.timeTracks.delete(id);
      return { action: 'deleted', text: `took time off “${title}”` };
    },
  }),
];

/** The time tracks of a task, newest first. */
function tracksOf(state: BoardState, task: Task): TimeTrack[] {
  return [...state.timeTracks.values()]
    .filter(({ taskId }) => taskId === task.id)
    .sort(newestFirst(({ startedAt }) => startedAt));
}

function commit({ now }: BoardRequest, track: TimeTrack, { title }: Task, minutes: number): ActivityEntry {
  track.status = 'committed';
  track.committedAt = toTimestamp(now);
  track.minutes = minutes;
  const text = `committed ${minutes} minutes to “${title}”`;
  return { action: 'committed', text, newValue: String(minutes) };
}
