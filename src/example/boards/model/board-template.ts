import type { BoardKind } from './types.ts';

/** Stages of a new board of each kind: title, colour, and whether what comes there is done. */
export const STAGES: Readonly<
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

/** Labels of a new board: text, its colour and that behind it. */
export const LABELS: readonly (readonly [title: string, color: string, background: string])[] = [
  ['Urgent', '#ffffff', '#e03131'],
  ['Waiting', '#212529', '#ffd43b'],
  ['Design', '#ffffff', '#7950f2'],
  ['Text', '#ffffff', '#1c7ed6'],
  ['Legal', '#ffffff', '#495057'],
  ['Quick win', '#ffffff', '#2f9e44'],
];
