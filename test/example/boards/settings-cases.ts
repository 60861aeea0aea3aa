import { type CallPair, refusedCall } from './expected-calls.ts';

const FORBIDDEN = 'rest_forbidden';
const INVALID = 'rest_invalid_param';
const MISSING = 'rest_missing_callback_param';
const NOT_LOGGED_IN = 'rest_not_logged_in';

export const ADMIN_CASES: readonly CallPair[] = [
  [
    'GET /admin/feature-modules',
    [
      'admin',
      '/admin/feature-modules',
      200,
      {},
      { modules: { crm: true, mcp: false }, plugins: { 'mcp-adapter': false } },
    ],
    refusedCall('editor', '/admin/feature-modules', 403, FORBIDDEN),
  ],
  [
    'POST /admin/feature-modules',
    [
      'admin',
      '/admin/feature-modules',
      200,
      { body: { crm: false } },
      { modules: { crm: false, reports: true } },
    ],
    refusedCall('admin', '/admin/feature-modules', 400, INVALID, { body: { crm: 'perhaps' } }),
  ],
  [
    'POST /admin/feature-modules/install-plugin',
    [
      'admin',
      '/admin/feature-modules/install-plugin',
      200,
      { body: { plugin: 'mcp-adapter' } },
      { plugin: 'mcp-adapter', installed: true },
    ],
    refusedCall('admin', '/admin/feature-modules/install-plugin', 400, INVALID, { body: { plugin: 'shop' } }),
  ],
  [
    'GET /admin/general-settings',
    ['admin', '/admin/general-settings', 200, {}, { default_currency: 'EUR' }],
    refusedCall('subscriber', '/admin/general-settings', 403, FORBIDDEN),
  ],
  [
    'POST /admin/general-settings',
    [
      'admin',
      '/admin/general-settings',
      200,
      { body: { board_creators: 'everyone' } },
      { board_creators: 'everyone', default_currency: 'EUR' },
    ],
    refusedCall('admin', '/admin/general-settings', 400, INVALID, { body: { board_creators: 'nobody' } }),
  ],
  [
    'GET /admin/mcp/status',
    ['admin', '/admin/mcp/status', 200, {}, { enabled: false, adapter_installed: false, endpoint: null }],
    refusedCall(null, '/admin/mcp/status', 401, FORBIDDEN),
  ],
  [
    'POST /admin/mcp/toggle',
    ['admin', '/admin/mcp/toggle', 200, { body: {} }, { enabled: true, endpoint: null }],
    refusedCall('editor', '/admin/mcp/toggle', 403, FORBIDDEN, { body: {} }),
  ],
  [
    'POST /admin/mcp/install-adapter',
    ['admin', '/admin/mcp/install-adapter', 200, {}, { adapter_installed: true }],
    refusedCall('editor', '/admin/mcp/install-adapter', 403, FORBIDDEN),
  ],
  [
    'GET /admin/mcp/config-snippet',
    [
      'admin',
      '/admin/mcp/config-snippet',
      200,
      { query: { client: 'vscode' } },
      { client: 'vscode', file: '.vscode/mcp.json' },
    ],
    refusedCall('admin', '/admin/mcp/config-snippet', 400, INVALID, { query: { client: 'ed' } }),
  ],
  [
    'GET /admin/pages',
    ['admin', '/admin/pages', 200, { query: { search: 'road' } }, [{ id: 2, title: 'Roadmap' }]],
    refusedCall('editor', '/admin/pages', 403, FORBIDDEN),
  ],
  [
    'GET /admin/folders',
    [
      'subscriber',
      '/admin/folders',
      200,
      {},
      [
        { title: 'Customers', board_ids: [1, 6] },
        { title: 'In the house', board_ids: [] },
        { board_ids: [3, 7] },
      ],
    ],
    refusedCall(null, '/admin/folders', 401, NOT_LOGGED_IN),
  ],
  [
    'POST /admin/folders',
    ['admin', '/admin/folders', 201, { body: { title: 'New' } }, { id: 4, title: 'New', board_ids: [] }],
    refusedCall('admin', '/admin/folders', 400, MISSING, { body: {} }),
  ],
  [
    'GET /admin/folders/{folder_id:int}',
    ['editor', '/admin/folders/1', 200, {}, { id: 1, board_ids: [1, 6] }],
    refusedCall('editor', '/admin/folders/9', 404, 'folder_not_found'),
  ],
  [
    'PUT /admin/folders/{folder_id:int}',
    ['admin', '/admin/folders/1', 200, { body: { color: '#abc' } }, { title: 'Customers', color: '#abc' }],
    refusedCall('editor', '/admin/folders/1', 403, FORBIDDEN, { body: {} }),
  ],
  [
    'DELETE /admin/folders/{folder_id:int}',
    ['admin', '/admin/folders/1', 200, {}, { deleted: true }],
    refusedCall('admin', '/admin/folders/9', 404, 'folder_not_found'),
  ],
  [
    'POST /admin/folders/{folder_id:int}/add-board',
    ['admin', '/admin/folders/1/add-board', 200, { body: { board_id: 2 } }, { board_ids: [1, 6, 2] }],
    refusedCall('editor', '/admin/folders/1/add-board', 403, FORBIDDEN, { body: { board_id: 2 } }),
  ],
  [
    'POST /admin/folders/{folder_id:int}/remove-board',
    ['admin', '/admin/folders/1/remove-board', 200, { body: { board_id: 1 } }, { board_ids: [6] }],
    refusedCall('admin', '/admin/folders/1/remove-board', 400, INVALID, { body: { board_id: 77 } }),
  ],
  [
    'GET /ai/settings',
    ['admin', '/ai/settings', 200, {}, { enabled: true, tone: 'neutral', max_words: 200 }],
    refusedCall('editor', '/ai/settings', 403, FORBIDDEN),
  ],
  [
    'POST /ai/settings',
    [
      'admin',
      '/ai/settings',
      200,
      { body: { enabled: false, tone: 'formal' } },
      { enabled: false, tone: 'formal' },
    ],
    refusedCall('admin', '/ai/settings', 400, INVALID, { body: { max_words: 0 } }),
  ],
];

export const USER_CASES: readonly CallPair[] = [
  [
    'GET /tasks/task-tabs/config',
    ['subscriber', '/tasks/task-tabs/config', 200, {}, { tabs: ['comments', 'activities', 'time-tracks'] }],
    refusedCall(null, '/tasks/task-tabs/config', 401, NOT_LOGGED_IN),
  ],
  [
    'POST /tasks/task-tabs/config',
    [
      'subscriber',
      '/tasks/task-tabs/config',
      200,
      { body: { tabs: ['activities', 'comments'] } },
      { tabs: ['activities', 'comments'] },
    ],
    refusedCall('subscriber', '/tasks/task-tabs/config', 400, INVALID, {
      body: { tabs: ['comments', 'comments'] },
    }),
  ],
  [
    'GET /member-associated-users/{id:str}',
    ['subscriber', '/member-associated-users/3', 200, {}, [{ id: 1, shared_board_count: 5 }]],
    refusedCall('subscriber', '/member-associated-users/2', 403, FORBIDDEN),
  ],
  [
    'GET /ajax-options',
    [
      'subscriber',
      '/ajax-options',
      200,
      { query: { option_key: 'users', search: 'mira', values: '1' } },
      [{ id: 1 }, { id: 4, title: 'Mira Novak' }],
    ],
    refusedCall('subscriber', '/ajax-options', 400, MISSING),
  ],
  [
    'POST /update-global-notification-settings',
    [
      'subscriber',
      '/update-global-notification-settings',
      200,
      { body: { due_soon: false } },
      { due_soon: false, mentioned: true },
    ],
    refusedCall(null, '/update-global-notification-settings', 401, NOT_LOGGED_IN, { body: {} }),
  ],
  [
    'GET /get-global-notification-settings',
    ['subscriber', '/get-global-notification-settings', 200, {}, { due_soon: true, task_created: false }],
    refusedCall(null, '/get-global-notification-settings', 401, NOT_LOGGED_IN),
  ],
  [
    'PUT /update-dashboard-view-settings',
    [
      'subscriber',
      '/update-dashboard-view-settings',
      200,
      { body: { layout: 'list', widgets: ['my_tasks'] } },
      { layout: 'list', sort: 'recent', widgets: ['my_tasks'] },
    ],
    refusedCall('subscriber', '/update-dashboard-view-settings', 400, INVALID, {
      body: { layout: 'spiral' },
    }),
  ],
  [
    'GET /get-dashboard-view-settings',
    ['subscriber', '/get-dashboard-view-settings', 200, {}, { layout: 'grid', show_archived: false }],
    refusedCall(null, '/get-dashboard-view-settings', 401, NOT_LOGGED_IN),
  ],
];
