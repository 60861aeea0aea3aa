import { refuse } from '../../site/answers.ts';
import type { SiteError } from '../../site/declare.ts';
import {
  type ActivityEntry,
  archive,
  isSiteError,
  renumber,
  type Task,
  tasksOf,
  toTimestamp,
} from '../model/index.ts';
import {
  type BoardRequest,
  type BoardRoute,
  boardOfPath,
  conflict,
  requiredText,
  schema,
} from '../rest/index.ts';
import { STAGE_ID_ARG, TASK_POSITION_ARG, TASK_TITLE_ARG } from '../tasks/args.ts';
import { addTask, firstStage, readStage } from '../tasks/create.ts';
import { moveTask } from '../tasks/moves.ts';
import { boardOfIdea, participants } from './permissions.ts';
import { ideas, ideasBySlug, ideasOfAnyRoadmap } from './resource.ts';

/** Submitting an idea. */
export const ideaCreation: BoardRoute = ideas.route('/roadmaps/{board_id:int}/ideas', {
  POST: {
    args: {
      title: { ...TASK_TITLE_ARG, description: 'The idea in one line.', required: true },
      description: schema.string('All of it, in Markdown.', { maxLength: 20_000 }),
    },
    permission: participants('accept_ideas', boardOfPath),
    create(request, board) {
      const { params, state, now } = request;
      const title = requiredText(request, 'title', 'An idea needs a title.');
      if (isSiteError(title)) return title;
      // Clients do not choose the stage of a new idea.
      const stage = firstStage(request, board);
      if (isSiteError(stage)) return stage;
      const description = params.string('description', '').trim();
      const idea = addTask(request, { board, stage, values: { title, description } });
      if (isSiteError(idea)) return idea;
      if (state.settings.roadmap.moderate_ideas) {
        archive(idea, toTimestamp(now));
        renumber(tasksOf(state, stage.id));
      }
      return idea;
    },
    location: ({ slug }, board) => `/roadmaps/${board.id}/ideas/${slug}`,
  },
});

export const ideaItem: BoardRoute = ideasBySlug.route('/roadmaps/{board_id:int}/ideas/{task_id:slug}', {
  GET: {},
});

/** Voting for an idea, at most once per user. */
export const ideaVote: BoardRoute = ideasOfAnyRoadmap.route('/roadmaps/vote-idea/{idea_id:int}', {
  POST: {
    args: { vote: schema.boolean('True votes for it, false takes the vote back.', { default: true }) },
    permission: participants('allow_votes', boardOfIdea),
    change: (request, idea) =>
      request.params.boolean('vote', true) ? vote(request, idea) : unvote(request, idea),
  },
});

function vote({ state, user, now }: BoardRequest, idea: Task): SiteError | ActivityEntry {
  const userId = user?.id ?? 0;
  const own = state.votes.filter((each) => each.userId === userId);
  if (own.some(({ ideaId }) => ideaId === idea.id)) {
    return conflict('already_voted', 'You have voted for this idea already.');
  }
  const limit = state.settings.roadmap.votes_per_user;
  const used = own.filter(({ ideaId }) => state.tasks.get(ideaId)?.boardId === idea.boardId).length;
  if (limit > 0 && used >= limit) {
    return refuse(403, 'vote_limit_reached', `You have given all of your ${limit} votes on this roadmap.`);
  }
  state.votes.push({ ideaId: idea.id, userId, at: toTimestamp(now) });
  return { action: 'voted', text: `voted for “${idea.title}”` };
}

function unvote({ state, user }: BoardRequest, idea: Task): SiteError | ActivityEntry {
  const index = state.votes.findIndex(({ ideaId, userId }) => ideaId === idea.id && userId === user?.id);
  if (index < 0) return conflict('not_voted', 'You have not voted for this idea.');
  state.votes.splice(index, 1);
  return { action: 'removed', text: `took back a vote for “${idea.title}”` };
}

/** Moving an idea to another stage of the roadmap. */
export const ideaStage: BoardRoute = ideas.route('/roadmaps/{board_id:int}/idea/{idea_id:int}/change-stage', {
  POST: {
    args: {
      stage_id: { ...STAGE_ID_ARG, description: 'Stage of the roadmap that it goes to.', required: true },
      position: TASK_POSITION_ARG,
    },
    change(request, idea, board) {
      const stage = readStage(request, board);
      return isSiteError(stage) ? stage : moveTask(request, idea, stage, request.params.integer('position'));
    },
  },
});
