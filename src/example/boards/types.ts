import type { User } from '../site/users.ts';
import type { PersonalSettings, SiteSettings } from './settings-types.ts';

/** A moment: `2026-03-02T09:30:00Z`. Sorts as text. */
export type Moment = string;

/** `roadmap` boards hold ideas that the public votes on; `kanban` boards hold tasks. */
export type BoardKind = 'kanban' | 'roadmap';

/** Managers run a board, members work on it, viewers look at it. */
export type MemberRole = 'manager' | 'member' | 'viewer';

export interface Member {
  readonly userId: number;
  role: MemberRole;
  readonly joinedAt: Moment;
}

/** A board's back: a colour, or a picture with its address. */
export interface Background {
  readonly isImage: boolean;
  /** `#4c6ef5`; what shows until the picture is there. */
  readonly color: string;
  /** Address of the picture, null for a colour. */
  readonly imageUrl: string | null;
}

/** What strangers may do on a board. */
export interface PublicAccess {
  enabled: boolean;
  /** Whether people without an account see comments that are not private. */
  showComments: boolean;
  /** Whether they see who is assigned. */
  showAssignees: boolean;
}

export interface Board {
  readonly id: number;
  title: string;
  description: string;
  readonly kind: BoardKind;
  /** ISO 4217: `EUR`. */
  currency: string;
  background: Background;
  readonly members: Member[];
  readonly publicAccess: PublicAccess;
  /** Contacts of the customer register that belong to this board. */
  readonly contactIds: number[];
  readonly createdBy: number;
  readonly createdAt: Moment;
  /** Of the board or anything on it: what `has-data-changed` compares. */
  updatedAt: Moment;
  archivedAt: Moment | null;
}

export interface Stage {
  readonly id: number;
  readonly boardId: number;
  title: string;
  /** Letters, digits, hyphens: what the roadmap's addresses name a stage by. */
  slug: string;
  /** 1-based among the board's stages that are not archived; 0 for one that is. */
  position: number;
  color: string;
  /** Tasks that come here take this status; null leaves theirs. */
  defaultStatus: TaskStatus | null;
  /** Users who are assigned to tasks that are created here. */
  readonly defaultAssignees: number[];
  /** At most so many open tasks, null for any number. */
  taskLimit: number | null;
  archivedAt: Moment | null;
  /** Tasks that were archived together with it, in their order: they return with it. */
  archivedTaskIds: readonly number[];
}

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

export interface Label {
  readonly id: number;
  readonly boardId: number;
  title: string;
  /** Of the text. */
  color: string;
  backgroundColor: string;
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

export interface Folder {
  readonly id: number;
  title: string;
  description: string;
  color: string;
  /** In the order in which they were put there. */
  readonly boardIds: number[];
  readonly createdBy: number;
  readonly createdAt: Moment;
}

/** A person of the customer register. */
export interface Contact {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly company: string;
}

/** A page of the site that can show a roadmap. */
export interface Page {
  readonly id: number;
  readonly title: string;
  readonly path: string;
}

export interface StoredImage {
  readonly id: number;
  readonly boardId: number;
  readonly name: string;
  readonly type: string;
  readonly size: number;
  /** Path below the site: `/boards-uploads/12/beach.png`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly uploadedBy: number;
  readonly at: Moment;
}

/** Everything the site keeps. */
export interface BoardState {
  readonly users: readonly User[];
  readonly boards: Map<number, Board>;
  readonly stages: Map<number, Stage>;
  readonly tasks: Map<number, Task>;
  readonly labels: Map<number, Label>;
  readonly comments: Map<number, Comment>;
  readonly replies: Map<number, Reply>;
  readonly activities: Map<number, Activity>;
  readonly timeTracks: Map<number, TimeTrack>;
  readonly folders: Map<number, Folder>;
  readonly contacts: Map<number, Contact>;
  readonly images: Map<number, StoredImage>;
  /** One of a user and an idea. */
  readonly votes: Vote[];
  readonly pages: readonly Page[];
  /** By user; made on the first look: use `personal(state, userId)`. */
  readonly personal: Map<number, PersonalSettings>;
  readonly settings: SiteSettings;
  /** The last number given out, by kind: use `nextId(state, 'tasks')`. */
  readonly lastIds: Map<Numbered, number>;
}

export type Numbered =
  | 'boards'
  | 'stages'
  | 'tasks'
  | 'labels'
  | 'comments'
  | 'replies'
  | 'activities'
  | 'timeTracks'
  | 'folders'
  | 'contacts'
  | 'images';
