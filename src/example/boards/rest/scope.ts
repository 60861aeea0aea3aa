import { forbid } from '../../site/answers.ts';
import type { Args, SiteError } from '../../site/declare.ts';
import { isRefusal } from '../model/state.ts';
import type { Board } from '../model/types.ts';
import { PERIOD, type Period, readPeriod } from './period.ts';
import { isMember } from './permissions.ts';
import type { BoardRequest } from './route.ts';

/** What a report or a timesheet is computed over. */
export interface Scope {
  /** Boards that the caller is a member of, or those of them that were asked for. */
  readonly boards: ReadonlyMap<number, Board>;
  readonly period: Period;
}

/** The arguments of everything that is computed over several boards and some days. */
export const SCOPE: Args = {
  ...PERIOD,
  board_ids: {
    description: 'Only these boards. Absent: every board that the caller is a member of.',
    type: 'array',
    items: { type: 'integer', minimum: 1 },
    maxItems: 100,
  },
};

export function readScope(request: BoardRequest): Scope | SiteError {
  const period = readPeriod(request);
  if (isRefusal(period)) return period;
  const { state, user, params } = request;
  const mine = [...state.boards.values()].filter((board) => isMember(user, board));
  const wanted = new Set(params.integers('board_ids'));
  const chosen = wanted.size === 0 ? mine : mine.filter(({ id }) => wanted.has(id));
  // A board of others and a board that does not exist are refused alike.
  if (chosen.length < wanted.size)
    return forbid(user, 'rest_forbidden', 'Sorry, one of these boards is not yours to look into.');
  return { boards: new Map(chosen.map((board) => [board.id, board])), period };
}
