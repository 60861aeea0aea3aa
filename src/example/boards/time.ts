import { ok, refuse } from '../../rest-server/responses.ts';
import type { BoardOperations } from './declarations.ts';
import { requireOwner } from './permissions.ts';
import { BoardResource, createView } from './resource.ts';
import {
  type ActivityEntry,
  type Board,
  type BoardRequest,
  newestFirst,
  type Task,
  type TimeTrack,
  toTimestamp,
} from './state.ts';
import { changeTask, logTask, taskResource, workedMinutes } from './tasks.ts';

/** The time tracks of a task, which their users and the managers of the board change. */
const timeTrackResource: BoardResource<TimeTrack, [Task, Board]> = new BoardResource({
  findParents: taskResource.locate,
  findItem(request, task, board) {
    const track = request.state.timeTracks.get(request.params.integer('track_id', 0));
    if (track?.taskId !== task.id) {
      return refuse(404, 'track_not_found', 'There is no such time track on this task.');
    }
    requireOwner(request, board, track.userId);
    return track;
  },
  show: createView<TimeTrack>('time-track', {
    user: ({ userId }, { state }) => state.showPerson(userId),
    minutes: (track, request) =>
      track.status === 'running' ? elapsedMinutes(request, track) : track.minutes,
  }),
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
  listTimeTracks: timeTrackResource.listPage(({ state }, task) =>
    state.timeTracks
      .where(({ taskId }) => taskId === task.id)
      .sort(newestFirst(({ startedAt }) => startedAt)),
  ),
  addTimeTrack: timeTrackResource.create((request, task) => {
    const { state, user, params, now } = request;
    const userId = user?.id ?? 0;
    const [running] = state.timeTracks
      .where((each) => each.taskId === task.id && each.userId === userId && each.status === 'running')
      .sort(newestFirst(({ startedAt }) => startedAt));
    if (running !== undefined && !params.has('minutes')) {
      const message = `Time track ${running.id} of yours runs on this task: commit it first.`;
      refuse(409, 'track_running', message);
    }
    const worked = params.integer('minutes', 0);
    const track = state.timeTracks.add((id) => ({
      id,
      boardId: task.boardId,
      taskId: task.id,
      userId,
      status: 'running',
      startedAt: toTimestamp(new Date(now.getTime() - worked * 60_000)),
      committedAt: null,
      minutes: 0,
      note: params.string('note', ''),
      billable: params.boolean('billable', true),
    }));
    const entry = params.has('minutes')
      ? commit(request, track, task, worked)
      : { action: 'started', text: `began to work on “${task.title}”` };
    timeTrackResource.logChange(request, track, entry);
    return track;
  }),
  estimateTime: timeTrackResource.withParents((request, task) => {
    changeTask(request, task, { estimatedMinutes: request.params.integer('minutes', 0) });
    const worked = workedMinutes(task, request);
    return ok({
      task_id: task.id,
      estimated_minutes: task.estimatedMinutes,
      worked_minutes: worked,
      remaining_minutes: task.estimatedMinutes - worked,
    });
  }),
  commitTimeTrack: timeTrackResource.change((request, track, task) => {
    const { params } = request;
    if (track.status === 'committed') refuse(409, 'track_committed', 'This time is committed already.');
    track.note = params.string('note', track.note);
    track.billable = params.boolean('billable', track.billable);
    return commit(request, track, task, params.integer('minutes', elapsedMinutes(request, track)));
  }),
  deleteTimeTrack: timeTrackResource.remove(({ state }, { id }, { title }) => {
    state.timeTracks.delete(id);
    return { action: 'deleted', text: `took time off “${title}”` };
  }),
};

function commit({ now }: BoardRequest, track: TimeTrack, { title }: Task, minutes: number): ActivityEntry {
  track.status = 'committed';
  track.committedAt = toTimestamp(now);
  track.minutes = minutes;
  const text = `committed ${minutes} minutes to “${title}”`;
  return { action: 'committed', text, newValue: String(minutes) };
}
