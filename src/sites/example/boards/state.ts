import type { JsonObject } from '../../../base/json.ts';
import type { SiteRequest, SiteUser } from '../../rest-server/declarations.ts';
import { refuse } from '../../rest-server/responses.ts';
import { findFreeName } from '../../rest-server/slug.ts';
import { parseInstant } from '../site/dates.ts';
import { DEMO_USERS } from '../site/users.ts';
import tables from './tables.json' with { type: 'json' };

/** UTC in whole seconds, e.g. `2026-03-02T09:30:00Z`. Sorts as text. */
export type Timestamp = string;

export function toTimestamp(date: Date): Timestamp {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Parses RFC 3339; without a zone, UTC. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const instant = parseInstant(text);
  return instant === undefined ? undefined : toTimestamp(new Date(instant));
}

export function toDay(at: Timestamp): string {
  return at.slice(0, 10);
}

export function newestFirst<Item extends { readonly id: number }>(
  timeOf: (item: Item) => Timestamp | null,
): (one: Item, other: Item) => number {
  return (one, other) => (timeOf(other) ?? '').localeCompare(timeOf(one) ?? '') || other.id - one.id;
}

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

/** `ship-it`, `ship-it-2`, `ship-it-3`, … */
export function createUniqueSlug(title: string, others: readonly { readonly slug: string }[]): string {
  const taken = new Set(others.map((other) => other.slug));
  const slug = slugify(title);
  return findFreeName(
    (name) => taken.has(name),
    (suffix) => slug + suffix,
  );
}

export type MemberRole = 'manager' | 'member' | 'viewer';

export interface Member {
  readonly userId: number;
  role: MemberRole;
  readonly joinedAt: Timestamp;
}

interface Described {
  readonly id: number;
  title: string;
  description: string;
  readonly createdBy: number;
  readonly createdAt: Timestamp;
}

export interface Board extends Described {
  /** `roadmap` boards hold ideas; `kanban` boards hold tasks. */
  readonly kind: 'kanban' | 'roadmap';
  /** ISO 4217, e.g. `EUR`. */
  currency: string;
  /** Background until the image is loaded, e.g. `#4c6ef5`. */
  color: string;
  imageUrl: string | null;
  readonly members: Member[];
  isPublic: boolean;
  readonly contactIds: number[];
  updatedAt: Timestamp;
  /** Epoch milliseconds, for `has-data-changed`. Every change increases it. */
  changedAt: number;
  archivedAt: Timestamp | null;
}

export interface Stage {
  readonly id: number;
  readonly boardId: number;
  title: string;
  /** Identifies the stage in paths of the roadmap. */
  slug: string;
  /** 1-based among the active stages of the board; 0 if archived. */
  position: number;
  color: string;
  /** Status of tasks that enter the stage; `null` to keep theirs. */
  defaultStatus: TaskStatus | null;
  /** Open tasks; `null` for no limit. */
  taskLimit: number | null;
  archivedAt: Timestamp | null;
  /** Tasks that were archived with the stage. */
  archivedTaskIds: readonly number[];
}

export type Label = (typeof tables.labels)[number] & Pick<Stage, 'id' | 'boardId'>;

export interface Folder extends Described {
  color: string;
  readonly boardIds: number[];
}

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
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly uploadedBy: number;
  readonly uploadedAt: Timestamp;
}

export type TaskStatus = 'open' | 'closed';

export const TASK_PRIORITIES = ['low', 'medium', 'high', 'urgent'] as const;
export type TaskPriority = (typeof TASK_PRIORITIES)[number];

/** A task, or on a roadmap an idea. */
export interface Task extends Described {
  readonly boardId: number;
  stageId: number;
  readonly type: 'task' | 'idea';
  /** Unique on its board. */
  slug: string;
  status: TaskStatus;
  priority: TaskPriority;
  /** 1-based among the active tasks of the stage; 0 if archived. */
  position: number;
  assignees: number[];
  labels: number[];
  startsAt: Timestamp | null;
  dueAt: Timestamp | null;
  remindAt: Timestamp | null;
  cover: { readonly color: string | null; readonly imageUrl: string | null } | null;
  contactId: number | null;
  supportTicketId: number | null;
  estimatedMinutes: number;
  updatedAt: Timestamp;
  completedAt: Timestamp | null;
  archivedAt: Timestamp | null;
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

export interface Comment extends Omit<Reply, 'commentId'> {
  privacy: 'public' | 'private';
}

export interface TimeTrack {
  readonly id: number;
  readonly boardId: number;
  readonly taskId: number;
  readonly userId: number;
  status: 'running' | 'committed';
  readonly startedAt: Timestamp;
  committedAt: Timestamp | null;
  minutes: number;
  note: string;
  billable: boolean;
}

export interface Activity {
  readonly id: number;
  readonly boardId: number;
  /** `null` for the whole board. */
  readonly taskId: number | null;
  readonly userId: number | null;
  /** One of `ACTIVITY_ACTIONS` of the declarations. */
  readonly action: string;
  /** One of `ACTIVITY_SUBJECTS`. */
  readonly subject: string;
  /** E.g. `moved “Draw the map” from To do to Done`. */
  readonly text: string;
  readonly at: Timestamp;
}

/** The resource adds the board and the default subject. */
export type ActivityEntry = Pick<Activity, 'action' | 'text'> & Partial<Pick<Activity, 'subject' | 'taskId'>>;

type UserSettings = typeof tables.userSettings & {
  /** Newest first. */
  readonly pinnedBoards: number[];
  readonly pinnedTasks: number[];
  /** Newest first, at most ten. */
  readonly recentBoards: number[];
  /** Overrides of `notifications` by board. */
  readonly boardNotifications: Map<number, Partial<typeof tables.userSettings.notifications>>;
  readonly foldedStages: Set<number>;
};

export type SiteSettings = typeof tables.siteSettings & {
  /** Page that shows the roadmaps, if any. */
  readonly roadmapPage: Omit<typeof tables.roadmapPage, 'page_id'> & { page_id: number | null };
};

/** The number of a deleted item is not used again. */
class Collection<Item> extends Map<number, Item> {
  lastId = 0;

  add(create: (id: number) => Item): Item {
    this.lastId += 1;
    const item = create(this.lastId);
    this.set(this.lastId, item);
    return item;
  }

  where(matches: (item: Item) => boolean): Item[] {
    return [...this.values()].filter(matches);
  }
}

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
  /** At most one by user and idea. */
  readonly votes: { readonly ideaId: number; readonly userId: number; readonly at: Timestamp }[] = [];
  readonly pages: typeof tables.pages = tables.pages;
  readonly settings: SiteSettings = structuredClone({
    ...tables.siteSettings,
    roadmapPage: tables.roadmapPage,
  });
  private readonly settingsByUser = new Map<number, UserSettings>();

  constructor(users: readonly SiteUser[] = DEMO_USERS) {
    this.users = users;
  }

  /** An anonymous client has the defaults. */
  settingsOf(user: Pick<SiteUser, 'id'> | null): UserSettings {
    const known = user === null ? undefined : this.settingsByUser.get(user.id);
    if (known !== undefined) return known;
    const settings: UserSettings = {
      ...structuredClone(tables.userSettings),
      pinnedBoards: [],
      pinnedTasks: [],
      recentBoards: [],
      boardNotifications: new Map(),
      foldedStages: new Set(),
    };
    if (user !== null) this.settingsByUser.set(user.id, settings);
    return settings;
  }

  getUser(id: number | null): SiteUser | undefined {
    return this.users.find((user) => user.id === id);
  }

  findUser(id: RequestedId): SiteUser {
    return this.getUser(toId(id)) ?? refuse(404, 'user_not_found', 'There is no such user on this site.');
  }

  findUserName(id: number): string {
    return this.getUser(id)?.name ?? 'a former member';
  }

  showPerson(id: number | null): JsonObject | null {
    return id === null ? null : { id, name: this.getUser(id)?.name ?? 'A former member' };
  }

  findBoard(id: RequestedId): Board {
    return this.boards.get(toId(id)) ?? refuse(404, 'board_not_found', 'There is no such board.');
  }

  findStage(boardId: number, id: RequestedId): Stage {
    return findOnBoard(this.stages, 'stage', boardId, id);
  }

  findTask(boardId: number, id: RequestedId): Task {
    return findOnBoard(this.tasks, 'task', boardId, id);
  }

  findLabel(boardId: number, id: RequestedId): Label {
    return findOnBoard(this.labels, 'label', boardId, id);
  }

  activeStages(boardId: number): Stage[] {
    return this.stages
      .where((stage) => stage.boardId === boardId && stage.archivedAt === null)
      .sort(byPosition);
  }

  activeTasksInStage(stageId: number): Task[] {
    return this.tasks.where((task) => task.stageId === stageId && task.archivedAt === null).sort(byPosition);
  }

  /** Includes archived tasks. */
  allTasksOnBoard(boardId: number): Task[] {
    return this.tasks.where((task) => task.boardId === boardId);
  }

  activeTasksOnBoard(boardId: number): Task[] {
    return this.allTasksOnBoard(boardId).filter(({ archivedAt }) => archivedAt === null);
  }

  openTasksOnBoard(boardId: number): Task[] {
    return this.activeTasksOnBoard(boardId).filter(({ status }) => status === 'open');
  }

  /** By stage and position. */
  tasksInOrder(boardId: number): Task[] {
    return this.activeStages(boardId).flatMap(({ id }) => this.activeTasksInStage(id));
  }

  labelsOnBoard(boardId: number): Label[] {
    return this.labels.where((label) => label.boardId === boardId);
  }

  labelsOf({ labels }: Task): Label[] {
    return labels.flatMap((id) => this.labels.get(id) ?? []);
  }

  countVotes(idea: Task): number {
    return this.votes.filter(({ ideaId }) => ideaId === idea.id).length;
  }

  /** Renumbers the stage that the task leaves, too. */
  placeTask(task: Task, stageId: number, position?: number): void {
    const from = task.stageId;
    task.stageId = stageId;
    placeItem(this.activeTasksInStage(stageId), task, position);
    if (from !== stageId) renumberPositions(this.activeTasksInStage(from));
  }

  /** Logs a change, and sets when the board and the task were last changed. */
  record(
    entry: ActivityEntry & Pick<Activity, 'boardId' | 'subject'>,
    { user, now }: Pick<BoardRequest, 'user' | 'now'>,
  ): void {
    const { boardId, taskId, at } = this.activities.add((id) => ({
      taskId: null,
      userId: user?.id ?? null,
      at: toTimestamp(now),
      ...entry,
      id,
    }));
    const board = this.boards.get(boardId);
    if (board !== undefined) board.changedAt = Math.max(now.getTime(), board.changedAt + 1);
    for (const item of [board, this.tasks.get(taskId ?? 0)]) {
      if (item !== undefined && item.updatedAt < at) item.updatedAt = at;
    }
  }

  /** Deletes a task with everything on it. The caller renumbers its stage and logs it. */
  deleteTask(taskId: number): void {
    this.tasks.delete(taskId);
    for (const collection of [this.comments, this.replies, this.timeTracks]) {
      for (const [id, item] of collection) if (item.taskId === taskId) collection.delete(id);
    }
    this.votes.splice(0, this.votes.length, ...this.votes.filter((vote) => vote.ideaId !== taskId));
    for (const { pinnedTasks } of this.settingsByUser.values()) removeId(pinnedTasks, taskId);
  }

  /** Deletes a board with everything on it, and from folders, pins and settings. */
  deleteBoard(boardId: number): void {
    for (const { id } of this.allTasksOnBoard(boardId)) this.deleteTask(id);
    for (const collection of [this.stages, this.labels, this.activities, this.images]) {
      for (const [id, item] of collection) if (item.boardId === boardId) collection.delete(id);
    }
    for (const folder of this.folders.values()) removeId(folder.boardIds, boardId);
    for (const { pinnedBoards, recentBoards, boardNotifications } of this.settingsByUser.values()) {
      removeId(pinnedBoards, boardId);
      removeId(recentBoards, boardId);
      boardNotifications.delete(boardId);
    }
    this.boards.delete(boardId);
  }

  /** The creator becomes the manager. Defaults: the currency of the general settings, the first of `BOARD_COLORS`. */
  addBoard(
    values: Pick<Board, 'title' | 'kind'> & {
      readonly [Name in 'description' | 'currency' | 'color']?: string | undefined;
    },
    author: Pick<BoardRequest, 'user' | 'now'>,
  ): Board {
    const at = toTimestamp(author.now);
    const createdBy = author.user?.id ?? 0;
    const board = this.boards.add((id) => ({
      id,
      title: values.title,
      description: values.description ?? '',
      kind: values.kind,
      currency: values.currency ?? this.settings.general.default_currency,
      color: values.color ?? BOARD_COLORS[0]?.value ?? '',
      imageUrl: null,
      members: [{ userId: createdBy, role: 'manager', joinedAt: at }],
      isPublic: false,
      contactIds: [],
      createdBy,
      createdAt: at,
      updatedAt: at,
      changedAt: author.now.getTime(),
      archivedAt: null,
    }));
    const text = `created the board “${board.title}”`;
    this.record({ boardId: board.id, action: 'created', subject: 'board', text }, author);
    return board;
  }

  addStage(board: Board, values: NewStage): Stage {
    const all = this.stages.where((stage) => stage.boardId === board.id);
    return this.stages.add((id) => ({
      id,
      boardId: board.id,
      title: values.title,
      slug: createUniqueSlug(values.title, all),
      position: this.activeStages(board.id).length + 1,
      color: values.color ?? '#adb5bd',
      defaultStatus: values.defaultStatus ?? null,
      taskLimit: values.taskLimit ?? null,
      archivedAt: null,
      archivedTaskIds: [],
    }));
  }

  /** The last of the titles closes tasks. */
  addDefaultStages(board: Board, titles: readonly string[] = []): void {
    const stages =
      titles.length === 0
        ? tables.stages[board.kind]
        : titles.map((title, index) => ({ title, isDone: index === titles.length - 1 }));
    for (const { isDone, ...stage } of stages) {
      this.addStage(board, { ...stage, defaultStatus: isDone === true ? 'closed' : null });
    }
  }

  addDefaultLabels(board: Board): void {
    for (const label of tables.labels) this.labels.add((id) => ({ ...label, id, boardId: board.id }));
  }
}

type NewStage = Pick<Stage, 'title'> & {
  readonly [Name in 'color' | 'defaultStatus' | 'taskLimit']?: Stage[Name] | undefined;
};

export type BoardRequest = SiteRequest<BoardState>;

export const CURRENCIES: typeof tables.currencies = tables.currencies;

export const BOARD_COLORS: typeof tables.colors = tables.colors;

/** A number from a path or an argument; `{x:str}` also matches other text. */
type RequestedId = string | number | undefined;

export function toId(id: RequestedId): number {
  if (typeof id === 'number') return id;
  return id !== undefined && /^\d{1,15}$/.test(id) ? Number(id) : 0;
}

function findOnBoard<Item extends { readonly boardId: number }>(
  items: ReadonlyMap<number, Item>,
  noun: 'stage' | 'task' | 'label',
  boardId: number,
  id: RequestedId,
): Item {
  const item = items.get(toId(id));
  if (item?.boardId === boardId) return item;
  return refuse(404, `${noun}_not_found`, `There is no such ${noun} on this board.`);
}

interface Ordered {
  readonly id: number;
  position: number;
  archivedAt: string | null;
}

export function renumberPositions(ordered: readonly Ordered[]): void {
  for (const [index, item] of ordered.entries()) item.position = index + 1;
}

/**
 * Inserts or moves an item and renumbers the list.
 *
 * @param position 1-based; the end if absent
 */
export function placeItem<T extends Ordered>(list: readonly T[], item: T, position?: number): void {
  const others = list.filter((other) => other.id !== item.id);
  const index = Math.min(Math.max((position ?? others.length + 1) - 1, 0), others.length);
  renumberPositions([...others.slice(0, index), item, ...others.slice(index)]);
}

const byPosition = (one: Ordered, other: Ordered): number =>
  one.position - other.position || one.id - other.id;

/** The caller renumbers the remaining list. */
export function archiveItem(item: Ordered, at: string): void {
  item.archivedAt = at;
  item.position = 0;
}

/** `false` if the list does not contain the number. */
export function removeId(list: number[], id: number): boolean {
  const index = list.indexOf(id);
  if (index !== -1) list.splice(index, 1);
  return index !== -1;
}
