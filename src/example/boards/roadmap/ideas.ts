import { created, ok, refuse } from '../../site/answers.ts';
import { archive, renumber, tasksOf } from '../model/positions.ts';
import { isRefusal, moment } from '../model/state.ts';
import type { Task } from '../model/types.ts';
import { conflict, invalid } from '../rest/refusals.ts';
import { type Answer, type BoardRequest, type BoardRoute, route } from '../rest/route.ts';
import { POSITION, STAGE_ID, TITLE } from '../tasks/args.ts';
import { note } from '../tasks/changes.ts';
import { firstStage, makeTask, stageFor } from '../tasks/create.ts';
import { moveTask } from '../tasks/moves.ts';
import { withRoadmap } from './lists.ts';
import { boardOfIdea, boardOfPath, participants, roadmapManagers } from './permissions.ts';
import { findIdea, IDEA_SCHEMA, ideaView } from './view.ts';

/** Sending one in. */
export const ideaCreation: BoardRoute = route(
  '/roadmaps/{board_id:int}/ideas',
  [
    {
      methods: ['POST'],
      args: {
        title: {
          ...TITLE,
          description: 'The idea in one line.',
          required: true,
        },
        description: { description: 'All of it, in Markdown.', type: 'string', maxLength: 20_000 },
      },
      permission: participants('accept_ideas', boardOfPath),
      handle: withRoadmap((request, board) => {
        const { params, state, now } = request;
        const title = params.string('title', '').trim();
        if (title === '') return invalid('title', 'An idea needs a title.');
        // Ideas begin at the beginning, whatever stage the caller would like.
        const stage = firstStage(request, board);
        if (isRefusal(stage)) return stage;
        const idea = makeTask(request, board, stage, {
          title,
          description: params.string('description', '').trim(),
        });
        if (isRefusal(idea)) return idea;
        if (state.settings.roadmap.moderate_ideas) {
          archive(idea, moment(now));
          renumber(tasksOf(state, stage.id));
        }
        return created(
          ideaView(request)(idea),
          request.link(`/boards/v2/roadmaps/${board.id}/ideas/${idea.slug}`),
        );
      }),
    },
  ],
  IDEA_SCHEMA,
);

/** Voting for one: once a user. */
export const ideaVote: BoardRoute = route(
  '/roadmaps/vote-idea/{idea_id:int}',
  [
    {
      methods: ['POST'],
      args: {
        vote: {
          description: 'True votes for it, false takes the vote back.',
          type: 'boolean',
          default: true,
        },
      },
      permission: participants('allow_votes', boardOfIdea),
      handle: (request) => {
        const board = boardOfIdea(request);
        if (isRefusal(board)) return board;
        const idea = findIdea(request, board, request.params.string('idea_id', ''));
        if (isRefusal(idea)) return idea;
        return vote(request, idea) ?? ok(ideaView(request)(idea));
      },
    },
  ],
  IDEA_SCHEMA,
);

function vote(request: BoardRequest, idea: Task): Answer | undefined {
  const { state, user, params, now } = request;
  if (user === null) return undefined;
  const own = state.votes.findIndex(({ ideaId, userId }) => ideaId === idea.id && userId === user.id);
  if (!params.boolean('vote', true)) {
    if (own < 0) return conflict('not_voted', 'You have not voted for this idea.');
    state.votes.splice(own, 1);
    note(request, idea, { action: 'removed', text: `took back a vote for “${idea.title}”` });
    return undefined;
  }
  if (own >= 0) return conflict('already_voted', 'You have voted for this idea already.');
  const most = state.settings.roadmap.votes_per_user;
  const given = state.votes.filter(
    ({ ideaId, userId }) => userId === user.id && state.tasks.get(ideaId)?.boardId === idea.boardId,
  ).length;
  if (most > 0 && given >= most)
    return refuse(403, 'vote_limit_reached', `You have given all of your ${most} votes on this roadmap.`);
  state.votes.push({ ideaId: idea.id, userId: user.id, at: moment(now) });
  note(request, idea, { action: 'voted', text: `voted for “${idea.title}”` });
  return undefined;
}

/** How far it is, which managers say. */
export const ideaStage: BoardRoute = route(
  '/roadmaps/{board_id:int}/idea/{idea_id:int}/change-stage',
  [
    {
      methods: ['POST'],
      args: {
        stage_id: { ...STAGE_ID, description: 'Stage of the roadmap that it goes to.', required: true },
        position: POSITION,
      },
      permission: roadmapManagers,
      handle: withRoadmap((request, board) => {
        const { params } = request;
        const idea = findIdea(request, board, params.string('idea_id', ''));
        if (isRefusal(idea)) return idea;
        const stage = stageFor(request, board);
        if (isRefusal(stage)) return stage;
        return moveTask(request, idea, stage, params.integer('position')) ?? ok(ideaView(request)(idea));
      }),
    },
  ],
  IDEA_SCHEMA,
);
