import { refuse } from '../../rest-server/responses.ts';
import type { BoardOperations } from './declarations.ts';
import { requireOwner } from './permissions.ts';
import { BoardResource, createView } from './resource.ts';
import {
  type Board,
  type BoardRequest,
  newestFirst,
  type Task,
  type TimeTrack,
  toTimestamp,
} from './state.ts';
import { taskResource } from './tasks.ts';

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
  logChange: (request, { boardId, taskId }, entry) =>
    request.state.record({ boardId, taskId, subject: 'time-track', ...entry }, request),
});

function elapsedMinutes({ now }: BoardRequest, { startedAt }: TimeTrack): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(startedAt)) / 60_000));
}

export const timeOperations: BoardOperations = {
  listTimeTracks: timeTrackResource.listPage(({ state }, task) =>
    state.timeTracks
      .where(({ taskId }) => taskId === task.id)
      .sort(newestFirst(({ startedAt }) => startedAt)),
  ),
  addTimeTrack: timeTrackResource.create((request, task) => {
    const { state, user, params, now } = request;
    const userId = user?.id ?? 0;
    const [running] = state.timeTracks.where(
      (each) => each.taskId === task.id && each.userId === userId && each.status === 'running',
    );
    if (running !== undefined) {
      const message = `Time track ${running.id} of yours runs on this task: commit it first.`;
      refuse(409, 'track_running', message);
    }
    const track = state.timeTracks.add((id) => ({
      id,
      boardId: task.boardId,
      taskId: task.id,
      userId,
      status: 'running',
      startedAt: toTimestamp(now),
      committedAt: null,
      minutes: 0,
      note: params.string('note', ''),
      billable: params.boolean('billable', true),
    }));
    const text = `began to work on “${task.title}”`;
    timeTrackResource.logChange(request, track, { action: 'started', text });
    return track;
  }),
  commitTimeTrack: timeTrackResource.change((request, track, task) => {
    const { params } = request;
    if (track.status === 'committed') refuse(409, 'track_committed', 'This time is committed already.');
    track.note = params.string('note', track.note);
    track.billable = params.boolean('billable', track.billable);
    track.minutes = params.integer('minutes', elapsedMinutes(request, track));
    track.status = 'committed';
    track.committedAt = toTimestamp(request.now);
    return { action: 'committed', text: `committed ${track.minutes} minutes to “${task.title}”` };
  }),
  deleteTimeTrack: timeTrackResource.remove(({ state }, { id }, { title }) => {
    state.timeTracks.delete(id);
    return { action: 'deleted', text: `took time off “${title}”` };
  }),
};
