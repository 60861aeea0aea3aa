import type { BoardKind } from './board.ts';

/** Stages of a new board of each kind: title, colour, and whether tasks in the stage are done. */
export const DEFAULT_STAGES: Readonly<
  Record<BoardKind, readonly (readonly [title: string, color: string, isDone: boolean])[]>
> = {
  kanban: [
    ['Backlog', '#adb5bd', false],
    ['To do', '#4dabf7', false],
    ['In progress', '#ffd43b', false],
    ['Review', '#b197fc', false],
    ['Done', '#69db7c', true],
  ],
  roadmap: [
    ['Under review', '#adb5bd', false],
    ['Planned', '#4dabf7', false],
    ['In progress', '#ffd43b', false],
    ['Shipped', '#69db7c', true],
  ],
};

/** Labels of a new board: text, colour of the text, colour of the background. */
export const DEFAULT_LABELS: readonly (readonly [title: string, color: string, background: string])[] = [
  ['Urgent', '#ffffff', '#e03131'],
  ['Waiting', '#212529', '#ffd43b'],
  ['Design', '#ffffff', '#7950f2'],
  ['Text', '#ffffff', '#1c7ed6'],
  ['Legal', '#ffffff', '#495057'],
  ['Quick win', '#ffffff', '#2f9e44'],
];

/** Colours offered for the background of a board. */
export const BOARD_COLORS: readonly (readonly [name: string, value: string])[] = [
  ['Indigo', '#4c6ef5'],
  ['Teal', '#12b886'],
  ['Violet', '#7950f2'],
  ['Orange', '#f76707'],
  ['Pink', '#e64980'],
  ['Cyan', '#1098ad'],
  ['Grape', '#ae3ec9'],
  ['Gray', '#868e96'],
];
