import type { SiteRequest, SiteUser } from '../../rest-server/declarations.ts';
import { refuse } from '../../rest-server/responses.ts';
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

/** A slug that none of the items has yet: `ship-it`, `ship-it-2`, `ship-it-3`, … */
export function createUniqueSlug(title: string, others: readonly { readonly slug: string }[]): string {
  const taken = new Set(others.map((other) => other.slug));
  const slug = slugify(title);
  if (!taken.has(slug)) return slug;
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number++;
  return `${slug}-${number}`;
}

/** Managers administer a board, members edit its tasks, viewers read it. */
export type MemberRole = 'manager' | 'member' | 'viewer';

export interface Member {
  readonly userId: number;
  role: MemberRole;
  readonly joinedAt: Timestamp;
}

/** The background of a board. The colour is shown until the image is loaded. */
interface Background {
  readonly isImage: boolean;
  /** `#4c6ef5` */
  readonly color: string;
  readonly imageUrl: string | null;
}

export interface Board {
  readonly id: number;
  title: string;
  description: string;
  /** `roadmap` boards hold ideas that the public votes on; `kanban` boards hold tasks. */
  readonly kind: 'kanban' | 'roadmap';
  /** ISO 4217: `EUR`. */
  currency: string;
  background: Background;
  readonly members: Member[];
  /** Access for people without an account: whether they see comments that are not private, and assignees and authors. */
  readonly publicAccess: { enabled: boolean; showComments: boolean; showAssignees: boolean };
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
  /** A colour or the URL of an image. */
  cover: { readonly color: string | null; readonly imageUrl: string | null } | null;
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

/** A reply to a comment. */
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

export interface Comment extends Omit<Reply, 'commentId'> {
  /** Only members of the board read `private` comments. */
  privacy: 'public' | 'private';
  /** URLs of images. */
  readonly images: readonly string[];
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

/** An entry of the history of a board. */
export interface Activity {
  readonly id: number;
  readonly boardId: number;
  /** `null` when the entry concerns the whole board. */
  readonly taskId: number | null;
  /** `null` for a person without an account. */
  readonly userId: number | null;
  /** One of the list `ACTIVITY_ACTIONS` of the declarations. */
  readonly action: string;
  /** One of the list `ACTIVITY_SUBJECTS`. */
  readonly subject: string;
  /** Text for the reader: `moved “Draw the map” from To do to Done`. */
  readonly text: string;
  readonly oldValue: string | null;
  readonly newValue: string | null;
  readonly at: Timestamp;
}

/** The part of an activity that a change states; the resource that logs it adds the board and the default subject. */
export type ActivityEntry = Pick<Activity, 'action' | 'text'> &
  Partial<Pick<Activity, 'subject' | 'taskId' | 'oldValue' | 'newValue'>>;

type Notifications = typeof tables.userSettings.notifications;

export type NotificationEvent = keyof Notifications;

/** What a user was told. */
export interface Notification {
  readonly event: NotificationEvent | 'reminder';
  readonly text: string;
  readonly boardId: number;
  readonly taskId: number;
  readonly at: Timestamp;
}

/** Settings and lists of one user. */
type UserSettings = typeof tables.userSettings & {
  /** The newest pin first. */
  readonly pinnedBoards: number[];
  readonly pinnedTasks: number[];
  /** Most recently viewed first, at most ten. */
  readonly recentBoards: number[];
  /** Settings of single boards that override `notifications`. */
  readonly boardNotifications: Map<number, Partial<Notifications>>;
  /** What the user was told, newest first. */
  readonly outbox: Notification[];
  /** Stages that the user has collapsed. */
  readonly foldedStages: Set<number>;
};

/** Settings of the site, which administrators change. */
export type SiteSettings = typeof tables.siteSettings & {
  /** How a page of the site shows the roadmaps; without a page while `page_id` is `null`. */
  readonly roadmapPage: Omit<typeof tables.roadmapPage, 'page_id'> & { page_id: number | null };
};

/** Items by number. The number of a deleted item is not used again. */
class Collection<Item> extends Map<number, Item> {
  lastId = 0;

  /** Adds an item with the next number. */
  add(create: (id: number) => Item): Item {
    this.lastId += 1;
    const item = create(this.lastId);
    this.set(this.lastId, item);
    return item;
  }

  /** The items that match, in the order of their numbers. */
  where(matches: (item: Item) => boolean): Item[] {
    const found: Item[] = [];
    for (const item of this.values()) if (matches(item)) found.push(item);
    return found;
  }
}

/** Everything that the site stores. */
export class BoardState {
  readonly users: readonly SiteUser[];
  readonly boards: Collection<Board> = new Collection();
  readonly stages: Collection<Stage> = new Collection();
  readonly tasks: Collection<Task> = new Collection();
  readonly labels: Collection<Label> = new Collection();
  readonly comments: Collection<Comment> = new Collection();
  readonly replies: Collection<Reply> = new Collection();
  readonly activities: Collection<Activity> = new Collection();
  readonly timeTracks: Collection<TimeTrack> = new Collection();
  readonly folders: Collection<Folder> = new Collection();
  readonly contacts: Collection<Contact> = new Collection();
  readonly images: Collection<StoredImage> = new Collection();
  /** At most one for each user and idea. */
  readonly votes: { readonly ideaId: number; readonly userId: number; readonly at: Timestamp }[] = [];
  /** Pages of the site that can show a roadmap. */
  readonly pages: typeof tables.pages = tables.pages;
  readonly settings: SiteSettings = structuredClone({
    ...tables.siteSettings,
    roadmapPage: tables.roadmapPage,
  });
  private readonly settingsByUser = new Map<number, UserSettings>();

  constructor(users: readonly SiteUser[] = DEMO_USERS) {
    this.users = users;
  }

  /** The settings of a user. An anonymous client has the defaults, which nothing changes. */
  settingsOf(user: Pick<SiteUser, 'id'> | null): UserSettings {
    const known = user === null ? undefined : this.settingsByUser.get(user.id);
    if (known !== undefined) return known;
    const settings: UserSettings = {
      ...structuredClone(tables.userSettings),
      pinnedBoards: [],
      pinnedTasks: [],
      recentBoards: [],
      boardNotifications: new Map(),
      outbox: [],
      foldedStages: new Set(),
    };
    if (user !== null) this.settingsByUser.set(user.id, settings);
    return settings;
  }

  allUserSettings(): Iterable<UserSettings> {
    return this.settingsByUser.values();
  }
}

export type BoardRequest = SiteRequest<BoardState>;

/** Currencies by ISO 4217 code. */
export const CURRENCIES: typeof tables.currencies = tables.currencies;

/** Colours offered for the background of a board. */
export const BOARD_COLORS: typeof tables.colors = tables.colors;

/** The user and the time of a change. */
interface ActivityAuthor {
  readonly user: SiteUser | null;
  readonly now: Date;
}

/** Adds an entry to the history of a board and sets when the board and the task were last changed. */
export function recordActivity(
  state: BoardState,
  entry: ActivityEntry & Pick<Activity, 'boardId' | 'subject'>,
  { user, now }: ActivityAuthor,
): void {
  const { boardId, taskId, at } = state.activities.add((id) => ({
    taskId: null,
    userId: user?.id ?? null,
    oldValue: null,
    newValue: null,
    at: toTimestamp(now),
    ...entry,
    id,
  }));
  const board = state.boards.get(boardId);
  if (board !== undefined) board.changedAt = Math.max(now.getTime(), board.changedAt + 1);
  for (const item of [board, state.tasks.get(taskId ?? 0)]) {
    if (item !== undefined && item.updatedAt < at) item.updatedAt = at;
  }
}

/** A number from a path or an argument; the groups of `{x:str}` routes match other text too. */
type RequestedId = string | number | undefined;

export function toId(id: RequestedId): number {
  if (typeof id === 'number') return id;
  return id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : 0;
}

export function findBoard(state: BoardState, id: RequestedId): Board {
  return state.boards.get(toId(id)) ?? refuse(404, 'board_not_found', 'There is no such board.');
}

/** Finds a stage, a task or a label of a board. */
export function findOnBoard<Item extends { readonly boardId: number }>(
  items: ReadonlyMap<number, Item>,
  noun: 'stage' | 'task' | 'label',
  boardId: number,
  id: RequestedId,
): Item {
  const item = items.get(toId(id));
  if (item?.boardId === boardId) return item;
  return refuse(404, `${noun}_not_found`, `There is no such ${noun} on this board.`);
}

export function findUser(state: BoardState, id: RequestedId): SiteUser {
  const userId = toId(id);
  return (
    state.users.find((user) => user.id === userId) ??
    refuse(404, 'user_not_found', 'There is no such user on this site.')
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
  return state.stages
    .where((stage) => stage.boardId === boardId && stage.archivedAt === null)
    .sort(byPosition);
}

/** Returns the labels of a board in the order of their numbers. */
export function labelsOnBoard(state: BoardState, boardId: number): Label[] {
  return state.labels.where((label) => label.boardId === boardId);
}

/** Returns the tasks of a stage in their order, without archived ones. */
export function activeTasksInStage(state: BoardState, stageId: number): Task[] {
  return state.tasks.where((task) => task.stageId === stageId && task.archivedAt === null).sort(byPosition);
}

/** Returns every task of a board, with archived ones, in the order of their numbers. */
export function allTasksOnBoard(state: BoardState, boardId: number): Task[] {
  return state.tasks.where((task) => task.boardId === boardId);
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
  for (const collection of [state.comments, state.replies, state.timeTracks]) {
    for (const [id, item] of collection) if (item.taskId === taskId) collection.delete(id);
  }
  state.votes.splice(0, state.votes.length, ...state.votes.filter((vote) => vote.ideaId !== taskId));
  for (const { pinnedTasks } of state.allUserSettings()) removeId(pinnedTasks, taskId);
}

/** Deletes a board with everything on it, and removes it from folders, pins and settings. */
export function deleteBoardRecords(state: BoardState, boardId: number): void {
  for (const { id } of allTasksOnBoard(state, boardId)) deleteTaskRecords(state, id);
  for (const collection of [state.stages, state.labels, state.activities, state.images]) {
    for (const [id, item] of collection) if (item.boardId === boardId) collection.delete(id);
  }
  for (const folder of state.folders.values()) removeId(folder.boardIds, boardId);
  for (const { pinnedBoards, recentBoards, boardNotifications } of state.allUserSettings()) {
    removeId(pinnedBoards, boardId);
    removeId(recentBoards, boardId);
    boardNotifications.delete(boardId);
  }
  state.boards.delete(boardId);
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
  const createdBy = author.user?.id ?? 0;
  const board = state.boards.add((id) => ({
    id,
    title: values.title,
    description: values.description ?? '',
    kind: values.kind,
    currency: values.currency ?? state.settings.general.default_currency,
    background: { isImage: false, color: values.color ?? BOARD_COLORS[0]?.value ?? '', imageUrl: null },
    members: [{ userId: createdBy, role: 'manager', joinedAt: at }],
    publicAccess: { enabled: false, showComments: true, showAssignees: false },
    contactIds: [],
    createdBy,
    createdAt: at,
    updatedAt: at,
    changedAt: author.now.getTime(),
    archivedAt: null,
  }));
  const text = `created the board “${board.title}”`;
  recordActivity(state, { boardId: board.id, action: 'created', subject: 'board', text }, author);
  return board;
}

/** The members of a stage that clients set. */
export type StageValues = Pick<Stage, 'title' | 'color' | 'defaultStatus' | 'taskLimit' | 'defaultAssignees'>;

/** Adds a stage at the end of a board. */
export function addStage(
  state: BoardState,
  board: Board,
  values: Pick<Stage, 'title'> & Partial<StageValues>,
): Stage {
  const all = state.stages.where((stage) => stage.boardId === board.id);
  return state.stages.add((id) => ({
    color: '#adb5bd',
    defaultStatus: null,
    taskLimit: null,
    defaultAssignees: [],
    ...values,
    id,
    boardId: board.id,
    slug: createUniqueSlug(values.title, all),
    position: activeStages(state, board.id).length + 1,
    archivedAt: null,
    archivedTaskIds: [],
  }));
}

/** Adds the default stages of the kind of board, or stages with these titles, of which the last one closes tasks. */
export function addDefaultStages(state: BoardState, board: Board, titles: readonly string[] = []): void {
  if (titles.length === 0) {
    for (const { title, color, isDone } of tables.stages[board.kind]) {
      addStage(state, board, { title, color, defaultStatus: isDone === true ? 'closed' : null });
    }
  }
  for (const [index, title] of titles.entries()) {
    addStage(state, board, { title, defaultStatus: index === titles.length - 1 ? 'closed' : null });
  }
}

/** Adds the default labels. */
export function addDefaultLabels(state: BoardState, board: Board): void {
  for (const label of tables.labels) state.labels.add((id) => ({ ...label, id, boardId: board.id }));
}

export const HEX_COLOR: RegExp = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
