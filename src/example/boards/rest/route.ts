import type { JsonObject } from '../../../json.ts';
import type {
  EndpointDeclaration,
  RouteDeclaration,
  SiteAnswer,
  SiteError,
  SiteRequest,
} from '../../site/declare.ts';
import { findBoard, findLabel, findStage, findTask, isRefusal } from '../model/state.ts';
import type { Board, BoardState, Label, Stage, Task } from '../model/types.ts';

export type BoardRequest = SiteRequest<BoardState>;
export type BoardRoute = RouteDeclaration<BoardState>;
export type BoardEndpoint = EndpointDeclaration<BoardState>;
export type Answer = SiteAnswer | SiteError;

/** The classes of path parameters, as such plugins write them. `str` was meant to be “no white space”. */
const CLASSES = {
  int: { pattern: '[\\d]+', type: 'integer' },
  str: { pattern: '[^\\s(?!/)]+', type: 'string' },
  slug: { pattern: '[a-zA-Z0-9_-]+', type: 'string' },
} as const;

type PathClass = keyof typeof CLASSES;

/** What the path parameters name. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  board_id: 'Number of the board.',
  stage_id: 'Number of the stage.',
  task_id: 'Number of the task.',
  label_id: 'Number of the label.',
  comment_id: 'Number of the comment.',
  reply_id: 'Number of the reply.',
  track_id: 'Number of the time track.',
  folder_id: 'Number of the folder.',
  idea_id: 'Number of the idea.',
  contact_id: 'Number of the contact.',
  associated_id: 'Number of the contact whose boards or tasks are wanted.',
  user_id: 'Number of the user.',
  id: 'Number of the user.',
  type: 'Kind of the boards: `kanban` or `roadmap`.',
};

/**
 * One route, written as `/projects/{board_id:int}/labels`: the parameters of its path become groups of the pattern and
 * required arguments of every endpoint.
 */
export function route(path: string, endpoints: readonly BoardEndpoint[], schema?: JsonObject): BoardRoute {
  const pathArgs: Record<string, JsonObject> = {};
  const pattern = path.replace(/\{(\w+):(\w+)\}/g, (written, name: string, wanted: string) => {
    if (!isPathClass(wanted))
      throw new TypeError(`${written} of ${path}: write {name:int}, {name:str} or {name:slug}`);
    pathArgs[name] = {
      description: DESCRIPTIONS[name] ?? '',
      type: CLASSES[wanted].type,
      required: true,
    };
    return `(?P<${name}>${CLASSES[wanted].pattern})`;
  });
  const declared = endpoints.map((endpoint) => ({ ...endpoint, args: { ...pathArgs, ...endpoint.args } }));
  return schema === undefined
    ? { route: pattern, endpoints: declared }
    : { route: pattern, endpoints: declared, schema };
}

function isPathClass(name: string): name is PathClass {
  return Object.hasOwn(CLASSES, name);
}

/** A handler that needs the path's board: 404 where there is none. */
export function withBoard(handle: (request: BoardRequest, board: Board) => Answer): BoardEndpoint['handle'] {
  return (request) => {
    const board = findBoard(request.state, request.params.string('board_id'));
    return isRefusal(board) ? board : handle(request, board);
  };
}

/** A handler that needs the path's board and one thing on it, which `find` looks for. */
export function withPart<Part extends object>(
  name: string,
  find: (state: BoardState, boardId: number, id: string | undefined) => Part | SiteError,
): WithPart<Part> {
  return (handle) =>
    withBoard((request, board) => {
      const part = find(request.state, board.id, request.params.string(name));
      return isRefusal(part) ? part : handle(request, part, board);
    });
}

type WithPart<Part> = (
  handle: (request: BoardRequest, part: Part, board: Board) => Answer,
) => BoardEndpoint['handle'];

export const withStage: WithPart<Stage> = withPart('stage_id', findStage);
export const withTask: WithPart<Task> = withPart('task_id', findTask);
export const withLabel: WithPart<Label> = withPart('label_id', findLabel);
