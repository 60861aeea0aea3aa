import type { Json } from '../../../json.ts';
import type { SiteError } from '../../site/declare.ts';
import { record } from '../model/state.ts';
import type { ActivityAction, Board, Stage } from '../model/types.ts';
import { invalid } from '../rest/refusals.ts';
import type { BoardRequest } from '../rest/route.ts';
import { isAssignable } from '../tasks/fields.ts';

/** What a caller may set of a stage, as the interface names it. */
export const STAGE_PROPERTIES = [
  'title',
  'color',
  'default_status',
  'default_assignees',
  'task_limit',
] as const;
export type StageProperty = (typeof STAGE_PROPERTIES)[number];

/** A value that is judged, ready to be written. */
export type StageChange = (stage: Stage) => void;

type Reader = (value: Json, request: BoardRequest, board: Board) => StageChange | string;

/** How a value is read and what it changes; the message where it cannot be read. */
const READERS: Readonly<Record<StageProperty, Reader>> = {
  title(value) {
    const title = typeof value === 'string' ? value.trim() : '';
    if (title === '' || title.length > 100) return 'A title has between 1 and 100 characters.';
    return (stage) => {
      stage.title = title;
    };
  },
  color(value) {
    if (typeof value !== 'string' || !/^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value)) {
      return 'A colour is written as #ffd43b.';
    }
    return (stage) => {
      stage.color = value;
    };
  },
  default_status(value) {
    if (value !== null && value !== 'open' && value !== 'closed') return 'A status is open, closed or null.';
    return (stage) => {
      stage.defaultStatus = value;
    };
  },
  default_assignees(value, { state }, board) {
    if (!Array.isArray(value)) return 'The assignees are a list of numbers.';
    const ids = [...new Set(value.map(Number))];
    const stranger = ids.find(
      (id) => !isAssignable(state.users.find((user) => user.id === id) ?? null, board),
    );
    if (stranger !== undefined) return `User ${stranger} is not a member of this board.`;
    return (stage) => {
      stage.defaultAssignees.splice(0, stage.defaultAssignees.length, ...ids);
    };
  },
  task_limit(value) {
    const limit = value === null || value === '' ? null : Number(value);
    if (limit !== null && !(Number.isInteger(limit) && limit >= 1 && limit <= 1000)) {
      return 'A limit lies between 1 and 1000, or is null for none.';
    }
    return (stage) => {
      stage.taskLimit = limit;
    };
  },
};

/** Reads one property from an argument of any name. Nothing is written before all are read. */
export function readStageChange(
  request: BoardRequest,
  board: Board,
  property: StageProperty,
  argument: string = property,
): StageChange | SiteError {
  const change = READERS[property](request.params.get(argument) ?? null, request, board);
  return typeof change === 'string' ? invalid(argument, change) : change;
}

/** Reads all that the caller gave. */
export function readStageChanges(request: BoardRequest, board: Board): StageChange[] | SiteError {
  const changes: StageChange[] = [];
  for (const property of STAGE_PROPERTIES) {
    if (!request.given.has(property)) continue;
    const change = readStageChange(request, board, property);
    if (typeof change !== 'function') return change;
    changes.push(change);
  }
  return changes;
}

export function noteStage(request: BoardRequest, stage: Stage, action: ActivityAction, text: string): void {
  record(request.state, { boardId: stage.boardId, action, subject: 'stage', text }, request);
}
