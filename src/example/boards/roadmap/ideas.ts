import type { SiteError } from '../../site/declarations.ts';
import { restError } from '../../site/responses.ts';
import type { ActivityEntry, Task } from '../model/index.ts';
import {
  activeTasksInStage,
  archiveItem,
  isSiteError,
  renumberPositions,
  toTimestamp,
} from '../model/index.ts';
import type { BoardRequest, BoardRoute } from '../rest/index.ts';
import { findBoardOfPath, readRequiredText, refuseConflict, schema } from '../rest/index.ts';
import { STAGE_ID_ARG, TASK_POSITION_ARG, TASK_TITLE_ARG } from '../tasks/args.ts';
import { addTask, findFirstStage, readStage } from '../tasks/create.ts';
import { moveTask } from '../tasks/moves.ts';
import { findBoardOfIdea, permitRoadmapUsers } from './permissions.ts';
import { anyRoadmapIdeaResource, ideaBySlugResource, ideaResource } from './resource.ts';

/** Submitting an idea. */
export const ideaCreationRoute: BoardRoute = ideaResource.post('/roadmaps/{board_id:int}/ideas', {
  args: {
    title: { ...TASK_TITLE_ARG, description: 'The idea in one line.', required: true },
    description: schema.string('All of it, in Markdown.', { maxLength: 20_000 }),
  },
  permission: permitRoadmapUsers('accept_ideas', findBoardOfPath),
  create(request, board) {
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
  },
  location: ({ slug }, board) => `/roadmaps/${board.id}/ideas/${slug}`,
});

export const ideaItemRoute: BoardRoute = ideaBySlugResource.get(
  '/roadmaps/{board_id:int}/ideas/{task_id:slug}',
);

/** Voting for an idea, at most once per user. */
export const ideaVoteRoute: BoardRoute = anyRoadmapIdeaResource.post('/roadmaps/vote-idea/{idea_id:int}', {
  args: { vote: schema.boolean('True votes for it, false takes the vote back.', { default: true }) },
  permission: permitRoadmapUsers('allow_votes', findBoardOfIdea),
  change: (request, idea) =>
    request.params.boolean('vote', true) ? vote(request, idea) : unvote(request, idea),
});

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

/** Moving an idea to another stage of the roadmap. */
export const ideaStageRoute: BoardRoute = ideaResource.post(
  '/roadmaps/{board_id:int}/idea/{idea_id:int}/change-stage',
  {
    args: {
      stage_id: { ...STAGE_ID_ARG, description: 'Stage of the roadmap that it goes to.', required: true },
      position: TASK_POSITION_ARG,
    },
    change(request, idea, board) {
      const stage = readStage(request, board);
      return isSiteError(stage) ? stage : moveTask(request, idea, stage, request.params.integer('position'));
    },
  },
);
