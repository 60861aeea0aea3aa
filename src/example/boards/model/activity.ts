import type { Timestamp } from './timestamp.ts';

/** An entry of the history of a board. */
export interface Activity {
  readonly id: number;
  readonly boardId: number;
  /** `null` when the entry concerns the whole board. */
  readonly taskId: number | null;
  /** `null` for a person without an account. */
  readonly userId: number | null;
  readonly action: ActivityAction;
  readonly subject: ActivitySubject;
  /** Text for the reader: `moved “Draw the map” from To do to Done`. */
  readonly text: string;
  readonly oldValue: string | null;
  readonly newValue: string | null;
  readonly at: Timestamp;
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

/** The part of an activity that a change states; the resource that logs it adds the board and the default subject. */
export type ActivityEntry = Pick<Activity, 'action' | 'text'> &
  Partial<Pick<Activity, 'subject' | 'taskId' | 'oldValue' | 'newValue'>>;
