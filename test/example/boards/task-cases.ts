import { PNG, startBoardClient } from './board-client.ts';
import { findFirst, nextIdOf, type OperationCase } from './operation-cases.ts';

const state = startBoardClient().site.state();
const task = findFirst(
  state.tasks,
  ({ boardId, archivedAt, status, startsAt }) =>
    boardId === 1 && archivedAt === null && status === 'open' && startsAt === null,
);
const archived = findFirst(state.tasks, ({ boardId, archivedAt }) => boardId === 1 && archivedAt !== null);
const ticketed = findFirst(state.tasks, ({ supportTicketId }) => supportTicketId !== null);
const label = findFirst(state.labels, ({ boardId }) => boardId === 1);
const comment = findFirst(state.comments, ({ boardId, authorId }) => boardId === 1 && authorId !== 3);
const reply = findFirst(state.replies, ({ boardId, authorId }) => boardId === 1 && authorId !== 3);
const unticketed = findFirst(
  state.tasks,
  ({ boardId, supportTicketId }) => boardId === 1 && supportTicketId === null,
);

const BOARD = '/projects/1';
const TASK = `${BOARD}/tasks/${task.id}`;
const picture = { name: 'White board.png', type: 'image/png', bytes: PNG };
const text = { name: 'notes.png', type: 'image/png', bytes: Buffer.from('not a picture') };

const NOBODY = { as: null, status: 401, code: 'rest_forbidden' } as const;
const VIEWER = { as: 'subscriber', path: '', status: 403, code: 'rest_forbidden' } as const;
const INVALID = { status: 400, code: 'rest_invalid_param' } as const;
const MISSING = { status: 400, code: 'rest_missing_callback_param' } as const;
const NO_TASK = { path: `${BOARD}/tasks/999999`, status: 404, code: 'task_not_found' } as const;
const NO_BOARD = { path: '/projects/999999/tasks', status: 404, code: 'board_not_found' } as const;

export const TASK_CASES: readonly OperationCase[] = [
  { method: 'GET', path: `${BOARD}/tasks`, bad: NO_BOARD },
  {
    method: 'GET',
    path: `${BOARD}/tasks/filtered`,
    good: { query: { search: 'the', due: 'week', 'priorities[]': 'high', orderby: 'due' } },
    bad: { query: { due: 'soon' }, ...INVALID },
  },
  {
    method: 'GET',
    path: `${BOARD}/tasks/table`,
    good: { query: { orderby: 'priority', order: 'desc' } },
    bad: { query: { orderby: 'colour' }, ...INVALID },
  },
  { method: 'GET', path: `${BOARD}/tasks/by-stage`, bad: { query: { per_stage: 0 }, ...INVALID } },
  { method: 'GET', path: `${BOARD}/tasks/stage-page`, good: { query: { stage_id: 1 } }, bad: MISSING },
  { method: 'GET', path: `${BOARD}/tasks/archived`, bad: NOBODY },
  { method: 'GET', path: `${BOARD}/archived-tasks`, bad: { query: { per_page: 101 }, ...INVALID } },
  {
    method: 'POST',
    path: `${BOARD}/tasks`,
    good: { body: { title: 'Sweep the floor', assignees: [2], labels: [label.id] }, status: 201 },
    bad: { body: { title: 'Sweep the floor', assignees: [12] }, ...INVALID },
  },
  {
    method: 'POST',
    path: `${BOARD}/tasks/create-task-from-image`,
    good: { file: picture },
    bad: { file: text, status: 400, code: 'rest_upload_unknown_type' },
  },
  { method: 'GET', path: TASK, bad: NO_TASK },
  {
    method: 'PUT',
    path: TASK,
    good: { body: { title: 'Another title', stage_id: 2, position: 1 } },
    bad: { ...VIEWER, path: '/projects/2/tasks/1' },
  },
  { method: 'DELETE', path: TASK, bad: NO_TASK },
  {
    method: 'DELETE',
    path: `/projects/${ticketed.boardId}/tasks/${ticketed.id}/support-ticket`,
    bad: {
      path: `${BOARD}/tasks/${unticketed.id}/support-ticket`,
      status: 404,
      code: 'ticket_not_found',
    },
  },
  {
    method: 'POST',
    path: `${TASK}/dates`,
    good: { body: { starts_at: '2026-03-02T09:00:00Z', due_at: '2026-03-04T17:00:00+01:00' } },
    bad: { body: { starts_at: '2026-03-05T09:00:00Z', due_at: '2026-03-04T17:00:00Z' }, ...INVALID },
  },
  {
    method: 'PUT',
    path: `${TASK}/move-task`,
    good: { body: { stage_id: 4, position: 1 } },
    bad: { body: { stage_id: 7 }, ...INVALID },
  },
  {
    method: 'PUT',
    path: `${BOARD}/tasks/${task.id}/move-to-next-stage`,
    bad: {
      path: `${BOARD}/tasks/${archived.id}/move-to-next-stage`,
      status: 409,
      code: archived.stageId === 5 ? 'no_next_stage' : 'task_archived',
    },
  },
  { method: 'PUT', path: `${TASK}/pin`, bad: NOBODY },
  {
    method: 'POST',
    path: `${BOARD}/tasks/bulk-actions`,
    good: { body: { action: 'set-priority', priority: 'low', task_ids: [task.id, 999_999] } },
    bad: { body: { action: 'set-priority', task_ids: [task.id] }, ...INVALID },
  },
  {
    method: 'PUT',
    path: `${BOARD}/bulk-restore-tasks`,
    good: { body: { task_ids: [archived.id] } },
    bad: { body: { task_ids: [] }, ...INVALID },
  },
  {
    method: 'DELETE',
    path: `${BOARD}/bulk-delete-tasks`,
    good: { body: { task_ids: [archived.id] } },
    bad: { body: { task_ids: [archived.id] }, as: 'subscriber', status: 403, code: 'rest_forbidden' },
  },
  {
    method: 'POST',
    path: `${BOARD}/tasks/update-cover-photo/${task.id}`,
    good: { body: { color: '#ffd43b' } },
    bad: { body: { color: 'yellow' }, ...INVALID },
  },
  {
    method: 'POST',
    path: `${BOARD}/tasks/status-update/${task.id}`,
    good: { body: { status: 'closed' } },
    bad: { body: { status: 'done' }, ...INVALID },
  },
  {
    method: 'POST',
    path: `${TASK}/ai-assist`,
    good: { body: { action: 'estimate' } },
    bad: { body: { action: 'sing' }, ...INVALID },
  },
  {
    method: 'POST',
    path: `${TASK}/ai-apply-suggestions`,
    good: { body: { suggestions: [{ field: 'priority', value: 'urgent' }] } },
    bad: { body: { suggestions: [{ field: 'priority', value: 'very' }] }, ...INVALID },
  },
  { method: 'POST', path: `${TASK}/assign-yourself`, bad: NOBODY },
  { method: 'POST', path: `${TASK}/detach-yourself`, bad: NOBODY },
  {
    method: 'POST',
    path: `${TASK}/clone-task`,
    good: { body: { with_labels: false } },
    bad: { body: { stage_id: 6 }, ...INVALID },
  },
  {
    method: 'POST',
    path: `${TASK}/comment-image-upload`,
    good: { file: picture },
    bad: { status: 400, code: 'rest_upload_no_data' },
  },
  {
    method: 'POST',
    path: `${TASK}/task-cover-image-upload`,
    good: { file: picture },
    bad: { file: text, status: 400, code: 'rest_upload_unknown_type' },
  },
  { method: 'POST', path: `${TASK}/remove-task-cover`, bad: NOBODY },
  {
    method: 'POST',
    path: `${TASK}/core-editor-media-file-upload`,
    good: { file: picture },
    bad: { file: picture, ...NOBODY },
  },
  { method: 'GET', path: `${TASK}/activities`, bad: { query: { action: 'slept' }, ...INVALID } },
  { method: 'GET', path: `${TASK}/comments-and-activities`, bad: NOBODY },
  {
    method: 'GET',
    path: `${TASK}/comments`,
    bad: { path: `${BOARD}/tasks/0/comments`, status: 404, code: 'task_not_found' },
  },
  {
    method: 'POST',
    path: `${TASK}/comments`,
    good: { body: { content: 'Looks good', privacy: 'private' }, status: 201 },
    bad: { body: { content: '  ' }, ...INVALID },
  },
  {
    method: 'PUT',
    path: `${BOARD}/tasks/comments/${comment.id}`,
    good: { body: { content: 'Better words' } },
    bad: { body: { content: 'Mine now' }, as: 'subscriber', status: 403, code: 'rest_forbidden' },
  },
  {
    method: 'DELETE',
    path: `${BOARD}/tasks/comments/${comment.id}`,
    bad: { path: `/projects/2/tasks/comments/${comment.id}`, status: 404, code: 'comment_not_found' },
  },
  {
    method: 'PUT',
    path: `${BOARD}/tasks/comments/${comment.id}/privacy`,
    good: { body: { privacy: 'private' } },
    bad: MISSING,
  },
  {
    method: 'PUT',
    path: `${BOARD}/tasks/reply/${reply.id}`,
    good: { body: { content: 'Better words' } },
    bad: { body: { content: 'Mine now' }, as: 'subscriber', status: 403, code: 'rest_forbidden' },
  },
  {
    method: 'DELETE',
    path: `${BOARD}/tasks/reply/${reply.id}`,
    bad: {
      path: `${BOARD}/tasks/reply/${nextIdOf(state, 'replies')}`,
      status: 404,
      code: 'reply_not_found',
    },
  },
];
