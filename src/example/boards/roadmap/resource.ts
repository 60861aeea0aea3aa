import { refuse } from '../../site/answers.ts';
import type { SiteError } from '../../site/declare.ts';
import { PERSON, showPerson } from '../members/person.ts';
import type { Board, BoardState, Task } from '../model/index.ts';
import {
  array,
  type BoardRequest,
  boolean,
  canReadTask,
  createResource,
  createView,
  dateTime,
  type ItemView,
  integer,
  permit,
  type Resource,
  readOnly,
  responseSchema,
  string,
  withFeature,
} from '../rest/index.ts';
import { logTask } from '../tasks/changes.ts';
import { countReadableComments, sumByTask } from '../tasks/resource.ts';
import { boardOfIdea, roadmapOfPath } from './permissions.ts';

/** What all ideas of a response share. */
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
    votes: countVotes(request.state),
    commentCounts: countReadableComments(request),
    voted: new Set(
      request.state.votes.filter(({ userId }) => userId === request.user?.id).map(({ ideaId }) => ideaId),
    ),
  }),
  {
    id: [readOnly(integer('Number of the idea.')), ({ id }) => id],
    board_id: [readOnly(integer('Roadmap that it is on.')), ({ boardId }) => boardId],
    stage: [
      {
        description: 'How far it is.',
        type: 'object',
        readonly: true,
        properties: {
          id: integer('Number of the stage.'),
          title: string('Its title.'),
          slug: string('Its name in addresses.'),
        },
      },
      ({ stageId }, { state }) => {
        const { title = '', slug = '' } = state.stages.get(stageId) ?? {};
        return { id: stageId, title, slug };
      },
    ],
    title: [string('The idea in one line.', { examples: ['Boards in the dark'] }), ({ title }) => title],
    slug: [readOnly(string('Its name in addresses.')), ({ slug }) => slug],
    description: [string('All of it, in Markdown.'), ({ description }) => description],
    labels: [
      array('Texts of its labels.', { type: 'string' }),
      ({ labels }, { state }) => labels.flatMap((id) => state.labels.get(id)?.title ?? []),
    ],
    votes: [readOnly(integer('How many have voted for it.')), ({ id }, { votes }) => votes.get(id) ?? 0],
    has_voted: [readOnly(boolean('Whether the caller has.')), ({ id }, { voted }) => voted.has(id)],
    comment_count: [
      readOnly(integer('Comments that the caller may read.')),
      ({ id }, { commentCounts }) => commentCounts.get(id) ?? 0,
    ],
    is_awaiting_approval: [
      readOnly(boolean('Whether it waits for a manager before it shows, or was archived.')),
      ({ archivedAt }) => archivedAt !== null,
    ],
    author: [PERSON, ({ createdBy }, { state }) => showPerson(state, createdBy)],
    created_at: [readOnly(dateTime('When it was sent in.')), ({ createdAt }) => createdAt],
    updated_at: [readOnly(dateTime('When it last changed.')), ({ updatedAt }) => updatedAt],
  },
);

/** The number of votes by idea. */
export function countVotes({ votes }: BoardState): Map<number, number> {
  return sumByTask(
    votes.map(({ ideaId }) => ({ taskId: ideaId })),
    () => 1,
  );
}

/** The ideas of a roadmap, which its managers change. */
export const ideas: Resource<Task, readonly [Board]> = createResource<Task, readonly [Board]>({
  schema: responseSchema('idea', 'Something that people would like to have.', ideaView.properties),
  read: withFeature('roadmaps', permit.viewers),
  write: withFeature('roadmaps', permit.managers),
  parents: roadmapOfPath,
  find: findIdea('idea_id'),
  present: ideaView.present,
  log: logTask,
});

/** Ideas that the path names by `task_id`, by number or by slug. */
export const ideasBySlug: Resource<Task, readonly [Board]> = createResource<Task, readonly [Board]>({
  ...ideas,
  find: findIdea('task_id'),
});

/** Ideas whose path does not name the roadmap. */
export const ideasOfAnyRoadmap: Resource<Task, readonly [Board]> = createResource<Task, readonly [Board]>({
  ...ideas,
  parents: boardOfIdea,
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
      : refuse(404, 'idea_not_found', 'There is no such idea on this roadmap.');
  };
}
