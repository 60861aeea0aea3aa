import type { JsonObject } from '../../../json.ts';
import { refuse } from '../../site/answers.ts';
import type { SiteError } from '../../site/declare.ts';
import { PERSON, showPerson } from '../members/person.ts';
import type { Board, BoardState, Task } from '../model/types.ts';
import type { BoardRequest } from '../rest/route.ts';
import { answersWhole } from '../tasks/schema.ts';
import { countByTask, labelsOn, mayReadComment, maySeeTask } from '../tasks/view.ts';

export const IDEA_PROPERTIES: Readonly<Record<string, JsonObject>> = {
  id: { description: 'Number of the idea.', type: 'integer', readonly: true },
  board_id: { description: 'Roadmap that it is on.', type: 'integer', readonly: true },
  stage: {
    description: 'How far it is.',
    type: 'object',
    readonly: true,
    properties: {
      id: { description: 'Number of the stage.', type: 'integer' },
      title: { description: 'Its title.', type: 'string' },
      slug: { description: 'Its name in addresses.', type: 'string' },
    },
  },
  title: { description: 'The idea in one line.', type: 'string', examples: ['Boards in the dark'] },
  slug: { description: 'Its name in addresses.', type: 'string', readonly: true },
  description: { description: 'All of it, in Markdown.', type: 'string' },
  labels: { description: 'Texts of its labels.', type: 'array', items: { type: 'string' } },
  votes: { description: 'How many have voted for it.', type: 'integer', readonly: true },
  has_voted: { description: 'Whether the caller has.', type: 'boolean', readonly: true },
  comment_count: { description: 'Comments that the caller may read.', type: 'integer', readonly: true },
  is_awaiting_approval: {
    description: 'Whether it waits for a manager before it shows, or was archived.',
    type: 'boolean',
    readonly: true,
  },
  author: PERSON,
  created_at: { description: 'When it was sent in.', type: 'string', format: 'date-time', readonly: true },
  updated_at: { description: 'When it last changed.', type: 'string', format: 'date-time', readonly: true },
};

export const IDEA_SCHEMA: JsonObject = answersWhole(
  'idea',
  'Something that people would like to have.',
  IDEA_PROPERTIES,
);

/** A writer of ideas for one request. What is counted over all ideas is counted once. */
export function ideaView(request: BoardRequest): (idea: Task) => JsonObject {
  const { state, user } = request;
  const votes = votesByIdea(state);
  const comments = countByTask(state.comments.values(), (comment) => {
    const board = state.boards.get(comment.boardId);
    return board !== undefined && mayReadComment(request, board, comment) ? 1 : 0;
  });
  const own = new Set(state.votes.flatMap(({ ideaId, userId }) => (userId === user?.id ? [ideaId] : [])));
  return (idea) => {
    const stage = state.stages.get(idea.stageId);
    return {
      id: idea.id,
      board_id: idea.boardId,
      stage: { id: idea.stageId, title: stage?.title ?? '', slug: stage?.slug ?? '' },
      title: idea.title,
      slug: idea.slug,
      description: idea.description,
      labels: labelsOn(state, idea).map(({ title }) => title ?? ''),
      votes: votes.get(idea.id) ?? 0,
      has_voted: own.has(idea.id),
      comment_count: comments.get(idea.id) ?? 0,
      is_awaiting_approval: idea.archivedAt !== null,
      author: showPerson(state, idea.createdBy),
      created_at: idea.createdAt,
      updated_at: idea.updatedAt,
    };
  };
}

export function votesByIdea({ votes }: BoardState): Map<number, number> {
  return countByTask(
    votes.map(({ ideaId }) => ({ taskId: ideaId })),
    () => 1,
  );
}

/** An idea of a roadmap, by number or by slug, that the caller may see. */
export function findIdea(request: BoardRequest, board: Board, name: string): Task | SiteError {
  const { state } = request;
  const numbered = /^\d{1,15}$/.test(name) ? state.tasks.get(Number(name)) : undefined;
  const found =
    numbered?.boardId === board.id
      ? numbered
      : [...state.tasks.values()].find(({ boardId, slug }) => boardId === board.id && slug === name);
  return found !== undefined && maySeeTask(request, board, found)
    ? found
    : refuse(404, 'idea_not_found', 'There is no such idea on this roadmap.');
}
