import type { JsonObject } from '../../../json.ts';
import { restError } from '../../site/responses.ts';
import { PERSON_SCHEMA, showPerson } from '../members/person.ts';
import type { Board, BoardState, Task, Timestamp } from '../model/index.ts';
import { findTask, isSiteError, TASK_PRIORITIES, toTimestamp } from '../model/index.ts';
import type { BoardRequest, BoardResource, ItemView } from '../rest/index.ts';
import {
  canReadComment,
  canReadPeople,
  canReadTask,
  createResource,
  createView,
  findBoardOfPath,
  permit,
  responseSchema,
  schema,
} from '../rest/index.ts';
import { logTask } from './changes.ts';

/** Values that all tasks of a response share. */
interface TaskViewContext {
  readonly request: BoardRequest;
  /** Comments that the client may read, by task. */
  readonly commentCounts: ReadonlyMap<number, number>;
  /** Committed minutes, by task. */
  readonly minutes: ReadonlyMap<number, number>;
  /** Tasks that the client has pinned. */
  readonly pinned: ReadonlySet<number>;
}

const date = (description: string): JsonObject => ({
  description,
  type: ['string', 'null'],
  format: 'date-time',
  examples: ['2026-03-02T09:00:00Z'],
});

export const taskView: ItemView<Task> = createView<Task, TaskViewContext>(
  (request) => ({
    request,
    commentCounts: countReadableCommentsByTask(request),
    minutes: sumByTask(request.state.timeTracks.values(), (track) => track.minutes),
    pinned: new Set(request.state.settingsByUser.get(request.user?.id ?? 0)?.pinnedTasks),
  }),
  {
    id: schema.readOnly(schema.integer('Number of the task.')),
    board_id: schema.readOnly(schema.integer('Board that the task is on.')),
    stage_id: schema.integer('Stage that the task stands in.'),
    type: schema.readOnly(schema.enumeration('Tasks of a roadmap are ideas.', ['task', 'idea'])),
    title: schema.string('What is to be done.', { examples: ['Draw the map'] }),
    slug: schema.readOnly({
      description: 'Name in addresses, unique on its board.',
      examples: ['draw-the-map'],
      type: 'string',
    }),
    description: schema.string('The whole of it, in Markdown.', {
      examples: ['Of the *harbour*, with all its stairs.'],
    }),
    status: schema.enumeration('Whether it is done.', ['open', 'closed']),
    priority: schema.enumeration('How much it matters.', TASK_PRIORITIES),
    position: schema.integer('Place in its stage, from 1; 0 while it is archived.'),
    assignees: [
      schema.array('Who works on it.', PERSON_SCHEMA),
      (task, { request }) =>
        showsPeople(request, task) ? task.assignees.map((id) => showPerson(request.state, id)) : [],
    ],
    labels: [
      schema.objects('Labels that it carries.', {
        id: schema.integer('Number of the label.'),
        title: schema.string('Its text.'),
        color: schema.string('Colour of the text.'),
        background_color: schema.string('Colour behind the text.'),
      }),
      ({ labels }, { request: { state } }) =>
        labels
          .flatMap((id) => state.labels.get(id) ?? [])
          .map(({ id, title, color, backgroundColor }) => ({
            id,
            title,
            color,
            background_color: backgroundColor,
          })),
    ],
    starts_at: date('When work begins.'),
    due_at: date('When it has to be done.'),
    remind_at: date('When its assignees are reminded.'),
    is_overdue: [
      schema.readOnly(schema.boolean('Whether it is open though it is due.')),
      (task, { request }) => isOverdue(task, toTimestamp(request.now)),
    ],
    cover: [
      {
        description: 'What shows at its top: a colour or a picture.',
        type: ['object', 'null'],
        properties: {
          color: schema.nullable(schema.string('A colour: `#ffd43b`.')),
          image_url: schema.nullable({ description: 'Address of a picture.', type: 'string', format: 'uri' }),
        },
      },
      ({ cover }) => (cover === null ? null : { color: cover.color, image_url: cover.imageUrl }),
    ],
    contact_id: [
      schema.nullable(schema.integer('Customer whom it is for.')),
      (task, { request }) => (showsPeople(request, task) ? task.contactId : null),
    ],
    support_ticket_id: [
      schema.nullable(schema.integer('Help desk ticket that it came from.')),
      (task, { request }) => (showsPeople(request, task) ? task.supportTicketId : null),
    ],
    estimated_minutes: schema.integer('How long it should take.'),
    worked_minutes: [
      schema.readOnly(schema.integer('Time that was committed to it.')),
      ({ id }, { minutes }) => minutes.get(id) ?? 0,
    ],
    comment_count: [
      schema.readOnly(schema.integer('Comments that the caller may read.')),
      ({ id }, { commentCounts }) => commentCounts.get(id) ?? 0,
    ],
    is_pinned: [
      schema.readOnly(schema.boolean('Whether the caller has pinned it.')),
      ({ id }, { pinned }) => pinned.has(id),
    ],
    created_by: [
      PERSON_SCHEMA,
      (task, { request }) => (showsPeople(request, task) ? showPerson(request.state, task.createdBy) : null),
    ],
    created_at: schema.readOnly(date('When it was made.')),
    updated_at: schema.readOnly(date('When it last changed, or anything about it.')),
    completed_at: schema.readOnly(date('When it was done; null while it is open.')),
    archived_at: schema.readOnly(date('When it was archived; null while it shows.')),
  },
);

/** The tasks and ideas of a board, which its members change. */
export const taskResource: BoardResource<Task, readonly [Board]> = createResource<Task, readonly [Board]>({
  schema: responseSchema('task', 'A piece of work on a board.', taskView.properties),
  readPermission: permit.viewers,
  writePermission: permit.members,
  findParents: findBoardOfPath,
  findItem(request, board) {
    const task = findTask(request.state, board.id, request.params.string('task_id'));
    // A client does not learn of tasks that they may not read.
    return isSiteError(task) || canReadTask(request, board, task)
      ? task
      : restError(404, 'task_not_found', 'There is no such task on this board.');
  },
  createPresenter: taskView.createPresenter,
  logChange: logTask,
});

function showsPeople(request: BoardRequest, { boardId }: Task): boolean {
  const board = request.state.boards.get(boardId);
  return board !== undefined && canReadPeople(request, board);
}

export function isOverdue({ status, archivedAt, dueAt }: Task, now: Timestamp): boolean {
  return status === 'open' && archivedAt === null && dueAt !== null && dueAt < now;
}

/** Comments that the client may read, by task. */
export function countReadableCommentsByTask(request: BoardRequest): Map<number, number> {
  const { boards, comments }: BoardState = request.state;
  return sumByTask(comments.values(), (comment) => {
    const board = boards.get(comment.boardId);
    return board !== undefined && canReadComment(request, board, comment) ? 1 : 0;
  });
}

/** Adds up a number of each item, by task. */
export function sumByTask<T extends { readonly taskId: number }>(
  items: Iterable<T>,
  amountOf: (item: T) => number,
): Map<number, number> {
  const sums = new Map<number, number>();
  for (const item of items) sums.set(item.taskId, (sums.get(item.taskId) ?? 0) + amountOf(item));
  return sums;
}
