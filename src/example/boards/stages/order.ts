import type { JsonObject } from '../../../json.ts';
import { ok } from '../../site/responses.ts';
import {
  activeStages,
  type Board,
  findStage,
  isSiteError,
  placeItem,
  recordActivity,
  renumberPositions,
} from '../model/index.ts';
import type { BoardRequest, BoardRoute, HandlerResult } from '../rest/index.ts';
import { invalidArgument, permit, refuseConflict, responseSchema, schema } from '../rest/index.ts';
import { STAGE_POSITION_ARG } from './args.ts';
import { stageResource, stageView } from './resource.ts';

const ORDER_SCHEMA: JsonObject = responseSchema('stage-order', 'The stages of a board.', {
  stages: schema.objects('All that are not archived, in their order.', stageView.properties),
});

/** Reordering all stages of a board at once. */
export const stageReorderingRoute: BoardRoute = stageResource.put(
  '/projects/{board_id:int}/re-position-stages',
  {
    schema: ORDER_SCHEMA,
    args: {
      stage_ids: schema.ids('Numbers of all stages that are not archived, in their new order.', {
        minItems: 1,
        uniqueItems: true,
        required: true,
      }),
    },
    permission: permit.members,
    handleCollection(request, board) {
      const { state, params } = request;
      const active = new Map(activeStages(state, board.id).map((stage) => [stage.id, stage]));
      const ids = params.integers('stage_ids');
      const ordered = ids.flatMap((id) => active.get(id) ?? []);
      if (ordered.length !== active.size || ids.length !== active.size) {
        return invalidArgument('stage_ids', 'Name every stage of the board that is not archived once.');
      }
      renumberPositions(ordered);
      const text = `put the stages in the order ${ordered.map(({ title }) => title).join(', ')}`;
      recordActivity(state, { boardId: board.id, action: 'moved', subject: 'stage', text }, request);
      return showOrder(request, board);
    },
  },
);

/** Moving one stage to another position. */
export const stageDraggingRoute: BoardRoute = stageResource.put('/projects/{board_id:int}/drag-stage', {
  schema: ORDER_SCHEMA,
  args: {
    stage_id: schema.id('Number of the stage.', { required: true }),
    position: {
      ...STAGE_POSITION_ARG,
      description: 'Its new place, 1 being the first. Beyond the end is the last.',
      required: true,
    },
  },
  permission: permit.members,
  handleCollection(request, board) {
    const { state, params } = request;
    const stage = findStage(state, board.id, params.integer('stage_id'));
    if (isSiteError(stage)) return invalidArgument('stage_id', stage.message);
    if (stage.archivedAt !== null) return refuseConflict('stage_archived', 'The stage is archived.');
    placeItem(activeStages(state, board.id), stage, params.integer('position'));
    const text = `moved the stage “${stage.title}” to place ${stage.position}`;
    stageResource.logChange(request, stage, { action: 'moved', text });
    return showOrder(request, board);
  },
});

function showOrder(request: BoardRequest, { id }: Board): HandlerResult {
  return ok({ stages: activeStages(request.state, id).map(stageView.createPresenter(request)) });
}
