import type { JsonObject } from '../../json.ts';
import type { SiteRequest, SiteUser } from '../../rest-server/declarations.ts';
import { refuse } from '../../rest-server/responses.ts';
import { findFreeName } from '../../rest-server/slug.ts';
import { parseInstant } from '../site/dates.ts';
import { DEMO_USERS } from '../site/users.ts';
import tables from './tables.json' with { type: 'json' };

/** A point in time in UTC, in whole seconds: `2026-03-02T09:30:00Z`. Sorts as text. */
export type Timestamp = string;

export function toTimestamp(date: Date): Timestamp {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** Parses RFC 3339; a text without a zone is in UTC. `undefined` for anything else, such as February 30. */
export function parseTimestamp(text: string): Timestamp | undefined {
  const instant = parseInstant(text);
  return instant === undefined ? undefined : toTimestamp(new Date(instant));
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
  return findFreeName(
    (name) => taken.has(name),
    (suffix) => slug + suffix,
  );
}

/** Managers administer a board, members edit its tasks, viewers read it. */
export type MemberRole = 'manager' | 'member' | 'viewer';

export interface Member {
  readonly userId: number;
  role: MemberRole;
  readonly joinedAt: Timestamp;
}

/** Item that a user creates with a name and a description. */
interface Described {
  readonly id: number;
  title: string;
  description: string;
  readonly createdBy: number;
  readonly createdAt: Timestamp;
}

export interface Board extends Described {
  /** `roadmap` boards hold ideas that the public votes on; `kanban` boards hold tasks. */
  readonly kind: 'kanban' | 'roadmap';
  /** ISO 4217: `EUR`. */
  currency: string;
  /** The colour of the background, which is shown until its image is loaded: `#4c6ef5`. */
  color: string;
  imageUrl: string | null;
  readonly members: Member[];
  /** Whether people without an account see it. They see neither its people nor private comments. */
  isPublic: boolean;
  /** Contacts of the customer register that are linked to the board. */
  readonly contactIds: number[];
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
  /** Maximum number of open tasks; `null` for no limit. */
  taskLimit: number | null;
  archivedAt: Timestamp | null;
  /** Tasks that were archived with the stage, in order; restoring the stage restores them. */
  archivedTaskIds: readonly number[];
}

/** `color` is that of the text. */
export type Label = (typeof tables.labels)[number] & Pick<Stage, 'id' | 'boardId'>;

export interface Folder extends Described {
  color: string;
  /** In the order in which they were added. */
  readonly boardIds: number[];
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
export interface Task extends Described {
  readonly boardId: number;
  stageId: number;
  readonly type: 'task' | 'idea';
  /** Letters, digits, hyphens; unique on its board. */
  slug: string;
  status: TaskStatus;
  priority: TaskPriority;
  /** 1-based among the tasks of the stage that are not archived; 0 for an archived task. */
  position: number;
  assignees: number[];
  labels: number[];
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
  readonly at: Timestamp;
}

/** The part of an activity that a change states; the resource that logs it adds the board and the default subject. */
export type ActivityEntry = Pick<Activity, 'action' | 'text'> & Partial<Pick<Activity, 'subject' | 'taskId'>>;

/** Settings and lists of one user. */
type UserSettings = typeof tables.userSettings & {
  /** The newest pin first. */
  readonly pinnedBoards: number[];
  readonly pinnedTasks: number[];
  /** Most recently viewed first, at most ten. */
  readonly recentBoards: number[];
  /** Settings of single boards that override `notifications`. */
  readonly boardNotifications: Map<number, Partial<typeof tables.userSettings.notifications>>;
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

  add(create: (id: number) => Item): Item {
    this.lastId += 1;
    const item = create(this.lastId);
    this.set(this.lastId, item);
    return item;
  }

  /** The items that match, in the order of their numbers. */
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

  /** The name of a user for texts of the history; “a former member” for an unknown number. */
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

  /** The stages of a board in their order, without archived ones. */
  activeStages(boardId: number): Stage[] {
    return this.stages
      .where((stage) => stage.boardId === boardId && stage.archivedAt === null)
      .sort(byPosition);
  }

  /** The tasks of a stage in their order, without archived ones. */
  activeTasksInStage(stageId: number): Task[] {
    return this.tasks.where((task) => task.stageId === stageId && task.archivedAt === null).sort(byPosition);
  }

  /** Every task of a board, with archived ones, in the order of their numbers. */
  allTasksOnBoard(boardId: number): Task[] {
    return this.tasks.where((task) => task.boardId === boardId);
  }

  activeTasksOnBoard(boardId: number): Task[] {
    return this.allTasksOnBoard(boardId).filter(({ archivedAt }) => archivedAt === null);
  }

  openTasksOnBoard(boardId: number): Task[] {
    return this.activeTasksOnBoard(boardId).filter(({ status }) => status === 'open');
  }

  /** The tasks of a board as they stand on it, by stage and position, without archived ones. */
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

  /** Moves a task to a position of a stage and renumbers the stage that it leaves. */
  placeTask(task: Task, stageId: number, position?: number): void {
    const from = task.stageId;
    task.stageId = stageId;
    placeItem(this.activeTasksInStage(stageId), task, position);
    if (from !== stageId) renumberPositions(this.activeTasksInStage(from));
  }

  /** Adds an entry to the history of a board and sets when the board and the task were last changed. */
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

  /** Deletes a task with its comments, time tracks, votes and pins. The caller renumbers its stage and logs it. */
  deleteTask(taskId: number): void {
    this.tasks.delete(taskId);
    for (const collection of [this.comments, this.replies, this.timeTracks]) {
      for (const [id, item] of collection) if (item.taskId === taskId) collection.delete(id);
    }
    this.votes.splice(0, this.votes.length, ...this.votes.filter((vote) => vote.ideaId !== taskId));
    for (const { pinnedTasks } of this.settingsByUser.values()) removeId(pinnedTasks, taskId);
  }

  /** Deletes a board with everything on it, and removes it from folders, pins and settings. */
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

  /**
   * Adds a board without stages, of which its creator is the manager. The currency defaults to that of the general settings,
   * the colour to the first of `BOARD_COLORS`.
   */
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

  /** Adds a stage at the end of a board. */
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

  /** Adds the default stages of the kind of board, or stages with these titles, of which the last one closes tasks. */
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

/** Currencies by ISO 4217 code. */
export const CURRENCIES: typeof tables.currencies = tables.currencies;

/** Colours offered for the background of a board. */
export const BOARD_COLORS: typeof tables.colors = tables.colors;

/** A number from a path or an argument; the groups of `{x:str}` routes match other text too. */
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

/** Archives an item. The caller renumbers the remaining list: `renumberPositions(state.activeTasksInStage(…))`. */
export function archiveItem(item: Ordered, at: string): void {
  item.archivedAt = at;
  item.position = 0;
}

/** Removes a number from a list; `false` when the list does not contain it. */
export function removeId(list: number[], id: number): boolean {
  const index = list.indexOf(id);
  if (index !== -1) list.splice(index, 1);
  return index !== -1;
}
