import type { Json } from '../../../json.ts';
import type { SiteError } from '../../site/declarations.ts';
import { HEX_COLOR } from '../boards/changes.ts';
import { type Board, isSiteError, type Stage } from '../model/index.ts';
import { type BoardRequest, invalidArgument, isMemberOrAdmin } from '../rest/index.ts';

/** Names of the arguments that change a property of a stage. */
export const STAGE_PROPERTIES = [
  'title',
  'color',
  'default_status',
  'default_assignees',
  'task_limit',
] as const;
export type StageProperty = (typeof STAGE_PROPERTIES)[number];

/** Members of a stage that a checked value sets. */
export type StageChange = Partial<
  Pick<Stage, 'title' | 'color' | 'defaultStatus' | 'defaultAssignees' | 'taskLimit'>
>;

/** Checks the value of a property and converts it; returns the message of an error for an unusable value. */
type StagePropertyReader = (value: Json, request: BoardRequest, board: Board) => StageChange | string;

const READERS: Readonly<Record<StageProperty, StagePropertyReader>> = {
  title(value) {
    const title = typeof value === 'string' ? value.trim() : '';
    return title === '' || title.length > 100 ? 'A title has between 1 and 100 characters.' : { title };
  },
  color: (value) =>
    typeof value === 'string' && HEX_COLOR.test(value) ? { color: value } : 'A colour is written as #ffd43b.',
  default_status: (value) =>
    value === null || value === 'open' || value === 'closed'
      ? { defaultStatus: value }
      : 'A status is open, closed or null.',
  default_assignees(value, { state }, board) {
    if (!Array.isArray(value)) return 'The assignees are a list of numbers.';
    const ids = [...new Set(value.map(Number))];
    const invalid = ids.find(
      (id) => !isMemberOrAdmin(state.users.find((user) => user.id === id) ?? null, board),
    );
    return invalid === undefined
      ? { defaultAssignees: ids }
      : `User ${invalid} is not a member of this board.`;
  },
  task_limit(value) {
    const limit = value === null || value === '' ? null : Number(value);
    return limit === null || (Number.isInteger(limit) && limit >= 1 && limit <= 1000)
      ? { taskLimit: limit }
      : 'A limit lies between 1 and 1000, or is null for none.';
  },
};

/** @param argument the name under which the client sent the value */
export function readStageProperty(
  request: BoardRequest,
  board: Board,
  property: StageProperty,
  argument: string = property,
): StageChange | SiteError {
  const change = READERS[property](request.params.get(argument) ?? null, request, board);
  return typeof change === 'string' ? invalidArgument(argument, change) : change;
}

/** Reads every property that the client sent, so that nothing is changed when one of them is refused. */
export function readStageChange(request: BoardRequest, board: Board): StageChange | SiteError {
  let changes: StageChange = {};
  for (const property of STAGE_PROPERTIES) {
    if (!request.suppliedNames.has(property)) continue;
    const change = readStageProperty(request, board, property);
    if (isSiteError(change)) return change;
    changes = { ...changes, ...change };
  }
  return changes;
}
