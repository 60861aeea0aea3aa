import type { User } from '../../site/users.ts';
import { LABELS, STAGES } from '../model/board-template.ts';
import { BOARD_COLORS } from '../model/currencies.ts';
import { stagesOf } from '../model/positions.ts';
import { uniqueSlug } from '../model/slug.ts';
import { moment, nextId, record } from '../model/state.ts';
import type { Board, BoardKind, BoardState, Label, Stage } from '../model/types.ts';
import { labelsOf } from './view.ts';

/** Who does something, and when. */
export interface By {
  readonly user: User | null;
  readonly now: Date;
}

export interface NewBoard {
  readonly title: string;
  readonly kind: BoardKind;
  readonly description?: string | undefined;
  readonly currency?: string | undefined;
  readonly color?: string | undefined;
}

/** An empty board without stages, whose maker is its manager. */
export function addBoard(state: BoardState, wanted: NewBoard, by: By): Board {
  const at = moment(by.now);
  const [, usual = '#4c6ef5'] = BOARD_COLORS[0] ?? [];
  const createdBy = by.user?.id ?? 0;
  const board: Board = {
    id: nextId(state, 'boards'),
    title: wanted.title,
    description: wanted.description ?? '',
    kind: wanted.kind,
    currency: wanted.currency ?? state.settings.general.default_currency,
    background: { isImage: false, color: wanted.color ?? usual, imageUrl: null },
    members: [{ userId: createdBy, role: 'manager', joinedAt: at }],
    publicAccess: { enabled: false, showComments: true, showAssignees: false },
    contactIds: [],
    createdBy,
    createdAt: at,
    updatedAt: at,
    archivedAt: null,
  };
  state.boards.set(board.id, board);
  record(
    state,
    { boardId: board.id, action: 'created', subject: 'board', text: `created the board “${board.title}”` },
    by,
  );
  return board;
}

/** A stage at the end of its board. */
export function addStage(
  state: BoardState,
  board: Board,
  wanted: Pick<Stage, 'title'> &
    Partial<Pick<Stage, 'color' | 'defaultStatus' | 'taskLimit' | 'defaultAssignees'>>,
): Stage {
  const all = [...state.stages.values()].filter((stage) => stage.boardId === board.id);
  const stage: Stage = {
    color: '#adb5bd',
    defaultStatus: null,
    taskLimit: null,
    defaultAssignees: [],
    ...wanted,
    id: nextId(state, 'stages'),
    boardId: board.id,
    slug: uniqueSlug(wanted.title, new Set(all.map(({ slug }) => slug))),
    position: stagesOf(state, board.id).length + 1,
    archivedAt: null,
    archivedTaskIds: [],
  };
  state.stages.set(stage.id, stage);
  return stage;
}

/** The stages that boards of a kind start with, or some by name, the last of which finishes what comes there. */
export function addUsualStages(state: BoardState, board: Board, titles?: readonly string[]): void {
  if (titles === undefined || titles.length === 0) {
    for (const [title, color, isDone] of STAGES[board.kind]) {
      addStage(state, board, { title, color, defaultStatus: isDone ? 'closed' : null });
    }
    return;
  }
  for (const [index, title] of titles.entries()) {
    addStage(state, board, { title, defaultStatus: index === titles.length - 1 ? 'closed' : null });
  }
}

export function addLabel(
  state: BoardState,
  board: Board,
  wanted: Pick<Label, 'title' | 'color' | 'backgroundColor'>,
): Label {
  const label: Label = { ...wanted, id: nextId(state, 'labels'), boardId: board.id };
  state.labels.set(label.id, label);
  return label;
}

export function addUsualLabels(state: BoardState, board: Board): void {
  for (const [title, color, backgroundColor] of LABELS)
    addLabel(state, board, { title, color, backgroundColor });
}

/** The label of a board with a title and a colour, made where there is none: for copies. */
export function sameLabel(state: BoardState, board: Board, label: Label): Label {
  return (
    labelsOf(state, board.id).find(
      ({ title, backgroundColor }) => title === label.title && backgroundColor === label.backgroundColor,
    ) ?? addLabel(state, board, label)
  );
}
