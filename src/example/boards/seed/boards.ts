import {
  archiveItem,
  type Board,
  DEFAULT_LABELS,
  DEFAULT_STAGES,
  type Label,
  nextId,
  renumber,
  type Stage,
  slugify,
  stagesOf,
  tasksOf,
} from '../model/index.ts';
import { findSeedUser, type SeedContext } from './context.ts';
import type { BoardPlan } from './plans.ts';
import { seedTask } from './tasks.ts';
import { daysAgo, randomTimestamp } from './timestamps.ts';

export function seedBoard(context: SeedContext, plan: BoardPlan): void {
  const { state, random } = context;
  const id = nextId(state, 'boards');
  const createdAt = randomTimestamp(random, daysAgo(150), daysAgo(120));
  const [creator = [1]] = plan.members;
  const board: Board = {
    id,
    title: plan.title,
    description: plan.description,
    kind: plan.kind,
    currency: plan.currency,
    background: { isImage: false, color: plan.color, imageUrl: null },
    members: plan.members.map(([userId, role]) => ({ userId, role, joinedAt: createdAt })),
    publicAccess: { enabled: plan.isPublic, showComments: plan.isPublic, showAssignees: false },
    contactIds: [...plan.contactIds],
    createdBy: creator[0],
    createdAt,
    updatedAt: createdAt,
    archivedAt: plan.isArchived ? daysAgo(20) : null,
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
  const labels = seedLabels(context, board);
  for (let count = 0; count < plan.tasks; count++) seedTask(context, { board, plan, stages, labels });
  for (const stage of stages) renumber(tasksOf(state, stage.id));
}

function seedStages({ state }: SeedContext, board: Board): Stage[] {
  const made = DEFAULT_STAGES[board.kind].map(([title, color, isDone], index): Stage => {
    const id = nextId(state, 'stages');
    return {
      id,
      boardId: board.id,
      title,
      slug: slugify(title),
      position: index + 1,
      color,
      defaultStatus: isDone ? 'closed' : null,
      defaultAssignees: [],
      taskLimit: title === 'In progress' && board.kind === 'kanban' ? 20 : null,
      archivedAt: null,
      archivedTaskIds: [],
    };
  });
  for (const stage of made) state.stages.set(stage.id, stage);
  if (board.id === 1) seedArchivedStage(state.stages, { ...board, stageId: nextId(state, 'stages') });
  return stagesOf(state, board.id);
}

/** Adds an archived stage, so that there is one to restore. */
function seedArchivedStage(
  stages: Map<number, Stage>,
  { id, stageId }: { id: number; stageId: number },
): void {
  const stage: Stage = {
    id: stageId,
    boardId: id,
    title: 'Someday',
    slug: 'someday',
    position: 0,
    color: '#ced4da',
    defaultStatus: null,
    defaultAssignees: [],
    taskLimit: null,
    archivedAt: null,
    archivedTaskIds: [],
  };
  archiveItem(stage, daysAgo(40));
  stages.set(stage.id, stage);
}

function seedLabels({ state }: SeedContext, board: Board): Label[] {
  return DEFAULT_LABELS.map(([title, color, backgroundColor]) => {
    const label: Label = { id: nextId(state, 'labels'), boardId: board.id, title, color, backgroundColor };
    state.labels.set(label.id, label);
    return label;
  });
}
