import { addDefaultLabels, addDefaultStages, addStage } from '../boards/create.ts';
import type { Board, Member, Stage } from '../model/index.ts';
import {
  activeStages,
  activeTasksInStage,
  archiveItem,
  labelsOnBoard,
  nextId,
  renumberPositions,
} from '../model/index.ts';
import type { BoardPlan } from './board-plans.ts';
import { findSeedUser, type SeedContext } from './context.ts';
import { seedTask } from './tasks.ts';
import { daysBeforeSeedEnd, randomTimestamp } from './timestamps.ts';

export function seedBoard(context: SeedContext, plan: BoardPlan): void {
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
