import { type CallPair, refusedCall } from './expected-calls.ts';

const MINE = '/projects/1';
const FORBIDDEN = 'rest_forbidden';
const INVALID = 'rest_invalid_param';

export const LABEL_CASES: readonly CallPair[] = [
  [
    'GET /projects/{board_id:str}/labels',
    [
      null,
      '/projects/4/labels',
      200,
      { query: { search: 'urg' } },
      [{ title: 'Urgent', background_color: '#e03131' }],
    ],
    refusedCall(null, '/projects/abc/labels', 401, FORBIDDEN),
  ],
  [
    'POST /projects/{board_id:str}/labels',
    [
      'subscriber',
      `${MINE}/labels`,
      201,
      { body: { title: 'New', background_color: '#123456' } },
      { title: 'New', color: '#ffffff', task_count: 0 },
    ],
    refusedCall('subscriber', `${MINE}/labels`, 400, INVALID, { body: { background_color: 'red' } }),
  ],
  [
    'GET /projects/{board_id:str}/labels/used-in-tasks',
    ['subscriber', `${MINE}/labels/used-in-tasks`, 200, {}, [{ board_id: 1 }]],
    refusedCall('subscriber', '/projects/5/labels/used-in-tasks', 403, FORBIDDEN),
  ],
  [
    'POST /projects/{board_id:str}/labels/task',
    ['subscriber', `${MINE}/labels/task`, 200, { body: { task_id: 1, label_id: 2 } }, { id: 1 }],
    refusedCall('subscriber', `${MINE}/labels/task`, 400, INVALID, { body: { task_id: 1, label_id: 99 } }),
  ],
  [
    'PUT /projects/{board_id:str}/labels/{label_id:str}',
    [
      'subscriber',
      `${MINE}/labels/1`,
      200,
      { body: { title: 'Now' } },
      { id: 1, title: 'Now', background_color: '#e03131' },
    ],
    refusedCall('subscriber', `${MINE}/labels/first`, 404, 'label_not_found', { body: { title: 'Now' } }),
  ],
  [
    'DELETE /projects/{board_id:str}/labels/{label_id:str}',
    ['subscriber', `${MINE}/labels/1`, 200, {}, { deleted: true, previous: { id: 1 } }],
    refusedCall('subscriber', '/projects/2/labels/7', 403, FORBIDDEN),
  ],
  [
    'GET /projects/{board_id:str}/tasks/{task_id:str}/labels',
    ['subscriber', `${MINE}/tasks/{labelled}/labels`, 200, {}, [{ board_id: 1 }]],
    refusedCall('subscriber', `${MINE}/tasks/100/labels`, 404, 'task_not_found'),
  ],
  [
    'DELETE /projects/{board_id:str}/tasks/{task_id:str}/labels/{label_id:str}',
    ['subscriber', `${MINE}/tasks/{labelled}/labels/{its label}`, 200],
    refusedCall('subscriber', `${MINE}/tasks/1/labels/99`, 404, 'label_not_found'),
  ],
];

export const STAGE_CASES: readonly CallPair[] = [
  [
    'PUT /projects/{board_id:int}/stage-move-all-task',
    [
      'subscriber',
      `${MINE}/stage-move-all-task`,
      200,
      { body: { from_stage_id: 2, to_stage_id: 4 } },
      { to_stage_id: 4 },
    ],
    refusedCall('subscriber', `${MINE}/stage-move-all-task`, 400, INVALID, {
      body: { from_stage_id: 2, to_stage_id: 2 },
    }),
  ],
  [
    'POST /projects/{board_id:int}/stage-create',
    [
      'editor',
      `${MINE}/stage-create`,
      201,
      { body: { title: 'Next', position: 2, task_limit: 3, default_assignees: [3] } },
      { title: 'Next', slug: 'next', position: 2, task_limit: 3, default_assignees: [3] },
    ],
    refusedCall('editor', `${MINE}/stage-create`, 400, INVALID, { body: { title: '' } }),
  ],
  [
    'PUT /projects/{board_id:int}/stage/{stage_id:int}/sort-task',
    [
      'subscriber',
      `${MINE}/stage/1/sort-task`,
      200,
      { body: { orderby: 'priority', order: 'desc' } },
      { stage_id: 1 },
    ],
    refusedCall('subscriber', `${MINE}/stage/1/sort-task`, 400, INVALID, { body: { orderby: 'mood' } }),
  ],
  [
    'PUT /projects/{board_id:int}/stage/{stage_id:int}/archive-all-task',
    ['subscriber', `${MINE}/stage/1/archive-all-task`, 200, {}, { stage_id: 1 }],
    refusedCall('subscriber', `${MINE}/stage/99/archive-all-task`, 404, 'stage_not_found'),
  ],
  [
    'PUT /projects/{board_id:int}/re-position-stages',
    [
      'subscriber',
      `${MINE}/re-position-stages`,
      200,
      { body: { stage_ids: [5, 4, 3, 2, 1] } },
      { stages: [5, 4, 3, 2, 1].map((id, index) => ({ id, position: index + 1 })) },
    ],
    refusedCall('subscriber', `${MINE}/re-position-stages`, 400, INVALID, {
      body: { stage_ids: [5, 4, 3, 2] },
    }),
  ],
  [
    'PUT /projects/{board_id:int}/update-stage/{stage_id:str}',
    [
      'editor',
      `${MINE}/update-stage/1`,
      200,
      { body: { title: 'Ideas', default_status: null } },
      { title: 'Ideas', slug: 'backlog' },
    ],
    refusedCall('editor', `${MINE}/update-stage/backlog`, 404, 'stage_not_found', {
      body: { title: 'Ideas' },
    }),
  ],
  [
    'PUT /projects/{board_id:int}/update-stage-property/{stage_id:str}',
    [
      'editor',
      `${MINE}/update-stage-property/1`,
      200,
      { body: { property: 'task_limit', value: 12 } },
      { task_limit: 12 },
    ],
    refusedCall('editor', `${MINE}/update-stage-property/1`, 400, INVALID, {
      body: { property: 'task_limit', value: 0 },
    }),
  ],
  [
    'PUT /projects/{board_id:int}/archive-stage/{stage_id:str}',
    ['editor', `${MINE}/archive-stage/2`, 200, {}, { position: 0, task_count: 0 }],
    refusedCall('subscriber', `${MINE}/archive-stage/2`, 403, FORBIDDEN),
  ],
  [
    'PUT /projects/{board_id:int}/stage-view/{stage_id:str}',
    ['subscriber', `${MINE}/stage-view/1`, 200, { body: {} }, { is_folded: true }],
    refusedCall(null, '/projects/3/stage-view/12', 401, FORBIDDEN, { body: {} }),
  ],
  [
    'PUT /projects/{board_id:int}/restore-stage/{stage_id:str}',
    [
      'editor',
      `${MINE}/restore-stage/6`,
      200,
      { body: { position: 1 } },
      { id: 6, position: 1, archived_at: null },
    ],
    refusedCall('editor', `${MINE}/restore-stage/99`, 404, 'stage_not_found'),
  ],
  [
    'PUT /projects/{board_id:int}/drag-stage',
    [
      'subscriber',
      `${MINE}/drag-stage`,
      200,
      { body: { stage_id: 1, position: 3 } },
      {
        stages: [
          { id: 2, position: 1 },
          { id: 3, position: 2 },
          { id: 1, position: 3 },
          { id: 4, position: 4 },
          { id: 5, position: 5 },
        ],
      },
    ],
    refusedCall('subscriber', `${MINE}/drag-stage`, 400, 'rest_missing_callback_param', {
      body: { stage_id: 1 },
    }),
  ],
  [
    'GET /projects/{board_id:int}/archived-stages',
    ['subscriber', `${MINE}/archived-stages`, 200, {}, [{ id: 6, title: 'Someday' }]],
    refusedCall(null, '/projects/3/archived-stages', 401, FORBIDDEN),
  ],
  [
    'GET /projects/{board_id:int}/stage-task-available-positions/{stage_id:int}',
    ['subscriber', `${MINE}/stage-task-available-positions/6`, 200, {}, { stage_id: 6, positions: [1] }],
    refusedCall('subscriber', `${MINE}/stage-task-available-positions/7`, 404, 'stage_not_found'),
  ],
];
