import { type BoardRoute, isWithinPeriod, schema } from '../rest/index.ts';
import { countVotesByIdea } from '../roadmap/resource.ts';
import { countByDay } from './counts.ts';
import { declareReport } from './report.ts';

const SUMS = {
  ideas: schema.integer('Ideas sent in in these days that show.'),
  votes: schema.integer('Votes given in these days.'),
  comments: schema.integer('Comments written in these days.'),
} as const;

const IDEA = {
  id: schema.integer('Number of the idea.'),
  board_id: schema.integer('Number of the board.'),
  title: schema.string('The idea in one line.'),
  votes: schema.integer('Votes that it has now.'),
} as const;

export const roadmapReport: BoardRoute = declareReport(
  'roadmap',
  'What people would like to have.',
  {
    roadmaps: schema.integer('Roadmaps that the report looks at.'),
    ...SUMS,
    voters: schema.integer('People who voted in these days.'),
    awaiting_approval: schema.integer('Ideas that do not show: they wait for a manager, or were archived.'),
    by_roadmap: schema.objects('By roadmap.', {
      board_id: schema.integer('Number of the board.'),
      title: schema.string('Title of the board.'),
      ...SUMS,
    }),
    by_stage: schema.objects('Ideas by how far they are.', {
      board_id: schema.integer('Number of the board.'),
      stage_id: schema.integer('Number of the stage.'),
      title: schema.string('Title of the stage.'),
      ideas: schema.integer('Ideas there now.'),
    }),
    by_day: schema.objects('By day.', {
      date: schema.string('The day, in UTC.', { format: 'date' }),
      ...SUMS,
    }),
    top_ideas: schema.objects('The ten with the most votes, of all days.', IDEA),
  },
  ({ state }, { boards, period }) => {
    const roadmaps = [...boards.values()].filter(({ kind }) => kind === 'roadmap');
    const ids = new Set(roadmaps.map(({ id }) => id));
    const all = [...state.tasks.values()].filter(({ boardId }) => ids.has(boardId));
    const shown = all.filter(({ archivedAt }) => archivedAt === null);
    const boardOf = new Map(all.map(({ id, boardId }) => [id, boardId]));
    const ideas = shown.filter(({ createdAt }) => isWithinPeriod(period, createdAt));
    const votes = state.votes.filter(({ ideaId, at }) => boardOf.has(ideaId) && isWithinPeriod(period, at));
    const comments = [...state.comments.values()].filter(
      ({ taskId, createdAt }) => boardOf.has(taskId) && isWithinPeriod(period, createdAt),
    );
    const voteCounts = countVotesByIdea(state);
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
      by_day: countByDay(period, {
        ideas: ideas.map(({ createdAt }) => createdAt),
        votes: votes.map(({ at }) => at),
        comments: comments.map(({ createdAt }) => createdAt),
      }),
      top_ideas: shown
        .map(({ id, boardId, title }) => ({ id, board_id: boardId, title, votes: voteCounts.get(id) ?? 0 }))
        .sort((one, other) => other.votes - one.votes || one.id - other.id)
        .slice(0, 10),
    };
  },
);
