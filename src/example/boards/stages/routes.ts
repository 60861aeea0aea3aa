import { ok } from '../../site/responses.ts';
import { addStage } from '../boards/create.ts';
import {
  activeStages,
  activeTasksInStage,
  archiveItem,
  findTask,
  isSiteError,
  placeItem,
  renumberPositions,
  toTimestamp,
  userSettings,
} from '../model/index.ts';
import { type BoardRoute, enumParam, permit, refuseConflict, responseSchema, schema } from '../rest/index.ts';
import { STAGE_ARGS, STAGE_POSITION_ARG } from './args.ts';
import { readStageChange, readStageProperty, STAGE_PROPERTIES } from './changes.ts';
import { stageDraggingRoute, stageReorderingRoute } from './order.ts';
import { stageResource } from './resource.ts';
import { stageEmptyingRoute, stageMovingRoute, stageSortingRoute } from './tasks.ts';

const BOARD = '/projects/{board_id:int}';

const creation = stageResource.post(`${BOARD}/stage-create`, {
  args: {
    ...STAGE_ARGS,
    title: { ...STAGE_ARGS['title'], required: true },
    position: STAGE_POSITION_ARG,
  },
  create(request, board) {
    const { state, params } = request;
    const change = readStageChange(request, board);
    if (isSiteError(change)) return change;
    const stage = addStage(state, board, { title: params.string('title', '').trim(), ...change });
    placeItem(activeStages(state, board.id), stage, params.integer('position'));
    stageResource.logChange(request, stage, { action: 'created', text: `made the stage “${stage.title}”` });
    return stage;
  },
  location: (_stage, board) => `/projects/${board.id}`,
});

const updates = [
  stageResource.put(`${BOARD}/update-stage/{stage_id:str}`, {
    args: STAGE_ARGS,
    change(request, stage, board) {
      const change = readStageChange(request, board);
      if (isSiteError(change)) return change;
      Object.assign(stage, change);
      return { action: 'updated', text: `changed the stage “${stage.title}”` };
    },
  }),
  stageResource.put(`${BOARD}/update-stage-property/{stage_id:str}`, {
    args: {
      property: schema.enumeration('Which property.', STAGE_PROPERTIES, { required: true }),
      value: {
        description: 'What it becomes: as in update-stage. Absent or null: none.',
        type: ['string', 'integer', 'array', 'null'],
        items: { type: 'integer', minimum: 1 },
      },
    },
    change(request, stage, board) {
      const property = enumParam(request.params, 'property', STAGE_PROPERTIES) ?? 'title';
      const change = readStageProperty(request, board, property, 'value');
      if (isSiteError(change)) return change;
      Object.assign(stage, change);
      return {
        action: 'updated',
        text: `changed the ${property.replace('_', ' ')} of “${stage.title}”`,
      };
    },
  }),
];

/** Archiving hides a stage with the tasks in it. */
const archiving = stageResource.put(`${BOARD}/archive-stage/{stage_id:str}`, {
  change({ state, now }, stage, board) {
    if (stage.archivedAt !== null) return undefined;
    if (activeStages(state, board.id).length === 1) {
      return refuseConflict('last_stage', 'A board needs a stage: make another one first.');
    }
    const tasks = activeTasksInStage(state, stage.id);
    stage.archivedTaskIds = tasks.map(({ id }) => id);
    for (const item of [...tasks, stage]) archiveItem(item, toTimestamp(now));
    renumberPositions(activeStages(state, board.id));
    return { action: 'archived', text: `archived the stage “${stage.title}”` };
  },
});

/** Collapsing a stage concerns only the user who does it. */
const collapsing = stageResource.put(`${BOARD}/stage-view/{stage_id:str}`, {
  args: {
    folded: schema.boolean('Whether the caller sees its head alone. Absent: the other of what it is.'),
  },
  permission: permit.anyMember,
  allowsArchivedBoard: true,
  change({ state, user, params }, { id }) {
    const { foldedStages } = userSettings(state, user?.id ?? 0);
    if (params.boolean('folded', !foldedStages.has(id))) foldedStages.add(id);
    else foldedStages.delete(id);
    return undefined;
  },
});

/** Restores a stage with the tasks that were archived with it. */
const restoring = stageResource.put(`${BOARD}/restore-stage/{stage_id:str}`, {
  args: { position: STAGE_POSITION_ARG },
  change({ state, params }, stage, board) {
    if (stage.archivedAt === null) return undefined;
    stage.archivedAt = null;
    placeItem(activeStages(state, board.id), stage, params.integer('position'));
    // Tasks that were restored by themselves or deleted since then do not return.
    const tasks = stage.archivedTaskIds.flatMap((id) => state.tasks.get(id) ?? []);
    for (const task of tasks) {
      if (task.stageId !== stage.id || task.archivedAt === null) continue;
      task.archivedAt = null;
      placeItem(activeTasksInStage(state, stage.id), task);
    }
    stage.archivedTaskIds = [];
    return { action: 'restored', text: `restored the stage “${stage.title}”` };
  },
});

const archivedStages = stageResource.get(`${BOARD}/archived-stages`, {
  listAll: ({ state }, board) =>
    [...state.stages.values()]
      .filter(({ boardId, archivedAt }) => boardId === board.id && archivedAt !== null)
      .sort((one, other) => (other.archivedAt ?? '').localeCompare(one.archivedAt ?? '')),
});

const availablePositions = stageResource.get(`${BOARD}/stage-task-available-positions/{stage_id:int}`, {
  schema: responseSchema('stage-positions', 'The places of a stage that a task can take.', {
    stage_id: schema.integer('Number of the stage.'),
    positions: schema.array('Its places from 1.', { type: 'integer' }),
  }),
  args: {
    task_id: schema.id('The task that is to be moved, which makes no place more where it stands already.'),
  },
  handleItem({ state, params }, stage, board) {
    const task = params.has('task_id') ? findTask(state, board.id, params.integer('task_id')) : undefined;
    if (isSiteError(task)) return task;
    const tasks = activeTasksInStage(state, stage.id);
    const length = tasks.some(({ id }) => id === task?.id) ? tasks.length : tasks.length + 1;
    return ok({ stage_id: stage.id, positions: Array.from({ length }, (_, index) => index + 1) });
  },
});

/** Routes of stages, in the order in which the site registers them. */
export const stageRoutes: readonly BoardRoute[] = [
  stageMovingRoute,
  creation,
  stageSortingRoute,
  stageEmptyingRoute,
  stageReorderingRoute,
  ...updates,
  archiving,
  collapsing,
  restoring,
  stageDraggingRoute,
  archivedStages,
  availablePositions,
];
