import { startBoardClient } from './board-client.ts';
import { findFirst, nextIdOf, type OperationCase } from './operation-cases.ts';

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
  { method: 'GET', path: TRACKS, bad: { as: null, status: 401, code: 'rest_forbidden' } },
  {
    method: 'POST',
    path: TRACKS,
    good: { body: { note: 'Reading' }, status: 201 },
    bad: { body: { minutes: 0 }, ...INVALID },
  },
  {
    method: 'POST',
    path: `${TRACKS}/estimated-time`,
    good: { body: { minutes: 90 } },
    bad: { status: 400, code: 'rest_missing_callback_param' },
  },
  {
    method: 'PUT',
    path: `${TRACKS}/commit/${nextIdOf(state, 'timeTracks')}`,
    before: [['POST', TRACKS, {}]],
    good: { body: { minutes: 25 } },
    bad: {
      path: `/projects/1/tasks/${track.taskId}/time-tracks/commit/${track.id}`,
      status: 409,
      code: 'track_committed',
    },
  },
  {
    method: 'DELETE',
    path: `/projects/1/tasks/${track.taskId}/time-tracks/${track.id}`,
    bad: { as: 'subscriber', status: 403, code: 'rest_forbidden' },
  },
  {
    method: 'GET',
    path: '/projects/timesheet/by-tasks',
    good: { query: { from: '2025-01-01', 'board_ids[]': 1 } },
    bad: { query: { from: '2026-02-30' }, ...INVALID },
  },
  { method: 'GET', path: '/projects/timesheet/by-users', bad: SIGNED_OUT },
];

export const ROADMAP_CASES: readonly OperationCase[] = [
  {
    method: 'GET',
    path: '/roadmaps/3/stages/planned/ideas',
    good: { as: null, query: { orderby: 'popular' } },
    bad: { path: '/roadmaps/3/stages/nowhere/ideas', status: 404, code: 'stage_not_found' },
  },
  {
    method: 'POST',
    path: '/roadmaps/3/ideas',
    good: { as: 'subscriber', body: { title: 'A dark theme' }, status: 201 },
    bad: { body: { title: 'A dark theme' }, ...SIGNED_OUT },
  },
  {
    method: 'GET',
    path: `/roadmaps/3/ideas/${idea.slug}`,
    good: { as: null },
    bad: { path: '/roadmaps/1/ideas/1', status: 404, code: 'roadmap_not_found' },
  },
  {
    method: 'POST',
    path: `/roadmaps/3/ideas/${idea.id}/comments`,
    good: { as: 'subscriber', body: { content: 'Yes please' }, status: 201 },
    bad: { body: { content: '' }, ...INVALID },
  },
  {
    method: 'DELETE',
    path: `/roadmaps/idea/comments/${comment.id}`,
    bad: { as: null, status: 401, code: 'rest_not_logged_in' },
  },
  {
    method: 'POST',
    path: `/roadmaps/idea/comments/${hidden.id}/replies`,
    good: { body: { content: 'Among us' }, status: 201 },
    bad: {
      path: '/roadmaps/idea/comments/999999/replies',
      body: { content: 'Hello' },
      status: 404,
      code: 'comment_not_found',
    },
  },
  {
    method: 'POST',
    path: `/roadmaps/vote-idea/${idea.id}`,
    bad: { body: { vote: false }, status: 409, code: 'not_voted' },
  },
  {
    method: 'GET',
    path: '/roadmaps/3/day-wise-ideas',
    good: { as: null },
    bad: { query: { from: '2026-03-02', to: '2026-03-01' }, ...INVALID },
  },
  {
    method: 'GET',
    path: '/roadmaps/3/popular-ideas',
    good: { as: null },
    bad: { as: null, path: '/roadmaps/7/popular-ideas', status: 401, code: 'rest_forbidden' },
  },
  {
    method: 'POST',
    path: `/roadmaps/3/idea/${idea.id}/change-stage`,
    good: { body: { stage_id: 14 } },
    bad: { body: { stage_id: 1 }, ...INVALID },
  },
  {
    method: 'GET',
    path: '/admin/roadmap/settings',
    bad: { as: 'editor', status: 403, code: 'rest_forbidden' },
  },
  {
    method: 'POST',
    path: '/admin/roadmap/settings',
    good: { body: { votes_per_user: 3 } },
    bad: { body: { votes_per_user: -1 }, ...INVALID },
  },
  {
    method: 'GET',
    path: '/admin/roadmap/page-settings',
    bad: { as: null, status: 401, code: 'rest_forbidden' },
  },
  {
    method: 'POST',
    path: '/admin/roadmap/page-settings',
    good: { body: { page_id: 3, layout: 'list' } },
    bad: { body: { page_id: 99 }, ...INVALID },
  },
];

export const CROSS_BOARD_CASES: readonly OperationCase[] = [
  { method: 'GET', path: '/tasks/top-in-boards', good: { query: { per_board: 2 } }, bad: SIGNED_OUT },
  {
    method: 'GET',
    path: '/tasks/crm-associated-tasks/1',
    bad: { path: '/tasks/crm-associated-tasks/99', status: 404, code: 'contact_not_found' },
  },
  {
    method: 'GET',
    path: `/tasks/stage/${task.id}`,
    bad: { as: null, status: 404, code: 'task_not_found' },
  },
  {
    method: 'GET',
    path: '/tasks/boards-by-type/roadmap',
    bad: { path: '/tasks/boards-by-type/circle', ...INVALID },
  },
  {
    method: 'GET',
    path: '/global-search',
    good: { query: { search: 'the', 'kinds[]': 'task' } },
    bad: { query: { search: 't' }, ...INVALID },
  },
  { method: 'GET', path: '/reports/timesheet', bad: SIGNED_OUT },
  {
    method: 'GET',
    path: '/reports/overview',
    good: { query: { from: '2026-01-01', to: '2026-03-02' } },
    bad: { query: { to: 'now' }, ...INVALID },
  },
  {
    method: 'GET',
    path: '/reports/tasks',
    good: { as: 'subscriber', query: { 'board_ids[]': 1 } },
    bad: { as: 'subscriber', query: { 'board_ids[]': 5 }, status: 403, code: 'rest_forbidden' },
  },
  { method: 'GET', path: '/reports/activity', bad: SIGNED_OUT },
  { method: 'GET', path: '/reports/roadmap', bad: { query: { 'board_ids[]': 0 }, ...INVALID } },
];
