import { PNG } from './board-client.ts';
import { type CallPair, refusedCall } from './expected-calls.ts';

const MINE = '/projects/1';
const FORBIDDEN = 'rest_forbidden';
const INVALID = 'rest_invalid_param';
const NOT_LOGGED_IN = 'rest_not_logged_in';

const png = { name: 'beach.PNG', type: 'image/png', bytes: PNG };
const page = { name: 'evil.png', type: 'image/png', bytes: new TextEncoder().encode('<script>') };

/** Lists of boards. */
const LISTS: readonly CallPair[] = [
  [
    'GET /projects',
    [
      null,
      '/projects',
      200,
      { query: { orderby: 'title', order: 'asc' } },
      [{ title: 'Editorial calendar' }, { title: 'Product roadmap' }],
    ],
    refusedCall(null, '/projects', 400, INVALID, { query: { per_page: 0 } }),
  ],
  [
    'POST /projects',
    [
      'editor',
      '/projects',
      201,
      { body: { title: 'Summer', stages: ['Now', 'Later'], folder_id: 1 } },
      {
        title: 'Summer',
        role: 'manager',
        stages: [
          { title: 'Now', position: 1 },
          { title: 'Later', default_status: 'closed' },
        ],
      },
    ],
    refusedCall('subscriber', '/projects', 403, 'rest_cannot_create', { body: { title: 'Summer' } }),
  ],
  [
    'GET /projects/get-default-board-colors',
    ['subscriber', '/projects/get-default-board-colors', 200, {}, [{ name: 'Indigo', value: '#4c6ef5' }]],
    refusedCall(null, '/projects/get-default-board-colors', 401, NOT_LOGGED_IN),
  ],
  [
    'GET /projects/list-of-boards',
    [
      'editor',
      '/projects/list-of-boards',
      200,
      { query: { type: 'roadmap' } },
      [{ id: 3, title: 'Product roadmap', type: 'roadmap' }],
    ],
    refusedCall('editor', '/projects/list-of-boards', 400, INVALID, { query: { type: 'scrum' } }),
  ],
  [
    'GET /projects/user-accessible-boards',
    [
      'subscriber',
      '/projects/user-accessible-boards',
      200,
      { query: { per_page: 1 } },
      [{ status: 'active' }],
    ],
    refusedCall(null, '/projects/user-accessible-boards', 401, NOT_LOGGED_IN),
  ],
  [
    'GET /projects/currencies',
    ['subscriber', '/projects/currencies', 200, {}, [{ code: 'AUD', symbol: 'A$' }]],
    refusedCall(null, '/projects/currencies', 401, NOT_LOGGED_IN),
  ],
  [
    'GET /projects/user-admin-in-boards',
    ['editor', '/projects/user-admin-in-boards', 200, {}, [{ id: 1 }, { id: 3 }, { id: 6 }]],
    refusedCall(null, '/projects/user-admin-in-boards', 401, NOT_LOGGED_IN),
  ],
  [
    'GET /projects/recent-boards',
    ['editor', '/projects/recent-boards', 200, {}, [{ id: 1 }, { id: 2 }]],
    refusedCall('editor', '/projects/recent-boards', 400, INVALID, { query: { limit: 51 } }),
  ],
  [
    'GET /projects/pinned-boards',
    ['admin', '/projects/pinned-boards', 200, { query: { limit: 1 } }, [{ id: 1, is_pinned: true }]],
    refusedCall(null, '/projects/pinned-boards', 401, NOT_LOGGED_IN),
  ],
  [
    'GET /projects/crm-associated-boards/{associated_id:int}',
    ['editor', '/projects/crm-associated-boards/4', 200, { query: { per_page: 2 } }, [{}, {}]],
    refusedCall('editor', '/projects/crm-associated-boards/99', 404, 'contact_not_found'),
  ],
  [
    'POST /projects/onboard',
    ['editor', '/projects/onboard', 201, { body: {} }, { title: 'My first board', stage_count: 5 }],
    refusedCall('subscriber', '/projects/onboard', 403, 'rest_cannot_create', { body: {} }),
  ],
  [
    'PUT /projects/skip-onboarding',
    ['subscriber', '/projects/skip-onboarding', 200, {}, { status: 'skipped' }],
    refusedCall(null, '/projects/skip-onboarding', 401, NOT_LOGGED_IN),
  ],
];

/** A single board. */
const ITEM: readonly CallPair[] = [
  [
    'GET /projects/{board_id:int}',
    [null, '/projects/3', 200, {}, { title: 'Product roadmap', role: null, members: [], created_by: null }],
    refusedCall(null, MINE, 401, FORBIDDEN),
  ],
  [
    'PUT /projects/{board_id:int}',
    [
      'editor',
      MINE,
      200,
      { body: { title: ' Relaunch ', currency: 'CHF', color: '#000' } },
      { title: 'Relaunch', currency: 'CHF', background: { color: '#000' } },
    ],
    refusedCall('subscriber', MINE, 403, FORBIDDEN, { body: { title: 'Mine' } }),
  ],
  [
    'DELETE /projects/{board_id:int}',
    ['editor', MINE, 200, {}, { deleted: true, previous: { id: 1 } }],
    refusedCall('editor', '/projects/2', 403, FORBIDDEN),
  ],
  [
    'GET /projects/{board_id:int}/has-data-changed',
    [
      'subscriber',
      `${MINE}/has-data-changed`,
      200,
      { query: { since: '2020-01-01T00:00:00Z' } },
      { changed: true },
    ],
    refusedCall('subscriber', `${MINE}/has-data-changed`, 400, 'rest_missing_callback_param'),
  ],
  [
    'PUT /projects/{board_id:int}/update-board-properties',
    [
      'editor',
      `${MINE}/update-board-properties`,
      200,
      { body: { property: 'currency', value: 'JPY' } },
      { currency: 'JPY' },
    ],
    refusedCall('editor', `${MINE}/update-board-properties`, 400, INVALID, {
      body: { property: 'currency', value: 'DEM' },
    }),
  ],
  [
    'PUT /projects/{board_id:str}/pin-board',
    ['subscriber', '/projects/4/pin-board', 200, {}, { id: 4, is_pinned: true }],
    refusedCall('subscriber', '/projects/5/pin-board', 403, FORBIDDEN),
  ],
  [
    'PUT /projects/{board_id:str}/unpin-board',
    ['admin', `${MINE}/unpin-board`, 200, {}, { is_pinned: false }],
    refusedCall('admin', '/projects/none/unpin-board', 404, 'board_not_found'),
  ],
  [
    'PUT /projects/{board_id:int}/archive-board',
    ['editor', `${MINE}/archive-board`, 200, {}, { status: 'archived' }],
    refusedCall('subscriber', `${MINE}/archive-board`, 403, FORBIDDEN),
  ],
  [
    'PUT /projects/{board_id:int}/restore-board',
    ['admin', '/projects/8/restore-board', 200, {}, { status: 'active', archived_at: null }],
    refusedCall(null, '/projects/8/restore-board', 401, FORBIDDEN),
  ],
  [
    'POST /projects/{board_id:int}/duplicate-board',
    [
      'editor',
      `${MINE}/duplicate-board`,
      201,
      { body: {} },
      { id: 9, title: 'Website relaunch (copy)', stage_count: 5 },
    ],
    refusedCall('subscriber', `${MINE}/duplicate-board`, 403, 'rest_cannot_create', { body: {} }),
  ],
  [
    'POST /projects/{board_id:int}/import-from-board',
    [
      'editor',
      `${MINE}/import-from-board`,
      200,
      { body: { source_board_id: 3, include: ['stages'] } },
      { stage_count: 9 },
    ],
    refusedCall('editor', `${MINE}/import-from-board`, 400, INVALID, { body: { source_board_id: 5 } }),
  ],
  [
    'PUT /projects/{board_id:int}/upload/background',
    [
      'editor',
      `${MINE}/upload/background`,
      200,
      { body: { color: '#fff' } },
      { background: { is_image: false, color: '#fff', image_url: null } },
    ],
    refusedCall('editor', `${MINE}/upload/background`, 404, 'image_not_found', { body: { image_id: 9 } }),
  ],
  [
    'POST /projects/{board_id:int}/upload/background-image',
    [
      'editor',
      `${MINE}/upload/background-image`,
      201,
      { file: png },
      { name: 'beach.png', mime_type: 'image/png', size: PNG.length },
    ],
    refusedCall('editor', `${MINE}/upload/background-image`, 400, 'rest_upload_unknown_type', { file: page }),
  ],
];

/** Members, contacts, public access and notifications of a board. */
const PEOPLE: readonly CallPair[] = [
  [
    'GET /projects/{board_id:str}/users',
    [
      'subscriber',
      `${MINE}/users`,
      200,
      { query: { role: 'viewer' } },
      [{ id: 10, name: 'Ingrid Dahl', role: 'viewer' }],
    ],
    refusedCall(null, '/projects/3/users', 401, FORBIDDEN),
  ],
  [
    'POST /projects/{board_id:int}/user/{user_id:int}/remove',
    ['editor', `${MINE}/user/5/remove`, 200, {}, { removed: true, user: { id: 5 } }],
    refusedCall('subscriber', `${MINE}/user/5/remove`, 403, FORBIDDEN),
  ],
  [
    'POST /projects/{board_id:str}/add-members',
    [
      'editor',
      '/projects/3/add-members',
      200,
      { body: { user_ids: [11], role: 'viewer' } },
      { members: [{}, {}, {}, {}, { id: 11, role: 'viewer' }] },
    ],
    refusedCall('editor', '/projects/3/add-members', 400, INVALID, { body: { user_ids: [99] } }),
  ],
  [
    'GET /projects/{board_id:int}/assignees',
    ['subscriber', '/projects/2/assignees', 200, {}, [{ id: 1, name: 'Ada Lindqvist' }]],
    refusedCall('editor', '/projects/5/assignees', 403, FORBIDDEN),
  ],
  [
    'GET /projects/{board_id:int}/activities',
    [
      'subscriber',
      `${MINE}/activities`,
      200,
      { query: { action: 'created', subject: 'board' } },
      [{ text: 'created the board “Website relaunch”' }],
    ],
    refusedCall('subscriber', `${MINE}/activities`, 400, INVALID, { query: { from: '2026-02-30' } }),
  ],
  [
    'PUT /projects/{board_id:int}/toggle-public-access',
    ['editor', `${MINE}/toggle-public-access`, 200, { body: {} }, { enabled: true }],
    refusedCall('subscriber', `${MINE}/toggle-public-access`, 403, FORBIDDEN, { body: {} }),
  ],
  [
    'GET /projects/{board_id:int}/public-access-settings',
    [
      'editor',
      '/projects/3/public-access-settings',
      200,
      {},
      { enabled: true, show_comments: true, show_assignees: false },
    ],
    refusedCall(null, '/projects/3/public-access-settings', 401, FORBIDDEN),
  ],
  [
    'GET /projects/{board_id:int}/board-menu-items',
    [null, '/projects/3/board-menu-items', 200, {}, [{ key: 'tasks' }, { key: 'labels' }]],
    refusedCall(null, '/projects/2/board-menu-items', 401, FORBIDDEN),
  ],
  [
    'GET /projects/{board_id:int}/notification-settings',
    ['subscriber', `${MINE}/notification-settings`, 200, {}, { board_id: 1, mentioned: true, overrides: [] }],
    refusedCall('subscriber', '/projects/4/notification-settings', 403, FORBIDDEN),
  ],
  [
    'PUT /projects/{board_id:int}/update-notification-settings',
    [
      'subscriber',
      `${MINE}/update-notification-settings`,
      200,
      { body: { mentioned: false } },
      { mentioned: false, overrides: ['mentioned'] },
    ],
    refusedCall('subscriber', `${MINE}/update-notification-settings`, 400, INVALID, {
      body: { mentioned: 'maybe' },
    }),
  ],
  [
    'POST /projects/{board_id:int}/crm-contact',
    ['subscriber', `${MINE}/crm-contact`, 201, { body: { contact_id: 8 } }, { id: 8, name: 'Owen Hughes' }],
    refusedCall('subscriber', `${MINE}/crm-contact`, 409, 'contact_exists', { body: { contact_id: 1 } }),
  ],
  [
    'GET /projects/{board_id:int}/crm-contacts',
    ['subscriber', '/projects/2/crm-contacts', 200, {}, [{ id: 4, company: 'Torrefazione Bianchi' }]],
    refusedCall(null, '/projects/4/crm-contacts', 401, FORBIDDEN),
  ],
  [
    'DELETE /projects/{board_id:int}/crm-contact/{contact_id:int}',
    ['subscriber', `${MINE}/crm-contact/1`, 200, {}, { deleted: true, previous: { id: 1 } }],
    refusedCall('subscriber', `${MINE}/crm-contact/8`, 404, 'contact_not_found'),
  ],
];

export const BOARD_CASES: readonly CallPair[] = [...LISTS, ...ITEM, ...PEOPLE];
