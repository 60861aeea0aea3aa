import { refuse } from '../../site/answers.ts';
import type { SiteError } from '../../site/declare.ts';
import { DEMO_USERS, type User } from '../../site/users.ts';
import { newPersonalSettings, newSiteSettings } from './default-settings.ts';
import type { PersonalSettings } from './settings.ts';
import type { Activity, Board, BoardState, Label, Moment, Numbered, Stage, Task } from './types.ts';

/** A site without boards. `generateBoards` fills it. */
export function createEmptyState(users: readonly User[] = DEMO_USERS): BoardState {
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
    personal: new Map(),
    settings: newSiteSettings(),
    lastIds: new Map(),
  };
}

/** The next number of a kind. Numbers are never given out twice, whatever is deleted. */
export function nextId(state: BoardState, kind: Numbered): number {
  const id = (state.lastIds.get(kind) ?? 0) + 1;
  state.lastIds.set(kind, id);
  return id;
}

/** Whole seconds in UTC: `2026-03-02T09:30:00Z`. */
export function moment(date: Date): Moment {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Notes what was done, and that its board has changed. */
export function record(
  state: BoardState,
  done: Pick<Activity, 'boardId' | 'action' | 'subject' | 'text'> & Partial<Activity>,
  by: { readonly user: User | null; readonly now: Date },
): Activity {
  const activity: Activity = {
    taskId: null,
    userId: by.user?.id ?? null,
    oldValue: null,
    newValue: null,
    at: moment(by.now),
    ...done,
    id: nextId(state, 'activities'),
  };
  state.activities.set(activity.id, activity);
  touch(state, activity);
  return activity;
}

function touch(state: BoardState, { boardId, taskId, at }: Activity): void {
  const board = state.boards.get(boardId);
  if (board !== undefined && board.updatedAt < at) board.updatedAt = at;
  const task = taskId === null ? undefined : state.tasks.get(taskId);
  if (task !== undefined && task.updatedAt < at) task.updatedAt = at;
}

/** What a user has chosen, made at the first look. */
export function personal(state: BoardState, userId: number): PersonalSettings {
  const found = state.personal.get(userId);
  if (found !== undefined) return found;
  const made = newPersonalSettings();
  state.personal.set(userId, made);
  return made;
}

/** A number of a path: digits, or of the `{x:str}` routes anything without white space. */
function idOf(id: string | number | undefined): number {
  if (typeof id === 'number') return id;
  return id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : 0;
}

type Wanted = string | number | undefined;

export function findBoard(state: BoardState, id: Wanted): Board | SiteError {
  return state.boards.get(idOf(id)) ?? refuse(404, 'board_not_found', 'There is no such board.');
}

/** A stage of one board. */
export function findStage(state: BoardState, boardId: number, id: Wanted): Stage | SiteError {
  const stage = state.stages.get(idOf(id));
  return stage?.boardId === boardId
    ? stage
    : refuse(404, 'stage_not_found', 'There is no such stage on this board.');
}

/** A task or idea of one board. */
export function findTask(state: BoardState, boardId: number, id: Wanted): Task | SiteError {
  const task = state.tasks.get(idOf(id));
  return task?.boardId === boardId
    ? task
    : refuse(404, 'task_not_found', 'There is no such task on this board.');
}

/** A label of one board. */
export function findLabel(state: BoardState, boardId: number, id: Wanted): Label | SiteError {
  const label = state.labels.get(idOf(id));
  return label?.boardId === boardId
    ? label
    : refuse(404, 'label_not_found', 'There is no such label on this board.');
}

export function findUser(state: BoardState, id: Wanted): User | SiteError {
  const wanted = idOf(id);
  return (
    state.users.find((user) => user.id === wanted) ??
    refuse(404, 'user_not_found', 'There is no such user on this site.')
  );
}

/** Whether a finder found nothing: `const board = findBoard(…); if (isRefusal(board)) return board;` */
export function isRefusal(found: object): found is SiteError {
  return 'kind' in found && found.kind === 'error';
}
