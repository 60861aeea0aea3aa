import type { ActivityAuthor, Board, BoardState, Label, Stage } from '../model/index.ts';
import {
  activeStages,
  BOARD_COLORS,
  createUniqueSlug,
  DEFAULT_LABELS,
  DEFAULT_STAGES,
  labelsOnBoard,
  nextId,
  recordActivity,
  toTimestamp,
} from '../model/index.ts';

/** Values of a new board. The currency defaults to the general settings, the colour to the first of `BOARD_COLORS`. */
export interface BoardValues extends Pick<Board, 'title' | 'kind'> {
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

/** The label of a board with the title and background of another label; added when the board has none. */
export function findOrAddLabel(state: BoardState, board: Board, label: Label): Label {
  const { title, backgroundColor } = label;
  return (
    labelsOnBoard(state, board.id).find(
      (existing) => existing.title === title && existing.backgroundColor === backgroundColor,
    ) ?? addLabel(state, board, label)
  );
}
