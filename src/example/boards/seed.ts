import type { SiteUser, UserRole } from '../../rest-server/declarations.ts';
import type { StateSeed } from '../site/definition.ts';
import type { SeededRandom } from '../site/random.ts';
import { DEMO_USERS } from '../site/users.ts';
import seed from './seed.json' with { type: 'json' };
import {
  type ActivityAction,
  type ActivityEntry,
  type ActivitySubject,
  activeStages,
  activeTasksInStage,
  addDefaultLabels,
  addDefaultStages,
  addStage,
  allTasksOnBoard,
  archiveItem,
  type Board,
  type BoardState,
  type Comment,
  createEmptyState,
  createUniqueSlug,
  type Label,
  labelsOnBoard,
  type Member,
  nextId,
  type Reply,
  recordActivity,
  renumberPositions,
  type Stage,
  slugify,
  type Task,
  type TaskPriority,
  type Timestamp,
  type TimeTrack,
  toTimestamp,
  userSettings,
} from './state.ts';

/** The end of the generated history: a new state contains no later timestamp. A Monday. */
export const SEED_END: Date = new Date('2026-03-02T09:00:00Z');

const DAY = 86_400_000;

/** A number of days before the epoch; a negative number is after it. */
function daysBeforeSeedEnd(days: number): Timestamp {
  return toTimestamp(new Date(SEED_END.getTime() - days * DAY));
}

/** A random timestamp from a range that includes both ends, in whole minutes after its start. */
function randomTimestamp(random: SeededRandom, from: Timestamp, to: Timestamp): Timestamp {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const minutes = Math.max(0, Math.floor((end - start) / 60_000));
  return toTimestamp(new Date(start + random.integer(0, minutes) * 60_000));
}

/** Adds minutes, up to the epoch. */
function addMinutesUntilSeedEnd(from: Timestamp, minutes: number): Timestamp {
  return toTimestamp(new Date(Math.min(Date.parse(from) + minutes * 60_000, SEED_END.getTime())));
}

type BoardPlan = (typeof seed.boards)[number];

/** An entry of the history of a board, before the entries of all boards are sorted and numbered. */
interface SeedActivity extends ActivityEntry {
  readonly boardId: number;
  readonly subject: ActivitySubject;
  readonly user: SiteUser | null;
  readonly at: Timestamp;
}

/** The state that the seed fills, with the sources of its content. */
interface SeedContext {
  readonly state: BoardState;
  readonly random: SeededRandom;
  /** In no particular order. */
  readonly history: SeedActivity[];
}

/** A board whose tasks are created next. */
interface SeededBoard {
  readonly board: Board;
  readonly plan: BoardPlan;
  readonly stages: readonly Stage[];
  readonly labels: readonly Label[];
}

function findSeedUser(state: BoardState, id: number): SiteUser | null {
  return state.users.find((user) => user.id === id) ?? null;
}

/** Adds comments by members of the board, and replies to them. */
function seedComments(context: SeedContext, { board }: SeededBoard, task: Task): void {
  const { state, random, history } = context;
  for (let count = random.pick([0, 0, 1, 1, 2, 3]); count > 0; count--) {
    const createdAt = randomTimestamp(random, task.createdAt, daysBeforeSeedEnd(0));
    const comment: Comment = {
      id: nextId(state, 'comments'),
      boardId: board.id,
      taskId: task.id,
      authorId: random.pick(board.members).userId,
      text: random.pick(seed.comments),
      privacy: random.chance(0.2) ? 'private' : 'public',
      images: [],
      createdAt,
      updatedAt: createdAt,
    };
    state.comments.set(comment.id, comment);
    history.push({
      boardId: board.id,
      taskId: task.id,
      action: 'commented',
      subject: 'comment',
      text: `commented on “${task.title}”`,
      user: findSeedUser(state, comment.authorId),
      at: createdAt,
    });
    if (random.chance(0.4)) seedReply(context, comment);
  }
}

function seedReply({ state, random }: SeedContext, comment: Comment): void {
  const { boardId, taskId, id: commentId } = comment;
  const createdAt = randomTimestamp(random, comment.createdAt, daysBeforeSeedEnd(0));
  const members = state.boards.get(boardId)?.members ?? [];
  const reply: Reply = {
    id: nextId(state, 'replies'),
    boardId,
    taskId,
    commentId,
    authorId: random.pick(members).userId,
    text: random.pick(seed.replies),
    createdAt,
    updatedAt: createdAt,
  };
  state.replies.set(reply.id, reply);
}

/** Adds committed time tracks of the assignees of a task. */
function seedTimeTracks({ state, random, history }: SeedContext, task: Task): void {
  for (const userId of task.assignees) {
    for (let count = random.integer(0, 2); count > 0; count--) {
      const startedAt = randomTimestamp(random, task.createdAt, task.completedAt ?? daysBeforeSeedEnd(1));
      const minutes = random.integer(1, 24) * 10;
      const track: TimeTrack = {
        id: nextId(state, 'timeTracks'),
        boardId: task.boardId,
        taskId: task.id,
        userId,
        status: 'committed',
        startedAt,
        committedAt: addMinutesUntilSeedEnd(startedAt, minutes),
        minutes,
        note: random.pick(seed.notes),
        billable: random.chance(0.7),
      };
      state.timeTracks.set(track.id, track);
      history.push({
        boardId: task.boardId,
        taskId: task.id,
        action: 'committed',
        subject: 'time-track',
        text: `spent ${minutes} minutes on “${task.title}”`,
        user: findSeedUser(state, userId),
        at: track.committedAt ?? startedAt,
      });
    }
  }
}

/** Weighted: few tasks are urgent. */
const PRIORITIES: readonly TaskPriority[] = ['low', 'low', 'medium', 'medium', 'medium', 'high', 'urgent'];
const DAY_MINUTES = 1440;

/** Adds a task or an idea with its comments and its time tracks or votes. */
function seedTask(context: SeedContext, seeded: SeededBoard): void {
  const { state, random, history } = context;
  const task = newTask(context, seeded);
  state.tasks.set(task.id, task);
  const { id: taskId, boardId, type: subject } = task;
  const log = (action: ActivityAction, at: Timestamp): void => {
    const [text, user] = [`${action} “${task.title}”`, findSeedUser(state, task.createdBy)];
    history.push({ boardId, taskId, user, action, subject, text, at });
  };
  log('created', task.createdAt);
  seedComments(context, seeded, task);
  if (task.type === 'task') seedTimeTracks(context, task);
  else seedVotes(context, task);
  if (task.completedAt !== null) log('completed', task.completedAt);
  if (random.chance(0.08)) {
    const archivedAt = randomTimestamp(random, task.completedAt ?? task.createdAt, daysBeforeSeedEnd(0));
    archiveItem(task, archivedAt);
    log('archived', archivedAt);
  }
}

function newTask({ state, random }: SeedContext, { board, plan, stages, labels }: SeededBoard): Task {
  const others = allTasksOnBoard(state, board.id);
  const title = unusedTitle(random, plan, new Set(others.map((other) => other.title)));
  const slugs = new Set(others.map((other) => other.slug));
  const { contactIds } = plan;
  const stage = random.pick(stages);
  const createdAt = randomTimestamp(random, daysBeforeSeedEnd(110), daysBeforeSeedEnd(2));
  const isDone = stage.defaultStatus === 'closed';
  const isIdea = board.kind === 'roadmap';
  const workers = board.members.filter((member) => member.role !== 'viewer').map((member) => member.userId);
  const completedAt = isDone ? randomTimestamp(random, createdAt, daysBeforeSeedEnd(0)) : null;
  return {
    id: nextId(state, 'tasks'),
    boardId: board.id,
    stageId: stage.id,
    type: isIdea ? 'idea' : 'task',
    title,
    slug: createUniqueSlug(title, slugs),
    description: random.pick(seed.descriptions),
    status: isDone ? 'closed' : 'open',
    priority: random.pick(PRIORITIES),
    position: others.length + 1,
    assignees: isIdea ? [] : random.sample(workers, random.integer(0, 2)),
    labels: random.sample(labels, random.pick([0, 0, 1, 1, 2])).map((label) => label.id),
    startsAt: !isIdea && random.chance(0.4) ? addMinutesUntilSeedEnd(createdAt, DAY_MINUTES) : null,
    dueAt: !isIdea && random.chance(0.6) ? randomTimestamp(random, createdAt, daysBeforeSeedEnd(-30)) : null,
    remindAt: null,
    cover: random.chance(0.15)
      ? { color: random.pick(['#ffd43b', '#74c0fc', '#8ce99a']), imageUrl: null }
      : null,
    contactId: contactIds.length > 0 && random.chance(0.4) ? random.pick(contactIds) : null,
    supportTicketId: !isIdea && random.chance(0.1) ? random.integer(1000, 1999) : null,
    estimatedMinutes: isIdea ? 0 : random.pick([0, 0, 60, 120, 240, 480]),
    createdBy: random.pick(workers),
    createdAt,
    updatedAt: createdAt,
    completedAt,
    archivedAt: null,
  };
}

/** A title that no task of the board has; numbered when random pairs of words are taken. */
function unusedTitle(random: SeededRandom, plan: BoardPlan, taken: ReadonlySet<string>): string {
  const title = (): string => `${random.pick(plan.verbs ?? seed.ideaVerbs)} ${random.pick(plan.things)}`;
  for (let tries = 0; tries < 20; tries++) {
    const made = title();
    if (!taken.has(made)) return made;
  }
  return `${title()}, part ${taken.size + 1}`;
}

function seedVotes({ state, random, history }: SeedContext, idea: Task): void {
  const voters = random.sample(state.users, random.integer(0, state.users.length));
  for (const user of voters) {
    const at = randomTimestamp(random, idea.createdAt, daysBeforeSeedEnd(0));
    state.votes.push({ ideaId: idea.id, userId: user.id, at });
    history.push({
      boardId: idea.boardId,
      taskId: idea.id,
      action: 'voted',
      subject: 'idea',
      text: `voted for “${idea.title}”`,
      user,
      at,
    });
  }
}

function seedBoard(context: SeedContext, plan: BoardPlan): void {
  const { state, random } = context;
  const id = nextId(state, 'boards');
  const createdAt = randomTimestamp(random, daysBeforeSeedEnd(150), daysBeforeSeedEnd(120));
  const { isPublic = false, isArchived = false, contactIds } = plan;
  const members = [
    ...plan.managers.map((userId): Member => ({ userId, role: 'manager', joinedAt: createdAt })),
    ...plan.members.map((userId): Member => ({ userId, role: 'member', joinedAt: createdAt })),
    ...plan.viewers.map((userId): Member => ({ userId, role: 'viewer', joinedAt: createdAt })),
  ].sort((one, other) => one.userId - other.userId);
  const board: Board = {
    id,
    title: plan.title,
    description: plan.description,
    kind: plan.isRoadmap ? 'roadmap' : 'kanban',
    currency: plan.currency,
    background: { isImage: false, color: plan.color, imageUrl: null },
    members,
    publicAccess: { enabled: isPublic, showComments: isPublic, showAssignees: false },
    contactIds: [...contactIds],
    createdBy: members[0]?.userId ?? 1,
    createdAt,
    updatedAt: createdAt,
    changedAt: Date.parse(createdAt),
    archivedAt: isArchived ? daysBeforeSeedEnd(20) : null,
  };
  state.boards.set(id, board);
  context.history.push({
    boardId: id,
    action: 'created',
    subject: 'board',
    text: `created the board “${board.title}”`,
    user: findSeedUser(state, board.createdBy),
    at: createdAt,
  });
  const stages = seedStages(context, board);
  addDefaultLabels(state, board);
  const labels = labelsOnBoard(state, board.id);
  for (let count = 0; count < plan.taskCount; count++) seedTask(context, { board, plan, stages, labels });
  for (const stage of stages) renumberPositions(activeTasksInStage(state, stage.id));
}

/** Adds the default stages; the first board also gets an archived one, so that there is one to restore. */
function seedStages({ state }: SeedContext, board: Board): Stage[] {
  addDefaultStages(state, board);
  const stages = activeStages(state, board.id);
  for (const stage of stages) {
    if (board.kind === 'kanban' && stage.title === 'In progress') stage.taskLimit = 20;
  }
  if (board.id === 1) {
    const stage = addStage(state, board, { title: 'Someday', color: '#ced4da' });
    archiveItem(stage, daysBeforeSeedEnd(40));
  }
  return stages;
}

/** Creates the initial state: boards of both kinds with a history that ends at `EPOCH`. */
export function createBoardState({ random }: Pick<StateSeed, 'random'>): BoardState {
  const state = createEmptyState([
    ...DEMO_USERS.map(({ id, login, name, email, role }) => ({ id, login, name, email, role })),
    ...seed.editors.map((name, index) => createUser(name, DEMO_USERS.length + 1 + index, 'editor')),
    ...seed.subscribers.map((name, index) =>
      createUser(name, DEMO_USERS.length + seed.editors.length + 1 + index, 'subscriber'),
    ),
  ]);
  for (const { name, company } of seed.contacts) {
    const id = nextId(state, 'contacts');
    state.contacts.set(id, { id, name, email: `${firstName(name)}@customer.example.com`, company });
  }
  const history: SeedActivity[] = [];
  for (const plan of seed.boards) seedBoard({ state, random, history }, plan);
  recordHistory(state, history);
  seedFolders(state);
  seedUserSettings(state);
  return state;
}

/** A user without a password, in addition to the demo users. */
function createUser(name: string, id: number, role: UserRole): SiteUser {
  const login = firstName(name);
  return { id, login, name, email: `${login}@example.com`, role };
}

function firstName(name: string): string {
  return slugify(name.split(' ')[0] ?? '');
}

/** Records the activities in the order of their time, which is the order of their numbers. */
function recordHistory(state: BoardState, history: SeedActivity[]): void {
  const ordered = history.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
  for (const { at, user, ...done } of ordered) recordActivity(state, done, { user, now: new Date(at) });
}

function seedFolders(state: BoardState): void {
  const folders = [
    ['Customers', 'Work that somebody pays for.', '#1098ad', [1, 6]],
    ['In the house', 'Work that nobody sees.', '#e64980', [5, 8]],
    ['Ideas', 'Both roadmaps.', '#7950f2', [3, 7]],
  ] as const;
  for (const [title, description, color, boardIds] of folders) {
    const id = nextId(state, 'folders');
    state.folders.set(id, {
      id,
      title,
      description,
      color,
      boardIds: [...boardIds],
      createdBy: 1,
      createdAt: daysBeforeSeedEnd(100),
    });
  }
}

function seedUserSettings(state: BoardState): void {
  userSettings(state, 1).pinnedBoards.push(1, 3);
  userSettings(state, 1).recentBoards.push(1, 6, 3);
  userSettings(state, 2).pinnedBoards.push(6);
  userSettings(state, 2).recentBoards.push(1, 2);
  userSettings(state, 3).recentBoards.push(1);
}
