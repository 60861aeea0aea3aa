import { created, ok, refuse } from '../../site/answers.ts';
import { findStage, isRefusal } from '../model/state.ts';
import { permit } from '../rest/permissions.ts';
import { type BoardRoute, route, withBoard, withTask } from '../rest/route.ts';
import { POSITION, STAGE_ID, TASK_FIELDS, TITLE } from './args.ts';
import { changeTask } from './changes.ts';
import { makeTask, stageFor } from './create.ts';
import { readTaskFields } from './fields.ts';
import { deleteTask, moveTask } from './moves.ts';
import { withVisibleTask } from './permissions.ts';
import { TASK_SCHEMA } from './schema.ts';
import { showTask } from './view.ts';

const TASK = '/projects/{board_id:int}/tasks/{task_id:int}';

/** Making one. */
export const taskCreation: BoardRoute = route(
  '/projects/{board_id:str}/tasks',
  [
    {
      methods: ['POST'],
      args: {
        ...TASK_FIELDS,
        title: { ...TITLE, required: true },
        stage_id: { ...STAGE_ID, description: 'Stage that it starts in. Absent: the first of the board.' },
        position: POSITION,
      },
      permission: permit.members,
      handle: withBoard((request, board) => {
        const stage = stageFor(request, board);
        if (isRefusal(stage)) return stage;
        const fields = readTaskFields(request, board);
        if (isRefusal(fields)) return fields;
        const title = fields.title ?? '';
        const task = makeTask(
          request,
          board,
          stage,
          { ...fields, title },
          { position: request.params.integer('position') },
        );
        if (isRefusal(task)) return task;
        return created(
          showTask(request, task),
          request.link(`/boards/v2/projects/${board.id}/tasks/${task.id}`),
        );
      }),
    },
  ],
  TASK_SCHEMA,
);

/** Reading, changing and deleting one; letting go of its ticket. */
export const taskItems: readonly BoardRoute[] = [
  route(
    TASK,
    [
      {
        methods: ['GET'],
        permission: permit.viewers,
        handle: withVisibleTask((request, task) => ok(showTask(request, task))),
      },
      {
        methods: ['PUT'],
        args: {
          ...TASK_FIELDS,
          stage_id: { ...STAGE_ID, description: 'Stage to move it to. Absent: it stays.' },
          position: POSITION,
        },
        permission: permit.members,
        handle: withTask((request, task, board) => {
          const fields = readTaskFields(request, board, task);
          if (isRefusal(fields)) return fields;
          if (request.params.has('stage_id') || request.params.has('position')) {
            const stage = request.params.has('stage_id')
              ? stageFor(request, board)
              : findStage(request.state, board.id, task.stageId);
            if (isRefusal(stage)) return stage;
            const refused = moveTask(request, task, stage, request.params.integer('position'));
            if (refused !== undefined) return refused;
          }
          changeTask(request, task, fields);
          return ok(showTask(request, task));
        }),
      },
      {
        methods: ['DELETE'],
        permission: permit.members,
        handle: withTask((request, task) => {
          const previous = showTask(request, task);
          deleteTask(request, task);
          return ok({ deleted: true, previous });
        }),
      },
    ],
    TASK_SCHEMA,
  ),
  route(
    `${TASK}/support-ticket`,
    [
      {
        methods: ['DELETE'],
        permission: permit.members,
        handle: withTask((request, task) => {
          if (task.supportTicketId === null)
            return refuse(404, 'ticket_not_found', 'The task came from no support ticket.');
          changeTask(request, task, { supportTicketId: null });
          return ok(showTask(request, task));
        }),
      },
    ],
    TASK_SCHEMA,
  ),
];
