import type { SiteError } from '../../site/declare.ts';
import { CURRENCY_CODES } from '../model/currencies.ts';
import { record } from '../model/state.ts';
import type { Board } from '../model/types.ts';
import { invalid } from '../rest/refusals.ts';
import type { BoardRequest } from '../rest/route.ts';

/** What a manager may set of a board. */
export type BoardProperty = 'title' | 'description' | 'currency' | 'color';

const JUDGES: Readonly<Record<BoardProperty, (value: string) => string | undefined>> = {
  title: (value) =>
    value.trim() === '' || value.length > 200 ? 'A title has between 1 and 200 characters.' : undefined,
  description: () => undefined,
  currency: (value) =>
    CURRENCY_CODES.includes(value) ? undefined : `A currency is one of ${CURRENCY_CODES.join(', ')}.`,
  color: (value) =>
    /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(value) ? undefined : 'A colour is written as #4c6ef5.',
};

/** Whether a property takes a value. `argument` is what the caller named it. */
export function judgeProperty(
  property: BoardProperty,
  value: string,
  argument: string,
): SiteError | undefined {
  const fault = JUDGES[property](value);
  return fault === undefined ? undefined : invalid(argument, fault);
}

/** Writes a property that is judged, and notes it if it became another. */
export function changeBoard(
  request: BoardRequest,
  board: Board,
  property: BoardProperty,
  value: string,
): void {
  const isColor = property === 'color';
  const oldValue = isColor ? board.background.color : board[property];
  const newValue = property === 'title' ? value.trim() : value;
  if (isColor) board.background = { isImage: false, color: newValue, imageUrl: null };
  else board[property] = newValue;
  if (oldValue === newValue) return;
  record(
    request.state,
    {
      boardId: board.id,
      action: 'updated',
      subject: isColor ? 'background' : 'board',
      text:
        property === 'description'
          ? 'rewrote the description of the board'
          : `changed the ${property} of the board to ${newValue}`,
      oldValue,
      newValue,
    },
    request,
  );
}
