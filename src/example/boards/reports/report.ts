import type { JsonObject } from '../../../json.ts';
import type { ArgumentSchemas, SiteError } from '../../site/declarations.ts';
import { forbiddenError, ok } from '../../site/responses.ts';
import { type Board, isSiteError } from '../model/index.ts';
import type { BoardRequest, BoardRoute, DayPeriod, SchemasByName } from '../rest/index.ts';
import {
  declareGet,
  isMemberOrAdmin,
  PERIOD_ARGS,
  permit,
  readPeriod,
  responseSchema,
  schema,
  withFeature,
} from '../rest/index.ts';

/** The boards and the period of a report or a timesheet. */
export interface ReportScope {
  /** Boards of which the client is a member, or the requested ones of them. */
  readonly boards: ReadonlyMap<number, Board>;
  readonly period: DayPeriod;
}

export const SCOPE_ARGS: ArgumentSchemas = {
  ...PERIOD_ARGS,
  board_ids: schema.ids('Only these boards. Absent: every board that the caller is a member of.', {
    maxItems: 100,
  }),
};

export function readScope(request: BoardRequest): ReportScope | SiteError {
  const period = readPeriod(request);
  if (isSiteError(period)) return period;
  const { state, user, params } = request;
  const own = [...state.boards.values()].filter((board) => isMemberOrAdmin(user, board));
  const requested = new Set(params.integers('board_ids'));
  const boards = requested.size === 0 ? own : own.filter(({ id }) => requested.has(id));
  // The error is the same for a missing board, so that the client does not learn which boards exist.
  if (boards.length < requested.size) {
    return forbiddenError(user, 'rest_forbidden', 'Sorry, one of these boards is not yours to look into.');
  }
  return { boards: new Map(boards.map((board) => [board.id, board])), period };
}

/** Declares a report, which is computed on every request from the content of the boards. */
export function declareReport(
  name: string,
  description: string,
  properties: SchemasByName,
  compute: (request: BoardRequest, scope: ReportScope) => JsonObject,
): BoardRoute {
  const responses = responseSchema(`${name}-report`, description, {
    from: schema.nullable(schema.string('First day that counts; null for the beginning.')),
    to: schema.nullable(schema.string('Last day that counts; null for now.')),
    ...properties,
  });
  return declareGet(`/reports/${name}`, responses, {
    args: SCOPE_ARGS,
    permission: withFeature('reports', permit.signedIn),
    handle(request) {
      const scope = readScope(request);
      if (isSiteError(scope)) return scope;
      const [from = null, to = null] = [request.params.string('from'), request.params.string('to')];
      return ok({ from, to, ...compute(request, scope) });
    },
  });
}
