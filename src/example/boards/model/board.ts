import type { TaskStatus } from './task.ts';
import type { Timestamp } from './timestamp.ts';

/** `roadmap` boards hold ideas that the public votes on; `kanban` boards hold tasks. */
export type BoardKind = 'kanban' | 'roadmap';

/** Managers administer a board, members edit its tasks, viewers read it. */
export type MemberRole = 'manager' | 'member' | 'viewer';

export interface Member {
  readonly userId: number;
  role: MemberRole;
  readonly joinedAt: Timestamp;
}

/** The background of a board: a colour or an image. */
export interface BoardBackground {
  readonly isImage: boolean;
  /** `#4c6ef5`; shown until the image is loaded. */
  readonly color: string;
  /** URL of the image; `null` for a colour. */
  readonly imageUrl: string | null;
}

/** Access to a board for people without an account. */
export interface PublicAccess {
  enabled: boolean;
  /** Whether they see comments that are not private. */
  showComments: boolean;
  /** Whether they see assignees and authors. */
  showAssignees: boolean;
}

export interface Board {
  readonly id: number;
  title: string;
  description: string;
  readonly kind: BoardKind;
  /** ISO 4217: `EUR`. */
  currency: string;
  background: BoardBackground;
  readonly members: Member[];
  readonly publicAccess: PublicAccess;
  /** Contacts of the customer register that are linked to the board. */
  readonly contactIds: number[];
  readonly createdBy: number;
  readonly createdAt: Timestamp;
  /** Last change of the board or of anything on it. */
  updatedAt: Timestamp;
  /**
   * Time of the last change in milliseconds since the epoch, which `has-data-changed` compares. It is later than that of
   * every change before, even within one millisecond.
   */
  changedAt: number;
  archivedAt: Timestamp | null;
}

export interface Stage {
  readonly id: number;
  readonly boardId: number;
  title: string;
  /** Letters, digits, hyphens; identifies the stage in paths of the roadmap. */
  slug: string;
  /** 1-based among the stages of the board that are not archived; 0 for an archived stage. */
  position: number;
  color: string;
  /** Status that a task takes when it enters the stage; `null` leaves the status of the task. */
  defaultStatus: TaskStatus | null;
  /** Users who are assigned to tasks created in the stage. */
  defaultAssignees: number[];
  /** Maximum number of open tasks; `null` for no limit. */
  taskLimit: number | null;
  archivedAt: Timestamp | null;
  /** Tasks that were archived with the stage, in order; restoring the stage restores them. */
  archivedTaskIds: readonly number[];
}

export interface Label {
  readonly id: number;
  readonly boardId: number;
  title: string;
  /** Colour of the text. */
  color: string;
  backgroundColor: string;
}

export interface Folder {
  readonly id: number;
  title: string;
  description: string;
  color: string;
  /** In the order in which they were added. */
  readonly boardIds: number[];
  readonly createdBy: number;
  readonly createdAt: Timestamp;
}

/** A person of the customer register. */
export interface Contact {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly company: string;
}

/** A page of the site that can show a roadmap. */
export interface WebPage {
  readonly id: number;
  readonly title: string;
  readonly path: string;
}

export interface StoredImage {
  readonly id: number;
  readonly boardId: number;
  readonly name: string;
  readonly mimeType: string;
  readonly size: number;
  /** Path on the site: `/boards-uploads/12/beach.png`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly uploadedBy: number;
  readonly uploadedAt: Timestamp;
}
