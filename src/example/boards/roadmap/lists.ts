import type { SiteError } from '../../site/declarations.ts';
import { restError } from '../../site/responses.ts';
import type { Board, BoardState, Stage, Task } from '../model/index.ts';
import { activeStages, activeTasksInStage, isSiteError, newestFirst, toDay } from '../model/index.ts';
import { groupBy } from '../reports/counts.ts';
import {
  type BoardRoute,
  createWordFilter,
  isWithinPeriod,
  PAGING_ARGS,
  PERIOD_ARGS,
  pageResponse,
  readPeriod,
  responseSchema,
  schema,
} from '../rest/index.ts';
import { sumByTask } from '../tasks/resource.ts';
import { countVotesByIdea, ideaResource, ideaView } from './resource.ts';

/** A stage of a roadmap that is not archived, by slug or by number. */
function findRoadmapStage(state: BoardState, board: Board, name: string): Stage | SiteError {
  const stages = activeStages(state, board.id);
  return (
    stages.find(({ slug }) => slug === name) ??
    stages.find(({ id }) => String(id) === name) ??
    restError(404, 'stage_not_found', 'There is no such stage on this roadmap.')
  );
}

/** Every idea that is not archived, in the order of the roadmap. */
function ideasOn(state: BoardState, board: Board): Task[] {
  return activeStages(state, board.id).flatMap(({ id }) => activeTasksInStage(state, id));
}

/** Sorts by votes, then by comments, both descending, then newest first. */
function byPopularity(state: BoardState, found: readonly Task[]): Task[] {
  const votes = countVotesByIdea(state);
  const comments = sumByTask(state.comments.values(), ({ privacy }) => (privacy === 'public' ? 1 : 0));
  const countOf = (counts: ReadonlyMap<number, number>, { id }: Task): number => counts.get(id) ?? 0;
  return found.toSorted(
    (one, other) =>
      countOf(votes, other) - countOf(votes, one) ||
      countOf(comments, other) - countOf(comments, one) ||
      byNewest(one, other),
  );
}

const byNewest = newestFirst<Task>(({ createdAt }) => createdAt);

export const stageIdeasRoute: BoardRoute = ideaResource.get(
  '/roadmaps/{board_id:int}/stages/{stage_id:slug}/ideas',
  {
    args: {
      ...PAGING_ARGS,
      search: schema.string('Words that the title or the description holds.', { maxLength: 200 }),
      orderby: schema.enumeration(
        'As on the roadmap, the most popular first, or the newest first.',
        ['position', 'popular', 'newest'],
        { default: 'position' },
      ),
    },
    listPaged(request, board) {
      const { state, params } = request;
      const stage = findRoadmapStage(state, board, params.string('stage_id', ''));
      if (isSiteError(stage)) return stage;
      const matches = createWordFilter(request);
      const found = activeTasksInStage(state, stage.id).filter(({ title, description }) =>
        matches(`${title}\n${description}`),
      );
      switch (params.string('orderby')) {
        case 'newest':
          return found.sort(byNewest);
        case 'popular':
          return byPopularity(state, found);
        default:
          return found;
      }
    },
  },
);

/** All ideas of a roadmap, by the day of their creation and by popularity. */
export const ideaListRoutes: readonly BoardRoute[] = [
  ideaResource.get('/roadmaps/{board_id:int}/day-wise-ideas', {
    schema: responseSchema('idea-day', 'The ideas of one day.', {
      date: schema.string('The day, in UTC.', { format: 'date' }),
      total: schema.integer('Ideas sent in on it.'),
      votes: schema.integer('Votes that they have now.'),
      ideas: schema.objects('The ideas, the newest first.', ideaView.properties),
    }),
    args: { ...PAGING_ARGS, ...PERIOD_ARGS },
    handleCollection(request, board) {
      const period = readPeriod(request);
      if (isSiteError(period)) return period;
      const found = ideasOn(request.state, board)
        .filter(({ createdAt }) => isWithinPeriod(period, createdAt))
        .sort(byNewest);
      const show = ideaView.createPresenter(request);
      const votes = countVotesByIdea(request.state);
      const days = groupBy(found, ({ createdAt }) => toDay(createdAt));
      return pageResponse(request, [...days], ([date, ofDay]) => ({
        date,
        total: ofDay.length,
        votes: ofDay.reduce((sum, { id }) => sum + (votes.get(id) ?? 0), 0),
        ideas: ofDay.map(show),
      }));
    },
  }),
  ideaResource.get('/roadmaps/{board_id:int}/popular-ideas', {
    args: PAGING_ARGS,
    listPaged: ({ state }, board) => byPopularity(state, ideasOn(state, board)),
  }),
];
