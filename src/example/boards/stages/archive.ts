import { ok } from '../../site/answers.ts';
import { STAGE_SCHEMA } from '../boards/schema.ts';
import { showStage } from '../boards/view.ts';
import { archive, place, renumber, stagesOf, tasksOf } from '../model/positions.ts';
import { moment } from '../model/state.ts';
import type { Board, Stage } from '../model/types.ts';
import { permit } from '../rest/permissions.ts';
import { conflict } from '../rest/refusals.ts';
import {
  type Answer,
  type BoardRequest,
  type BoardRoute,
  route,
  withBoard,
  withStage,
} from '../rest/route.ts';
import { insiders } from '../tasks/permissions.ts';
import { POSITION } from './args.ts';
import { noteStage } from './changes.ts';

const BOARD = '/projects/{board_id:int}';

/** Hiding a stage with the tasks that stand in it. */
export const stageArchiving: BoardRoute = route(
  `${BOARD}/archive-stage/{stage_id:str}`,
  [{ methods: ['PUT'], permission: permit.managers, handle: withStage(archiveStage) }],
  STAGE_SCHEMA,
);

/** Bringing a stage back, at the end of the board or at a place, with the tasks that went with it. */
export const stageRestoring: BoardRoute = route(
  `${BOARD}/restore-stage/{stage_id:str}`,
  [
    {
      methods: ['PUT'],
      args: { position: POSITION },
      permission: permit.managers,
      handle: withStage(restoreStage),
    },
  ],
  STAGE_SCHEMA,
);

/** The stages that can be brought back, the last archived first. */
export const archivedStages: BoardRoute = route(
  `${BOARD}/archived-stages`,
  [
    {
      methods: ['GET'],
      permission: insiders,
      handle: withBoard((request, board) => {
        const found = [...request.state.stages.values()].filter(
          (stage) => stage.boardId === board.id && stage.archivedAt !== null,
        );
        found.sort((one, other) => (other.archivedAt ?? '').localeCompare(one.archivedAt ?? ''));
        return ok(found.map((stage) => showStage(request, stage)));
      }),
    },
  ],
  STAGE_SCHEMA,
);

function archiveStage(request: BoardRequest, stage: Stage, board: Board): Answer {
  const { state, now } = request;
  if (stage.archivedAt !== null) return ok(showStage(request, stage));
  if (stagesOf(state, board.id).length === 1) {
    return conflict('last_stage', 'A board needs a stage: make another one first.');
  }
  const standing = tasksOf(state, stage.id);
  stage.archivedTaskIds = standing.map(({ id }) => id);
  for (const task of standing) archive(task, moment(now));
  archive(stage, moment(now));
  renumber(stagesOf(state, board.id));
  noteStage(request, stage, 'archived', `archived the stage “${stage.title}”`);
  return ok(showStage(request, stage));
}

function restoreStage(request: BoardRequest, stage: Stage, board: Board): Answer {
  const { state, params } = request;
  if (stage.archivedAt === null) return ok(showStage(request, stage));
  stage.archivedAt = null;
  place(stagesOf(state, board.id), stage, params.integer('position'));
  // Tasks that were restored on their own stand elsewhere by now; deleted ones are gone.
  const returning = stage.archivedTaskIds.flatMap((id) => state.tasks.get(id) ?? []);
  for (const task of returning) {
    if (task.stageId !== stage.id || task.archivedAt === null) continue;
    task.archivedAt = null;
    place(tasksOf(state, stage.id), task);
  }
  stage.archivedTaskIds = [];
  noteStage(request, stage, 'restored', `restored the stage “${stage.title}”`);
  return ok(showStage(request, stage));
}
