import { within } from '../rest/period.ts';
import type { BoardRoute } from '../rest/route.ts';
import { votesByIdea } from '../roadmap/view.ts';
import { tallyDays } from './counts.ts';
import { report } from './report.ts';
import { BOARD_ID, BOARD_TITLE, count, DATE, listOf } from './schema.ts';

const SUMS = {
  ideas: count('Ideas sent in in these days that show.'),
  votes: count('Votes given in these days.'),
  comments: count('Comments written in these days.'),
} as const;

const IDEA = {
  id: count('Number of the idea.'),
  board_id: BOARD_ID,
  title: { description: 'The idea in one line.', type: 'string' },
  votes: count('Votes that it has now.'),
} as const;

export const roadmapReport: BoardRoute = report(
  'roadmap',
  'What people would like to have.',
  {
    roadmaps: count('Roadmaps that the report looks at.'),
    ...SUMS,
    voters: count('People who voted in these days.'),
    awaiting_approval: count('Ideas that do not show: they wait for a manager, or were archived.'),
    by_roadmap: listOf('By roadmap.', { board_id: BOARD_ID, title: BOARD_TITLE, ...SUMS }),
    by_stage: listOf('Ideas by how far they are.', {
      board_id: BOARD_ID,
      stage_id: count('Number of the stage.'),
      title: { description: 'Title of the stage.', type: 'string' },
      ideas: count('Ideas there now.'),
    }),
    by_day: listOf('By day.', { date: DATE, ...SUMS }),
    top_ideas: listOf('The ten with the most votes, of all days.', IDEA),
  },
  ({ state }, { boards, period }) => {
    const roadmaps = [...boards.values()].filter(({ kind }) => kind === 'roadmap');
    const ids = new Set(roadmaps.map(({ id }) => id));
    const all = [...state.tasks.values()].filter(({ boardId }) => ids.has(boardId));
    const shown = all.filter(({ archivedAt }) => archivedAt === null);
    const boardOf = new Map(all.map(({ id, boardId }) => [id, boardId]));
    const ideas = shown.filter(({ createdAt }) => within(period, createdAt));
    const votes = state.votes.filter(({ ideaId, at }) => boardOf.has(ideaId) && within(period, at));
    const comments = [...state.comments.values()].filter(
      ({ taskId, createdAt }) => boardOf.has(taskId) && within(period, createdAt),
    );
    const given = votesByIdea(state);
    return {
      roadmaps: roadmaps.length,
      ideas: ideas.length,
      votes: votes.length,
      comments: comments.length,
      voters: new Set(votes.map(({ userId }) => userId)).size,
      awaiting_approval: all.length - shown.length,
      by_roadmap: roadmaps.map(({ id, title }) => ({
        board_id: id,
        title,
        ideas: ideas.filter(({ boardId }) => boardId === id).length,
        votes: votes.filter(({ ideaId }) => boardOf.get(ideaId) === id).length,
        comments: comments.filter(({ taskId }) => boardOf.get(taskId) === id).length,
      })),
      by_stage: [...state.stages.values()]
        .filter(({ boardId, archivedAt }) => ids.has(boardId) && archivedAt === null)
        .sort((one, other) => one.boardId - other.boardId || one.position - other.position)
        .map(({ id, boardId, title }) => ({
          board_id: boardId,
          stage_id: id,
          title,
          ideas: shown.filter(({ stageId }) => stageId === id).length,
        })),
      by_day: tallyDays(period, {
        ideas: ideas.map(({ createdAt }) => createdAt),
        votes: votes.map(({ at }) => at),
        comments: comments.map(({ createdAt }) => createdAt),
      }),
      top_ideas: shown
        .map(({ id, boardId, title }) => ({ id, board_id: boardId, title, votes: given.get(id) ?? 0 }))
        .sort((one, other) => other.votes - one.votes || one.id - other.id)
        .slice(0, 10),
    };
  },
);
