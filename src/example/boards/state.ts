import type { SiteError, SiteUser } from '../../rest-server/declarations.ts';
import { restError } from '../../rest-server/responses.ts';
import { DEMO_USERS } from '../site/users.ts';
import tables from './tables.json' with { type: 'json' };

/** A point in time in UTC, in whole seconds: `2026-03-02T09:30:00Z`. Sorts as text. */
export type Timestamp = string;

export function toTimestamp(date: Date): Timestamp {
  return `${date.toISOString().slice(0, 19)}Z`;
}

const RFC_3339 = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})(\.\d+)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** Parses RFC 3339; a text without a zone is in UTC. `undefined` for anything else, such as February 30. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const instant = parseInstant(text);
  return instant === undefined ? undefined : toTimestamp(new Date(instant));
}

/** Parses RFC 3339 like {@link parseTimestamp}. Returns milliseconds since the epoch. */
export function parseInstant(text: string): number | undefined {
  const [, day, time, fraction = '', zone = 'Z'] = RFC_3339.exec(text) ?? [];
  if (day === undefined || time === undefined || !isCalendarDay(day)) return undefined;
  const instant = Date.parse(`${day}T${time}${fraction.slice(0, 4)}${zone.toUpperCase()}`);
  return Number.isNaN(instant) ? undefined : instant;
}

/** Whether a text is a day of the calendar: `2026-02-28`. */
export function isCalendarDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && toTimestamp(date).startsWith(text);
}

/** The day of a timestamp: `2026-03-02`. */
export function toDay(at: Timestamp): string {
  return at.slice(0, 10);
}

/** Orders items newest first, and items of the same time by descending number. */
export function newestFirst<Item extends { readonly id: number }>(
  timeOf: (item: Item) => Timestamp | null,
): (one: Item, other: Item) => number {
  return (one, other) => (timeOf(other) ?? '').localeCompare(timeOf(one) ?? '') || other.id - one.id;
}

/** Converts a title to a path segment: `Ship it — today!` becomes `ship-it-today`, a title without letters `untitled`. */
export function slugify(title: string): string {
  const plain = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
  const slug = plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80);
  return slug === '' ? 'untitled' : slug;
}

/** A slug that is not taken yet: `ship-it`, `ship-it-2`, `ship-it-3`, … */
export function createUniqueSlug(title: string, taken: ReadonlySet<string>): string {
  const slug = slugify(title);
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number++;
  return `${slug}-${number}`;
}

/** `roadmap` boards hold ideas that the public votes on; `kanban` boards hold tasks. */
type BoardKind = 'kanban' | 'roadmap';

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
interface PublicAccess {
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
interface WebPage {
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

interface Vote {
  readonly ideaId: number;
  readonly userId: number;
  readonly at: Timestamp;
}

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

/** Events of which a user can be notified. */
export const NOTIFICATION_EVENTS = [
  'task_created',
  'task_assigned',
  'task_moved',
  'task_completed',
  'comment_added',
  'mentioned',
  'due_soon',
] as const;
type NotificationEvent = (typeof NOTIFICATION_EVENTS)[number];
export type NotificationSettings = Record<NotificationEvent, boolean>;

export const DASHBOARD_WIDGETS = [
  'recent_boards',
  'pinned_boards',
  'my_tasks',
  'overdue_tasks',
  'activity',
] as const;
type DashboardWidget = (typeof DASHBOARD_WIDGETS)[number];

interface DashboardView {
  layout: 'grid' | 'list';
  sort: 'recent' | 'title' | 'created';
  /** In the order shown. */
  widgets: readonly DashboardWidget[];
  showArchived: boolean;
}

export const TASK_TABS = ['comments', 'activities', 'time-tracks', 'subtasks', 'files'] as const;
type TaskTab = (typeof TASK_TABS)[number];

/** Settings and lists of one user. */
export interface UserSettings {
  /** The newest pin first. */
  readonly pinnedBoards: number[];
  readonly pinnedTasks: number[];
  /** Most recently viewed first, at most ten. */
  readonly recentBoards: number[];
  readonly notifications: NotificationSettings;
  /** Settings of single boards that override `notifications`. */
  readonly boardNotifications: Map<number, Partial<NotificationSettings>>;
  readonly dashboard: DashboardView;
  /** Stages that the user has collapsed. */
  readonly foldedStages: Set<number>;
  /** Tabs of an open task, in the order shown. */
  taskTabs: readonly TaskTab[];
  onboardingStatus: 'pending' | 'skipped' | 'done';
}

export const FEATURES = ['time_tracking', 'roadmaps', 'reports', 'crm', 'ai', 'mcp', 'folders'] as const;
export type SiteFeature = (typeof FEATURES)[number];

export const COMPANION_PLUGINS = ['crm', 'mcp-adapter'] as const;
type CompanionPlugin = (typeof COMPANION_PLUGINS)[number];

/** Settings of the site, which administrators change. */
export interface SiteSettings {
  readonly features: Record<SiteFeature, boolean>;
  readonly installedPlugins: Record<CompanionPlugin, boolean>;
  readonly general: GeneralSettings;
  readonly roadmap: RoadmapSettings;
  readonly roadmapPage: RoadmapPageSettings;
  readonly ai: AiSettings;
}

interface GeneralSettings {
  /** Currency of new boards. */
  default_currency: string;
  /** Users who may create boards, in addition to administrators. */
  board_creators: 'administrators' | 'editors' | 'everyone';
}

export interface RoadmapSettings {
  /** Whether users may submit ideas. */
  accept_ideas: boolean;
  /** Whether an idea is hidden until a manager approves it. */
  moderate_ideas: boolean;
  allow_comments: boolean;
  allow_votes: boolean;
  /** Maximum votes of one user on one board; 0 for no limit. */
  votes_per_user: number;
}

export interface RoadmapPageSettings {
  /** Page of the site that shows the roadmap; `null` for none. */
  page_id: number | null;
  title: string;
  intro: string;
  accent_color: string;
  layout: 'columns' | 'list';
}

export const AI_TONES = ['neutral', 'friendly', 'formal'] as const;
export type AiTone = (typeof AI_TONES)[number];

/** Settings of the writing assistant, which the feature `ai` switches on. */
interface AiSettings {
  tone: AiTone;
  /** Maximum length of its text, in words. */
  max_words: number;
}

/** Settings of a user who has changed none. */
export function defaultUserSettings(): UserSettings {
  return {
    pinnedBoards: [],
    pinnedTasks: [],
    recentBoards: [],
    notifications: {
      task_created: false,
      task_assigned: true,
      task_moved: false,
      task_completed: true,
      comment_added: true,
      mentioned: true,
      due_soon: true,
    },
    boardNotifications: new Map(),
    dashboard: { layout: 'grid', sort: 'recent', widgets: DASHBOARD_WIDGETS, showArchived: false },
    foldedStages: new Set(),
    taskTabs: TASK_TABS,
    onboardingStatus: 'pending',
  };
}

/** Settings of a site whose administrators have changed none. */
function defaultSiteSettings(): SiteSettings {
  return {
    features: {
      time_tracking: true,
      roadmaps: true,
      reports: true,
      crm: true,
      ai: true,
      mcp: false,
      folders: true,
    },
    installedPlugins: { crm: true, 'mcp-adapter': false },
    general: {
      default_currency: 'EUR',
      board_creators: 'editors',
    },
    roadmap: {
      accept_ideas: true,
      moderate_ideas: false,
      allow_comments: true,
      allow_votes: true,
      votes_per_user: 0,
    },
    roadmapPage: {
      page_id: 2,
      title: 'What we are building',
      intro: 'Vote for what you want next, or tell us what is missing.',
      accent_color: '#4263eb',
      layout: 'columns',
    },
    ai: { tone: 'neutral', max_words: 200 },
  };
}

/** Currencies by ISO 4217 code. */
export const CURRENCIES: readonly {
  readonly code: string;
  readonly name: string;
  readonly symbol: string;
}[] = tables.currencies;

export const CURRENCY_CODES: readonly string[] = CURRENCIES.map(({ code }) => code);

/** Stages of a new board of each kind, and whether tasks in the stage are done. */
const DEFAULT_STAGES: Readonly<
  Record<BoardKind, readonly { readonly title: string; readonly color: string; readonly isDone?: boolean }[]>
> = tables.stages;

/** Labels of a new board. */
const DEFAULT_LABELS: readonly Pick<Label, 'title' | 'color' | 'backgroundColor'>[] = tables.labels;

/** Colours offered for the background of a board. */
export const BOARD_COLORS: readonly { readonly name: string; readonly value: string }[] = tables.colors;

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
type NumberedCollection =
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
interface ActivityAuthor {
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

/** An item of an ordered list. */
interface Ordered {
  readonly id: number;
  position: number;
  archivedAt: string | null;
}

/** Sets the positions of a list from 1, in its current order. */
export function renumberPositions(ordered: readonly Ordered[]): void {
  for (const [index, item] of ordered.entries()) item.position = index + 1;
}

/**
 * Inserts or moves an item and renumbers the list.
 *
 * @param position 1-based; the item becomes the last one when it is absent or beyond the end.
 */
export function placeItem<T extends Ordered>(list: readonly T[], item: T, position?: number): void {
  const others = list.filter((other) => other.id !== item.id);
  const index = Math.min(Math.max((position ?? others.length + 1) - 1, 0), others.length);
  renumberPositions([...others.slice(0, index), item, ...others.slice(index)]);
}

const byPosition = (one: Ordered, other: Ordered): number =>
  one.position - other.position || one.id - other.id;

/** Returns the stages of a board in their order, without archived ones. */
export function activeStages(state: BoardState, boardId: number): Stage[] {
  return [...state.stages.values()]
    .filter((stage) => stage.boardId === boardId && stage.archivedAt === null)
    .sort(byPosition);
}

/** Returns the labels of a board in the order of their numbers. */
export function labelsOnBoard(state: BoardState, boardId: number): Label[] {
  return [...state.labels.values()].filter((label) => label.boardId === boardId);
}

/** Returns the tasks of a stage in their order, without archived ones. */
export function activeTasksInStage(state: BoardState, stageId: number): Task[] {
  return [...state.tasks.values()]
    .filter((task) => task.stageId === stageId && task.archivedAt === null)
    .sort(byPosition);
}

/** Returns every task of a board, with archived ones, in the order of their numbers. */
export function allTasksOnBoard(state: BoardState, boardId: number): Task[] {
  return [...state.tasks.values()].filter((task) => task.boardId === boardId);
}

/** Moves a task to a position of a stage and renumbers the stage that it leaves. */
export function placeTask(state: BoardState, task: Task, stageId: number, position?: number): void {
  const from = task.stageId;
  task.stageId = stageId;
  placeItem(activeTasksInStage(state, stageId), task, position);
  if (from !== stageId) renumberPositions(activeTasksInStage(state, from));
}

/** Archives an item. The caller renumbers the remaining list: `renumberPositions(activeTasksInStage(…))`. */
export function archiveItem(item: Ordered, at: string): void {
  item.archivedAt = at;
  item.position = 0;
}

/** Deletes a task with its comments, time tracks, votes and pins. The caller renumbers its stage and logs it. */
export function deleteTaskRecords(state: BoardState, taskId: number): void {
  state.tasks.delete(taskId);
  const isOfTask = (item: { readonly taskId: number }): boolean => item.taskId === taskId;
  removeWhere(state.comments, isOfTask);
  removeWhere(state.replies, isOfTask);
  removeWhere(state.timeTracks, isOfTask);
  const votes = state.votes.filter((vote) => vote.ideaId !== taskId);
  state.votes.splice(0, state.votes.length, ...votes);
  for (const { pinnedTasks } of state.settingsByUser.values()) removeId(pinnedTasks, taskId);
}

/** Deletes a board with everything on it, and removes it from folders, pins and settings. */
export function deleteBoardRecords(state: BoardState, boardId: number): void {
  for (const task of [...state.tasks.values()]) {
    if (task.boardId === boardId) deleteTaskRecords(state, task.id);
  }
  const isOfBoard = (item: { readonly boardId: number }): boolean => item.boardId === boardId;
  removeWhere(state.stages, isOfBoard);
  removeWhere(state.labels, isOfBoard);
  removeWhere(state.activities, isOfBoard);
  removeWhere(state.images, isOfBoard);
  for (const folder of state.folders.values()) removeId(folder.boardIds, boardId);
  for (const choices of state.settingsByUser.values()) {
    removeId(choices.pinnedBoards, boardId);
    removeId(choices.recentBoards, boardId);
    choices.boardNotifications.delete(boardId);
  }
  state.boards.delete(boardId);
}

function removeWhere<T>(collection: Map<number, T>, isGone: (item: T) => boolean): void {
  for (const [id, item] of collection) if (isGone(item)) collection.delete(id);
}

/** Removes a number from a list; `false` when the list does not contain it. */
export function removeId(list: number[], id: number): boolean {
  const index = list.indexOf(id);
  if (index !== -1) list.splice(index, 1);
  return index !== -1;
}

/** Values of a new board. The currency defaults to the general settings, the colour to the first of `BOARD_COLORS`. */
interface BoardValues extends Pick<Board, 'title' | 'kind'> {
  readonly description?: string | undefined;
  readonly currency?: string | undefined;
  readonly color?: string | undefined;
}

/** Adds a board without stages, of which its creator is the manager. */
export function addBoard(state: BoardState, values: BoardValues, author: ActivityAuthor): Board {
  const at = toTimestamp(author.now);
  const firstColor = BOARD_COLORS[0]?.value ?? '#4c6ef5';
  const createdBy = author.user?.id ?? 0;
  const board: Board = {
    id: nextId(state, 'boards'),
    title: values.title,
    description: values.description ?? '',
    kind: values.kind,
    currency: values.currency ?? state.settings.general.default_currency,
    background: { isImage: false, color: values.color ?? firstColor, imageUrl: null },
    members: [{ userId: createdBy, role: 'manager', joinedAt: at }],
    publicAccess: { enabled: false, showComments: true, showAssignees: false },
    contactIds: [],
    createdBy,
    createdAt: at,
    updatedAt: at,
    changedAt: author.now.getTime(),
    archivedAt: null,
  };
  state.boards.set(board.id, board);
  const text = `created the board “${board.title}”`;
  recordActivity(state, { boardId: board.id, action: 'created', subject: 'board', text }, author);
  return board;
}

/** Adds a stage at the end of a board. */
export function addStage(
  state: BoardState,
  board: Board,
  values: Pick<Stage, 'title'> &
    Partial<Pick<Stage, 'color' | 'defaultStatus' | 'taskLimit' | 'defaultAssignees'>>,
): Stage {
  const all = [...state.stages.values()].filter((stage) => stage.boardId === board.id);
  const stage: Stage = {
    color: '#adb5bd',
    defaultStatus: null,
    taskLimit: null,
    defaultAssignees: [],
    ...values,
    id: nextId(state, 'stages'),
    boardId: board.id,
    slug: createUniqueSlug(values.title, new Set(all.map(({ slug }) => slug))),
    position: activeStages(state, board.id).length + 1,
    archivedAt: null,
    archivedTaskIds: [],
  };
  state.stages.set(stage.id, stage);
  return stage;
}

/** Adds the default stages of the kind of board, or stages with these titles, of which the last one closes tasks. */
export function addDefaultStages(state: BoardState, board: Board, titles: readonly string[] = []): void {
  if (titles.length === 0) {
    for (const { title, color, isDone = false } of DEFAULT_STAGES[board.kind]) {
      addStage(state, board, { title, color, defaultStatus: isDone ? 'closed' : null });
    }
  }
  for (const [index, title] of titles.entries()) {
    addStage(state, board, { title, defaultStatus: index === titles.length - 1 ? 'closed' : null });
  }
}

export function addLabel(
  state: BoardState,
  board: Board,
  values: Pick<Label, 'title' | 'color' | 'backgroundColor'>,
): Label {
  const label: Label = { ...values, id: nextId(state, 'labels'), boardId: board.id };
  state.labels.set(label.id, label);
  return label;
}

export function addDefaultLabels(state: BoardState, board: Board): void {
  for (const label of DEFAULT_LABELS) addLabel(state, board, label);
}

export const HEX_COLOR: RegExp = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
