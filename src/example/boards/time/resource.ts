import { restError } from '../../site/responses.ts';
import { PERSON_SCHEMA, showPerson } from '../members/person.ts';
import type { Board, Task, TimeTrack } from '../model/index.ts';
import type { BoardRequest, BoardResource } from '../rest/index.ts';
import {
  createResource,
  createView,
  permit,
  requireOwner,
  responseSchema,
  schema,
  withFeature,
} from '../rest/index.ts';
import { logTask } from '../tasks/changes.ts';
import { taskResource } from '../tasks/resource.ts';

const trackView = createView<TimeTrack, BoardRequest>((request) => request, {
  id: schema.readOnly(schema.integer('Number of the time track.')),
  board_id: schema.readOnly(schema.integer('Board of the task.')),
  task_id: schema.readOnly(schema.integer('Task that it is spent on.')),
  user: [PERSON_SCHEMA, ({ userId }, { state }) => showPerson(state, userId)],
  status: schema.readOnly(schema.enumeration('Whether it still runs.', ['running', 'committed'])),
  started_at: schema.readOnly(schema.dateTime('When it began.')),
  committed_at: schema.readOnly(
    schema.nullable(schema.dateTime('When it was committed; null while it runs.')),
  ),
  minutes: [
    schema.integer('Whole minutes: as committed, or so far.'),
    (track, request) => (track.status === 'running' ? elapsedMinutes(request, track) : track.minutes),
  ],
  note: schema.string('What was done in that time.'),
  billable: schema.boolean('Whether a customer pays for it.'),
});

/** The time tracks of a task, which their users and the managers of the board change. */
export const timeTrackResource: BoardResource<TimeTrack, readonly [Task, Board]> = createResource<
  TimeTrack,
  readonly [Task, Board]
>({
  schema: responseSchema(
    'time-track',
    'Time that somebody spends on a task: it runs until it is committed.',
    trackView.properties,
  ),
  readPermission: withFeature('time_tracking', permit.anyMember),
  writePermission: withFeature('time_tracking', permit.members),
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
export function elapsedMinutes({ now }: BoardRequest, { startedAt }: TimeTrack): number {
  return Math.max(0, Math.floor((now.getTime() - Date.parse(startedAt)) / 60_000));
}
