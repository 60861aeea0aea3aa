import { groupBy } from '../../group-by.ts';
import type { SiteError } from '../../rest-server/declarations.ts';
import { created, forbiddenError, isSiteError, restError } from '../../rest-server/responses.ts';
import {
  addComment,
  addReply,
  commentResource,
  deleteComment,
  findComment,
  readContent,
  readPrivacy,
  replyResource,
} from './comments.ts';
import { showPerson } from './people.ts';
import {
  type BoardOperations,
  type BoardPermission,
  type BoardRequest,
  BoardResource,
  canReadComment,
  canReadTask,
  createView,
  createWordFilter,
  enumParam,
  findBoardOfPath,
  type ItemView,
  invalidArgument,
  isMemberOrAdmin,
  isWithinPeriod,
  pageResponse,
  readPeriod,
  readRequiredText,
  refuseConflict,
  requireOwner,
  requireRight,
  withFeature,
} from './resource.ts';
import { createSiteSettingsResource } from './settings.ts';
import {
  type ActivityEntry,
  activeStages,
  activeTasksInStage,
  archiveItem,
  type Board,
  type BoardState,
  findBoard,
  newestFirst,
  type RoadmapPageSettings,
  type RoadmapSettings,
  renumberPositions,
  type Stage,
  type Task,
  toDay,
  toTimestamp,
} from './state.ts';
import {
  addTask,
  countReadableCommentsByTask,
  findFirstStage,
  logTask,
  moveTask,
  readStage,
  sumByTask,
} from './tasks.ts';

/** Finds the board to which a path leads. */
type BoardFinder = (request: BoardRequest) => [Board] | SiteError;

/**
 * Permission of users who may read the roadmap, while a setting of the roadmaps allows it.
 *
 * @param setting `null` when no setting forbids the operation
 */
function permitRoadmapUsers(setting: keyof RoadmapSettings | null, findParent: BoardFinder): BoardPermission {
  return withFeature('roadmaps', (request) => {
    const { state, user } = request;
    const found = findParent(request);
    if (user === null) return forbiddenError(user, 'rest_not_logged_in', 'You are not currently logged in.');
    if (isSiteError(found)) return found;
    const error = requireRight(user, found[0], 'read');
    if (error !== undefined) return error;
    return setting === null || state.settings.roadmap[setting]
      ? undefined
      : restError(403, 'roadmap_closed', 'Sorry, the roadmap does not take that at the moment.');
  });
}

/** The board of the path, which must be a roadmap. */
const findRoadmapOfPath: BoardFinder = (request) => {
  const found = findBoardOfPath(request);
  if (isSiteError(found)) return found;
  return found[0].kind === 'roadmap'
    ? found
    : restError(404, 'roadmap_not_found', 'This board is no roadmap.');
};

/** The board of the idea of the path. */
const findBoardOfIdea: BoardFinder = ({ state, params }) => {
  const idea = state.tasks.get(params.integer('idea_id', 0));
  return idea?.type === 'idea'
    ? toParents(findBoard(state, idea.boardId))
    : restError(404, 'idea_not_found', 'There is no such idea.');
};

/** The board of the comment of the path, which must be on an idea. */
const findBoardOfComment: BoardFinder = ({ state, params }) => {
  const comment = findComment(state, params.integer('comment_id'));
  if (isSiteError(comment)) return comment;
  return state.tasks.get(comment.taskId)?.type === 'idea'
    ? toParents(findBoard(state, comment.boardId))
    : restError(404, 'comment_not_found', 'There is no such comment on an idea.');
};

function toParents(board: Board | SiteError): [Board] | SiteError {
  return isSiteError(board) ? board : [board];
}

/** Values that all ideas of a response share. */
interface IdeaViewContext {
  readonly state: BoardState;
  readonly votes: ReadonlyMap<number, number>;
  readonly commentCounts: ReadonlyMap<number, number>;
  /** Ideas for which the client has voted. */
  readonly voted: ReadonlySet<number>;
}

const ideaView: ItemView<Task> = createView<Task, IdeaViewContext>(
  'idea',
  (request) => ({
    state: request.state,
    votes: countVotesByIdea(request.state),
    commentCounts: countReadableCommentsByTask(request),
    voted: new Set(
      request.state.votes.filter(({ userId }) => userId === request.user?.id).map(({ ideaId }) => ideaId),
    ),
  }),
  {
    stage: ({ stageId }, { state }) => {
      const { title = '', slug = '' } = state.stages.get(stageId) ?? {};
      return { id: stageId, title, slug };
    },
    labels: ({ labels }, { state }) => labels.flatMap((id) => state.labels.get(id)?.title ?? []),
    votes: ({ id }, { votes }) => votes.get(id) ?? 0,
    has_voted: ({ id }, { voted }) => voted.has(id),
    comment_count: ({ id }, { commentCounts }) => commentCounts.get(id) ?? 0,
    is_awaiting_approval: ({ archivedAt }) => archivedAt !== null,
    author: ({ createdBy }, { state }) => showPerson(state, createdBy),
  },
);

/** Counts votes by the number of the idea. */
export function countVotesByIdea({ votes }: BoardState): Map<number, number> {
  return sumByTask(
    votes.map(({ ideaId }) => ({ taskId: ideaId })),
    () => 1,
  );
}

/** The ideas of a roadmap, which its managers change. */
const ideaResource: BoardResource<Task, [Board]> = new BoardResource({
  findParents: findRoadmapOfPath,
  findItem: findIdea('idea_id'),
  createPresenter: ideaView.createPresenter,
  logChange: logTask,
});

/** Ideas whose number or slug is the path parameter `task_id`. */
const ideaBySlugResource: BoardResource<Task, [Board]> = ideaResource.with({
  findItem: findIdea('task_id'),
});

/** Ideas whose path does not name the roadmap. */
const anyRoadmapIdeaResource: BoardResource<Task, [Board]> = ideaResource.with({
  findParents: findBoardOfIdea,
});

/** Finds an idea by number or by slug; a client does not learn of ideas that they may not read. */
function findIdea(parameter: string): (request: BoardRequest, board: Board) => Task | SiteError {
  return (request, board) => {
    const { state, params } = request;
    const name = params.string(parameter, '');
    const numbered = /^\d{1,15}$/.test(name) ? state.tasks.get(Number(name)) : undefined;
    const idea =
      numbered?.boardId === board.id
        ? numbered
        : [...state.tasks.values()].find(({ boardId, slug }) => boardId === board.id && slug === name);
    return idea !== undefined && canReadTask(request, board, idea)
      ? idea
      : restError(404, 'idea_not_found', 'There is no such idea on this roadmap.');
  };
}

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

function vote({ state, user, now }: BoardRequest, idea: Task): SiteError | ActivityEntry {
  const userId = user?.id ?? 0;
  const own = state.votes.filter((each) => each.userId === userId);
  if (own.some(({ ideaId }) => ideaId === idea.id)) {
    return refuseConflict('already_voted', 'You have voted for this idea already.');
  }
  const limit = state.settings.roadmap.votes_per_user;
  const used = own.filter(({ ideaId }) => state.tasks.get(ideaId)?.boardId === idea.boardId).length;
  if (limit > 0 && used >= limit) {
    return restError(403, 'vote_limit_reached', `You have given all of your ${limit} votes on this roadmap.`);
  }
  state.votes.push({ ideaId: idea.id, userId, at: toTimestamp(now) });
  return { action: 'voted', text: `voted for “${idea.title}”` };
}

function unvote({ state, user }: BoardRequest, idea: Task): SiteError | ActivityEntry {
  const index = state.votes.findIndex(({ ideaId, userId }) => ideaId === idea.id && userId === user?.id);
  if (index < 0) return refuseConflict('not_voted', 'You have not voted for this idea.');
  state.votes.splice(index, 1);
  return { action: 'removed', text: `took back a vote for “${idea.title}”` };
}

/** Comments on ideas, whose paths do not name the roadmap. */
const ideaCommentResource = commentResource.with({
  findParents: findBoardOfComment,
  findItem: ({ state, params }) => findComment(state, params.integer('comment_id')),
});

const SWITCHES = ['accept_ideas', 'moderate_ideas', 'allow_comments', 'allow_votes'] as const;

const settings = createSiteSettingsResource(
  ({ roadmap }) => roadmap,
  (roadmap) => ({ ...roadmap }),
);

const LAYOUTS: readonly RoadmapPageSettings['layout'][] = ['columns', 'list'];

const pageSettings = createSiteSettingsResource(
  ({ roadmapPage }) => roadmapPage,
  (roadmapPage, { state, address }) => {
    const page = state.pages.find(({ id }) => id === roadmapPage.page_id);
    return { ...roadmapPage, page_url: page === undefined ? null : address(page.path) };
  },
);

export const roadmapOperations: BoardOperations = {
  'GET /roadmaps/{board_id:int}/stages/{stage_id:slug}/ideas': ideaResource.listPage((request, board) => {
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
  }),

  // All ideas of a roadmap, by the day of their creation and by popularity.
  'GET /roadmaps/{board_id:int}/day-wise-ideas': ideaResource.withParents((request, board) => {
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
  }),
  'GET /roadmaps/{board_id:int}/popular-ideas': ideaResource.listPage(({ state }, board) =>
    byPopularity(state, ideasOn(state, board)),
  ),

  // Submitting an idea.
  'POST /roadmaps/{board_id:int}/ideas': {
    permission: permitRoadmapUsers('accept_ideas', findBoardOfPath),
    handle: ideaResource.create('/roadmaps/{board_id}/ideas/{slug}', (request, board) => {
      const { params, state, now } = request;
      const title = readRequiredText(request, 'title', 'An idea needs a title.');
      if (isSiteError(title)) return title;
      // Clients do not choose the stage of a new idea.
      const stage = findFirstStage(request, board);
      if (isSiteError(stage)) return stage;
      const description = params.string('description', '').trim();
      const idea = addTask(request, { board, stage, values: { title, description } });
      if (isSiteError(idea)) return idea;
      if (state.settings.roadmap.moderate_ideas) {
        archiveItem(idea, toTimestamp(now));
        renumberPositions(activeTasksInStage(state, stage.id));
      }
      return idea;
    }),
  },

  'GET /roadmaps/{board_id:int}/ideas/{task_id:slug}': ideaBySlugResource.read(),

  // Voting for an idea, at most once per user.
  'POST /roadmaps/vote-idea/{idea_id:int}': {
    permission: permitRoadmapUsers('allow_votes', findBoardOfIdea),
    handle: anyRoadmapIdeaResource.change((request, idea) =>
      request.params.boolean('vote', true) ? vote(request, idea) : unvote(request, idea),
    ),
  },

  // Moving an idea to another stage of the roadmap.
  'POST /roadmaps/{board_id:int}/idea/{idea_id:int}/change-stage': ideaResource.change(
    (request, idea, board) => {
      const stage = readStage(request, board);
      return isSiteError(stage) ? stage : moveTask(request, idea, stage, request.params.integer('position'));
    },
  ),

  'POST /roadmaps/{board_id:int}/ideas/{idea_id:int}/comments': {
    permission: permitRoadmapUsers('allow_comments', findBoardOfPath),
    handle: ideaResource.withItem((request, idea, board) => {
      const text = readContent(request);
      if (isSiteError(text)) return text;
      const privacy = readPrivacy(request);
      if (privacy === 'private' && !isMemberOrAdmin(request.user, board)) {
        return invalidArgument('privacy', 'Only members write private comments.');
      }
      const comment = addComment(request, idea, { text, privacy, images: [] });
      const location = request.link(`/boards/v2/roadmaps/${board.id}/ideas/${idea.slug}`);
      return created(commentResource.show(request, comment), location);
    }),
  },
  'DELETE /roadmaps/idea/comments/{comment_id:int}': {
    permission: permitRoadmapUsers(null, findBoardOfComment),
    handle: ideaCommentResource.remove(
      (request, comment, board) =>
        requireOwner(request, board, comment.authorId) ?? deleteComment(request, comment),
    ),
  },
  'POST /roadmaps/idea/comments/{comment_id:int}/replies': {
    permission: permitRoadmapUsers('allow_comments', findBoardOfComment),
    handle: ideaCommentResource.withItem((request, comment, board) => {
      // A client does not learn of comments that they may not read.
      if (!canReadComment(request, board, comment)) {
        return restError(404, 'comment_not_found', 'There is no such comment.');
      }
      const text = readContent(request);
      if (isSiteError(text)) return text;
      const reply = addReply(request, comment, text);
      const idea = request.state.tasks.get(comment.taskId)?.slug ?? comment.taskId;
      return created(
        replyResource.show(request, reply),
        request.link(`/boards/v2/roadmaps/${board.id}/ideas/${idea}`),
      );
    }),
  },

  // Settings of all roadmaps. An absent argument changes nothing.
  'GET /admin/roadmap/settings': settings.read(),
  'POST /admin/roadmap/settings': settings.change(({ params }, roadmap) => {
    for (const name of SWITCHES) roadmap[name] = params.boolean(name, roadmap[name]);
    roadmap.votes_per_user = params.integer('votes_per_user', roadmap.votes_per_user);
    return undefined;
  }),
  'GET /admin/roadmap/page-settings': pageSettings.read(),
  'POST /admin/roadmap/page-settings': pageSettings.change(
    ({ state, params, suppliedNames }, roadmapPage) => {
      const pageId = params.has('page_id') ? params.integer('page_id', 0) : null;
      if (pageId !== null && !state.pages.some(({ id }) => id === pageId)) {
        return invalidArgument('page_id', 'There is no such page on this site.');
      }
      if (suppliedNames.has('page_id')) roadmapPage.page_id = pageId;
      for (const name of ['title', 'intro', 'accent_color'] as const) {
        roadmapPage[name] = params.string(name, roadmapPage[name]);
      }
      roadmapPage.layout = enumParam(params, 'layout', LAYOUTS) ?? roadmapPage.layout;
      return undefined;
    },
  ),
};
