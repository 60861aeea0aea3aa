import type { Random } from '../../site/random.ts';
import {
  archive,
  type Board,
  type Label,
  nextId,
  type Stage,
  type Task,
  type TaskPriority,
  tasksOnBoard,
  uniqueSlug,
} from '../model/index.ts';
import { type Making, userOf } from './history.ts';
import type { BoardPlan } from './plans.ts';
import { makeTalk } from './talk.ts';
import { makeTimeTracks } from './time-tracks.ts';
import { between, daysAgo, later } from './times.ts';
import { DESCRIPTIONS } from './words.ts';

export interface Place {
  readonly board: Board;
  readonly plan: BoardPlan;
  readonly stages: readonly Stage[];
  readonly labels: readonly Label[];
}

/** Few are urgent. */
const PRIORITIES: readonly TaskPriority[] = ['low', 'low', 'medium', 'medium', 'medium', 'high', 'urgent'];
const DAY_MINUTES = 1440;

/** A task or idea with all that belongs to it. */
export function makeTask(making: Making, place: Place): void {
  const { state, random, history } = making;
  const task = newTask(making, place);
  state.tasks.set(task.id, task);
  const subject = task.type;
  const here = { boardId: task.boardId, taskId: task.id, user: userOf(state, task.createdBy) };
  history.push({
    ...here,
    action: 'created',
    subject,
    text: `created “${task.title}”`,
    at: task.createdAt,
  });
  makeTalk(making, place, task);
  if (task.type === 'task') makeTimeTracks(making, task);
  else makeVotes(making, task);
  if (task.completedAt !== null) {
    history.push({
      ...here,
      action: 'completed',
      subject,
      text: `completed “${task.title}”`,
      at: task.completedAt,
    });
  }
  if (random.chance(0.08)) {
    archive(task, between(random, task.completedAt ?? task.createdAt, daysAgo(0)));
    history.push({
      ...here,
      action: 'archived',
      subject,
      text: `archived “${task.title}”`,
      at: task.archivedAt ?? daysAgo(0),
    });
  }
}

function newTask({ state, random }: Making, { board, plan, stages, labels }: Place): Task {
  const title = unusedTitle(random, plan, new Set(tasksOnBoard(state, board.id).map((task) => task.title)));
  const slugs = new Set(tasksOnBoard(state, board.id).map((task) => task.slug));
  const stage = random.pick(stages);
  const createdAt = between(random, daysAgo(110), daysAgo(2));
  const isDone = stage.defaultStatus === 'closed';
  const isIdea = board.kind === 'roadmap';
  const workers = board.members.filter((member) => member.role !== 'viewer').map((member) => member.userId);
  const completedAt = isDone ? between(random, createdAt, daysAgo(0)) : null;
  return {
    id: nextId(state, 'tasks'),
    boardId: board.id,
    stageId: stage.id,
    type: isIdea ? 'idea' : 'task',
    title,
    slug: uniqueSlug(title, slugs),
    description: random.pick(DESCRIPTIONS),
    status: isDone ? 'closed' : 'open',
    priority: random.pick(PRIORITIES),
    position: tasksOnBoard(state, board.id).length + 1,
    assignees: isIdea ? [] : random.sample(workers, random.integer(0, 2)),
    labels: random.sample(labels, random.pick([0, 0, 1, 1, 2])).map((label) => label.id),
    startsAt: !isIdea && random.chance(0.4) ? later(createdAt, DAY_MINUTES) : null,
    dueAt: !isIdea && random.chance(0.6) ? between(random, createdAt, daysAgo(-30)) : null,
    remindAt: null,
    cover: random.chance(0.15)
      ? { color: random.pick(['#ffd43b', '#74c0fc', '#8ce99a']), imageUrl: null }
      : null,
    contactId: plan.contactIds.length > 0 && random.chance(0.4) ? random.pick(plan.contactIds) : null,
    supportTicketId: !isIdea && random.chance(0.1) ? random.integer(1000, 1999) : null,
    estimatedMinutes: isIdea ? 0 : random.pick([0, 0, 60, 120, 240, 480]),
    createdBy: random.pick(workers),
    createdAt,
    updatedAt: createdAt,
    completedAt,
    archivedAt: null,
  };
}

/** Tries a few pairs of words, then numbers one. */
function unusedTitle(random: Random, plan: BoardPlan, taken: ReadonlySet<string>): string {
  const title = (): string => `${random.pick(plan.verbs)} ${random.pick(plan.things)}`;
  for (let tries = 0; tries < 20; tries++) {
    const made = title();
    if (!taken.has(made)) return made;
  }
  return `${title()}, part ${taken.size + 1}`;
}

function makeVotes({ state, random, history }: Making, idea: Task): void {
  const voters = random.sample(state.users, random.integer(0, state.users.length));
  for (const user of voters) {
    const at = between(random, idea.createdAt, daysAgo(0));
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
