import type { JsonObject } from '../../../json.ts';
import { created, ok, refuse } from '../../site/answers.ts';
import { moment, nextId } from '../model/state.ts';
import type { BoardState, Task, TimeTrack } from '../model/types.ts';
import { answerPage, PAGING } from '../rest/paging.ts';
import { permit } from '../rest/permissions.ts';
import { conflict } from '../rest/refusals.ts';
import {
  type Answer,
  type BoardEndpoint,
  type BoardRequest,
  type BoardRoute,
  route,
  withTask,
} from '../rest/route.ts';
import { MINUTES } from '../tasks/args.ts';
import { changeTask, note } from '../tasks/changes.ts';
import { insiders, ownedBy, whileOn } from '../tasks/permissions.ts';
import { ESTIMATE_SCHEMA, elapsed, showTrack, TRACK_SCHEMA } from './view.ts';

const TRACKS = '/projects/{board_id:int}/tasks/{task_id:int}/time-tracks';

const NOTE: JsonObject = {
  description: 'What the time is spent on.',
  type: 'string',
  maxLength: 2000,
};
const BILLABLE: JsonObject = { description: 'Whether a customer pays for it.', type: 'boolean' };

const trackers = whileOn('time_tracking', permit.members);

function tracksOf(state: BoardState, task: Task): TimeTrack[] {
  return [...state.timeTracks.values()]
    .filter(({ taskId }) => taskId === task.id)
    .sort((one, other) => other.startedAt.localeCompare(one.startedAt) || other.id - one.id);
}

/** The path's track, for whose time it is and the board's managers. */
function withOwnTrack(
  handle: (request: BoardRequest, track: TimeTrack, task: Task) => Answer,
): BoardEndpoint['handle'] {
  return withTask((request, task, board) => {
    const track = request.state.timeTracks.get(request.params.integer('track_id', 0));
    if (track?.taskId !== task.id)
      return refuse(404, 'track_not_found', 'There is no such time track on this task.');
    return ownedBy(track.userId, request, board) ?? handle(request, track, task);
  });
}

function commit(request: BoardRequest, track: TimeTrack, task: Task, minutes: number): void {
  track.status = 'committed';
  track.committedAt = moment(request.now);
  track.minutes = minutes;
  note(request, task, {
    action: 'committed',
    subject: 'time-track',
    text: `committed ${minutes} minutes to “${task.title}”`,
    newValue: String(minutes),
  });
}

function startTrack(request: BoardRequest, task: Task): Answer {
  const { state, user, params, now } = request;
  const userId = user?.id ?? 0;
  const runs = tracksOf(state, task).find((track) => track.userId === userId && track.status === 'running');
  if (runs !== undefined && !params.has('minutes'))
    return conflict('track_running', `Time track ${runs.id} of yours runs on this task: commit it first.`);
  const worked = params.integer('minutes', 0);
  const track: TimeTrack = {
    id: nextId(state, 'timeTracks'),
    boardId: task.boardId,
    taskId: task.id,
    userId,
    status: 'running',
    startedAt: moment(new Date(now.getTime() - worked * 60_000)),
    committedAt: null,
    minutes: 0,
    note: params.string('note', ''),
    billable: params.boolean('billable', true),
  };
  state.timeTracks.set(track.id, track);
  if (params.has('minutes')) commit(request, track, task, worked);
  else
    note(request, task, {
      action: 'started',
      subject: 'time-track',
      text: `began to work on “${task.title}”`,
    });
  return created(
    showTrack(request, track),
    request.link(`/boards/v2/projects/${task.boardId}/tasks/${task.id}/time-tracks`),
  );
}

/** Time spent on a task. */
export const timeTrackRoutes: readonly BoardRoute[] = [
  route(
    TRACKS,
    [
      {
        methods: ['GET'],
        args: PAGING,
        permission: whileOn('time_tracking', insiders),
        handle: withTask((request, task) =>
          answerPage(request, tracksOf(request.state, task), (track) => showTrack(request, track)),
        ),
      },
      {
        methods: ['POST'],
        args: {
          minutes: {
            ...MINUTES,
            minimum: 1,
            description: 'Time that is already worked, which is committed at once. Absent: the clock starts.',
          },
          note: NOTE,
          billable: { ...BILLABLE, default: true },
        },
        permission: trackers,
        handle: withTask(startTrack),
      },
    ],
    TRACK_SCHEMA,
  ),
  route(
    `${TRACKS}/estimated-time`,
    [
      {
        methods: ['POST'],
        args: {
          minutes: { ...MINUTES, description: 'How long it should take; 0 for no estimate.', required: true },
        },
        permission: trackers,
        handle: withTask((request, task) => {
          changeTask(request, task, { estimatedMinutes: request.params.integer('minutes', 0) });
          const worked = tracksOf(request.state, task).reduce((sum, { minutes }) => sum + minutes, 0);
          return ok({
            task_id: task.id,
            estimated_minutes: task.estimatedMinutes,
            worked_minutes: worked,
            remaining_minutes: task.estimatedMinutes - worked,
          });
        }),
      },
    ],
    ESTIMATE_SCHEMA,
  ),
  route(
    `${TRACKS}/commit/{track_id:int}`,
    [
      {
        methods: ['PUT'],
        args: {
          minutes: { ...MINUTES, description: 'Time worked. Absent: since it was started.' },
          note: NOTE,
          billable: BILLABLE,
        },
        permission: trackers,
        handle: withOwnTrack((request, track, task) => {
          const { params } = request;
          if (track.status === 'committed')
            return conflict('track_committed', 'This time is committed already.');
          track.note = params.string('note', track.note);
          track.billable = params.boolean('billable', track.billable);
          commit(request, track, task, params.integer('minutes', elapsed(request, track)));
          return ok(showTrack(request, track));
        }),
      },
    ],
    TRACK_SCHEMA,
  ),
  route(
    `${TRACKS}/{track_id:int}`,
    [
      {
        methods: ['DELETE'],
        permission: trackers,
        handle: withOwnTrack((request, track, task) => {
          const previous = showTrack(request, track);
          request.state.timeTracks.delete(track.id);
          note(request, task, {
            action: 'deleted',
            subject: 'time-track',
            text: `took time off “${task.title}”`,
          });
          return ok({ deleted: true, previous });
        }),
      },
    ],
    TRACK_SCHEMA,
  ),
];
