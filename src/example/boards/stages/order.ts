import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/answers.ts';
import { STAGE_PROPERTIES } from '../boards/schema.ts';
import { showStage } from '../boards/view.ts';
import { place, renumber, stagesOf } from '../model/positions.ts';
import { findStage, isRefusal, record } from '../model/state.ts';
import type { Board } from '../model/types.ts';
import { permit } from '../rest/permissions.ts';
import { conflict, invalid } from '../rest/refusals.ts';
import { type Answer, type BoardRequest, type BoardRoute, route, withBoard } from '../rest/route.ts';
import { answersWhole } from '../tasks/schema.ts';
import { POSITION } from './args.ts';
import { noteStage } from './changes.ts';

const BOARD = '/projects/{board_id:int}';

const ORDER_SCHEMA: JsonObject = answersWhole('stage-order', 'The stages of a board.', {
  stages: {
    description: 'All that are not archived, in their order.',
    type: 'array',
    items: { type: 'object', properties: STAGE_PROPERTIES },
  },
});

/** Naming all stages in their new order. */
export const stageRepositioning: BoardRoute = route(
  `${BOARD}/re-position-stages`,
  [
    {
      methods: ['PUT'],
      args: {
        stage_ids: {
          description: 'Numbers of all stages that are not archived, in their new order.',
          type: 'array',
          items: { type: 'integer', minimum: 1 },
          minItems: 1,
          uniqueItems: true,
          required: true,
        },
      },
      permission: permit.members,
      handle: withBoard((request, board) => {
        const { state, params } = request;
        const stages = new Map(stagesOf(state, board.id).map((stage) => [stage.id, stage]));
        const ordered = params.integers('stage_ids').flatMap((id) => stages.get(id) ?? []);
        if (ordered.length !== stages.size || params.integers('stage_ids').length !== stages.size) {
          return invalid('stage_ids', 'Name every stage of the board that is not archived once.');
        }
        renumber(ordered);
        const text = `put the stages in the order ${ordered.map(({ title }) => title).join(', ')}`;
        record(state, { boardId: board.id, action: 'moved', subject: 'stage', text }, request);
        return answerStages(request, board);
      }),
    },
  ],
  ORDER_SCHEMA,
);

/** Moving one stage, for which the others make room. */
export const stageDragging: BoardRoute = route(
  `${BOARD}/drag-stage`,
  [
    {
      methods: ['PUT'],
      args: {
        stage_id: { description: 'Number of the stage.', type: 'integer', minimum: 1, required: true },
        position: {
          ...POSITION,
          description: 'Its new place, 1 being the first. Beyond the end is the last.',
          required: true,
        },
      },
      permission: permit.members,
      handle: withBoard((request, board) => {
        const { state, params } = request;
        const stage = findStage(state, board.id, params.integer('stage_id'));
        if (isRefusal(stage)) return invalid('stage_id', stage.message);
        if (stage.archivedAt !== null) return conflict('stage_archived', 'The stage is archived.');
        place(stagesOf(state, board.id), stage, params.integer('position'));
        noteStage(request, stage, 'moved', `moved the stage “${stage.title}” to place ${stage.position}`);
        return answerStages(request, board);
      }),
    },
  ],
  ORDER_SCHEMA,
);

function answerStages(request: BoardRequest, board: Board): Answer {
  return ok({ stages: stagesOf(request.state, board.id).map((stage) => showStage(request, stage)) });
}
