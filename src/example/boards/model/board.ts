import type { TaskStatus } from './task.ts';

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

export interface Label {
  readonly id: number;
  readonly boardId: number;
  title: string;
  /** Of the text. */
  color: string;
  backgroundColor: string;
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
