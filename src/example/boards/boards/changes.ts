import type { SiteError } from '../../site/declarations.ts';
import { type ActivityEntry, type Board, CURRENCY_CODES } from '../model/index.ts';
import { invalidArgument } from '../rest/index.ts';

/** Properties that managers change, as arguments name them. */
export const BOARD_PROPERTIES = ['title', 'description', 'currency', 'color'] as const;
export type BoardProperty = (typeof BOARD_PROPERTIES)[number];

export const HEX_COLOR: RegExp = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** Checks by property, for values that no schema checks. Each returns the message of an error. */
const CHECKS: Readonly<Record<BoardProperty, (value: string) => string | undefined>> = {
  title: (value) =>
    value.trim() === '' || value.length > 200 ? 'A title has between 1 and 200 characters.' : undefined,
  description: () => undefined,
  currency: (value) =>
    CURRENCY_CODES.includes(value) ? undefined : `A currency is one of ${CURRENCY_CODES.join(', ')}.`,
  color: (value) => (HEX_COLOR.test(value) ? undefined : 'A colour is written as #4c6ef5.'),
};

/** @param argument the name under which the client sent the value */
export function checkBoardProperty(
  property: BoardProperty,
  value: string,
  argument: string,
): SiteError | undefined {
  const message = CHECKS[property](value);
  return message === undefined ? undefined : invalidArgument(argument, message);
}

/** Sets a checked property; returns the entry for the history, or `undefined` when the value is the same. */
export function changeBoardProperty(
  board: Board,
  property: BoardProperty,
  value: string,
): ActivityEntry | undefined {
  const isColor = property === 'color';
  const oldValue = isColor ? board.background.color : board[property];
  const newValue = property === 'title' ? value.trim() : value;
  if (isColor) board.background = { isImage: false, color: newValue, imageUrl: null };
  else board[property] = newValue;
  if (oldValue === newValue) return undefined;
  const text =
    property === 'description'
      ? 'rewrote the description of the board'
      : `changed the ${property} of the board to ${newValue}`;
  return { action: 'updated', subject: isColor ? 'background' : 'board', text, oldValue, newValue };
}
