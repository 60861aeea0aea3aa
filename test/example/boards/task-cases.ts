import { PNG, startBoardClient } from './board-client.ts';
import { findFirst, type OperationCase, peekNextId } from './operation-cases.ts';

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

const ANONYMOUS = { as: null, status: 401, code: 'rest_forbidden' } as const;
const VIEWER = { as: 'subscriber', path: '', status: 403, code: 'rest_forbidden' } as const;
const INVALID = { status: 400, code: 'rest_invalid_param' } as const;
const MISSING = { status: 400, code: 'rest_missing_callback_param' } as const;
const NO_TASK = { path: `${BOARD}/tasks/999999`, status: 404, code: 'task_not_found' } as const;
const NO_BOARD = { path: '/projects/999999/tasks', status: 404, code: 'board_not_found' } as const;

export const TASK_CASES: readonly OperationCase[] = [
  { method: 'GET', path: `${BOARD}/tasks`, refused: NO_BOARD },
  {
    method: 'GET',
    path: `${BOARD}/tasks/filtered`,
    accepted: { query: { search: 'the', due: 'week', 'priorities[]': 'high', orderby: 'due' } },
    refused: { query: { due: 'soon' }, ...INVALID },
  },
  {
    method: 'GET',
    path: `${BOARD}/tasks/table`,
    accepted: { query: { orderby: 'priority', order: 'desc' } },
    refused: { query: { orderby: 'colour' }, ...INVALID },
  },
  { method: 'GET', path: `${BOARD}/tasks/by-stage`, refused: { query: { per_stage: 0 }, ...INVALID } },
  {
    method: 'GET',
    path: `${BOARD}/tasks/stage-page`,
    accepted: { query: { stage_id: 1 } },
    refused: MISSING,
  },
  { method: 'GET', path: `${BOARD}/tasks/archived`, refused: ANONYMOUS },
  { method: 'GET', path: `${BOARD}/archived-tasks`, refused: { query: { per_page: 101 }, ...INVALID } },
  {
    method: 'POST',
    path: `${BOARD}/tasks`,
    accepted: { body: { title: 'Sweep the floor', assignees: [2], labels: [label.id] }, status: 201 },
    refused: { body: { title: 'Sweep the floor', assignees: [12] }, ...INVALID },
  },
  {
    method: 'POST',
    path: `${BOARD}/tasks/create-task-from-image`,
    accepted: { status: 201, file: picture },
    refused: { file: text, status: 400, code: 'rest_upload_unknown_type' },
  },
  { method: 'GET', path: TASK, refused: NO_TASK },
  {
    method: 'PUT',
    path: TASK,
    accepted: { body: { title: 'Another title', stage_id: 2, position: 1 } },
    refused: { ...VIEWER, path: '/projects/2/tasks/1' },
  },
  { method: 'DELETE', path: TASK, refused: NO_TASK },
  {
    method: 'DELETE',
    path: `/projects/${ticketed.boardId}/tasks/${ticketed.id}/support-ticket`,
    refused: {
      path: `${BOARD}/tasks/${unticketed.id}/support-ticket`,
      status: 404,
      code: 'ticket_not_found',
    },
  },
  {
    method: 'POST',
    path: `${TASK}/dates`,
    accepted: { body: { starts_at: '2026-03-02T09:00:00Z', due_at: '2026-03-04T17:00:00+01:00' } },
    refused: { body: { starts_at: '2026-03-05T09:00:00Z', due_at: '2026-03-04T17:00:00Z' }, ...INVALID },
  },
  {
    method: 'PUT',
    path: `${TASK}/move-task`,
    accepted: { body: { stage_id: 4, position: 1 } },
    refused: { body: { stage_id: 7 }, ...INVALID },
  },
  {
    method: 'PUT',
    path: `${BOARD}/tasks/${task.id}/move-to-next-stage`,
    refused: {
      path: `${BOARD}/tasks/${archived.id}/move-to-next-stage`,
      status: 409,
      code: archived.stageId === 5 ? 'no_next_stage' : 'task_archived',
    },
  },
  { method: 'PUT', path: `${TASK}/pin`, refused: ANONYMOUS },
  {
    method: 'POST',
    path: `${BOARD}/tasks/bulk-actions`,
    accepted: { body: { action: 'set-priority', priority: 'low', task_ids: [task.id, 999_999] } },
    refused: { body: { action: 'set-priority', task_ids: [task.id] }, ...INVALID },
  },
  {
    method: 'PUT',
    path: `${BOARD}/bulk-restore-tasks`,
    accepted: { body: { task_ids: [archived.id] } },
    refused: { body: { task_ids: [] }, ...INVALID },
  },
  {
    method: 'DELETE',
    path: `${BOARD}/bulk-delete-tasks`,
    accepted: { body: { task_ids: [archived.id] } },
    refused: { body: { task_ids: [archived.id] }, as: 'subscriber', status: 403, code: 'rest_forbidden' },
  },
  {
    method: 'POST',
    path: `${BOARD}/tasks/update-cover-photo/${task.id}`,
    accepted: { body: { color: '#ffd43b' } },
    refused: { body: { color: 'yellow' }, ...INVALID },
  },
  {
    method: 'POST',
    path: `${BOARD}/tasks/status-update/${task.id}`,
    accepted: { body: { status: 'closed' } },
    refused: { body: { status: 'done' }, ...INVALID },
  },
  {
    method: 'POST',
    path: `${TASK}/ai-assist`,
    accepted: { body: { action: 'estimate' } },
    refused: { body: { action: 'sing' }, ...INVALID },
  },
  {
    method: 'POST',
    path: `${TASK}/ai-apply-suggestions`,
    accepted: { body: { suggestions: [{ field: 'priority', value: 'urgent' }] } },
    refused: { body: { suggestions: [{ field: 'priority', value: 'very' }] }, ...INVALID },
  },
  { method: 'POST', path: `${TASK}/assign-yourself`, refused: ANONYMOUS },
  { method: 'POST', path: `${TASK}/detach-yourself`, refused: ANONYMOUS },
  {
    method: 'POST',
    path: `${TASK}/clone-task`,
    accepted: { status: 201, body: { with_labels: false } },
    refused: { body: { stage_id: 6 }, ...INVALID },
  },
  {
    method: 'POST',
    path: `${TASK}/comment-image-upload`,
    accepted: { status: 201, file: picture },
    refused: { status: 400, code: 'rest_upload_no_data' },
  },
  {
    method: 'POST',
    path: `${TASK}/task-cover-image-upload`,
    accepted: { file: picture },
    refused: { file: text, status: 400, code: 'rest_upload_unknown_type' },
  },
  { method: 'POST', path: `${TASK}/remove-task-cover`, refused: ANONYMOUS },
  {
    method: 'POST',
    path: `${TASK}/core-editor-media-file-upload`,
    accepted: { status: 201, file: picture },
    refused: { file: picture, ...ANONYMOUS },
  },
  { method: 'GET', path: `${TASK}/activities`, refused: { query: { action: 'slept' }, ...INVALID } },
  { method: 'GET', path: `${TASK}/comments-and-activities`, refused: ANONYMOUS },
  {
    method: 'GET',
    path: `${TASK}/comments`,
    refused: { path: `${BOARD}/tasks/0/comments`, status: 404, code: 'task_not_found' },
  },
  {
    method: 'POST',
    path: `${TASK}/comments`,
    accepted: { body: { content: 'Looks good', privacy: 'private' }, status: 201 },
    refused: { body: { content: '  ' }, ...INVALID },
  },
  {
    method: 'PUT',
    path: `${BOARD}/tasks/comments/${comment.id}`,
    accepted: { body: { content: 'Better words' } },
    refused: { body: { content: 'Mine now' }, as: 'subscriber', status: 403, code: 'rest_forbidden' },
  },
  {
    method: 'DELETE',
    path: `${BOARD}/tasks/comments/${comment.id}`,
    refused: { path: `/projects/2/tasks/comments/${comment.id}`, status: 404, code: 'comment_not_found' },
  },
  {
    method: 'PUT',
    path: `${BOARD}/tasks/comments/${comment.id}/privacy`,
    accepted: { body: { privacy: 'private' } },
    refused: MISSING,
  },
  {
    method: 'PUT',
    path: `${BOARD}/tasks/reply/${reply.id}`,
    accepted: { body: { content: 'Better words' } },
    refused: { body: { content: 'Mine now' }, as: 'subscriber', status: 403, code: 'rest_forbidden' },
  },
  {
    method: 'DELETE',
    path: `${BOARD}/tasks/reply/${reply.id}`,
    refused: {
      path: `${BOARD}/tasks/reply/${peekNextId(state, 'replies')}`,
      status: 404,
      code: 'reply_not_found',
    },
  },
];
