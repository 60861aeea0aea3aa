import type { Timestamp } from './timestamp.ts';

export type TaskStatus = 'open' | 'closed';

/** From the least to the most urgent. */
export const TASK_PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;
export type TaskPriority = (typeof TASK_PRIORITIES)[number];

/** A task, or on a roadmap an idea. */
export interface Task {
  readonly id: number;
  readonly boardId: number;
  stageId: number;
  readonly type: 'task' | 'idea';
  title: string;
  /** Letters, digits, hyphens; unique on its board. */
  slug: string;
  description: string;
  status: TaskStatus;
  priority: TaskPriority;
  /** 1-based among the tasks of the stage that are not archived; 0 for an archived task. */
  position: number;
  readonly assignees: number[];
  readonly labels: number[];
  startsAt: Timestamp | null;
  dueAt: Timestamp | null;
  remindAt: Timestamp | null;
  cover: TaskCover | null;
  /** Customer for whom the task is done. */
  contactId: number | null;
  /** Help desk ticket from which the task was created. */
  supportTicketId: number | null;
  estimatedMinutes: number;
  readonly createdBy: number;
  readonly createdAt: Timestamp;
  updatedAt: Timestamp;
  completedAt: Timestamp | null;
  archivedAt: Timestamp | null;
}

export interface TaskCover {
  /** `#ffd43b`; `null` for an image. */
  readonly color: string | null;
  /** URL of the image; `null` for a colour. */
  readonly imageUrl: string | null;
}

/** Only members of the board read `private` comments. */
export type CommentPrivacy = 'public' | 'private';

export interface Comment {
  readonly id: number;
  readonly boardId: number;
  readonly taskId: number;
  readonly authorId: number;
  text: string;
  privacy: CommentPrivacy;
  /** URLs of images. */
  readonly images: string[];
  readonly createdAt: Timestamp;
  updatedAt: Timestamp;
}

export interface Reply {
  readonly id: number;
  readonly boardId: number;
  readonly taskId: number;
  readonly commentId: number;
  readonly authorId: number;
  text: string;
  readonly createdAt: Timestamp;
  updatedAt: Timestamp;
}

/** Time that a user spends on a task: it runs from its start until it is committed. */
export interface TimeTrack {
  readonly id: number;
  readonly boardId: number;
  readonly taskId: number;
  readonly userId: number;
  status: 'running' | 'committed';
  readonly startedAt: Timestamp;
  /** `null` while the track runs. */
  committedAt: Timestamp | null;
  /** Committed minutes; 0 while the track runs. */
  minutes: number;
  note: string;
  billable: boolean;
}

export interface Vote {
  readonly ideaId: number;
  readonly userId: number;
  readonly at: Timestamp;
}
