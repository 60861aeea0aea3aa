import { ok } from '../../site/answers.ts';
import { addStage } from '../boards/create.ts';
import { STAGE_SCHEMA } from '../boards/schema.ts';
import { showStage } from '../boards/view.ts';
import { place, stagesOf, tasksOf } from '../model/positions.ts';
import { findTask, isRefusal, personal } from '../model/state.ts';
import type { Board } from '../model/types.ts';
import { choice } from '../rest/choices.ts';
import { permit } from '../rest/permissions.ts';
import {
  type Answer,
  type BoardRequest,
  type BoardRoute,
  route,
  withBoard,
  withStage,
} from '../rest/route.ts';
import { insiders } from '../tasks/permissions.ts';
import { answersWhole } from '../tasks/schema.ts';
import { POSITION, STAGE_FIELDS } from './args.ts';
import { noteStage, readStageChange, readStageChanges, STAGE_PROPERTIES } from './changes.ts';

const BOARD = '/projects/{board_id:int}';

/** Making a stage. */
export const stageCreation: BoardRoute = route(
  `${BOARD}/stage-create`,
  [
    {
      methods: ['POST'],
      args: { ...STAGE_FIELDS, title: { ...STAGE_FIELDS['title'], required: true }, position: POSITION },
      permission: permit.managers,
      handle: withBoard(createStage),
    },
  ],
  STAGE_SCHEMA,
);

function createStage(request: BoardRequest, board: Board): Answer {
  const { state, params } = request;
  const changes = readStageChanges(request, board);
  if (!Array.isArray(changes)) return changes;
  const stage = addStage(state, board, { title: params.string('title', '').trim() });
  for (const change of changes) change(stage);
  place(stagesOf(state, board.id), stage, params.integer('position'));
  noteStage(request, stage, 'created', `made the stage “${stage.title}”`);
  return ok(showStage(request, stage));
}

/** Changing a stage. */
export const stageUpdates: readonly BoardRoute[] = [
  route(
    `${BOARD}/update-stage/{stage_id:str}`,
    [
      {
        methods: ['PUT'],
        args: STAGE_FIELDS,
        permission: permit.managers,
        handle: withStage((request, stage, board) => {
          const changes = readStageChanges(request, board);
          if (!Array.isArray(changes)) return changes;
          for (const change of changes) change(stage);
          noteStage(request, stage, 'updated', `changed the stage “${stage.title}”`);
          return ok(showStage(request, stage));
        }),
      },
    ],
    STAGE_SCHEMA,
  ),
  route(
    `${BOARD}/update-stage-property/{stage_id:str}`,
    [
      {
        methods: ['PUT'],
        args: {
          property: {
            description: 'Which property.',
            type: 'string',
            enum: STAGE_PROPERTIES,
            required: true,
          },
          value: {
            description: 'What it becomes: as in update-stage. Absent or null: none.',
            type: ['string', 'integer', 'array', 'null'],
            items: { type: 'integer', minimum: 1 },
          },
        },
        permission: permit.managers,
        handle: withStage((request, stage, board) => {
          const property = choice(request.params, 'property', STAGE_PROPERTIES) ?? 'title';
          const change = readStageChange(request, board, property, 'value');
          if (typeof change !== 'function') return change;
          change(stage);
          noteStage(
            request,
            stage,
            'updated',
            `changed the ${property.replace('_', ' ')} of “${stage.title}”`,
          );
          return ok(showStage(request, stage));
        }),
      },
    ],
    STAGE_SCHEMA,
  ),
];

/** Folding a stage, for oneself. */
export const stageView: BoardRoute = route(
  `${BOARD}/stage-view/{stage_id:str}`,
  [
    {
      methods: ['PUT'],
      args: {
        folded: {
          description: 'Whether the caller sees its head alone. Absent: the other of what it is.',
          type: 'boolean',
        },
      },
      permission: insiders,
      handle: withStage((request, stage) => {
        const { foldedStages } = personal(request.state, request.user?.id ?? 0);
        if (request.params.boolean('folded', !foldedStages.has(stage.id))) foldedStages.add(stage.id);
        else foldedStages.delete(stage.id);
        return ok(showStage(request, stage));
      }),
    },
  ],
  STAGE_SCHEMA,
);

/** Where a task can go. */
export const stagePositions: BoardRoute = route(
  `${BOARD}/stage-task-available-positions/{stage_id:int}`,
  [
    {
      methods: ['GET'],
      args: {
        task_id: {
          description: 'The task that is to be moved, which makes no place more where it stands already.',
          type: 'integer',
          minimum: 1,
        },
      },
      permission: insiders,
      handle: withStage(({ state, params }, stage, board) => {
        const task = params.has('task_id') ? findTask(state, board.id, params.integer('task_id')) : undefined;
        if (task !== undefined && isRefusal(task)) return task;
        const standing = tasksOf(state, stage.id);
        const places = standing.length + (standing.some(({ id }) => id === task?.id) ? 0 : 1);
        return ok({
          stage_id: stage.id,
          positions: Array.from({ length: places }, (_, index) => index + 1),
        });
      }),
    },
  ],
  answersWhole('stage-positions', 'The places of a stage that a task can take.', {
    stage_id: { description: 'Number of the stage.', type: 'integer' },
    positions: { description: 'Its places from 1.', type: 'array', items: { type: 'integer' } },
  }),
);
