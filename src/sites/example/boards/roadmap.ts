import { groupBy } from '../../../base/group-by.ts';
import { created, pageResponse, refuse } from '../../rest-server/responses.ts';
import {
  addComment,
  addReply,
  commentResource,
  deleteComment,
  readContent,
  readPrivacy,
  replyResource,
} from './comments.ts';
import type { BoardOperations } from './declarations.ts';
import {
  canReadComment,
  canReadTask,
  findBoardOfComment,
  findBoardOfIdea,
  findComment,
  isMemberOrAdmin,
  requireOwner,
} from './permissions.ts';
import {
  BoardResource,
  createView,
  createWordFilter,
  findBoardOfPath,
  isWithinPeriod,
  readPeriod,
  readRequiredText,
  refuseArgument,
  sumOf,
} from './resource.ts';
import {
  type ActivityEntry,
  type Board,
  type BoardRequest,
  type BoardState,
  newestFirst,
  type Stage,
  type Task,
  toDay,
  toId,
  toTimestamp,
} from './state.ts';
import { addTask, countReadableComments, findActiveStage, logTask, moveTask, readStage } from './tasks.ts';

const ideaResource: BoardResource<Task, [Board]> = new BoardResource({
  findParents(request) {
    const [board] = findBoardOfPath(request);
    return board.kind === 'roadmap' ? [board] : refuse(404, 'roadmap_not_found', 'This board is no roadmap.');
  },
  findItem: findIdea('idea_id'),
  logChange: logTask,
  show: createView<Task>('idea', {
    stage: ({ stageId }, { state }) => {
      const { title = '', slug = '' } = state.stages.get(stageId) ?? {};
      return { id: stageId, title, slug };
    },
    labels: (idea, { state }) => state.labelsOf(idea).map(({ title }) => title),
    votes: (idea, { state }) => state.countVotes(idea),
    has_voted: ({ id }, { state, user }) =>
      state.votes.some(({ ideaId, userId }) => ideaId === id && userId === user?.id),
    comment_count: countReadableComments,
    author: ({ createdBy }, { state }) => state.showPerson(createdBy),
  }),
});

const ideaBySlugResource = ideaResource.with({ findItem: findIdea('task_id') });

const anyRoadmapIdeaResource = ideaResource.with({ findParents: (request) => [findBoardOfIdea(request)] });

/** Finds an idea by number or slug. 404 also hides ideas that the client can't read. */
function findIdea(parameter: string): (request: BoardRequest, board: Board) => Task {
  return (request, board) => {
    const { state, params } = request;
    const name = params.string(parameter, '');
    const numbered = state.tasks.get(toId(name));
    const idea =
      numbered?.boardId === board.id
        ? numbered
        : state.tasks.where(({ boardId, slug }) => boardId === board.id && slug === name)[0];
    if (idea !== undefined && canReadTask(request, idea)) return idea;
    return refuse(404, 'idea_not_found', 'There is no such idea on this roadmap.');
  };
}

function findRoadmapStage(state: BoardState, board: Board, name: string): Stage {
  const stages = state.activeStages(board.id);
  return (
    stages.find(({ id, slug }) => slug === name || String(id) === name) ??
    refuse(404, 'stage_not_found', 'There is no such stage on this roadmap.')
  );
}

function byPopularity(state: BoardState, ideas: Task[]): Task[] {
  return ideas.sort((one, other) => state.countVotes(other) - state.countVotes(one) || byNewest(one, other));
}

const byNewest = newestFirst<Task>(({ createdAt }) => createdAt);

function vote({ state, user, now }: BoardRequest, idea: Task, isWanted: boolean): ActivityEntry {
  const userId = user?.id ?? 0;
  const index = state.votes.findIndex((each) => each.ideaId === idea.id && each.userId === userId);
  if (isWanted) {
    if (index >= 0) refuse(409, 'already_voted', 'You have voted for this idea already.');
    state.votes.push({ ideaId: idea.id, userId, at: toTimestamp(now) });
    return { action: 'voted', text: `voted for “${idea.title}”` };
  }
  if (index < 0) refuse(409, 'not_voted', 'You have not voted for this idea.');
  state.votes.splice(index, 1);
  return { action: 'removed', text: `took back a vote for “${idea.title}”` };
}

const ideaCommentResource = commentResource.with({
  findParents: (request) => [findBoardOfComment(request)],
  findItem: ({ state, params }) => findComment(state, params.integer('comment_id')),
});

export const roadmapOperations: BoardOperations = {
  listStageIdeas: ideaResource.listPage((request, board) => {
    const { state, params } = request;
    const stage = findRoadmapStage(state, board, params.string('stage_id', ''));
    const matches = createWordFilter(request);
    const found = state
      .activeTasksInStage(stage.id)
      .filter(({ title, description }) => matches(`${title}\n${description}`));
    const orderby = params.string('orderby');
    if (orderby === 'newest') return found.sort(byNewest);
    return orderby === 'popular' ? byPopularity(state, found) : found;
  }),

  listIdeasByDay: ideaResource.withParents((request, board) => {
    const period = readPeriod(request);
    const found = request.state
      .tasksInOrder(board.id)
      .filter(({ createdAt }) => isWithinPeriod(period, createdAt))
      .sort(byNewest);
    const days = groupBy(found, ({ createdAt }) => toDay(createdAt));
    return pageResponse(request, [...days], ([date, ofDay]) => ({
      date,
      total: ofDay.length,
      votes: sumOf(ofDay, (idea) => request.state.countVotes(idea)),
      ideas: ideaResource.showAll(ofDay, request),
    }));
  }),
  listPopularIdeas: ideaResource.listPage(({ state }, board) =>
    byPopularity(state, state.tasksInOrder(board.id)),
  ),

  addIdea: ideaResource.create((request, board) => {
    const title = readRequiredText(request, 'title', 'An idea needs a title.');
    const description = request.params.string('description', '').trim();
    return addTask(request, board, findActiveStage(request, board.id), { title, description });
  }),
  readIdea: ideaBySlugResource.read(),

  voteForIdea: anyRoadmapIdeaResource.change((request, idea) =>
    vote(request, idea, request.params.boolean('vote', true)),
  ),

  moveIdea: ideaResource.change((request, idea, board) =>
    moveTask(request, idea, readStage(request, board), request.params.integer('position')),
  ),

  commentOnIdea: ideaResource.withItem((request, idea, board) => {
    const text = readContent(request);
    const privacy = readPrivacy(request);
    if (privacy === 'private' && !isMemberOrAdmin(request.user, board)) {
      refuseArgument('privacy', 'Only members write private comments.');
    }
    const comment = addComment(request, idea, { text, privacy });
    const location = request.link(`/boards/v2/roadmaps/${board.id}/ideas/${idea.slug}`);
    return created(commentResource.show(comment, request), location);
  }),
  deleteIdeaComment: ideaCommentResource.remove((request, comment, board) => {
    requireOwner(request, board, comment.authorId);
    return deleteComment(request, comment);
  }),
  replyToIdeaComment: ideaCommentResource.withItem((request, comment, board) => {
    if (!canReadComment(request, comment)) refuse(404, 'comment_not_found', 'There is no such comment.');
    const reply = addReply(request, comment, readContent(request));
    const idea = request.state.tasks.get(comment.taskId)?.slug ?? comment.taskId;
    const location = request.link(`/boards/v2/roadmaps/${board.id}/ideas/${idea}`);
    return created(replyResource.show(reply, request), location);
  }),
};
