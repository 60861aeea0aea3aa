import { ok, refuse } from '../../site/answers.ts';
import type { SiteError } from '../../site/declare.ts';
import { stagesOf, tasksOf } from '../model/positions.ts';
import { isRefusal } from '../model/state.ts';
import type { Board, BoardState, Stage, Task } from '../model/types.ts';
import { answerPage, PAGING } from '../rest/paging.ts';
import { dayOf, PERIOD, readPeriod, within } from '../rest/period.ts';
import {
  type Answer,
  type BoardEndpoint,
  type BoardRequest,
  type BoardRoute,
  route,
  withBoard,
} from '../rest/route.ts';
import { answersWhole } from '../tasks/schema.ts';
import { countByTask } from '../tasks/view.ts';
import { readers } from './permissions.ts';
import { findIdea, IDEA_PROPERTIES, IDEA_SCHEMA, ideaView, votesByIdea } from './view.ts';

/** The path's board, which must be a roadmap. */
export function withRoadmap(
  handle: (request: BoardRequest, roadmap: Board) => Answer,
): BoardEndpoint['handle'] {
  return withBoard((request, board) =>
    board.kind === 'roadmap'
      ? handle(request, board)
      : refuse(404, 'roadmap_not_found', 'This board is no roadmap.'),
  );
}

/** A stage of a roadmap that shows, by number or by slug. */
function findRoadmapStage(state: BoardState, board: Board, name: string): Stage | SiteError {
  const stages = stagesOf(state, board.id);
  return (
    stages.find(({ slug }) => slug === name) ??
    stages.find(({ id }) => String(id) === name) ??
    refuse(404, 'stage_not_found', 'There is no such stage on this roadmap.')
  );
}

/** Every idea that shows, in the order of the roadmap. */
function ideasOn(state: BoardState, board: Board): Task[] {
  return stagesOf(state, board.id).flatMap(({ id }) => tasksOf(state, id));
}

/** The most votes first, then the most comments, then the newest. */
function byPopularity(state: BoardState, ideas: readonly Task[]): Task[] {
  const votes = votesByIdea(state);
  const comments = countByTask(state.comments.values(), ({ privacy }) => (privacy === 'public' ? 1 : 0));
  const of = (counts: ReadonlyMap<number, number>, { id }: Task): number => counts.get(id) ?? 0;
  return ideas.toSorted(
    (one, other) =>
      of(votes, other) - of(votes, one) || of(comments, other) - of(comments, one) || byAge(one, other),
  );
}

function byAge(one: Task, other: Task): number {
  return other.createdAt.localeCompare(one.createdAt) || other.id - one.id;
}

const DAY = answersWhole('idea-day', 'The ideas of one day.', {
  date: { description: 'The day, in UTC.', type: 'string', format: 'date' },
  total: { description: 'Ideas sent in on it.', type: 'integer' },
  votes: { description: 'Votes that they have now.', type: 'integer' },
  ideas: {
    description: 'The ideas, the newest first.',
    type: 'array',
    items: { type: 'object', properties: IDEA_PROPERTIES },
  },
});

/** The ideas of one stage. */
export const ideasOfStage: BoardRoute = route(
  '/roadmaps/{board_id:int}/stages/{stage_id:slug}/ideas',
  [
    {
      methods: ['GET'],
      args: {
        ...PAGING,
        search: {
          description: 'Words that the title or the description holds.',
          type: 'string',
          maxLength: 200,
        },
        orderby: {
          description: 'As on the roadmap, the most popular first, or the newest first.',
          type: 'string',
          enum: ['position', 'popular', 'newest'],
          default: 'position',
        },
      },
      permission: readers,
      handle: withRoadmap((request, board) => {
        const { state, params } = request;
        const stage = findRoadmapStage(state, board, params.string('stage_id', ''));
        if (isRefusal(stage)) return stage;
        const words = params.string('search', '').toLowerCase().split(/\s+/);
        const found = tasksOf(state, stage.id).filter(({ title, description }) => {
          const text = `${title}\n${description}`.toLowerCase();
          return words.every((word) => text.includes(word));
        });
        const orderby = params.string('orderby');
        if (orderby === 'newest') found.sort(byAge);
        return answerPage(
          request,
          orderby === 'popular' ? byPopularity(state, found) : found,
          ideaView(request),
        );
      }),
    },
  ],
  IDEA_SCHEMA,
);

/** One idea. */
export const ideaItem: BoardRoute = route(
  '/roadmaps/{board_id:int}/ideas/{task_id:slug}',
  [
    {
      methods: ['GET'],
      permission: readers,
      handle: withRoadmap((request, board) => {
        const idea = findIdea(request, board, request.params.string('task_id', ''));
        return isRefusal(idea) ? idea : ok(ideaView(request)(idea));
      }),
    },
  ],
  IDEA_SCHEMA,
);

/** All ideas of a roadmap, by the day they came and by the votes they have. */
export const ideaLists: readonly BoardRoute[] = [
  route(
    '/roadmaps/{board_id:int}/day-wise-ideas',
    [
      {
        methods: ['GET'],
        args: { ...PAGING, ...PERIOD },
        permission: readers,
        handle: withRoadmap((request, board) => {
          const period = readPeriod(request);
          if (isRefusal(period)) return period;
          const days = new Map<string, Task[]>();
          for (const idea of ideasOn(request.state, board).sort(byAge)) {
            if (!within(period, idea.createdAt)) continue;
            const day = dayOf(idea.createdAt);
            days.set(day, [...(days.get(day) ?? []), idea]);
          }
          const show = ideaView(request);
          const votes = votesByIdea(request.state);
          return answerPage(request, [...days], ([date, ideas]) => ({
            date,
            total: ideas.length,
            votes: ideas.reduce((sum, { id }) => sum + (votes.get(id) ?? 0), 0),
            ideas: ideas.map(show),
          }));
        }),
      },
    ],
    DAY,
  ),
  route(
    '/roadmaps/{board_id:int}/popular-ideas',
    [
      {
        methods: ['GET'],
        args: PAGING,
        permission: readers,
        handle: withRoadmap((request, board) =>
          answerPage(request, byPopularity(request.state, ideasOn(request.state, board)), ideaView(request)),
        ),
      },
    ],
    IDEA_SCHEMA,
  ),
];
