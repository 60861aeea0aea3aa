import type { SiteError } from '../../site/declarations.ts';
import { restError } from '../../site/responses.ts';
import { PERSON_SCHEMA, showPerson } from '../members/person.ts';
import type { Board, BoardState, Task } from '../model/index.ts';
import type { BoardRequest, BoardResource, ItemView } from '../rest/index.ts';
import {
  canReadTask,
  createResource,
  createView,
  permit,
  responseSchema,
  schema,
  withFeature,
} from '../rest/index.ts';
import { logTask } from '../tasks/changes.ts';
import { countReadableCommentsByTask, sumByTask } from '../tasks/resource.ts';
import { findBoardOfIdea, findRoadmapOfPath } from './permissions.ts';

/** Values that all ideas of a response share. */
interface IdeaViewContext {
  readonly state: BoardState;
  readonly votes: ReadonlyMap<number, number>;
  readonly commentCounts: ReadonlyMap<number, number>;
  /** Ideas for which the client has voted. */
  readonly voted: ReadonlySet<number>;
}

export const ideaView: ItemView<Task> = createView<Task, IdeaViewContext>(
  (request) => ({
    state: request.state,
    votes: countVotesByIdea(request.state),
    commentCounts: countReadableCommentsByTask(request),
    voted: new Set(
      request.state.votes.filter(({ userId }) => userId === request.user?.id).map(({ ideaId }) => ideaId),
    ),
  }),
  {
    id: schema.readOnly(schema.integer('Number of the idea.')),
    board_id: schema.readOnly(schema.integer('Roadmap that it is on.')),
    stage: [
      {
        description: 'How far it is.',
        type: 'object',
        readonly: true,
        properties: {
          id: schema.integer('Number of the stage.'),
          title: schema.string('Its title.'),
          slug: schema.string('Its name in addresses.'),
        },
      },
      ({ stageId }, { state }) => {
        const { title = '', slug = '' } = state.stages.get(stageId) ?? {};
        return { id: stageId, title, slug };
      },
    ],
    title: schema.string('The idea in one line.', { examples: ['Boards in the dark'] }),
    slug: schema.readOnly(schema.string('Its name in addresses.')),
    description: schema.string('All of it, in Markdown.'),
    labels: [
      schema.array('Texts of its labels.', { type: 'string' }),
      ({ labels }, { state }) => labels.flatMap((id) => state.labels.get(id)?.title ?? []),
    ],
    votes: [
      schema.readOnly(schema.integer('How many have voted for it.')),
      ({ id }, { votes }) => votes.get(id) ?? 0,
    ],
    has_voted: [
      schema.readOnly(schema.boolean('Whether the caller has.')),
      ({ id }, { voted }) => voted.has(id),
    ],
    comment_count: [
      schema.readOnly(schema.integer('Comments that the caller may read.')),
      ({ id }, { commentCounts }) => commentCounts.get(id) ?? 0,
    ],
    is_awaiting_approval: [
      schema.readOnly(schema.boolean('Whether it waits for a manager before it shows, or was archived.')),
      ({ archivedAt }) => archivedAt !== null,
    ],
    author: [PERSON_SCHEMA, ({ createdBy }, { state }) => showPerson(state, createdBy)],
    created_at: schema.readOnly(schema.dateTime('When it was sent in.')),
    updated_at: schema.readOnly(schema.dateTime('When it last changed.')),
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
export const ideaResource: BoardResource<Task, readonly [Board]> = createResource<Task, readonly [Board]>({
  schema: responseSchema('idea', 'Something that people would like to have.', ideaView.properties),
  readPermission: withFeature('roadmaps', permit.viewers),
  writePermission: withFeature('roadmaps', permit.managers),
  findParents: findRoadmapOfPath,
  findItem: findIdea('idea_id'),
  createPresenter: ideaView.createPresenter,
  logChange: logTask,
});

/** Ideas whose number or slug is the path parameter `task_id`. */
export const ideaBySlugResource: BoardResource<Task, readonly [Board]> = createResource<
  Task,
  readonly [Board]
>({
  ...ideaResource,
  findItem: findIdea('task_id'),
});

/** Ideas whose path does not name the roadmap. */
export const anyRoadmapIdeaResource: BoardResource<Task, readonly [Board]> = createResource<
  Task,
  readonly [Board]
>({
  ...ideaResource,
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
