import type { SeededRandom } from '../../site/random.ts';
import type { ActivityAction, Task, TaskPriority, Timestamp } from '../model/index.ts';
import { allTasksOnBoard, archiveItem, createUniqueSlug, nextId } from '../model/index.ts';
import type { BoardPlan } from './board-plans.ts';
import { seedComments } from './comments.ts';
import { findSeedUser, type SeedContext, type SeededBoard } from './context.ts';
import { SEED_DESCRIPTIONS } from './texts.ts';
import { seedTimeTracks } from './time-tracks.ts';
import { addMinutesUntilSeedEnd, daysBeforeSeedEnd, randomTimestamp } from './timestamps.ts';

/** Weighted: few tasks are urgent. */
const PRIORITIES: readonly TaskPriority[] = ['low', 'low', 'medium', 'medium', 'medium', 'high', 'urgent'];
const DAY_MINUTES = 1440;

/** Adds a task or an idea with its comments and its time tracks or votes. */
export function seedTask(context: SeedContext, seeded: SeededBoard): void {
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
