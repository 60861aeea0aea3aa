import { startBoardClient } from './board-client.ts';
import { findFirst, type OperationCase, peekNextId } from './operation-cases.ts';

const state = startBoardClient().site.state();
const task = findFirst(state.tasks, ({ boardId, archivedAt }) => boardId === 1 && archivedAt === null);
const track = findFirst(state.timeTracks, ({ boardId, userId }) => boardId === 1 && userId !== 3);
const idea = findFirst(
  state.tasks,
  ({ boardId, archivedAt, id }) =>
    boardId === 3 &&
    archivedAt === null &&
    !state.votes.some(({ ideaId, userId }) => ideaId === id && userId === 1),
);
const hidden = findFirst(state.comments, ({ boardId, privacy }) => boardId === 3 && privacy === 'private');
const comment = findFirst(
  state.comments,
  ({ boardId, privacy, authorId }) => boardId === 3 && privacy === 'public' && authorId !== 2,
);

const INVALID = { status: 400, code: 'rest_invalid_param' } as const;
const SIGNED_OUT = { as: null, status: 401, code: 'rest_not_logged_in' } as const;
const TRACKS = `/projects/1/tasks/${task.id}/time-tracks`;

export const TIME_CASES: readonly OperationCase[] = [
  { method: 'GET', path: TRACKS, refused: { as: null, status: 401, code: 'rest_forbidden' } },
  {
    method: 'POST',
    path: TRACKS,
    accepted: { body: { note: 'Reading' }, status: 201 },
    refused: { body: { minutes: 0 }, ...INVALID },
  },
  {
    method: 'POST',
    path: `${TRACKS}/estimated-time`,
    accepted: { body: { minutes: 90 } },
    refused: { status: 400, code: 'rest_missing_callback_param' },
  },
  {
    method: 'PUT',
    path: `${TRACKS}/commit/${peekNextId(state, 'timeTracks')}`,
    before: [['POST', TRACKS, {}]],
    accepted: { body: { minutes: 25 } },
    refused: {
      path: `/projects/1/tasks/${track.taskId}/time-tracks/commit/${track.id}`,
      status: 409,
      code: 'track_committed',
    },
  },
  {
    method: 'DELETE',
    path: `/projects/1/tasks/${track.taskId}/time-tracks/${track.id}`,
    refused: { as: 'subscriber', status: 403, code: 'rest_forbidden' },
  },
  {
    method: 'GET',
    path: '/projects/timesheet/by-tasks',
    accepted: { query: { from: '2025-01-01', 'board_ids[]': 1 } },
    refused: { query: { from: '2026-02-30' }, ...INVALID },
  },
  { method: 'GET', path: '/projects/timesheet/by-users', refused: SIGNED_OUT },
];

export const ROADMAP_CASES: readonly OperationCase[] = [
  {
    method: 'GET',
    path: '/roadmaps/3/stages/planned/ideas',
    accepted: { as: null, query: { orderby: 'popular' } },
    refused: { path: '/roadmaps/3/stages/nowhere/ideas', status: 404, code: 'stage_not_found' },
  },
  {
    method: 'POST',
    path: '/roadmaps/3/ideas',
    accepted: { as: 'subscriber', body: { title: 'A dark theme' }, status: 201 },
    refused: { body: { title: 'A dark theme' }, ...SIGNED_OUT },
  },
  {
    method: 'GET',
    path: `/roadmaps/3/ideas/${idea.slug}`,
    accepted: { as: null },
    refused: { path: '/roadmaps/1/ideas/1', status: 404, code: 'roadmap_not_found' },
  },
  {
    method: 'POST',
    path: `/roadmaps/3/ideas/${idea.id}/comments`,
    accepted: { as: 'subscriber', body: { content: 'Yes please' }, status: 201 },
    refused: { body: { content: '' }, ...INVALID },
  },
  {
    method: 'DELETE',
    path: `/roadmaps/idea/comments/${comment.id}`,
    refused: { as: null, status: 401, code: 'rest_not_logged_in' },
  },
  {
    method: 'POST',
    path: `/roadmaps/idea/comments/${hidden.id}/replies`,
    accepted: { body: { content: 'Among us' }, status: 201 },
    refused: {
      path: '/roadmaps/idea/comments/999999/replies',
      body: { content: 'Hello' },
      status: 404,
      code: 'comment_not_found',
    },
  },
  {
    method: 'POST',
    path: `/roadmaps/vote-idea/${idea.id}`,
    refused: { body: { vote: false }, status: 409, code: 'not_voted' },
  },
  {
    method: 'GET',
    path: '/roadmaps/3/day-wise-ideas',
    accepted: { as: null },
    refused: { query: { from: '2026-03-02', to: '2026-03-01' }, ...INVALID },
  },
  {
    method: 'GET',
    path: '/roadmaps/3/popular-ideas',
    accepted: { as: null },
    refused: { as: null, path: '/roadmaps/7/popular-ideas', status: 401, code: 'rest_forbidden' },
  },
  {
    method: 'POST',
    path: `/roadmaps/3/idea/${idea.id}/change-stage`,
    accepted: { body: { stage_id: 14 } },
    refused: { body: { stage_id: 1 }, ...INVALID },
  },
  {
    method: 'GET',
    path: '/admin/roadmap/settings',
    refused: { as: 'editor', status: 403, code: 'rest_forbidden' },
  },
  {
    method: 'POST',
    path: '/admin/roadmap/settings',
    accepted: { body: { votes_per_user: 3 } },
    refused: { body: { votes_per_user: -1 }, ...INVALID },
  },
  {
    method: 'GET',
    path: '/admin/roadmap/page-settings',
    refused: { as: null, status: 401, code: 'rest_forbidden' },
  },
  {
    method: 'POST',
    path: '/admin/roadmap/page-settings',
    accepted: { body: { page_id: 3, layout: 'list' } },
    refused: { body: { page_id: 99 }, ...INVALID },
  },
];

export const CROSS_BOARD_CASES: readonly OperationCase[] = [
  { method: 'GET', path: '/tasks/top-in-boards', accepted: { query: { per_board: 2 } }, refused: SIGNED_OUT },
  {
    method: 'GET',
    path: '/tasks/crm-associated-tasks/1',
    refused: { path: '/tasks/crm-associated-tasks/99', status: 404, code: 'contact_not_found' },
  },
  {
    method: 'GET',
    path: `/tasks/stage/${task.id}`,
    refused: { as: null, status: 404, code: 'task_not_found' },
  },
  {
    method: 'GET',
    path: '/tasks/boards-by-type/roadmap',
    refused: { path: '/tasks/boards-by-type/circle', ...INVALID },
  },
  {
    method: 'GET',
    path: '/global-search',
    accepted: { query: { search: 'the', 'kinds[]': 'task' } },
    refused: { query: { search: 't' }, ...INVALID },
  },
  { method: 'GET', path: '/reports/timesheet', refused: SIGNED_OUT },
  {
    method: 'GET',
    path: '/reports/overview',
    accepted: { query: { from: '2026-01-01', to: '2026-03-02' } },
    refused: { query: { to: 'now' }, ...INVALID },
  },
  {
    method: 'GET',
    path: '/reports/tasks',
    accepted: { as: 'subscriber', query: { 'board_ids[]': 1 } },
    refused: { as: 'subscriber', query: { 'board_ids[]': 5 }, status: 403, code: 'rest_forbidden' },
  },
  { method: 'GET', path: '/reports/activity', refused: SIGNED_OUT },
  { method: 'GET', path: '/reports/roadmap', refused: { query: { 'board_ids[]': 0 }, ...INVALID } },
];
