import type { SiteError } from '../../site/declarations.ts';
import { restError } from '../../site/responses.ts';
import { DEMO_USERS, type SiteUser } from '../../site/users.ts';
import type { Activity, ActivityEntry, ActivitySubject } from './activity.ts';
import type { Board, Contact, Folder, Label, Stage, StoredImage, WebPage } from './board.ts';
import { defaultSiteSettings, defaultUserSettings } from './default-settings.ts';
import type { SiteSettings, UserSettings } from './settings.ts';
import type { Comment, Reply, Task, TimeTrack, Vote } from './task.ts';
import { toTimestamp } from './timestamp.ts';

/** Everything that the site stores. */
export interface BoardState {
  readonly users: readonly SiteUser[];
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
  /** At most one for each user and idea. */
  readonly votes: Vote[];
  readonly pages: readonly WebPage[];
  /** Settings by the number of the user; `userSettings(state, userId)` adds an entry on first access. */
  readonly settingsByUser: Map<number, UserSettings>;
  readonly settings: SiteSettings;
  /** The last number of each collection; `nextId(state, 'tasks')` advances it. */
  readonly lastIds: Map<NumberedCollection, number>;
}

/** The collections of the state whose items `nextId` numbers. */
export type NumberedCollection =
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

/** A site without boards; `createBoardState` of the seed fills it. */
export function createEmptyState(users: readonly SiteUser[] = DEMO_USERS): BoardState {
  return {
    users,
    boards: new Map(),
    stages: new Map(),
    tasks: new Map(),
    labels: new Map(),
    comments: new Map(),
    replies: new Map(),
    activities: new Map(),
    timeTracks: new Map(),
    folders: new Map(),
    contacts: new Map(),
    images: new Map(),
    votes: [],
    pages: [
      { id: 1, title: 'Home', path: '/' },
      { id: 2, title: 'Roadmap', path: '/roadmap/' },
      { id: 3, title: 'Feature ideas', path: '/feature-ideas/' },
      { id: 4, title: 'Help', path: '/help/' },
    ],
    settingsByUser: new Map(),
    settings: defaultSiteSettings(),
    lastIds: new Map(),
  };
}

/** The next number of a collection. The number of a deleted item is not used again. */
export function nextId(state: BoardState, collection: NumberedCollection): number {
  const id = (state.lastIds.get(collection) ?? 0) + 1;
  state.lastIds.set(collection, id);
  return id;
}

/** The user and the time of a change. */
export interface ActivityAuthor {
  readonly user: SiteUser | null;
  readonly now: Date;
}

/** Adds an entry to the history of a board and sets when the board and the task were last changed. */
export function recordActivity(
  state: BoardState,
  entry: ActivityEntry & { readonly boardId: number; readonly subject: ActivitySubject },
  { user, now }: ActivityAuthor,
): void {
  const activity: Activity = {
    taskId: null,
    userId: user?.id ?? null,
    oldValue: null,
    newValue: null,
    at: toTimestamp(now),
    ...entry,
    id: nextId(state, 'activities'),
  };
  state.activities.set(activity.id, activity);
  const board = state.boards.get(activity.boardId);
  touch(board, activity);
  if (board !== undefined) board.changedAt = Math.max(now.getTime(), board.changedAt + 1);
  if (activity.taskId !== null) touch(state.tasks.get(activity.taskId), activity);
}

function touch(item: Board | Task | undefined, { at }: Activity): void {
  if (item !== undefined && item.updatedAt < at) item.updatedAt = at;
}

/** The settings of a user, created with the defaults on first access. */
export function userSettings(state: BoardState, userId: number): UserSettings {
  const settings = state.settingsByUser.get(userId) ?? defaultUserSettings();
  state.settingsByUser.set(userId, settings);
  return settings;
}

/** A number from a path or an argument; the groups of `{x:str}` routes match other text too. */
type RequestedId = string | number | undefined;

function toId(id: RequestedId): number {
  if (typeof id === 'number') return id;
  return id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : 0;
}

export function findBoard(state: BoardState, id: RequestedId): Board | SiteError {
  return state.boards.get(toId(id)) ?? restError(404, 'board_not_found', 'There is no such board.');
}

export function findStage(state: BoardState, boardId: number, id: RequestedId): Stage | SiteError {
  return onBoard(state.stages.get(toId(id)), boardId, 'stage');
}

/** Finds a task or an idea of a board. */
export function findTask(state: BoardState, boardId: number, id: RequestedId): Task | SiteError {
  return onBoard(state.tasks.get(toId(id)), boardId, 'task');
}

export function findLabel(state: BoardState, boardId: number, id: RequestedId): Label | SiteError {
  return onBoard(state.labels.get(toId(id)), boardId, 'label');
}

function onBoard<Item extends { readonly boardId: number }>(
  item: Item | undefined,
  boardId: number,
  noun: string,
): Item | SiteError {
  return item?.boardId === boardId
    ? item
    : restError(404, `${noun}_not_found`, `There is no such ${noun} on this board.`);
}

export function findUser(state: BoardState, id: RequestedId): SiteUser | SiteError {
  const userId = toId(id);
  return (
    state.users.find((user) => user.id === userId) ??
    restError(404, 'user_not_found', 'There is no such user on this site.')
  );
}

/** Returns the name of a user for texts of the history; “a former member” for an unknown number. */
export function findUserName(state: BoardState, userId: number): string {
  return state.users.find(({ id }) => id === userId)?.name ?? 'a former member';
}
