import type { SiteUser } from '../../rest-server/declarations.ts';
import type { StateSeed } from '../site/definition.ts';
import type { SeededRandom } from '../site/random.ts';
import { DEMO_USERS } from '../site/users.ts';
import seed from './seed.json' with { type: 'json' };
import {
  type Activity,
  type ActivityEntry,
  archiveItem,
  type Board,
  BoardState,
  createUniqueSlug,
  type Label,
  type Member,
  type MemberRole,
  renumberPositions,
  type Stage,
  slugify,
  type Task,
  type TaskPriority,
  type Timestamp,
  toTimestamp,
} from './state.ts';

const SEED_END: Date = new Date('2026-03-02T09:00:00Z');

const DAY = 86_400_000;

/** A negative number is after the epoch. */
function daysBeforeSeedEnd(days: number): Timestamp {
  return toTimestamp(new Date(SEED_END.getTime() - days * DAY));
}

/** Whole minutes after `from`, both ends included. */
function randomTimestamp(random: SeededRandom, from: Timestamp, to: Timestamp): Timestamp {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const minutes = Math.max(0, Math.floor((end - start) / 60_000));
  return toTimestamp(new Date(start + random.integer(0, minutes) * 60_000));
}

function addMinutesUntilSeedEnd(from: Timestamp, minutes: number): Timestamp {
  return toTimestamp(new Date(Math.min(Date.parse(from) + minutes * 60_000, SEED_END.getTime())));
}

type BoardPlan = (typeof seed.boards)[number];

type SeedActivity = ActivityEntry & Pick<Activity, 'boardId' | 'subject' | 'userId' | 'at'>;

interface SeedContext {
  readonly state: BoardState;
  readonly random: SeededRandom;
  readonly history: SeedActivity[];
}

interface SeededBoard {
  readonly board: Board;
  readonly plan: BoardPlan;
  readonly stages: readonly Stage[];
  readonly labels: readonly Label[];
}

function seedComments({ state, random, history }: SeedContext, { board }: SeededBoard, task: Task): void {
  const place = { boardId: board.id, taskId: task.id };
  for (let count = random.pick([0, 0, 1, 1, 2, 3]); count > 0; count--) {
    const createdAt = randomTimestamp(random, task.createdAt, daysBeforeSeedEnd(0));
    const comment = state.comments.add((id) => ({
      id,
      ...place,
      authorId: random.pick(board.members).userId,
      text: random.pick(seed.comments),
      privacy: random.chance(0.2) ? 'private' : 'public',
      createdAt,
      updatedAt: createdAt,
    }));
    const text = `commented on “${task.title}”`;
    const userId = comment.authorId;
    history.push({ ...place, userId, action: 'commented', subject: 'comment', text, at: createdAt });
    if (!random.chance(0.4)) continue;
    const repliedAt = randomTimestamp(random, createdAt, daysBeforeSeedEnd(0));
    state.replies.add((id) => ({
      id,
      ...place,
      commentId: comment.id,
      authorId: random.pick(board.members).userId,
      text: random.pickFrom(seed.replies),
      createdAt: repliedAt,
      updatedAt: repliedAt,
    }));
  }
}

function seedTimeTracks({ state, random, history }: SeedContext, task: Task): void {
  const place = { boardId: task.boardId, taskId: task.id };
  for (const userId of task.assignees) {
    for (let count = random.integer(0, 2); count > 0; count--) {
      const startedAt = randomTimestamp(random, task.createdAt, task.completedAt ?? daysBeforeSeedEnd(1));
      const minutes = random.integer(1, 24) * 10;
      const at = addMinutesUntilSeedEnd(startedAt, minutes);
      state.timeTracks.add((id) => ({
        id,
        ...place,
        userId,
        status: 'committed',
        startedAt,
        committedAt: at,
        minutes,
        note: random.pickFrom(seed.notes),
        billable: random.chance(0.7),
      }));
      const text = `spent ${minutes} minutes on “${task.title}”`;
      history.push({ ...place, userId, action: 'committed', subject: 'time-track', text, at });
    }
  }
}

/** Weighted: few tasks are urgent. */
const PRIORITIES: readonly TaskPriority[] = ['low', 'low', 'medium', 'medium', 'medium', 'high', 'urgent'];
const DAY_MINUTES = 1440;

function seedTask(context: SeedContext, seeded: SeededBoard): void {
  const { state, random, history } = context;
  const task = state.tasks.add((id) => newTask(context, seeded, id));
  const { id: taskId, boardId, type: subject, createdBy: userId } = task;
  const log = (action: string, at: Timestamp): void => {
    history.push({ boardId, taskId, userId, action, subject, text: `${action} “${task.title}”`, at });
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

function newTask({ state, random }: SeedContext, seeded: SeededBoard, id: number): Task {
  const { board, plan, stages, labels } = seeded;
  const others = state.allTasksOnBoard(board.id);
  const title = unusedTitle(random, plan, new Set(others.map((other) => other.title)));
  const { contactIds = [] } = plan;
  const stage = random.pick(stages);
  const createdAt = randomTimestamp(random, daysBeforeSeedEnd(110), daysBeforeSeedEnd(2));
  const isDone = stage.defaultStatus === 'closed';
  const isIdea = board.kind === 'roadmap';
  const workers = board.members.filter((member) => member.role !== 'viewer').map((member) => member.userId);
  const completedAt = isDone ? randomTimestamp(random, createdAt, daysBeforeSeedEnd(0)) : null;
  return {
    id,
    boardId: board.id,
    stageId: stage.id,
    type: isIdea ? 'idea' : 'task',
    title,
    slug: createUniqueSlug(title, others),
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

/** A title that no task of the board has. */
function unusedTitle(random: SeededRandom, plan: BoardPlan, taken: ReadonlySet<string>): string {
  const title = (): string =>
    `${random.pickFrom(plan.verbs ?? seed.ideaVerbs)} ${random.pickFrom(plan.things)}`;
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
    const text = `voted for “${idea.title}”`;
    const place = { boardId: idea.boardId, taskId: idea.id };
    history.push({ ...place, userId: user.id, action: 'voted', subject: 'idea', text, at });
  }
}

function seedBoard(context: SeedContext, plan: BoardPlan): void {
  const { state, random, history } = context;
  const createdAt = randomTimestamp(random, daysBeforeSeedEnd(150), daysBeforeSeedEnd(120));
  const { isPublic = false, isArchived = false, currency = 'EUR', contactIds = [], viewers = [] } = plan;
  const withRole = (userIds: readonly number[], role: MemberRole): Member[] =>
    userIds.map((userId) => ({ userId, role, joinedAt: createdAt }));
  const members = [
    ...withRole(plan.managers, 'manager'),
    ...withRole(plan.members, 'member'),
    ...withRole(viewers, 'viewer'),
  ].sort((one, other) => one.userId - other.userId);
  const board = state.boards.add((id) => ({
    id,
    title: plan.title,
    description: plan.description,
    kind: plan.isRoadmap ? 'roadmap' : 'kanban',
    currency,
    color: plan.color,
    imageUrl: null,
    members,
    isPublic,
    contactIds: [...contactIds],
    createdBy: members[0]?.userId ?? 1,
    createdAt,
    updatedAt: createdAt,
    changedAt: Date.parse(createdAt),
    archivedAt: isArchived ? daysBeforeSeedEnd(20) : null,
  }));
  const [boardId, userId] = [board.id, board.createdBy];
  const text = `created the board “${board.title}”`;
  history.push({ boardId, userId, action: 'created', subject: 'board', text, at: createdAt });
  state.addDefaultStages(board);
  const stages = state.activeStages(boardId);
  for (const stage of stages) {
    if (board.kind === 'kanban' && stage.title === 'In progress') stage.taskLimit = 20;
  }
  if (boardId === 1) {
    archiveItem(state.addStage(board, { title: 'Someday', color: '#ced4da' }), daysBeforeSeedEnd(40));
  }
  state.addDefaultLabels(board);
  const labels = state.labelsOnBoard(board.id);
  for (let count = 0; count < plan.taskCount; count++) seedTask(context, { board, plan, stages, labels });
  for (const stage of stages) renumberPositions(state.activeTasksInStage(stage.id));
}

export function createBoardState({ random }: Pick<StateSeed, 'random'>): BoardState {
  const names = [seed.editor, ...seed.subscribers.split(', ')];
  const others = names.map((name, index): SiteUser => {
    const login = firstName(name);
    const role = index === 0 ? 'editor' : 'subscriber';
    return { id: DEMO_USERS.length + 1 + index, login, name, email: `${login}@example.com`, role };
  });
  const state = new BoardState([...DEMO_USERS.map(({ password: _, ...user }) => user), ...others]);
  for (const { name, company } of seed.contacts) {
    const email = `${firstName(name)}@customer.example.com`;
    state.contacts.add((id) => ({ id, name, email, company }));
  }
  const history: SeedActivity[] = [];
  for (const plan of seed.boards) seedBoard({ state, random, history }, plan);
  const ordered = history.toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
  for (const entry of ordered) state.record(entry, { user: null, now: new Date(entry.at) });
  for (const folder of seed.folders) {
    const createdAt = daysBeforeSeedEnd(100);
    state.folders.add((id) => ({ id, ...folder, boardIds: [...folder.boardIds], createdBy: 1, createdAt }));
  }
  for (const { id, pinned, recent } of seed.visits) {
    const { pinnedBoards, recentBoards } = state.settingsOf({ id });
    pinnedBoards.push(...pinned);
    recentBoards.push(...recent);
  }
  return state;
}

function firstName(name: string): string {
  return slugify(name.split(' ')[0] ?? '');
}
