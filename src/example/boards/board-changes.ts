import type { SiteError } from '../../rest-server/declarations.ts';
import { invalidArgument } from './resource.ts';
import {
  type ActivityAuthor,
  type ActivityEntry,
  activeStages,
  BOARD_COLORS,
  type Board,
  type BoardState,
  CURRENCY_CODES,
  createUniqueSlug,
  DEFAULT_LABELS,
  DEFAULT_STAGES,
  type Label,
  nextId,
  recordActivity,
  type Stage,
  toTimestamp,
} from './state.ts';

/** Values of a new board. The currency defaults to the general settings, the colour to the first of `BOARD_COLORS`. */
interface BoardValues extends Pick<Board, 'title' | 'kind'> {
  readonly description?: string | undefined;
  readonly currency?: string | undefined;
  readonly color?: string | undefined;
}

/** Adds a board without stages, of which its creator is the manager. */
export function addBoard(state: BoardState, values: BoardValues, author: ActivityAuthor): Board {
  const at = toTimestamp(author.now);
  const [, firstColor = '#4c6ef5'] = BOARD_COLORS[0] ?? [];
  const createdBy = author.user?.id ?? 0;
  const board: Board = {
    id: nextId(state, 'boards'),
    title: values.title,
    description: values.description ?? '',
    kind: values.kind,
    currency: values.currency ?? state.settings.general.default_currency,
    background: { isImage: false, color: values.color ?? firstColor, imageUrl: null },
    members: [{ userId: createdBy, role: 'manager', joinedAt: at }],
    publicAccess: { enabled: false, showComments: true, showAssignees: false },
    contactIds: [],
    createdBy,
    createdAt: at,
    updatedAt: at,
    changedAt: author.now.getTime(),
    archivedAt: null,
  };
  state.boards.set(board.id, board);
  const text = `created the board “${board.title}”`;
  recordActivity(state, { boardId: board.id, action: 'created', subject: 'board', text }, author);
  return board;
}

/** Adds a stage at the end of a board. */
export function addStage(
  state: BoardState,
  board: Board,
  values: Pick<Stage, 'title'> &
    Partial<Pick<Stage, 'color' | 'defaultStatus' | 'taskLimit' | 'defaultAssignees'>>,
): Stage {
  const all = [...state.stages.values()].filter((stage) => stage.boardId === board.id);
  const stage: Stage = {
    color: '#adb5bd',
    defaultStatus: null,
    taskLimit: null,
    defaultAssignees: [],
    ...values,
    id: nextId(state, 'stages'),
    boardId: board.id,
    slug: createUniqueSlug(values.title, new Set(all.map(({ slug }) => slug))),
    position: activeStages(state, board.id).length + 1,
    archivedAt: null,
    archivedTaskIds: [],
  };
  state.stages.set(stage.id, stage);
  return stage;
}

/** Adds the default stages of the kind of board, or stages with these titles, of which the last one closes tasks. */
export function addDefaultStages(state: BoardState, board: Board, titles: readonly string[] = []): void {
  if (titles.length === 0) {
    for (const [title, color, isDone] of DEFAULT_STAGES[board.kind]) {
      addStage(state, board, { title, color, defaultStatus: isDone ? 'closed' : null });
    }
  }
  for (const [index, title] of titles.entries()) {
    addStage(state, board, { title, defaultStatus: index === titles.length - 1 ? 'closed' : null });
  }
}

export function addLabel(
  state: BoardState,
  board: Board,
  values: Pick<Label, 'title' | 'color' | 'backgroundColor'>,
): Label {
  const label: Label = { ...values, id: nextId(state, 'labels'), boardId: board.id };
  state.labels.set(label.id, label);
  return label;
}

export function addDefaultLabels(state: BoardState, board: Board): void {
  for (const [title, color, backgroundColor] of DEFAULT_LABELS) {
    addLabel(state, board, { title, color, backgroundColor });
  }
}

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
