import { ok } from '../../site/answers.ts';
import { removeBoard, removeFrom } from '../model/removal.ts';
import { personal } from '../model/state.ts';
import type { Board } from '../model/types.ts';
import { choice } from '../rest/choices.ts';
import { readMoment } from '../rest/period.ts';
import { permit } from '../rest/permissions.ts';
import { invalid } from '../rest/refusals.ts';
import { type BoardRequest, type BoardRoute, route, withBoard } from '../rest/route.ts';
import { answersWhole } from '../tasks/schema.ts';
import { CURRENCY, color, DESCRIPTION, TITLE } from './args.ts';
import { type BoardProperty, changeBoard, judgeProperty } from './changes.ts';
import { BOARD_SCHEMA } from './schema.ts';
import { showBoard, showWholeBoard } from './view.ts';

const PROPERTIES: readonly BoardProperty[] = ['title', 'description', 'currency', 'color'];

/** One board: reading, changing and deleting it. */
export const boardItems: readonly BoardRoute[] = [
  route(
    '/projects/{board_id:int}',
    [
      {
        methods: ['GET'],
        permission: permit.viewers,
        handle: withBoard((request, board) => {
          remember(request, board);
          return ok(showWholeBoard(request, board));
        }),
      },
      {
        methods: ['PUT'],
        args: {
          title: TITLE,
          description: DESCRIPTION,
          currency: CURRENCY,
          color: color('Colour behind the board: `#4c6ef5`. Takes the place of a picture.'),
        },
        permission: permit.managers,
        handle: withBoard((request, board) => {
          const wanted = PROPERTIES.flatMap((name): [BoardProperty, string][] => {
            const value = request.params.string(name);
            return value === undefined ? [] : [[name, value]];
          });
          for (const [name, value] of wanted) {
            const refused = judgeProperty(name, value, name);
            if (refused !== undefined) return refused;
          }
          for (const [name, value] of wanted) changeBoard(request, board, name, value);
          return ok(showWholeBoard(request, board));
        }),
      },
      {
        methods: ['DELETE'],
        permission: permit.managers,
        handle: withBoard((request, board) => {
          const previous = showBoard(request, board);
          removeBoard(request.state, board.id);
          return ok({ deleted: true, previous });
        }),
      },
    ],
    BOARD_SCHEMA,
  ),
  route(
    '/projects/{board_id:int}/has-data-changed',
    [
      {
        methods: ['GET'],
        args: {
          since: {
            description: 'When the caller last looked: `2026-03-02T09:00:00Z`.',
            type: 'string',
            format: 'date-time',
            required: true,
          },
        },
        permission: permit.viewers,
        handle: withBoard(({ params }, board) => {
          const since = readMoment(params.string('since', ''));
          if (since === undefined) return invalid('since', 'since is not a moment of the calendar.');
          return ok({ changed: board.updatedAt > since, updated_at: board.updatedAt });
        }),
      },
    ],
    answersWhole('board-change', 'Whether a board has changed, for callers that keep a copy.', {
      changed: { description: 'Whether anything on it changed since.', type: 'boolean' },
      updated_at: { description: 'When it last changed.', type: 'string', format: 'date-time' },
    }),
  ),
  route(
    '/projects/{board_id:int}/update-board-properties',
    [
      {
        methods: ['PUT'],
        args: {
          property: { description: 'Which property.', type: 'string', enum: PROPERTIES, required: true },
          value: { description: 'What it becomes.', type: 'string', required: true, maxLength: 5000 },
        },
        permission: permit.managers,
        handle: withBoard((request, board) => {
          const property = choice(request.params, 'property', PROPERTIES) ?? 'title';
          const value = request.params.string('value', '');
          const refused = judgeProperty(property, value, 'value');
          if (refused !== undefined) return refused;
          changeBoard(request, board, property, value);
          return ok(showBoard(request, board));
        }),
      },
    ],
    BOARD_SCHEMA,
  ),
];

/** Puts a board first among those that the caller has looked at. */
function remember({ state, user }: BoardRequest, board: Board): void {
  if (user === null) return;
  const { recentBoards } = personal(state, user.id);
  removeFrom(recentBoards, board.id);
  recentBoards.unshift(board.id);
  recentBoards.splice(10);
}
