import { ok, restError } from '../../rest-server/responses.ts';
import { showPerson } from './people.ts';
import {
  type BoardOperations,
  type BoardRequest,
  BoardResource,
  createView,
  refuseConflict,
  requireOwner,
} from './resource.ts';
import {
  type ActivityEntry,
  type Board,
  type BoardState,
  newestFirst,
  nextId,
  type Task,
  type TimeTrack,
  toTimestamp,
} from './state.ts';
import { changeTask, logTask, taskResource } from './tasks.ts';

const trackView = createView<TimeTrack, BoardRequest>('time-track', (request) => request, {
  user: ({ userId }, { state }) => showPerson(state, userId),
  minutes: (track, request) => (track.status === 'running' ? elapsedMinutes(request, track) : track.minutes),
});

/** The time tracks of a task, which their users and the managers of the board change. */
const timeTrackResource: BoardResource<TimeTrack, [Task, Board]> = new BoardResource({
  findParents: taskResource.locate,
  findItem(request, task, board) {
    const track = request.state.timeTracks.get(request.params.integer('track_id', 0));
    return track?.taskId === task.id
      ? (requireOwner(request, board, track.userId) ?? track)
      : restError(404, 'track_not_found', 'There is no such time track on this task.');
  },
  createPresenter: trackView.createPresenter,
  logChange: (request, { taskId }, entry) => {
    const task = request.state.tasks.get(taskId);
    if (task !== undefined) logTask(request, task, { subject: 'time-track', ...entry });
  },
});

/** Whole minutes since a track was started. */
function elapsedMinutes({ now }: BoardRequest, { startedAt }: TimeTrack): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(startedAt)) / 60_000));
}

/** Time tracks of a task. */
export const timeOperations: BoardOperations = {
  'GET /projects/{board_id:int}/tasks/{task_id:int}/time-tracks': timeTrackResource.listPage(
    ({ state }, task) => tracksOf(state, task),
  ),
  'POST /projects/{board_id:int}/tasks/{task_id:int}/time-tracks': timeTrackResource.create(
    '/projects/{board_id}/tasks/{task_id}/time-tracks',
    (request, task) => {
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
  ),
  'POST /projects/{board_id:int}/tasks/{task_id:int}/time-tracks/estimated-time':
    timeTrackResource.withParents((request, task) => {
      changeTask(request, task, { estimatedMinutes: request.params.integer('minutes', 0) });
      const worked = tracksOf(request.state, task).reduce((sum, { minutes }) => sum + minutes, 0);
      return ok({
        task_id: task.id,
        estimated_minutes: task.estimatedMinutes,
        worked_minutes: worked,
        remaining_minutes: task.estimatedMinutes - worked,
      });
    }),
  'PUT /projects/{board_id:int}/tasks/{task_id:int}/time-tracks/commit/{track_id:int}':
    timeTrackResource.change((request, track, task) => {
      const { params } = request;
      if (track.status === 'committed') {
        return refuseConflict('track_committed', 'This time is committed already.');
      }
      track.note = params.string('note', track.note);
      track.billable = params.boolean('billable', track.billable);
      return commit(request, track, task, params.integer('minutes', elapsedMinutes(request, track)));
    }),
  'DELETE /projects/{board_id:int}/tasks/{task_id:int}/time-tracks/{track_id:int}': timeTrackResource.remove(
    ({ state }, { id }, { title }) => {
      state.timeTracks.delete(id);
      return { action: 'deleted', text: `took time off “${title}”` };
    },
  ),
};

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
