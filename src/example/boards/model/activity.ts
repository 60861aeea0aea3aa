import type { Moment } from './board.ts';

/** What was done, and to what. */
export interface Activity {
  readonly id: number;
  readonly boardId: number;
  /** Null for what concerns the whole board. */
  readonly taskId: number | null;
  /** Null for what a person without an account did. */
  readonly userId: number | null;
  readonly action: ActivityAction;
  readonly subject: ActivitySubject;
  /** What a person reads: `moved “Draw the map” from To do to Done`. */
  readonly text: string;
  readonly oldValue: string | null;
  readonly newValue: string | null;
  readonly at: Moment;
}

export const ACTIVITY_ACTIONS = [
  'created',
  'updated',
  'deleted',
  'archived',
  'restored',
  'moved',
  'added',
  'removed',
  'assigned',
  'unassigned',
  'completed',
  'reopened',
  'voted',
  'commented',
  'replied',
  'started',
  'committed',
  'uploaded',
  'cloned',
  'imported',
] as const;
export type ActivityAction = (typeof ACTIVITY_ACTIONS)[number];

export const ACTIVITY_SUBJECTS = [
  'board',
  'stage',
  'task',
  'idea',
  'label',
  'comment',
  'reply',
  'member',
  'contact',
  'time-track',
  'date',
  'cover',
  'background',
  'settings',
] as const;
export type ActivitySubject = (typeof ACTIVITY_SUBJECTS)[number];
