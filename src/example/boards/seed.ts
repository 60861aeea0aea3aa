import type { SiteUser } from '../../rest-server/declarations.ts';
import type { StateSeed } from '../site/definition.ts';
import type { SeededRandom } from '../site/random.ts';
import { DEMO_USERS } from '../site/users.ts';
import { addDefaultLabels, addDefaultStages, addStage } from './board-changes.ts';
import {
  type ActivityAction,
  type ActivityEntry,
  type ActivitySubject,
  activeStages,
  activeTasksInStage,
  allTasksOnBoard,
  archiveItem,
  type Board,
  type BoardKind,
  type BoardState,
  type Comment,
  type Contact,
  createEmptyState,
  createUniqueSlug,
  type Label,
  labelsOnBoard,
  type Member,
  type MemberRole,
  nextId,
  type Reply,
  recordActivity,
  renumberPositions,
  type Stage,
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

/** Users without passwords, in addition to the three demo users. */
const SEED_USERS: readonly SiteUser[] = [
  { id: 4, login: 'mira', name: 'Mira Novak', email: 'mira@example.com', role: 'editor' },
  { id: 5, login: 'jonas', name: 'Jonas Weber', email: 'jonas@example.com', role: 'subscriber' },
  { id: 6, login: 'leila', name: 'Leila Haddad', email: 'leila@example.com', role: 'subscriber' },
  { id: 7, login: 'tomas', name: 'Tomás Rivera', email: 'tomas@example.com', role: 'subscriber' },
  { id: 8, login: 'hana', name: 'Hana Sato', email: 'hana@example.com', role: 'subscriber' },
  { id: 9, login: 'kofi', name: 'Kofi Mensah', email: 'kofi@example.com', role: 'subscriber' },
  { id: 10, login: 'ingrid', name: 'Ingrid Dahl', email: 'ingrid@example.com', role: 'subscriber' },
  { id: 11, login: 'pavel', name: 'Pavel Horák', email: 'pavel@example.com', role: 'subscriber' },
  { id: 12, login: 'aisha', name: 'Aisha Khan', email: 'aisha@example.com', role: 'subscriber' },
];

const SEED_CONTACTS: readonly Contact[] = [
  { id: 1, name: 'Clara Moreau', email: 'clara@customer.example.com', company: 'Moreau & Fils' },
  { id: 2, name: 'Daniel Ekström', email: 'daniel@customer.example.com', company: 'Norrsken Bikes' },
  { id: 3, name: 'Priya Raman', email: 'priya@customer.example.com', company: 'Banyan Books' },
  { id: 4, name: 'Luca Bianchi', email: 'luca@customer.example.com', company: 'Torrefazione Bianchi' },
  { id: 5, name: 'Grace Okoye', email: 'grace@customer.example.com', company: 'Lagos Light' },
  { id: 6, name: 'Yuki Tanaka', email: 'yuki@customer.example.com', company: 'Kiso Woodworks' },
  { id: 7, name: 'Marta Silva', email: 'marta@customer.example.com', company: 'Azulejo Studio' },
  { id: 8, name: 'Owen Hughes', email: 'owen@customer.example.com', company: 'Harbour Ferries' },
];

const SEED_DESCRIPTIONS: readonly string[] = [
  'See the notes of the last meeting for what was decided.',
  'Small, but somebody has to do it before the end of the month.',
  'Ask Mira before you start: half of it may exist already.',
  'Two people, half a day. Write down what you find.',
  'The customer waits for this one.',
  'Blocked until the numbers of last quarter are in.',
  '',
];

const SEED_COMMENTS: readonly string[] = [
  'I can take this on Thursday.',
  'Looks good to me, one question about the wording.',
  'Could we see a picture of it first?',
  'This is more work than we thought: two days rather than one.',
  'The customer has called again.',
  'Done as discussed. Please have a look.',
  'I would rather leave this for the next round.',
];

const SEED_REPLIES: readonly string[] = [
  'Thank you!',
  'Agreed.',
  'Why not tomorrow?',
  'I have changed it.',
  'Let us talk.',
];

const SEED_NOTES: readonly string[] = [
  'First version',
  'Corrections',
  'Talk with the customer',
  'Tests',
  'Clean-up',
];

/** Values of a generated board, and words for the titles of its tasks. */
interface BoardPlan {
  readonly title: string;
  readonly description: string;
  readonly kind: BoardKind;
  readonly currency: string;
  readonly color: string;
  readonly isPublic?: boolean;
  readonly isArchived?: boolean;
  readonly contactIds?: readonly number[];
  /** Roles by the number of the user. The first user has created the board. */
  readonly members: Readonly<Record<number, MemberRole>>;
  readonly taskCount: number;
  /** The title of a task is a verb and a thing. */
  readonly verbs: readonly string[];
  readonly things: readonly string[];
}

const M = 'manager';
const W = 'member';
const V = 'viewer';
const IDEA_VERBS = ['Allow', 'Support', 'Show', 'Remember', 'Export', 'Translate', 'Speed up'] as const;

/** The boards, in the order of their numbers. */
const BOARD_PLANS: readonly BoardPlan[] = [
  {
    title: 'Website relaunch',
    description: 'Everything until the new site is live, and the week after.',
    kind: 'kanban',
    currency: 'EUR',
    color: '#4c6ef5',
    contactIds: [1, 2, 3],
    members: { 1: M, 2: M, 3: W, 4: W, 5: W, 6: W, 10: V },
    taskCount: 40,
    verbs: ['Design', 'Write', 'Review', 'Measure', 'Fix', 'Move', 'Translate'],
    things: [
      'the start page',
      'the shop pages',
      'the contact form',
      'the navigation',
      'the search',
      'the imprint',
      'all redirects',
      'the image sizes',
      'the cookie notice',
    ],
  },
  {
    title: 'Mobile app',
    description: 'The companion app for phones, from the first sketch to the stores.',
    kind: 'kanban',
    currency: 'USD',
    color: '#12b886',
    contactIds: [4],
    members: { 1: M, 2: W, 3: V, 7: M, 8: W, 9: W },
    taskCount: 32,
    verbs: ['Sketch', 'Build', 'Test', 'Measure', 'Polish', 'Document'],
    things: [
      'the sign-in',
      'push notifications',
      'offline reading',
      'the settings screen',
      'the tab bar',
      'dark mode',
      'deep links',
      'the crash reports',
    ],
  },
  {
    title: 'Product roadmap',
    description: 'What we are building next. Vote for what you want.',
    kind: 'roadmap',
    currency: 'EUR',
    color: '#7950f2',
    isPublic: true,
    members: { 1: M, 2: M, 3: W, 4: W },
    taskCount: 26,
    verbs: IDEA_VERBS,
    things: [
      'boards in a calendar',
      'recurring tasks',
      'guests on a board',
      'time tracks as a table',
      'labels in every language',
      'keyboard shortcuts',
      'sorting by votes',
      'the archive',
    ],
  },
  {
    title: 'Editorial calendar',
    description: 'Posts, pictures and dates. Open to everybody who wants to look.',
    kind: 'kanban',
    currency: 'EUR',
    color: '#f76707',
    isPublic: true,
    contactIds: [3, 7],
    members: { 1: M, 4: M, 5: W, 11: W, 12: V },
    taskCount: 30,
    verbs: ['Draft', 'Edit', 'Illustrate', 'Schedule', 'Proofread', 'Announce'],
    things: [
      'the harbour walk',
      'a portrait of the baker',
      'the winter issue',
      'the interview',
      'ten small museums',
      'the newsletter',
      'the reader survey',
    ],
  },
  {
    title: 'Hiring',
    description: 'Applications, talks and offers. Confidential.',
    kind: 'kanban',
    currency: 'EUR',
    color: '#e64980',
    members: { 1: M, 10: M, 12: W },
    taskCount: 20,
    verbs: ['Read', 'Call', 'Invite', 'Answer', 'Prepare'],
    things: [
      'the designers',
      'the apprentices',
      'the job advert',
      'the second round',
      'the offer letter',
      'the first day',
    ],
  },
  {
    title: 'Customer onboarding',
    description: 'One task a customer and step, until they are on their own.',
    kind: 'kanban',
    currency: 'GBP',
    color: '#1098ad',
    contactIds: [1, 2, 4, 5, 6, 8],
    members: { 1: M, 2: M, 3: W, 6: W, 8: W, 9: V },
    taskCount: 34,
    verbs: ['Welcome', 'Train', 'Import data for', 'Check in with', 'Invoice', 'Visit'],
    things: [
      'Moreau & Fils',
      'Norrsken Bikes',
      'Torrefazione Bianchi',
      'Lagos Light',
      'Kiso Woodworks',
      'Harbour Ferries',
    ],
  },
  {
    title: 'Community wishes',
    description: 'Ideas from the people who use it every day. For members.',
    kind: 'roadmap',
    currency: 'EUR',
    color: '#ae3ec9',
    members: { 1: M, 3: W, 7: W, 9: M, 11: W },
    taskCount: 18,
    verbs: IDEA_VERBS,
    things: [
      'a map of members',
      'shared calendars',
      'photo albums',
      'a weekly digest',
      'events in a feed',
      'mentions',
    ],
  },
  {
    title: 'Office move',
    description: 'Done and dusted; kept to look things up.',
    kind: 'kanban',
    currency: 'EUR',
    color: '#868e96',
    isArchived: true,
    members: { 1: M, 2: W, 5: W },
    taskCount: 12,
    verbs: ['Pack', 'Label', 'Carry', 'Unpack', 'Sell'],
    things: ['the library', 'the kitchen', 'the meeting room', 'the server rack', 'the plants'],
  },
];

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
      text: random.pick(SEED_COMMENTS),
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
    text: random.pick(SEED_REPLIES),
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
        note: random.pick(SEED_NOTES),
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
  const { contactIds = [] } = plan;
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
    description: random.pick(SEED_DESCRIPTIONS),
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
  const title = (): string => `${random.pick(plan.verbs)} ${random.pick(plan.things)}`;
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
  const { isPublic = false, isArchived = false, contactIds = [] } = plan;
  const members = Object.entries(plan.members).map(
    ([userId, role]): Member => ({ userId: Number(userId), role, joinedAt: createdAt }),
  );
  const board: Board = {
    id,
    title: plan.title,
    description: plan.description,
    kind: plan.kind,
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
    ...SEED_USERS,
  ]);
  for (const contact of SEED_CONTACTS) state.contacts.set(nextId(state, 'contacts'), contact);
  const history: SeedActivity[] = [];
  for (const plan of BOARD_PLANS) seedBoard({ state, random, history }, plan);
  recordHistory(state, history);
  seedFolders(state);
  seedUserSettings(state);
  return state;
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
