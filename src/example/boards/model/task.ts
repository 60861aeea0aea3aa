import type { Moment } from './board.ts';

export type TaskStatus = 'open' | 'closed';
export type TaskPriority = 'low' | 'medium' | 'high' | 'urgent';

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
  /** 1-based among the tasks of its stage that are not archived; 0 for one that is. */
  position: number;
  readonly assignees: number[];
  readonly labels: number[];
  startsAt: Moment | null;
  dueAt: Moment | null;
  remindAt: Moment | null;
  cover: Cover | null;
  /** The customer the task is for. */
  contactId: number | null;
  /** A ticket of the help desk that the task came from. */
  supportTicketId: number | null;
  estimatedMinutes: number;
  readonly createdBy: number;
  readonly createdAt: Moment;
  updatedAt: Moment;
  completedAt: Moment | null;
  archivedAt: Moment | null;
}

export interface Cover {
  /** `#ffd43b`, null for a picture. */
  readonly color: string | null;
  /** Address of the picture, null for a colour. */
  readonly imageUrl: string | null;
}

/** `private` comments are for members alone. */
export type Privacy = 'public' | 'private';

export interface Comment {
  readonly id: number;
  readonly boardId: number;
  readonly taskId: number;
  readonly authorId: number;
  text: string;
  privacy: Privacy;
  /** Addresses of pictures. */
  readonly images: string[];
  readonly createdAt: Moment;
  updatedAt: Moment;
}

export interface Reply {
  readonly id: number;
  readonly boardId: number;
  readonly taskId: number;
  readonly commentId: number;
  readonly authorId: number;
  text: string;
  readonly createdAt: Moment;
  updatedAt: Moment;
}

/** Time that someone spends on a task: it runs from its start until it is committed. */
export interface TimeTrack {
  readonly id: number;
  readonly boardId: number;
  readonly taskId: number;
  readonly userId: number;
  status: 'running' | 'committed';
  readonly startedAt: Moment;
  /** Null while it runs. */
  committedAt: Moment | null;
  /** Worked minutes as committed; 0 while it runs. */
  minutes: number;
  note: string;
  billable: boolean;
}

export interface Vote {
  readonly ideaId: number;
  readonly userId: number;
  readonly at: Moment;
}
