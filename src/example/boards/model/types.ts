import type { User } from '../../site/users.ts';
import type { Activity } from './activity.ts';
import type { Board, Contact, Folder, Label, Page, Stage, StoredImage } from './board.ts';
import type { PersonalSettings, SiteSettings } from './settings.ts';
import type { Comment, Reply, Task, TimeTrack, Vote } from './task.ts';

export * from './activity.ts';
export type * from './board.ts';
export type * from './task.ts';

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
